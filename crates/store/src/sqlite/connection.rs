//! Setting up connections for writing and reading.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::{Error, Settings};

/// How long SQLite waits for another process's transaction, in milliseconds.
pub(super) const LOCK_WAIT_MS_MAX: u64 = 5_000;
/// How many prepared statements a connection keeps.
const STATEMENTS_MAX: usize = 256;
/// The size of a page of a new database, in bytes. An edit changes a few rows in many indexes, and each
/// page with a change is written as a whole: with SQLite's 4 KiB, an edit wrote 1.4 times as much
/// (`bench/README.md`).
const PAGE_BYTES: i64 = 2 << 10;
/// How many pages the write-ahead log may have before they are moved into the database file: 16 MB in
/// a database with pages of 2 KiB.
pub(super) const CHECKPOINT_PAGES: i32 = 8_000;
/// The maximum size of the log file after a checkpoint, in bytes. A smaller file is overwritten,
/// which is cheaper to make durable than a file that grows.
const LOG_BYTES_KEPT: i64 = 64 << 20;
/// The page cache, in KiB. The system caches the file anyway, and in a database below 1 GB most commits go
/// through all cached pages: with 16 MiB, an edit took 5 % longer (`bench/README.md`).
const CACHE_KIB: i64 = 4 << 10;

/// Opens a connection whose commits are durable (WAL, `synchronous=FULL`), unless the caller changes that.
pub(crate) fn connect(settings: &Settings, path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_millis(LOCK_WAIT_MS_MAX))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    // Otherwise SQLite plans a cached statement again for each new set of values, which took a
    // tenth of the processor time of an edit.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    let page_bytes: u32 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let pages_max = settings.database_bytes_max / u64::from(page_bytes.max(1));
    let pages_max = pages_max.clamp(1, u64::from(u32::MAX - 1));
    connection.pragma_update(
        None,
        "max_page_count",
        i64::try_from(pages_max).unwrap_or(i64::MAX),
    )?;
    Ok(connection)
}
