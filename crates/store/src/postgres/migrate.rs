//! Migrates the schema. The first node that starts does it, and the others wait.

use std::time::{Duration, Instant};

use super::Address;
use super::session::{Session, Use};
use crate::migrations::{self, Migration, Step};
use crate::rows::{Row, Rows, one, params};
use crate::{Error, Settings};

/// Takes the lock for changing the tables, unless another connection has it.
const LOCK: &str = "SELECT pg_try_advisory_lock(19521031, hashtext(current_schema()))";
/// How long to wait for another node that migrates the schema, in milliseconds.
const WAIT_MS_MAX: u64 = 600_000;
/// The interval between two attempts to take the lock, in milliseconds.
const LOOK_MS: u64 = 100;
/// The pause between two attempts at a step, in which others can use the table, in milliseconds.
const PAUSE_MS: u64 = 2_000;
/// The oldest supported server version, as in `server_version_num`.
const VERSION_MIN: i64 = 150_000;

/// Brings the schema up to date if `schema` says so. Returns the connection that was used.
///
/// # Errors
/// [`Error::TooOld`], and the errors of [`migrate`].
pub(super) fn prepare(address: &Address, settings: &Settings) -> Result<Rows, Error> {
    let rows = connect(address)?;
    if Migration::find(&rows, settings.steps)?.is_wanted(settings.schema)? {
        run_missing(&rows, settings.steps)?;
    }
    Ok(rows)
}

/// Migrates the schema. Returns what was done.
///
/// # Errors
/// [`Error::Conflict`] if another node has been migrating for too long, and the errors of
/// [`Migration::find`].
pub(crate) fn migrate(address: &Address, steps: &'static [Step]) -> Result<Migration, Error> {
    run_missing(&connect(address)?, steps)
}

/// Which steps the schema is missing. Changes nothing.
///
/// # Errors
/// A connection whose statements may take as long as a migration does.
///
/// # Errors
/// An error of the database, or a server that does not meet the requirements.
pub(crate) fn connect(address: &Address) -> Result<Rows, Error> {
    let rows = Rows::Postgres(Session::connect(address, Use::Migrating)?);
    check_server(&rows)?;
    Ok(rows)
}

/// Which steps the schema is currently missing.
///
/// # Errors
/// The same as [`migrate`].
pub(crate) fn run_missing(rows: &Rows, steps: &'static [Step]) -> Result<Migration, Error> {
    // The lock is released when the connection ends, even if this process is killed.
    wait_for_lock(rows)?;
    migrations::create_table(rows)?;
    let migration = Migration::find(rows, steps)?;
    for (number, step) in migrations::numbered(steps, migration.found) {
        run(rows, number, step)?;
    }
    Ok(migration)
}

/// Checks that the server has a supported version and encoding, and warns if `fsync` is off.
fn check_server(rows: &Rows) -> Result<(), Error> {
    let sql = "SELECT CAST(current_setting('server_version_num') AS BIGINT),
                   current_setting('server_encoding'), current_setting('fsync')";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let found: Option<(i64, String, String)> = one(rows, sql, params![], read)?;
    let (version, encoding, fsync) = found.unwrap_or_default();
    if version < VERSION_MIN {
        let (version, known) = (version / 10_000, VERSION_MIN / 10_000);
        let message = format!("this is PostgreSQL {version}; version {known} or later is required");
        return Err(Error::Database { message });
    }
    if encoding != "UTF8" {
        let message =
            format!("the encoding of the database is {encoding}; create a database in UTF8");
        return Err(Error::Database { message });
    }
    if fsync == "off" {
        tracing::warn!("fsync is off on the database server; a power failure can lose data");
    }
    Ok(())
}

/// Runs one migration in a transaction. While another session holds a lock on a table, it tries
/// again and again, so that no one else waits long for that table.
fn run(rows: &Rows, number: i64, step: &Step) -> Result<(), Error> {
    tracing::info!(step = step.name, "migrating the database schema");
    let since = Instant::now();
    loop {
        match rows.batch("BEGIN").and_then(|()| step.run(rows, number)) {
            Err(Error::Locked { .. } | Error::Conflict { .. })
                if since.elapsed() < Duration::from_millis(WAIT_MS_MAX) =>
            {
                rows.batch("ROLLBACK")?;
                std::thread::sleep(Duration::from_millis(PAUSE_MS));
            }
            ran => {
                ran?;
                return rows.batch("COMMIT");
            }
        }
    }
}

/// Waits until no other connection is migrating the schema. None can start to until this one ends.
///
/// # Errors
/// [`Error::Conflict`] if that takes too long, or an error of the database.
pub(crate) fn wait_for_lock(rows: &Rows) -> Result<(), Error> {
    let since = Instant::now();
    loop {
        if one(rows, LOCK, params![], |row| row.get(0))? == Some(true) {
            return Ok(());
        }
        if since.elapsed() > Duration::from_millis(WAIT_MS_MAX) {
            let message =
                format!("another node has been migrating the schema for {WAIT_MS_MAX} ms");
            return Err(Error::Conflict { message });
        }
        std::thread::sleep(Duration::from_millis(LOOK_MS));
    }
}
