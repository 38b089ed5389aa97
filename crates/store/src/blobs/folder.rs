//! Blobs as files of one folder, written beside their place and moved into it.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::sync::FolderSync;
use crate::make_folder;

/// A durable folder of files.
#[derive(Debug)]
pub(super) struct Folder {
    files: PathBuf,
    /// Files that are being written, in a folder of this process's own.
    unfinished: PathBuf,
    counter: AtomicU64,
    sync: FolderSync,
    /// Holds the lock that shows other processes that this one is alive.
    _lock: File,
}

/// The end of the name of a process's lock, beside its folder of unfinished files.
const LOCK: &str = "lock";

impl Folder {
    /// Opens the folder, making it where it is missing.
    pub(super) fn open(folder: &Path) -> Result<Self, crate::Error> {
        Self::try_open(folder).map_err(|error| crate::Error::files(&error))
    }

    fn try_open(folder: &Path) -> io::Result<Self> {
        let (files, tmp) = (folder.join("files"), folder.join("unfinished"));
        make_folder(folder)?;
        fs::create_dir_all(&files)?;
        fs::create_dir_all(&tmp)?;
        sweep(&tmp)?;
        let (lock, unfinished) = own_folder(&tmp)?;
        let sync = FolderSync::new(&files)?;
        sync.sync()?;
        File::open(folder)?.sync_all()?;
        Ok(Self { files, unfinished, counter: AtomicU64::new(0), sync, _lock: lock })
    }

    /// Write, make durable, rename, make the name durable.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.unfinished.join(number.to_string());
        let written = write_durably(&unfinished, bytes)
            .and_then(|()| fs::rename(&unfinished, self.files.join(name)));
        if let Err(error) = written {
            // What cannot be removed now is swept away at the next start.
            let _ = fs::remove_file(&unfinished);
            return Err(error);
        }
        self.sync.sync()
    }

    pub(super) fn read(&self, name: &str) -> io::Result<Option<(File, u64)>> {
        let Some(file) = found(File::open(self.files.join(name)))? else {
            return self.see_folder().map(|()| None);
        };
        let bytes = file.metadata()?.len();
        Ok(Some((file, bytes)))
    }

    /// A file gets its name only when it is complete, so that being there is enough; the name
    /// itself may not be durable yet.
    pub(super) fn confirm(&self, name: &str) -> io::Result<bool> {
        if !self.files.join(name).try_exists()? {
            return self.see_folder().map(|()| false);
        }
        self.sync.sync()?;
        Ok(true)
    }

    pub(super) fn delete(&self, name: &str) -> io::Result<()> {
        let removed = found(fs::remove_file(self.files.join(name)))?.is_some();
        // A power cut must not bring back what its owner has deleted.
        if removed { self.sync.sync() } else { self.see_folder() }
    }

    /// Makes sure that the folder is there: of a disk that is not mounted, no file is.
    fn see_folder(&self) -> io::Result<()> {
        fs::metadata(&self.files).map(drop)
    }

    /// All files, for going through them.
    pub(super) fn entries(&self) -> io::Result<fs::ReadDir> {
        fs::read_dir(&self.files)
    }

    pub(super) fn ready(&self) -> io::Result<()> {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let probe = self.unfinished.join(number.to_string());
        fs::write(&probe, b"ready")?;
        fs::remove_file(&probe)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Whatever stays is swept away at the next start.
        let _ = fs::remove_dir_all(&self.unfinished);
        let _ = fs::remove_file(self.unfinished.with_extension(LOCK));
    }
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// A folder of this process's own, locked as long as it lives.
fn own_folder(tmp: &Path) -> io::Result<(File, PathBuf)> {
    for number in 0_u64.. {
        let unfinished = tmp.join(number.to_string());
        let path = unfinished.with_extension(LOCK);
        let lock = match File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            lock => lock?,
        };
        // Another process that sweeps at this moment takes it for left behind.
        if !is_locked(&lock)? || !is_at(&lock, &path)? {
            continue;
        }
        // Where a failure of power has kept the folder of an earlier process and not its lock, nobody
        // has swept it, and a file in it would be in the way of one of ours.
        found(fs::remove_dir_all(&unfinished))?;
        fs::create_dir_all(&unfinished)?;
        return Ok((lock, unfinished));
    }
    Err(io::Error::other("could not create a folder for unfinished files"))
}

/// Locks a file; false where another process has.
fn is_locked(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => {
            let reason = format!("its file system does not support file locks: {error}");
            Err(io::Error::new(error.kind(), reason))
        }
    }
}

/// Whether the file is still the one that goes by this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (ours, named) = (file.metadata()?, found(fs::metadata(path))?);
    Ok(named.is_some_and(|named| (named.dev(), named.ino()) == (ours.dev(), ours.ino())))
}

/// Elsewhere the standard library tells of no file which one it is, so that a process that begins while
/// another one sweeps may lose its lock there.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Removes what processes that are no more have left.
fn sweep(tmp: &Path) -> io::Result<()> {
    for entry in fs::read_dir(tmp)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != LOCK) {
            continue;
        }
        let Some(lock) = found(File::open(&path))? else {
            continue;
        };
        // Another process may have swept it meanwhile, and a third have taken its number.
        if is_locked(&lock)? && is_at(&lock, &path)? {
            found(fs::remove_dir_all(path.with_extension("")))?;
            found(fs::remove_file(&path))?;
        }
    }
    Ok(())
}

fn found<T>(answer: io::Result<T>) -> io::Result<Option<T>> {
    match answer {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        answer => answer.map(Some),
    }
}
