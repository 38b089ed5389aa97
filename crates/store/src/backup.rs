//! Backups of the embedded database and the stored files, made while the service runs, and how to
//! restore them.
//!
//! A backup is a folder:
//!
//! ```text
//! retouch.db        a snapshot of the rows
//! files/            the stored files, under their names
//! backup.json       the manifest; written last, so a folder without it is no backup
//! ```
//!
//! Files are linked, or copied where linking fails, before the rows are copied and again
//! afterwards. So every file that a row names is in the backup, unless it was deleted in between.
//! Files that no row names are removed by the service, like any others of that kind.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use retouch_core::Timestamp;
use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sqlite::connect;
use crate::{BlobsPlace, Database, Error, Settings, make_folder};

/// The version of the backup's format.
const FORM: u32 = 1;
const ROWS: &str = "retouch.db";
const FILES: &str = "files";
const MANIFEST: &str = "backup.json";

/// The manifest of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backup {
    /// The version of the format.
    form: u32,
    /// When it was made, in milliseconds since 1970.
    pub made_at: Timestamp,
    /// Which version of the program made it.
    pub made_by: String,
    /// The size of the rows, in bytes.
    pub rows_bytes: u64,
    /// The stored files. `None` if they are in a bucket, which is not copied.
    pub files: Option<Files>,
}

/// The stored files in a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Files {
    /// How many files.
    pub count: u64,
    /// Their total size in bytes.
    pub bytes: u64,
}

/// Why a backup could not be made or restored.
#[derive(Debug, Error)]
pub enum BackupError {
    /// The database is on a server.
    #[error("the database is on a server: use the server's backup tools (pg_dump, base backups)")]
    NotEmbedded,
    /// There is no database to copy.
    #[error("there is no database at {0}")]
    NoDatabase(PathBuf),
    /// The folder for the backup, or the place to restore to, is not empty.
    #[error("{0} is not empty")]
    NotEmpty(PathBuf),
    /// The folder holds no backup, or an unfinished one.
    #[error("{0} is not a finished backup: it has no backup.json")]
    Missing(PathBuf),
    /// The backup cannot be read.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// A later version of this program made the backup.
    #[error("the backup has format {0}, which this version does not support; use a later version")]
    TooNew(u32),
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    Io {
        /// Its path.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Copies the rows and the stored files of `settings` into `folder`, which is created and must be
/// new or empty. The service keeps running, and may be of another version. `made` is the time and
/// the version of this program.
///
/// # Errors
/// [`BackupError`]; whatever was copied until then stays there, and is not a backup.
pub fn back_up(
    settings: &Settings,
    folder: &Path,
    made: (Timestamp, &str),
) -> Result<Backup, BackupError> {
    let database = embedded(settings)?;
    if !database.exists() {
        return Err(BackupError::NoDatabase(database.to_owned()));
    }
    make_empty(folder)?;
    let files = folder.join(FILES);
    let stored = match &settings.blobs {
        BlobsPlace::Folder(blobs) => Some(blobs.join(FILES)),
        BlobsPlace::Memory | BlobsPlace::S3(_) => None,
    };
    let mut copied = Files::default();
    if let Some(stored) = &stored {
        // The folder does not exist before the first file is stored.
        at(stored, make_folder(stored))?;
        at(&files, fs::create_dir(&files))?;
        link_all(stored, &files)?;
    }
    let rows = folder.join(ROWS);
    copy_rows(settings, database, &rows)?;
    if let Some(stored) = &stored {
        // Add the files that were stored while the rows were copied.
        link_all(stored, &files)?;
        copied = count(&files)?;
        sync_folder(&files)?;
    }
    let rows_bytes = at(&rows, fs::metadata(&rows))?.len();
    let files = stored.map(|_| copied);
    let (made_at, made_by) = (made.0, made.1.to_owned());
    let backup = Backup { form: FORM, made_at, made_by, rows_bytes, files };
    write_manifest(folder, &backup)?;
    Ok(backup)
}

/// Restores a backup to where `settings` say that rows and files are. Those places must be empty,
/// and no server may be using them.
///
/// # Errors
/// [`BackupError`]; the database appears only when everything is restored.
pub fn restore(settings: &Settings, folder: &Path) -> Result<Backup, BackupError> {
    let database = embedded(settings)?;
    let backup = read(folder)?;
    if database.exists() {
        return Err(BackupError::NotEmpty(database.to_owned()));
    }
    if let (BlobsPlace::Folder(blobs), Some(_)) = (&settings.blobs, &backup.files) {
        let files = blobs.join(FILES);
        make_empty(&files)?;
        link_all(&folder.join(FILES), &files)?;
        sync_folder(&files)?;
    }
    if let Some(parent) = database.parent() {
        at(parent, make_folder(parent))?;
    }
    // Rename it last, so that an interrupted copy is never mistaken for a database.
    let unfinished = database.with_extension("restoring");
    at(&unfinished, fs::copy(folder.join(ROWS), &unfinished))?;
    check(&unfinished)?;
    at(&unfinished, File::open(&unfinished).and_then(|file| file.sync_all()))?;
    at(database, fs::rename(&unfinished, database))?;
    database.parent().map_or(Ok(()), sync_folder)?;
    Ok(backup)
}

fn embedded(settings: &Settings) -> Result<&Path, BackupError> {
    match &settings.database {
        Database::File(path) => Ok(path),
        Database::Server(_) => Err(BackupError::NotEmbedded),
    }
}

/// Copies the rows as of one moment, while others may be writing.
fn copy_rows(settings: &Settings, database: &Path, to: &Path) -> Result<(), BackupError> {
    let connection = connect(settings, database)?;
    let name = to.to_str().ok_or_else(|| {
        BackupError::Damaged(format!("SQLite does not accept the path {}", to.display()))
    })?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(Error::from)?;
    check(to)?;
    at(to, File::open(to).and_then(|file| file.sync_all()))
}

/// Checks that every row can be read.
fn check(rows: &Path) -> Result<(), BackupError> {
    let connection = Connection::open_with_flags(rows, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let said = connection.and_then(|connection| {
        connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0))
    });
    match said.as_deref() {
        Ok("ok") => Ok(()),
        Ok(wrong) => Err(BackupError::Damaged(wrong.to_owned())),
        Err(error) => Err(BackupError::Damaged(error.to_string())),
    }
}

fn read(folder: &Path) -> Result<Backup, BackupError> {
    let path = folder.join(MANIFEST);
    let text = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(BackupError::Missing(folder.to_owned()));
        }
        text => at(&path, text)?,
    };
    let backup: Backup = serde_json::from_slice(&text)
        .map_err(|error| BackupError::Damaged(format!("{MANIFEST}: {error}")))?;
    if backup.form > FORM {
        return Err(BackupError::TooNew(backup.form));
    }
    let found = match backup.files {
        Some(_) => Some(count(&folder.join(FILES))?),
        None => None,
    };
    if found != backup.files {
        let message = format!("{found:?} instead of {:?}", backup.files);
        return Err(BackupError::Damaged(format!(
            "the stored files do not match the manifest: {message}"
        )));
    }
    Ok(backup)
}

