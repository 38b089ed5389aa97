//! Migrates the schema. The first node that starts does it, and the others wait.

use std::time::{Duration, Instant};

use super::Address;
use super::session::{Session, Use};
use crate::Error;
use crate::migrations::{Migration, Step};
use crate::rows::{Row, Rows, one, params};
use crate::settings::Schema;

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
/// [`Error::TooNew`] and [`Error::TooOld`], [`Error::Conflict`] if another node has been migrating
/// for too long, or an error of the database.
pub(super) fn prepare(address: &Address, schema: Schema) -> Result<Rows, Error> {
    let rows = connect(address)?;
    if look(&rows)?.is_wanted(schema)? {
        take_missing(&rows)?;
    }
    Ok(rows)
}

/// Migrates the schema. Returns what was done.
///
/// # Errors
/// Like [`prepare`].
pub(crate) fn migrate(address: &Address) -> Result<Migration, Error> {
    take_missing(&connect(address)?)
}

/// Which steps the schema is missing. Changes nothing.
///
/// # Errors
/// [`Error::TooNew`], or an error of the database.
pub(crate) fn missing_steps(address: &Address) -> Result<Migration, Error> {
    look(&connect(address)?)
}

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
/// [`Error::TooNew`], [`Error::Unfinished`], or an error of the database.
pub(crate) fn look(rows: &Rows) -> Result<Migration, Error> {
    let is_there = "SELECT EXISTS (SELECT 1 FROM pg_tables
                        WHERE schemaname = current_schema() AND tablename = 'schema_step')";
    if one(rows, is_there, params![], |row| row.get(0))? != Some(true) {
        return Migration::from(0);
    }
    let sql = "SELECT COALESCE(MAX(number), 0) FROM schema_step";
    Migration::from(one(rows, sql, params![], |row| row.get(0))?.unwrap_or(0))
}

/// Takes the missing steps once no other connection is migrating. Returns which steps were
/// missing. No one else can migrate the schema until the connection ends.
///
/// # Errors
/// Like [`look`], and [`Error::Conflict`] if another node has been migrating for too long.
pub(crate) fn take_missing(rows: &Rows) -> Result<Migration, Error> {
    // The lock is released when the connection ends, even if this process is killed.
    wait_for_lock(rows)?;
    if let Rows::Postgres(session) = rows {
        session.batch(
            "CREATE TABLE IF NOT EXISTS schema_step (
                 number BIGINT PRIMARY KEY,
                 name   TEXT COLLATE \"C\" NOT NULL
             )",
        )?;
    }
    let migration = look(rows)?;
    for (number, step) in Migration::numbered(migration.found) {
        take(rows, number, step)?;
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

/// Takes one step as a whole or not at all. If a table is locked for long, tries repeatedly with
/// pauses, so that other transactions don't wait long for this one.
fn take(rows: &Rows, number: i64, step: &Step) -> Result<(), Error> {
    let Rows::Postgres(session) = rows else { return Ok(()) };
    tracing::info!(step = step.name, "migrating the database schema");
    let since = Instant::now();
    loop {
        let taken = session.batch("BEGIN").and_then(|()| session.batch(step.postgres));
        match taken {
            Err(Error::Locked { .. } | Error::Conflict { .. })
                if since.elapsed() < Duration::from_millis(WAIT_MS_MAX) =>
            {
                session.batch("ROLLBACK")?;
                std::thread::sleep(Duration::from_millis(PAUSE_MS));
            }
            taken => break taken?,
        }
    }
    let sql = "INSERT INTO schema_step (number, name) VALUES (?1, ?2)";
    rows.execute(sql, params![number, step.name])?;
    session.batch("COMMIT")
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
