//! Simulated power failures: everything a process did in a folder that no sync has covered is lost,
//! wholly or in part, whatever the machine's own file system would have kept.
//!
//! `hook/` is loaded into the process and records what it does. `log.rs` reads the records, and the
//! other modules undo what may be lost.

#[path = "power/arrivals.rs"]
mod arrivals;
#[path = "power/bytes.rs"]
mod bytes;
#[path = "power/disks.rs"]
mod disks;
#[path = "power/failures.rs"]
mod failures;
#[path = "power/holds.rs"]
mod holds;
#[path = "power/log.rs"]
mod log;
#[path = "power/loss.rs"]
mod loss;
#[path = "power/names.rs"]
mod names;
#[path = "power/trial.rs"]
mod trial;

use std::fs;
use std::ops::AddAssign;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use self::log::Log;
pub(crate) use self::loss::Loss;
use crate::calls::Random;

/// A folder whose unsynced changes are lost when the power fails.
pub(crate) struct Power {
    root: PathBuf,
    /// What the hook records, and the files that it keeps.
    place: PathBuf,
}

/// How many changes a failure affected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lost {
    pub(crate) writes: usize,
    pub(crate) names: usize,
}

impl AddAssign for Lost {
    fn add_assign(&mut self, other: Self) {
        self.writes += other.writes;
        self.names += other.names;
    }
}

impl Power {
    /// Watches the folder `name` inside `folder`; it does not exist yet.
    pub(crate) fn over(folder: &Path, name: &str) -> Self {
        let folder = folder.canonicalize().unwrap();
        let power = Self { root: folder.join(name), place: folder.join("power") };
        power.begin();
        power
    }

    /// The environment of a process that uses the folder.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let names = ["LD_PRELOAD", "POWER_ROOT", "POWER_LOG"].map(str::to_owned);
        names.into_iter().zip([text(&HOOK), text(&self.root), text(&self.place)]).collect()
    }

    /// Simulates a power failure, after all processes have ended. Everything that remains is
    /// durable.
    pub(crate) fn fail(&self, loss: Loss, random: &mut Random) -> Lost {
        let log = self.log();
        self.check_nothing_was_overlooked();
        let mut writes = 0;
        for (file, all) in &log.writes {
            let durable = all.partition_point(|write| write.number < log.durable_bytes(*file));
            writes += bytes::lose(&self.kept(*file), &all[durable..], loss, random);
        }
        for file in &log.mapped {
            bytes::lose_memory(&self.kept(*file), loss, random);
        }
        let names = names::lose(&log, &self.place.join("kept"), loss, random);
        fs::remove_dir_all(&self.place).unwrap();
        self.begin();
        Lost { writes, names }
    }

    /// Makes the disk do what a file with this name says (`hook/hook.c`), until the power fails.
    pub(crate) fn make_disk(&self, how: &str) {
        fs::write(self.place.join(how), "").unwrap();
    }

    /// Makes the disk work again.
    pub(crate) fn repair_disk(&self, how: &str) {
        fs::remove_file(self.place.join(how)).unwrap();
    }

    /// Whether a sync has waited for the disk.
    pub(crate) fn has_waited(&self) -> bool {
        self.place.join("waits").exists()
    }

    /// The number of records since the last failure.
    pub(crate) fn records(&self) -> usize {
        self.log().records
    }

    fn begin(&self) {
        fs::create_dir_all(self.place.join("kept")).unwrap();
        fs::write(self.place.join("log"), "").unwrap();
        fs::write(self.place.join("begun"), "").unwrap();
    }

    fn log(&self) -> Log {
        Log::read(&fs::read(self.place.join("log")).unwrap())
    }

    fn kept(&self, file: log::FileId) -> PathBuf {
        self.place.join("kept").join(file.to_string())
    }

    /// Checks that the hook has recorded every file that changed since the last failure. Empty
    /// files are exempt, because the hook may have had no time to record them.
    fn check_nothing_was_overlooked(&self) {
        let changed = |about: &fs::Metadata| (about.mtime(), about.mtime_nsec());
        let begun = changed(&fs::metadata(self.place.join("begun")).unwrap());
        for path in files(&self.root) {
            let about = fs::metadata(&path).unwrap();
            let is_known = about.len() == 0 || self.kept(about.ino()).exists();
            assert!(is_known || changed(&about) <= begun, "{} was overlooked", path.display());
        }
    }
}

/// All files in a folder and its subfolders; none if it does not exist.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let (folders, mut all): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    all.extend(folders.iter().flat_map(|folder| files(folder)));
    all
}

/// The hook, compiled once.
static HOOK: LazyLock<PathBuf> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crash/power/hook");
    let parts = ["hook.c", "bytes.c", "names.c", "syncs.c"].map(|name| source.join(name));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (hook, made) =
        (folder.join("power.so"), folder.join(format!("power-{}", std::process::id())));
    // With `_FORTIFY_SOURCE`, functions would have other names.
    let options =
        ["-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-fvisibility=hidden", "-pthread"];
    let done = Command::new("cc").args(options).arg("-o").arg(&made).args(parts).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    // Rename the file in one step, because another run of the tests may be using it.
    fs::rename(made, &hook).unwrap();
    hook
});
