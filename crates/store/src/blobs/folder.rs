//! Blobs as files in one folder. Each is written to a temporary file and then moved into place.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::direct;
use crate::make_folder;
use crate::shared_sync::{SharedSync, Synced};

/// A durable folder of files.
#[derive(Debug)]
pub(super) struct Folder {
    files: PathBuf,
    /// Files that are being written, in a folder of this process only.
    unfinished: PathBuf,
    counter: AtomicU64,
    sync: SharedSync,
    /// The lock that shows other processes that this one is alive.
    _lock: File,
}

/// A complete file at this path, which has no name yet. Dropping this removes it, unless it was named.
#[derive(Debug)]
pub(super) struct Unnamed(PathBuf);

impl Drop for Unnamed {
    fn drop(&mut self) {
        // If this fails, the next start removes the file. Once it has a name, nothing is here.
        let _ = fs::remove_file(&self.0);
    }
}

/// The extension of a process's lock file, which is next to its folder of unfinished files.
const LOCK: &str = "lock";

impl Folder {
    /// Opens the folder, or creates it.
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
        let sync = SharedSync::of(Synced::Folder(files.clone()));
        sync.sync()?;
        File::open(folder)?.sync_all()?;
        Ok(Self { files, unfinished, counter: AtomicU64::new(0), sync, _lock: lock })
    }

    /// Writes a file without a name, and syncs it.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<Unnamed> {
        let unnamed = Unnamed(self.unfinished_path());
        let file = File::create_new(&unnamed.0)?;
        direct::write(&file, &unnamed.0, bytes)?;
        file.sync_data()?;
        Ok(unnamed)
    }

    /// Names a file, and syncs the folder.
    pub(super) fn name(&self, unnamed: &Unnamed, name: &str) -> io::Result<()> {
        fs::rename(&unnamed.0, self.files.join(name))?;
        self.sync.sync()
    }

    fn unfinished_path(&self) -> PathBuf {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        self.unfinished.join(number.to_string())
    }

    pub(super) fn read(&self, name: &str) -> io::Result<Option<(File, u64)>> {
        let Some(file) = found(File::open(self.files.join(name)))? else {
            return self.see_folder().map(|()| None);
        };
        let bytes = file.metadata()?.len();
        Ok(Some((file, bytes)))
    }

    /// A file gets its name only once it is complete, so it is enough that it exists. But the name
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
        // A power failure must not bring back what its owner deleted.
        if removed { self.sync.sync() } else { self.see_folder() }
    }

    /// Checks that the folder exists: on a disk that is not mounted, every file seems to be
    /// missing.
    fn see_folder(&self) -> io::Result<()> {
        fs::metadata(&self.files).map(drop)
    }

    /// All files, for a walk.
    pub(super) fn entries(&self) -> io::Result<fs::ReadDir> {
        fs::read_dir(&self.files)
    }

    pub(super) fn ready(&self) -> io::Result<()> {
        let probe = self.unfinished_path();
        fs::write(&probe, b"ready")?;
        fs::remove_file(&probe)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If this fails, the next start removes what is left.
        let _ = fs::remove_dir_all(&self.unfinished);
        let _ = fs::remove_file(self.unfinished.with_extension(LOCK));
    }
}

/// Creates a folder for this process only, which is locked while the process lives.
fn own_folder(tmp: &Path) -> io::Result<(File, PathBuf)> {
    for number in 0_u64.. {
        let unfinished = tmp.join(number.to_string());
        let path = unfinished.with_extension(LOCK);
        let lock = match File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            lock => lock?,
        };
        // Another process that is cleaning up may take it for abandoned.
        if !is_locked(&lock)? || !is_at(&lock, &path)? {
            continue;
        }
        // After a power failure, an earlier process's folder may exist without its lock. No cleanup
        // has found it, and its files would collide with ours.
        found(fs::remove_dir_all(&unfinished))?;
        fs::create_dir_all(&unfinished)?;
        return Ok((lock, unfinished));
    }
    Err(io::Error::other("could not create a folder for unfinished files"))
}

/// Locks a file. `false` if another process holds the lock.
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

/// Whether the path still leads to this file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (ours, named) = (file.metadata()?, found(fs::metadata(path))?);
    Ok(named.is_some_and(|named| (named.dev(), named.ino()) == (ours.dev(), ours.ino())))
}

/// On other systems, the standard library cannot identify a file, so a process that starts while
/// another one cleans up may lose its lock.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Removes what dead processes left behind.
fn sweep(tmp: &Path) -> io::Result<()> {
    for entry in fs::read_dir(tmp)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != LOCK) {
            continue;
        }
        let Some(lock) = found(File::open(&path))? else {
            continue;
        };
        // Another process may have removed it in the meantime, and a third one may have reused its
        // number.
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
