//! What the hook recorded since the last failure, and what a sync has covered.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Eight-byte numbers before the texts of a record.
const NUMBERS: usize = 10;

/// A file, by its inode number, which is not reused until the next failure.
pub(super) type FileId = u64;

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Nothing,
    File(FileId),
    Folder,
}

/// A change of a file's bytes or length, with its position in the order of all changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Write {
    pub(super) number: usize,
    pub(super) at: u64,
    /// The end of the changed range.
    pub(super) end: u64,
    /// The file's length before the change.
    pub(super) length: u64,
    /// Whether it removes everything after `at`.
    pub(super) cuts: bool,
    /// The previous content of the range, up to the previous end of the file.
    pub(super) before: Vec<u8>,
}

/// A change of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Naming {
    pub(super) number: usize,
    pub(super) before: Entry,
    pub(super) after: Entry,
    /// The new name, if the file was moved.
    pub(super) moved_to: Option<PathBuf>,
}

/// All changes, each with its subject.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) writes: BTreeMap<FileId, Vec<Write>>,
    pub(super) namings: BTreeMap<PathBuf, Vec<Naming>>,
    /// Files that were mapped into memory for writing.
    pub(super) mapped: Vec<FileId>,
    pub(super) records: usize,
    /// Changes of a file with smaller numbers are durable.
    durable_bytes: BTreeMap<FileId, usize>,
    /// For each path, one number per sync of a folder with this path: changes of names in it with
    /// smaller numbers are durable.
    durable_names: BTreeMap<PathBuf, Vec<usize>>,
    /// Syncs that have not returned, with their subject; they cover changes before that number.
    syncing: BTreeMap<u64, (Synced, usize)>,
}

#[derive(Clone, Debug)]
enum Synced {
    File(FileId),
    Folder(PathBuf),
}

/// A record as it is in the file: see `struct record` in `hook.h`.
struct Record {
    kind: u64,
    file: FileId,
    replaced: FileId,
    offset: u64,
    length: u64,
    size: u64,
    sync: u64,
    path: PathBuf,
    target: PathBuf,
    data: Vec<u8>,
}

impl Log {
    /// Reads the records. The last one may be incomplete, because its process may have been killed
    /// while writing it.
    pub(super) fn read(mut bytes: &[u8]) -> Self {
        let mut log = Self::default();
        while let Some(record) = Record::take(&mut bytes) {
            log.records += 1;
            log.add(record);
        }
        log
    }

    /// Changes of a file with smaller numbers are durable.
    pub(super) fn durable_bytes(&self, file: FileId) -> usize {
        self.durable_bytes.get(&file).copied().unwrap_or(0)
    }

    /// Changes of names in a folder with smaller numbers are durable, counting only syncs before
    /// the change `end`.
    pub(super) fn durable_names(&self, folder: &Path, end: usize) -> usize {
        let syncs = self.durable_names.get(folder).into_iter().flatten();
        syncs.copied().filter(|number| *number < end).max().unwrap_or(0)
    }

    fn add(&mut self, record: Record) {
        let (file, path) = (record.file, record.path.clone());
        let named = Entry::File(file);
        match record.kind {
            1 | 2 => self.write(record),
            3 => self.mapped.push(file),
            4 | 5 => self.name(path, (Entry::Nothing, named)),
            6 => self.name(path, (named, Entry::Nothing)),
            7 => self.rename(record),
            8 => self.name(path, (Entry::Nothing, Entry::Folder)),
            9 => self.name(path, (Entry::Folder, Entry::Nothing)),
            10 => {
                let what = if file == 0 { Synced::Folder(path) } else { Synced::File(file) };
                self.syncing.insert(record.sync, (what, self.records));
            }
            11 => self.synced(record.sync),
            other => panic!("a record of the kind {other}"),
        }
    }

    fn write(&mut self, record: Record) {
        let Record { offset: at, size: length, .. } = record;
        let cuts = record.kind == 2 && at < length;
        let end = match record.kind {
            1 => at + record.length,
            _ => at.max(length),
        };
        let at = if record.kind == 2 { at.min(length) } else { at };
        let write = Write { number: self.records, at, end, length, cuts, before: record.data };
        self.writes.entry(record.file).or_default().push(write);
    }

    fn rename(&mut self, record: Record) {
        let replaced = Some(record.replaced).filter(|file| *file != 0);
        let before = replaced.map_or(Entry::Nothing, Entry::File);
        self.name(record.path.clone(), (Entry::File(record.file), Entry::Nothing));
        self.namings.get_mut(&record.path).unwrap().last_mut().unwrap().moved_to =
            Some(record.target.clone());
        self.name(record.target, (before, Entry::File(record.file)));
    }

    fn name(&mut self, path: PathBuf, (before, after): (Entry, Entry)) {
        let naming = Naming { number: self.records, before, after, moved_to: None };
        self.namings.entry(path).or_default().push(naming);
    }

    /// A sync has returned, so everything before its start is durable.
    fn synced(&mut self, sync: u64) {
        let (what, before) = self.syncing.remove(&sync).unwrap();
        match what {
            Synced::Folder(path) => self.durable_names.entry(path).or_default().push(before),
            Synced::File(file) => {
                let durable = self.durable_bytes.entry(file).or_default();
                *durable = before.max(*durable);
            }
        }
    }
}

impl Record {
    /// The next record; none at the end or if the next one is incomplete.
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(NUMBERS * 8)?;
        let mut numbers = head.chunks(8).map(|eight| u64::from_le_bytes(eight.try_into().unwrap()));
        let mut next = || numbers.next().unwrap();
        let (kind, file, replaced) = (next(), next(), next());
        let (offset, length, size, sync) = (next(), next(), next(), next());
        let (path, rest) = rest.split_at_checked(next() as usize)?;
        let (target, rest) = rest.split_at_checked(next() as usize)?;
        let (data, rest) = rest.split_at_checked(next() as usize)?;
        *bytes = rest;
        let path_of = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
        let (path, target, data) = (path_of(path), path_of(target), data.to_vec());
        Some(Self { kind, file, replaced, offset, length, size, sync, path, target, data })
    }
}
