//! Databases on the tests' PostgreSQL servers, if they are running: `tests/postgres/run` starts
//! them.

use std::net::SocketAddr;
use std::process::Command;

/// A schema on a server, for one test.
pub(crate) struct Database {
    server: String,
    name: &'static str,
}

impl Database {
    /// A new schema on the server that all tests share; none without a server.
    pub(crate) fn new(name: &'static str) -> Option<Self> {
        Self::on("RETOUCH_TEST_POSTGRES", name)
    }

    /// A new schema on the server that may crash.
    pub(crate) fn fragile(name: &'static str) -> Option<Self> {
        Self::on("RETOUCH_TEST_POSTGRES_FRAGILE", name)
    }

    fn on(variable: &str, name: &'static str) -> Option<Self> {
        let database = Self { server: std::env::var(variable).ok()?, name };
        database.say(&format!("CREATE SCHEMA {name}"));
        Some(database)
    }

    pub(crate) fn address(&self) -> String {
        let Self { server, name } = self;
        format!("{server}?options=-csearch_path%3D{name}&application_name={name}")
    }

    /// The server's host and port.
    pub(crate) fn host(&self) -> String {
        let (_, behind) = self.server.split_once('@').unwrap();
        behind.split_once('/').unwrap().0.to_owned()
    }

    /// The address of the schema through a proxy.
    pub(crate) fn address_by(&self, way: SocketAddr) -> String {
        self.address().replace(&self.host(), &way.to_string())
    }

    /// Ends all connections to the schema.
    pub(crate) fn cut(&self) {
        self.say(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}'",
            self.name
        ));
    }

    /// Kills the server that may crash, as a power failure would, and starts it again.
    pub(crate) fn crash() {
        let program = std::env::var("RETOUCH_TEST_POSTGRES_CRASH").unwrap();
        assert!(Command::new(program).status().unwrap().success());
    }

    fn say(&self, sql: &str) {
        let arguments = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--command", sql];
        let said = Command::new("psql").args(arguments).arg(&self.server).output().unwrap();
        assert!(said.status.success(), "{sql}: {}", String::from_utf8_lossy(&said.stderr));
    }
}
