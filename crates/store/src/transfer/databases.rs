//! The two databases of a transfer, and the mark on a target that is not finished.

use std::path::Path;
use std::time::{Duration, Instant};

use super::TransferError;
use super::schema::{self, Table};
use crate::migrations::{self, Migration, STEPS};
use crate::rows::{Rows, one, params};
use crate::settings::Schema;
use crate::{Address, BlobsPlace, Database, Error, Settings, postgres, sqlite};

/// How long to wait for connections that are about to end, in milliseconds.
const GONE_WAIT_MS_MAX: u64 = 5_000;
/// The interval between two checks, in milliseconds.
const LOOK_MS: u64 = 100;
/// The application name of a transfer's own connections, which distinguishes them from those of
/// nodes.
const NAME: &str = "SET application_name = 'retouch move'";

/// The progress of all writers on a server. Every transaction of a node increases its writer's
/// number.
const WRITTEN: &str =
    "SELECT CAST(COUNT(*) AS TEXT) || ' ' || CAST(COALESCE(SUM(number), 0) AS TEXT)
    FROM writer_mark";

/// The source database.
pub(super) struct Source {
    pub(super) rows: Rows,
    /// The progress of its writers when it was opened.
    written: String,
}

impl Source {
    /// Ends the snapshot, because copying files takes longer than a server allows a transaction to
    /// be idle.
    pub(super) fn at_rest(self) -> Result<Self, Error> {
        self.rows.execute("COMMIT", params![])?;
        Ok(self)
    }

    /// Checks that the database has not been written to since it was opened. A file is locked, but
    /// someone may have started a node on a server.
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

/// Opens the source database and begins a consistent snapshot of it.
pub(super) fn open_source(database: &Database) -> Result<Source, TransferError> {
    let rows = match database {
        Database::File(path) if !path.exists() => {
            return Err(TransferError::NoDatabase(path.clone()));
        }
        Database::File(path) => {
            let rows = connect(path)?;
            check(&Migration::find(&rows, STEPS)?)?;
            rows
        }
        Database::Server(address) => {
            let rows = postgres::connect(address)?;
            check(&Migration::find(&rows, STEPS)?)?;
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

/// Opens the target database, with this version's schema, no rows, and the mark that it is not
/// finished. With `anew`, first deletes the rows of an earlier transfer that was not finished.
pub(super) fn open_target(database: &Database, anew: bool) -> Result<Rows, TransferError> {
    let rows = match database {
        Database::File(path) => open_file(path, database, anew)?,
        Database::Server(address) => open_server(address, database, anew)?,
    };
    migrations::mark_unfinished(&rows)?;
    be_durable(&rows, false)?;
    Ok(rows)
}

/// Removes the mark. From now on, the database can be used.
pub(super) fn finish(rows: &Rows) -> Result<(), Error> {
    be_durable(rows, true)?;
    migrations::mark_finished(rows)?;
    match rows {
        Rows::Sqlite(_) => {
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            one(rows, sql, params![], |_| Ok(())).map(drop)
        }
        Rows::Postgres(_) => Ok(()),
    }
}

/// Updates a server's statistics, because query plans that were made for empty tables are slow.
pub(super) fn learn(rows: &Rows, tables: &[Table]) {
    if matches!(rows, Rows::Sqlite(_)) {
        return;
    }
    for table in tables {
        if let Err(fault) = rows.execute(&format!("ANALYZE \"{}\"", table.name), params![]) {
            // The server does this automatically some time later.
            tracing::warn!(%fault, table = table.name, "could not analyze a table");
        }
    }
}

/// Sets whether commits wait for the disk. They need not while the database is marked, because
/// lost rows are copied again. The commit that removes the mark also writes everything before it
/// to the disk.
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
    let mut rows = connect(path)?;
    if anew && Migration::find(&rows, STEPS) == Err(Error::Unfinished) {
        drop(rows);
        // The main file is deleted first, because the others are useless without it.
        for end in ["", "-wal", "-shm"] {
            let mut file = path.as_os_str().to_owned();
            file.push(end);
            remove(Path::new(&file))?;
        }
        rows = connect(path)?;
    }
    // Says so if an earlier transfer was not finished, or if a later version created the database.
    drop(Migration::find(&rows, STEPS)?);
    check_empty(&rows, database)?;
    sqlite::migrate(&rows, STEPS)?;
    Ok(rows)
}

fn open_server(address: &Address, database: &Database, anew: bool) -> Result<Rows, TransferError> {
    let rows = postgres::connect(address)?;
    alone(&rows, database)?;
    match Migration::find(&rows, STEPS) {
        Err(Error::Unfinished) if anew => {
            // The lock prevents another transfer from starting over at the same time. It is
            // released with the connection.
            postgres::wait_for_lock(&rows)?;
            let tables = schema::tables(&rows)?;
            let names: Vec<String> =
                tables.iter().map(|table| format!("\"{}\"", table.name)).collect();
            rows.execute(&format!("TRUNCATE {}", names.join(", ")), params![])?;
            finish(&rows)?;
        }
        found => drop(found?),
    }
    check_empty(&rows, database)?;
    postgres::run_missing(&rows, STEPS)?;
    Ok(rows)
}

/// Checks that the database has no rows before anything is changed, because existing rows may
/// still be needed in their older schema.
fn check_empty(rows: &Rows, database: &Database) -> Result<(), TransferError> {
    for table in schema::tables(rows)? {
        if is_filled(rows, &table)? {
            let table = table.name;
            return Err(TransferError::NotEmpty { database: database.to_string(), table });
        }
    }
    Ok(())
}

/// Checks that the schema is this version's.
fn check(migration: &Migration) -> Result<(), Error> {
    migration.is_wanted(Schema::AsIs).map(drop)
}

/// Checks that no node uses the database. Waits a moment for one that was just stopped.
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

fn connect(path: &Path) -> Result<Rows, Error> {
    let settings = Settings::of(Database::File(path.to_owned()), BlobsPlace::Memory);
    Ok(Rows::Sqlite(sqlite::connect(&settings, path)?))
}

fn remove(file: &Path) -> Result<(), Error> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::files(&error)),
        _ => Ok(()),
    }
}
