//! The schema, brought up to date by whichever node comes first; the others wait for it.

use std::time::{Duration, Instant};

use super::Address;
use super::session::{Session, Use};
use crate::Error;
use crate::migrations::{STEPS, Step};
use crate::rows::{Row, Rows, one, params};

/// Takes the lock of whoever changes the tables, if nobody has it.
const LOCK: &str = "SELECT pg_try_advisory_lock(19521031, hashtext(current_schema()))";
/// How long it is waited for another node that changes the schema, in milliseconds.
const WAIT_MS_MAX: u64 = 600_000;
/// How long it is waited between two looks, in milliseconds.
const LOOK_MS: u64 = 100;
/// How long the others have a table to themselves between two attempts at a step, in milliseconds.
const PAUSE_MS: u64 = 2_000;
/// The oldest server that is known to do, as it counts its versions.
const VERSION_MIN: i64 = 150_000;

/// Brings the schema up to date; the connection that has done so.
///
/// # Errors
/// [`Error::TooNew`] for a database of a later version, [`Error::Conflict`] where another node has
/// been at it for too long, faults of the database.
pub(super) fn migrate(address: &Address) -> Result<Rows, Error> {
    let rows = Rows::Postgres(Session::connect(address, Use::Migrating)?);
    let Rows::Postgres(session) = &rows else { return Ok(rows) };
    check_server(&rows)?;
    // The lock ends with the connection, whatever becomes of this process.
    wait_for_lock(&rows)?;
    session.batch(
        "CREATE TABLE IF NOT EXISTS schema_step (
             number BIGINT PRIMARY KEY,
             name   TEXT COLLATE \"C\" NOT NULL
         )",
    )?;
    let sql = "SELECT COALESCE(MAX(number), 0) FROM schema_step";
    let found: i64 = one(&rows, sql, params![], |row| row.get(0))?.unwrap_or(0);
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if found > known {
        return Err(Error::TooNew { found, known });
    }
    let new = (1_i64..).zip(STEPS).skip(usize::try_from(found).unwrap_or(0));
    for (number, step) in new {
        take(&rows, number, step)?;
    }
    Ok(rows)
}

/// Refuses a server that cannot keep what is written here.
fn check_server(rows: &Rows) -> Result<(), Error> {
    let sql = "SELECT CAST(current_setting('server_version_num') AS BIGINT),
                   current_setting('server_encoding'), current_setting('fsync')";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let found: Option<(i64, String, String)> = one(rows, sql, params![], read)?;
    let (version, encoding, fsync) = found.unwrap_or_default();
    if version < VERSION_MIN {
        let (version, known) = (version / 10_000, VERSION_MIN / 10_000);
        let message = format!("this is PostgreSQL {version}; {known} or later is needed");
        return Err(Error::Database { message });
    }
    if encoding != "UTF8" {
        let message = format!("the database is encoded in {encoding}; make one in UTF8");
        return Err(Error::Database { message });
    }
    if fsync == "off" {
        tracing::warn!("the database's server has fsync off: a failure of power loses its data");
    }
    Ok(())
}

/// Takes one step, whole or not at all; where somebody is at a table for long, again and again, so that
/// nobody else waits for long.
fn take(rows: &Rows, number: i64, step: &Step) -> Result<(), Error> {
    let Rows::Postgres(session) = rows else { return Ok(()) };
    tracing::info!(step = step.name, "changing the schema of the database");
    let since = Instant::now();
    loop {
        let taken = session.batch("BEGIN").and_then(|()| session.batch(step.postgres));
        match taken {
            Err(Error::Conflict { .. }) if since.elapsed() < Duration::from_millis(WAIT_MS_MAX) => {
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

fn wait_for_lock(rows: &Rows) -> Result<(), Error> {
    let since = Instant::now();
    loop {
        if one(rows, LOCK, params![], |row| row.get(0))? == Some(true) {
            return Ok(());
        }
        if since.elapsed() > Duration::from_millis(WAIT_MS_MAX) {
            let message = format!("another node has changed the schema for {WAIT_MS_MAX} ms");
            return Err(Error::Conflict { message });
        }
        std::thread::sleep(Duration::from_millis(LOOK_MS));
    }
}
