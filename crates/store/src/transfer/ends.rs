//! The two databases of a transfer, and the mark of the one that is not finished.

use std::path::Path;
use std::time::{Duration, Instant};

use super::TransferError;
use super::shape::{self, Table};
use crate::migrations::{Migration, UNFINISHED};
use crate::rows::{Rows, one, params};
use crate::settings::Schema;
use crate::{Address, BlobsPlace, Database, Error, Settings, postgres, sqlite};

/// How long it is waited for connections that are about to end, in milliseconds.
const GONE_WAIT_MS_MAX: u64 = 5_000;
/// How long it is waited between two looks, in milliseconds.
const LOOK_MS: u64 = 100;
/// What a transfer calls its own connections, so that it does not take them for a node's.
const NAME: &str = "SET application_name = 'retouch move'";

/// How far those who write have come, on a server: every transaction of a node counts its lane's on.
const WRITTEN: &str =
    "SELECT CAST(COUNT(*) AS TEXT) || ' ' || CAST(COALESCE(SUM(number), 0) AS TEXT)
    FROM lane_mark";

/// The database that is moved.
pub(super) struct Source {
    pub(super) rows: Rows,
    /// How far those who write had come.
    written: String,
}

impl Source {
    /// Ends the one look at the database: files take longer than a server leaves a transaction alone.
    pub(super) fn at_rest(self) -> Result<Self, Error> {
        self.rows.execute("COMMIT", params![])?;
        Ok(self)
    }

    /// Makes sure that nobody has written since it was opened: a file is locked, and of a server
    /// somebody may have started a node.
    pub(super) fn check_untouched(&self, database: &Database) -> Result<(), TransferError> {
        if written(&self.rows)? == self.written {
            return Ok(());
        }
        Err(TransferError::Written { database: database.to_string() })
    }
}

fn written(rows: &Rows) -> Result<String, Error> {
    let found = match rows {
        Rows::Sqlite(_) => None,
        Rows::Postgres(_) => one(rows, WRITTEN, params![], |row| row.get(0))?,
    };
    Ok(found.unwrap_or_default())
}

/// Opens the database that is moved. What is read of it is as one moment had it.
pub(super) fn open_source(database: &Database) -> Result<Source, TransferError> {
    let rows = match database {
        Database::File(path) if !path.exists() => {
            return Err(TransferError::NoDatabase(path.clone()));
        }
        Database::File(path) => {
            let connection = connect(path)?;
            check(&sqlite::missing_steps(&connection)?)?;
            Rows::Sqlite(connection)
        }
        Database::Server(address) => {
            let rows = postgres::connect(address)?;
            check(&postgres::look(&rows)?)?;
            alone(&rows, database)?;
            rows
        }
    };
    let begin = match &rows {
        Rows::Sqlite(_) => "BEGIN DEFERRED",
        Rows::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    };
    rows.execute(begin, params![])?;
    Ok(Source { written: written(&rows)?, rows })
}

/// Opens the database that is moved to, with this version's schema, no rows and the mark that it is not
/// finished. With `anew`, the rows of an earlier transfer that was not finished go first.
pub(super) fn open_target(database: &Database, anew: bool) -> Result<Rows, TransferError> {
    let rows = match database {
        Database::File(path) => open_file(path, database, anew)?,
        Database::Server(address) => open_server(address, database, anew)?,
    };
    match &rows {
        Rows::Sqlite(connection) => number(connection, UNFINISHED)?,
        Rows::Postgres(_) => {
            let sql = "INSERT INTO schema_step (number, name) VALUES (?1, 'a move begins')";
            rows.execute(sql, params![UNFINISHED])?;
        }
    }
    be_durable(&rows, false)?;
    Ok(rows)
}

/// Takes the mark away: from now on the database can be served.
pub(super) fn finish(rows: &Rows) -> Result<(), Error> {
    be_durable(rows, true)?;
    match rows {
        Rows::Sqlite(connection) => {
            number(connection, Migration::from(0)?.known)?;
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            one(rows, sql, params![], |_| Ok(())).map(drop)
        }
        Rows::Postgres(_) => {
            let sql = "DELETE FROM schema_step WHERE number = ?1";
            rows.execute(sql, params![UNFINISHED]).map(drop)
        }
    }
}

/// Has a server learn what the tables hold now: plans that were made while they were empty are bad ones.
pub(super) fn learn(rows: &Rows, tables: &[Table]) {
    if matches!(rows, Rows::Sqlite(_)) {
        return;
    }
    for table in tables {
        if let Err(fault) = rows.execute(&format!("ANALYZE \"{}\"", table.name), params![]) {
            // The server does it by itself some time later.
            tracing::warn!(%fault, table = table.name, "could not analyze a table");
        }
    }
}

