//! Databases on the PostgreSQL servers of the tests, where they are: `tests/postgres/run` starts them.

use std::net::SocketAddr;
use std::process::Command;

/// A schema of its own on a server.
pub(crate) struct Database {
    server: String,
    name: &'static str,
}

impl Database {
    /// A new schema on the server that is there for all tests; none where there is no server.
    pub(crate) fn new(name: &'static str) -> Option<Self> {
        Self::on("RETOUCH_TEST_POSTGRES", name)
    }

    /// The same on the server that may be lost.
    pub(crate) fn fragile(name: &'static str) -> Option<Self> {
        Self::on("RETOUCH_TEST_POSTGRES_FRAGILE", name)
    }

    fn on(variable: &str, name: &'static str) -> Option<Self> {
        let database = Self { server: std::env::var(variable).ok()?, name };
        database.say(&format!("CREATE SCHEMA {name}"));
        Some(database)
    }

    /// Its address.
    pub(crate) fn address(&self) -> String {
        let Self { server, name } = self;
        format!("{server}?options=-csearch_path%3D{name}&application_name={name}")
    }

    /// Its server's host and port.
    pub(crate) fn host(&self) -> String {
        let (_, behind) = self.server.split_once('@').unwrap();
        behind.split_once('/').unwrap().0.to_owned()
    }

    /// Its address by another way to the server.
    pub(crate) fn address_by(&self, way: SocketAddr) -> String {
        self.address().replace(&self.host(), &way.to_string())
    }

    /// Cuts all connections to the schema.
    pub(crate) fn cut(&self) {
        self.say(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}'",
            self.name
        ));
    }

    /// Stops the server that may be lost as a failure of power would, and starts it again.
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
