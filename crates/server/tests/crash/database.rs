//! Databases on the PostgreSQL server of the tests, where there is one: `tests/postgres/run` starts it.

use std::process::Command;

/// A new schema on the server, by its address; none where there is no server.
pub(crate) fn new(name: &str) -> Option<String> {
    let server = std::env::var("RETOUCH_TEST_POSTGRES").ok()?;
    say(&server, &format!("CREATE SCHEMA {name}"));
    Some(format!("{server}?options=-csearch_path%3D{name}&application_name={name}"))
}

/// Cuts all connections to the schema `name`.
pub(crate) fn cut(name: &str) {
    let server = std::env::var("RETOUCH_TEST_POSTGRES").unwrap();
    say(
        &server,
        &format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'"
        ),
    );
}

fn say(server: &str, sql: &str) {
    let arguments = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--command", sql, server];
    let said = Command::new("psql").args(arguments).output().unwrap();
    assert!(said.status.success(), "{sql}: {}", String::from_utf8_lossy(&said.stderr));
}
