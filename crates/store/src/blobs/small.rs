//! Small files in the embedded database. Each is written by the transaction that needs it, which
//! costs less than a file and a sync of its own. They have names like other files, and are read and
//! deleted like them. A walk does not list them: each belongs to the record that was written with it.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};

use super::blob::Pieces;
use crate::Error;
use crate::backend::Backend;
use crate::queue::{Durability, Touches};
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::Transaction;

/// The maximum size of a file in the database, in bytes. bench/README.md has the measurement.
pub(super) const BYTES_MAX: usize = 64 << 10;
/// How many files are read at a time when all of them are copied.
const COPIED_MAX: i64 = 64;

/// The small files.
#[derive(Clone, Debug)]
pub(super) struct SmallFiles(Arc<Backend>);

impl SmallFiles {
    /// Those of this database, if it is embedded.
    pub(super) fn of(backend: &Backend) -> Option<Self> {
        backend.log().map(|_| Self(Arc::new(backend.clone())))
    }

    /// The length of a file in bytes.
    pub(super) async fn find(&self, name: &str) -> Result<Option<u64>, Error> {
        self.read(name, length).await
    }

    /// The content of a file that was found.
    pub(super) async fn get(&self, name: &str) -> Result<Bytes, Error> {
        self.read(name, content).await?.map(Bytes::from).ok_or(Error::FileGone)
    }

    /// A part of a file that was found.
    pub(super) async fn pieces(&self, name: &str, part: Range<u64>) -> Result<Pieces, Error> {
        let content = self.get(name).await?;
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(content.len());
        let part = content.slice(place(part.start)..place(part.end));
        Ok(stream::iter([Ok(part)]).boxed())
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), Error> {
        if self.find(name).await?.is_none() {
            return Ok(());
        }
        let name = name.to_owned();
        let delete = move |tx: &mut Transaction<'_>| {
            tx.rows().put("DELETE FROM small_file WHERE name = ?1", params![name])
        };
        self.0.write((Touches::Rows, Durability::Synced), delete).await
    }

    async fn read<T: Send + 'static>(
        &self,
        name: &str,
        read: fn(&Rows, &str) -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, Error> {
        let name = name.to_owned();
        let (query, answer) = crate::query::erased(move |rows| read(rows, &name));
        self.0.read_row(query).await?;
        answer.take()
    }
}

/// Writes a file in the transaction of the caller. It must not be longer than [`BYTES_MAX`].
pub(crate) fn insert(tx: &Transaction<'_>, name: &str, content: &[u8]) -> Result<(), Error> {
    let sql = "INSERT INTO small_file (name, content) VALUES (?1, ?2)";
    tx.rows().put(sql, params![name, content])
}

/// The length of a file in bytes. On a server, there are no small files.
pub(crate) fn length(rows: &Rows, name: &str) -> Result<Option<u64>, Error> {
    let Rows::Sqlite(_) = rows else { return Ok(None) };
    let sql = "SELECT LENGTH(content) FROM small_file WHERE name = ?1";
    let length = one(rows, sql, params![name], |row| row.get::<_, i64>(0))?;
    Ok(length.map(i64::unsigned_abs))
}

fn content(rows: &Rows, name: &str) -> Result<Option<Vec<u8>>, Error> {
    let sql = "SELECT content FROM small_file WHERE name = ?1";
    one(rows, sql, params![name], |row| row.get(0))
}

/// A file with its position among the others.
pub(crate) struct SmallFile {
    pub(crate) position: i64,
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

/// Some files after a position, for copying all of them.
pub(crate) fn after(rows: &Rows, position: i64) -> Result<Vec<SmallFile>, Error> {
    let Rows::Sqlite(_) = rows else { return Ok(Vec::new()) };
    let sql = "SELECT id, name, content FROM small_file WHERE id > ?1 ORDER BY id LIMIT ?2";
    let read = |row: &Row<'_>| {
        Ok(SmallFile { position: row.get(0)?, name: row.get(1)?, content: row.get(2)? })
    };
    all(rows, sql, params![position, COPIED_MAX], read)
}