fn write_manifest(folder: &Path, backup: &Backup) -> Result<(), BackupError> {
    let path = folder.join(MANIFEST);
    let text = serde_json::to_vec_pretty(backup)
        .map_err(|error| BackupError::Damaged(error.to_string()))?;
    let written = File::create_new(&path).and_then(|mut file| {
        file.write_all(&text)?;
        file.sync_all()
    });
    at(&path, written)?;
    sync_folder(folder)
}

/// Creates `folder`, or checks that it is empty.
fn make_empty(folder: &Path) -> Result<(), BackupError> {
    at(folder, make_folder(folder))?;
    match at(folder, fs::read_dir(folder))?.next() {
        None => Ok(()),
        Some(_) => Err(BackupError::NotEmpty(folder.to_owned())),
    }
}

/// Adds every file of `from` that is missing in `to`. A stored file never changes, so a hard link
/// is as good as a copy.
fn link_all(from: &Path, to: &Path) -> Result<(), BackupError> {
    for entry in at(from, fs::read_dir(from))? {
        let entry = at(from, entry)?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        match link(&path, &copy) {
            // It is already there, or was deleted since the folder was listed.
            Err(error)
                if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {}
            linked => at(&path, linked)?,
        }
    }
    Ok(())
}

fn link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if !matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            // The folders are on different file systems, or on one without hard links.
            let mut copy = File::create_new(to)?;
            io::copy(&mut File::open(from)?, &mut copy)?;
            copy.sync_data()
        }
        linked => linked,
    }
}

fn count(files: &Path) -> Result<Files, BackupError> {
    let mut all = Files::default();
    for entry in at(files, fs::read_dir(files))? {
        let metadata = at(files, entry.and_then(|entry| entry.metadata()))?;
        all.count += 1;
        all.bytes += metadata.len();
    }
    Ok(all)
}

fn sync_folder(folder: &Path) -> Result<(), BackupError> {
    at(folder, File::open(folder).and_then(|folder| folder.sync_all()))
}

fn at<T>(path: &Path, done: io::Result<T>) -> Result<T, BackupError> {
    done.map_err(|error| BackupError::Io { path: path.to_owned(), error })
}