/// Whether each commit is on the disk before it is answered. While the mark is there none need be, for what is
/// lost is copied again; the commit that takes it away brings all before it to the disk.
fn be_durable(rows: &Rows, is_so: bool) -> Result<(), Error> {
    match rows {
        Rows::Sqlite(connection) => {
            let level = if is_so { "FULL" } else { "NORMAL" };
            Ok(connection.pragma_update(None, "synchronous", level)?)
        }
        Rows::Postgres(_) => {
            let level = if is_so { "on" } else { "off" };
            rows.execute(&format!("SET synchronous_commit = {level}"), params![]).map(drop)
        }
    }
}

fn open_file(path: &Path, database: &Database, anew: bool) -> Result<Rows, TransferError> {
    sqlite::make_folder(path)?;
    let mut connection = connect(path)?;
    if anew && sqlite::missing_steps(&connection) == Err(Error::Unfinished) {
        drop(connection);
        // The file itself goes first: a log without one is nothing.
        for end in ["", "-wal", "-shm"] {
            let mut file = path.as_os_str().to_owned();
            file.push(end);
            remove(Path::new(&file))?;
        }
        connection = connect(path)?;
    }
    // What an earlier transfer has left, or a later version has made, is said to be that.
    drop(sqlite::missing_steps(&connection)?);
    let mut rows = Rows::Sqlite(connection);
    check_empty(&rows, database)?;
    if let Rows::Sqlite(connection) = &mut rows {
        sqlite::migrate(connection)?;
    }
    Ok(rows)
}

fn open_server(address: &Address, database: &Database, anew: bool) -> Result<Rows, TransferError> {
    let rows = postgres::connect(address)?;
    alone(&rows, database)?;
    match postgres::look(&rows) {
        Err(Error::Unfinished) if anew => {
            // Nobody else begins anew at the same time; it ends with the connection.
            postgres::wait_for_lock(&rows)?;
            let tables = shape::tables(&rows)?;
            let names: Vec<String> =
                tables.iter().map(|table| format!("\"{}\"", table.name)).collect();
            rows.execute(&format!("TRUNCATE {}", names.join(", ")), params![])?;
            finish(&rows)?;
        }
        found => drop(found?),
    }
    check_empty(&rows, database)?;
    postgres::take_missing(&rows)?;
    Ok(rows)
}

/// Makes sure that there are no rows, before anything is changed: whoever has some may need the older schema
/// that they are in.
fn check_empty(rows: &Rows, database: &Database) -> Result<(), TransferError> {
    for table in shape::tables(rows)? {
        if is_filled(rows, &table)? {
            let table = table.name;
            return Err(TransferError::NotEmpty { database: database.to_string(), table });
        }
    }
    Ok(())
}

/// A schema of this version, with something in it.
fn check(migration: &Migration) -> Result<(), Error> {
    let (found, known) = (migration.found, migration.known);
    match migration.is_wanted(Schema::AsIs)? {
        false => Ok(()),
        true => Err(Error::TooOld { found, known }),
    }
}

/// Whether no node uses the database; one that has just been stopped is waited for.
fn alone(rows: &Rows, database: &Database) -> Result<(), TransferError> {
    let sql = "SELECT current_setting('application_name')";
    let name: String = one(rows, sql, params![], |row| row.get(0))?.unwrap_or_default();
    rows.execute(NAME, params![])?;
    let sql = "SELECT COUNT(*) FROM pg_stat_activity
               WHERE datname = current_database() AND application_name = ?1";
    let since = Instant::now();
    loop {
        let others: i64 = one(rows, sql, params![name], |row| row.get(0))?.unwrap_or_default();
        if others == 0 {
            return Ok(());
        }
        if since.elapsed() > Duration::from_millis(GONE_WAIT_MS_MAX) {
            return Err(TransferError::InUse { database: database.to_string(), others });
        }
        std::thread::sleep(Duration::from_millis(LOOK_MS));
    }
}

fn is_filled(rows: &Rows, table: &Table) -> Result<bool, Error> {
    let sql = format!("SELECT 1 FROM \"{}\" LIMIT 1", table.name);
    Ok(one(rows, &sql, params![], |_| Ok(()))?.is_some())
}

fn connect(path: &Path) -> Result<rusqlite::Connection, Error> {
    let settings = Settings::of(Database::File(path.to_owned()), BlobsPlace::Memory);
    sqlite::connect(&settings, path)
}

fn number(connection: &rusqlite::Connection, number: i64) -> Result<(), Error> {
    Ok(connection.pragma_update(None, "user_version", number)?)
}

fn remove(file: &Path) -> Result<(), Error> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::files(&error)),
        _ => Ok(()),
    }
}
