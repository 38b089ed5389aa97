//! Moves the rows to another database and the stored files to another place while no server runs:
//! copies every row and file, then verifies that nothing is missing.
//!
//! The target database is marked until everything is verified, and no store opens it before then.
//! Reading order: [`transfer`], `schema` (the tables), `databases` (the two databases and the mark),
//! `table` (one table), `files`.

mod databases;
mod field;
mod files;
mod schema;
mod table;

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use self::databases::Source;
use self::files::Places;
use self::table::Sides;
use crate::blobs::small;
use crate::edit::results_after;
use crate::rows::Rows;
use crate::verify::verify;
use crate::{BlobsPlace, Database, Error, VerifyReport};

pub use files::{FilesMoved, ResultsFound};
pub use table::TableMoved;

/// What to move. No server may use either database meanwhile. For an SQLite file, the caller has to
/// make sure of that.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The source database, also when only its files are moved.
    pub from: Database,
    /// Where its files are stored now.
    pub from_blobs: BlobsPlace,
    /// The target database. `None` leaves the rows where they are.
    pub to: Option<Database>,
    /// The new place for the files. `None` leaves them where they are.
    pub to_blobs: Option<BlobsPlace>,
    /// Whether to delete the rows of an earlier transfer that was not finished.
    pub anew: bool,
}

/// The result of a transfer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transferred {
    /// Every table that was moved; empty if the rows stay.
    pub tables: Vec<TableMoved>,
    /// The verified ledgers of the source and the target.
    pub books: Option<[VerifyReport; 2]>,
    /// The files, if they were moved.
    pub files: Option<FilesMoved>,
    /// The small files that were rows of the source database and became files.
    pub small_files: FilesMoved,
    /// Whether every result has its file in the final place.
    pub results: ResultsFound,
}

impl Transferred {
    /// Whether both sides are the same. If not, the target database keeps its mark.
    pub fn is_sound(&self) -> bool {
        let is_proved = self.books.as_ref().is_none_or(|[from, to]| from == to && to.found == 0);
        let is_there =
            self.files.is_none_or(|files| files.differing == 0) && self.small_files.differing == 0;
        self.tables.iter().all(TableMoved::is_same)
            && is_proved
            && is_there
            && self.results.missing == 0
    }
}

/// What a transfer is doing now, and how far it is.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// Replaying the ledger.
    Replaying,
    /// Copying a table.
    Copying {
        /// Which one.
        table: &'a str,
        /// How many rows so far.
        rows: u64,
    },
    /// Comparing a table.
    Comparing {
        /// Which one.
        table: &'a str,
        /// How many rows so far.
        rows: u64,
    },
    /// Copying files.
    Files {
        /// How many files so far.
        count: u64,
        /// Their total size in bytes.
        bytes: u64,
    },
    /// Looking for the file of every result.
    Results {
        /// How many so far.
        count: u64,
    },
}

/// A callback that reports progress.
pub type Watch = Arc<dyn Fn(Stage<'_>) + Send + Sync>;

/// Why a transfer failed.
#[derive(Debug, Error)]
pub enum TransferError {
    /// The source database does not exist.
    #[error("there is no database at {0}")]
    NoDatabase(PathBuf),
    /// Other programs are still connected to the database.
    #[error(
        "{others} connections to {database} are open: stop every server and program that uses it"
    )]
    InUse {
        /// Which database.
        database: String,
        /// How many connections.
        others: i64,
    },
    /// A server wrote to the source database during the transfer.
    #[error(
        "{database} was changed during the transfer, and the copy is incomplete: stop every \
         program that uses it and start again"
    )]
    Written {
        /// Which database.
        database: String,
    },
    /// The source ledger is inconsistent.
    #[error(
        "the ledger of {database} is inconsistent in {found} places: `retouch credits verify` lists \
         them. Nothing was moved"
    )]
    Books {
        /// Which database.
        database: String,
        /// How many inconsistencies there are.
        found: u64,
    },
    /// The target database has rows.
    #[error("{database} is not empty: its table {table} has rows. Nothing was changed")]
    NotEmpty {
        /// Which database.
        database: String,
        /// A table with rows.
        table: String,
    },
    /// A table has different columns on the two sides.
    #[error("the table {table} was not created by Retouch, or its columns were changed")]
    Unlike {
        /// Which one.
        table: String,
    },
    /// A database or a file storage failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Copies everything, then verifies the copy. If this fails, or the result is not sound, don't use
