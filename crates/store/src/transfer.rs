//! Moving to another database, and to another place of stored files, while nobody serves: every row and
//! every file, and then a proof that nothing lacks.
//!
//! The database that is moved to has a mark until all has been proved, and no store opens on it before.
//! Reading order: [`transfer`], `shape` (which tables there are), `ends` (the databases and the mark),
//! `table` (one table), `files`.

mod ends;
mod field;
mod files;
mod shape;
mod table;

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use self::ends::Source;
use self::files::Places;
use crate::edit::results_after;
use crate::rows::Rows;
use crate::verify::verify;
use crate::{BlobsPlace, Database, Error, VerifyReport};

pub use files::{FilesMoved, ResultsFound};
pub use table::TableMoved;

/// What is to be moved. Nobody may serve either database meanwhile: whoever calls this sees to that where
/// it is a file.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The database that is moved, or whose files are.
    pub from: Database,
    /// Where its files are.
    pub from_blobs: BlobsPlace,
    /// The database that is moved to; `None`: the rows stay.
    pub to: Option<Database>,
    /// Where the files are moved to; `None`: they stay.
    pub to_blobs: Option<BlobsPlace>,
    /// Whether the rows go that an earlier transfer has left, which was not finished.
    pub anew: bool,
}

/// What a transfer came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transferred {
    /// Each table; none where the rows stay.
    pub tables: Vec<TableMoved>,
    /// The proof of the books on both sides, from and to.
    pub books: Option<[VerifyReport; 2]>,
    /// The files, where they were moved.
    pub files: Option<FilesMoved>,
    /// The files of the results, where they are from now on.
    pub results: ResultsFound,
}

impl Transferred {
    /// Whether both sides are the same. Where they are not, the database that was moved to keeps its mark.
    pub fn is_sound(&self) -> bool {
        let is_proved = self.books.as_ref().is_none_or(|[from, to]| from == to && to.found == 0);
        let is_there = self.files.is_none_or(|files| files.differing == 0);
        self.tables.iter().all(TableMoved::is_same)
            && is_proved
            && is_there
            && self.results.missing == 0
    }
}

/// What a transfer is doing.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// The books are replayed.
    Replaying,
    /// A table is copied; this many rows so far.
    Copying {
        /// Which one.
        table: &'a str,
        /// How many rows.
        rows: u64,
    },
    /// A table is compared; this many rows so far.
    Comparing {
        /// Which one.
        table: &'a str,
        /// How many rows.
        rows: u64,
    },
    /// Files are copied; this many so far.
    Files {
        /// How many.
        count: u64,
        /// How large they are together, in bytes.
        bytes: u64,
    },
    /// The files of the results are looked for; this many so far.
    Results {
        /// How many.
        count: u64,
    },
}

/// Whoever wants to know how far it is.
pub type Watch = Arc<dyn Fn(Stage<'_>) + Send + Sync>;

/// Why a transfer was not done.
#[derive(Debug, Error)]
pub enum TransferError {
    /// There is no database to be moved.
    #[error("there is no database at {0}")]
    NoDatabase(PathBuf),
    /// Nodes are still connected.
    #[error(
        "Retouch has {others} connections to {database}: stop all servers that use it, and what else does"
    )]
    InUse {
        /// Which database.
        database: String,
        /// How many connections.
        others: i64,
    },
    /// A server was started on the database that was being moved.
    #[error(
        "{database} was written to meanwhile, and what was copied lacks that: stop whatever uses it, and \
         begin anew"
    )]
    Written {
        /// Which database.
        database: String,
    },
    /// The books to be moved are wrong.
    #[error(
        "the books of {database} do not balance, {found} disagreements: `retouch credits verify` names them. \
         Nothing was moved"
    )]
    Books {
        /// Which database.
        database: String,
        /// How many disagreements.
        found: u64,
    },
    /// The database that is moved to has rows.
    #[error(
        "{database} is not empty: there are rows in its table {table}. Nothing was changed there"
    )]
    NotEmpty {
        /// Which database.
        database: String,
        /// A table with rows.
        table: String,
    },
    /// A table is not the same kind of table on both sides.
    #[error("the table {table} is not Retouch's, or somebody has changed its columns")]
    Unlike {
        /// Which one.
        table: String,
    },
    /// A database or a place of files failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Moves, and proves it. Where the answer is an error, or not sound, the database that was moved to is not to
/// be used; what was moved from has not changed.
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
    let places = Places::open(&plan.from_blobs, plan.to_blobs.as_ref())?;
    if plan.to_blobs.is_some() {
        done.files = Some(places.copy(&watch).await?);
    }
    let source = results(source, (&places, &mut done.results), &watch).await?;
    let from = Arc::clone(&plan);
    blocking(move || Ok(source.check_untouched(&from.from))).await??;
    if let Some(target) = target.filter(|_| done.is_sound()) {
        blocking(move || ends::finish(&target)).await?;
    }
    Ok(done)
}

type Copied = (Rows, Vec<TableMoved>, [VerifyReport; 2]);

/// Copies and compares the rows, where they are to be moved; with the connections, for what is left to do.
fn copy_rows(plan: &Transfer, watch: &Watch) -> Result<(Source, Option<Copied>), TransferError> {
    let source = ends::open_source(&plan.from)?;
    let Some(to) = &plan.to else { return Ok((source.at_rest()?, None)) };
    watch(Stage::Replaying);
    let before = verify(&source.rows)?;
    if before.found > 0 {
        let (database, found) = (plan.from.to_string(), before.found);
        return Err(TransferError::Books { database, found });
    }
    let target = ends::open_target(to, plan.anew)?;
    let (sides, there) = ((&source.rows, &target), shape::tables(&target)?);
    let mut copied = Vec::new();
    for table in shape::tables(&source.rows)? {
        let table = table::on_both_sides(&table, &there)?;
        let rows = table::copy(sides, &table, watch)?;
        copied.push((table, rows));
    }
    ends::learn(&target, &there);
    let compared = copied.iter().map(|(table, rows)| table::compare(sides, (table, *rows), watch));
    let tables = compared.collect::<Result<_, _>>()?;
    watch(Stage::Replaying);
    let after = verify(&target)?;
    Ok((source.at_rest()?, Some((target, tables, [before, after]))))
}

/// Looks for the file of every result; gives the source back.
async fn results(
    mut source: Source,
    (places, found): (&Places, &mut ResultsFound),
    watch: &Watch,
) -> Result<Source, TransferError> {
    let mut after = String::new();
    loop {
        let names;
        (source, names) = blocking(move || {
            let names = results_after(&source.rows, &after)?;
            Ok((source, names))
        })
        .await?;
        let Some(last) = names.last() else { return Ok(source) };
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