/// the target database. The source does not change.
///
/// # Errors
/// [`TransferError`].
pub async fn transfer(plan: Transfer, watch: Watch) -> Result<Transferred, TransferError> {
    let plan = Arc::new(plan);
    let mut done = Transferred::default();
    let rows = (Arc::clone(&plan), Arc::clone(&watch));
    let (source, copied) = blocking(move || Ok(copy_rows(&rows.0, &rows.1))).await??;
    let mut target = None;
    if let Some((rows, tables, books)) = copied {
        (target, done.tables, done.books) = (Some(rows), tables, Some(books));
    }
    let places = Places::open(&plan)?;
    if plan.to_blobs.is_some() {
        done.files = Some(places.copy(&watch).await?);
    }
    let source = if plan.to.is_some() {
        let next = |source: &Source, position| small::after(&source.rows, position);
        let (source, moved) = places.copy_small(source, next, &watch).await?;
        done.small_files = moved;
        source
    } else {
        source
    };
    let source = results(source, &places, &mut done.results, &watch).await?;
    let from = Arc::clone(&plan);
    blocking(move || Ok(source.check_untouched(&from.from))).await??;
    if let Some(target) = target.filter(|_| done.is_sound()) {
        blocking(move || databases::finish(&target)).await?;
    }
    Ok(done)
}

type Copied = (Rows, Vec<TableMoved>, [VerifyReport; 2]);

/// Copies and compares the rows if they are to be moved. Returns the connections, which are needed
/// later.
fn copy_rows(plan: &Transfer, watch: &Watch) -> Result<(Source, Option<Copied>), TransferError> {
    let source = databases::open_source(&plan.from)?;
    let Some(to) = &plan.to else { return Ok((source.at_rest()?, None)) };
    watch(Stage::Replaying);
    let before = verify(&source.rows)?;
    if before.found > 0 {
        let (database, found) = (plan.from.to_string(), before.found);
        return Err(TransferError::Books { database, found });
    }
    let target = databases::open_target(to, plan.anew)?;
    let sides = Sides { source: &source.rows, target: &target };
    let there = schema::tables(&target)?;
    let mut copied = Vec::new();
    for table in schema::tables(&source.rows)? {
        table::check_same(&table, &there)?;
        let rows = table::copy(sides, &table, watch)?;
        copied.push((table, rows));
    }
    databases::learn(&target, &there);
    let compared = copied.iter().map(|(table, rows)| table::compare(sides, table, *rows, watch));
    let tables = compared.collect::<Result<_, _>>()?;
    watch(Stage::Replaying);
    let after = verify(&target)?;
    Ok((source.at_rest()?, Some((target, tables, [before, after]))))
}

/// Looks for the file of every result, then returns the source.
async fn results(
    mut source: Source,
    places: &Places,
    found: &mut ResultsFound,
    watch: &Watch,
) -> Result<Source, TransferError> {
    let mut after = String::new();
    loop {
        let names;
        (source, names) = blocking(move || {
            let names = results_after(&source.rows, &after)?.into_iter();
            let names = names.map(|name| {
                let small = small::length(&source.rows, &name)?;
                Ok((name, small))
            });
            let names = names.collect::<Result<Vec<_>, Error>>()?;
            Ok((source, names))
        })
        .await?;
        let Some((last, _)) = names.last() else { return Ok(source) };
        after = last.clone();
        places.look(names, found).await?;
        watch(Stage::Results { count: found.count });
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Panicked)?
}
