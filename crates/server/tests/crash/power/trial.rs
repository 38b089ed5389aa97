//! Tests of the simulated power failures with small programs: synced changes stay, and all others
//! are lost.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::log::{Log, Write};
use super::{Loss, Lost, Power};
use crate::calls::Random;

/// What the programs are written with: functions of the C library, under their own names.
const WORDS: &str = "
import mmap, os, sys
os.chdir(sys.argv[1])
def write(name, text, at=0, flags=0):
    file = os.open(name, os.O_CREAT | os.O_RDWR | flags)
    os.pwrite(file, text.encode(), at)
    os.close(file)
def sync(name):
    file = os.open(name, os.O_RDONLY)
    os.fsync(file)
    os.close(file)
def durably(name, text):
    write(name, text)
    sync(name)
    sync('.')
";

/// A folder in which the power may fail.
struct Trial {
    folder: TempDir,
    power: Power,
}

impl Trial {
    /// A folder in which this program has run.
    fn of(program: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let power = Power::over(folder.path(), "data");
        fs::create_dir(folder.path().join("data")).unwrap();
        let trial = Self { folder, power };
        let output = trial.run(program, &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        trial
    }

    fn run(&self, program: &str, environment: &[(&str, &str)]) -> Output {
        let mut python = Command::new("python3");
        python.args(["-c", &format!("{WORDS}{program}")]).arg(self.at(""));
        python.envs(self.power.environment()).envs(environment.iter().copied());
        python.output().unwrap()
    }

    fn lose(&self, loss: Loss, seed: u64) -> Lost {
        self.power.fail(loss, &mut Random::new(seed))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("data").join(name)
    }

    /// The text of a file; none if it does not exist.
    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.at(name)).ok()
    }
}

/// The text of `name` after `program` and the loss of everything unsynced.
fn left(program: &str, name: &str) -> Option<String> {
    let trial = Trial::of(program);
    trial.lose(Loss::Everything, 0);
    trial.text(name)
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn bytes_stay_only_where_a_sync_of_the_file_covers_them() {
    assert_eq!(left("durably('a', 'one')", "a"), text("one"));
    assert_eq!(left("durably('a', 'one'); write('a', 'two')", "a"), text("one"));
    assert_eq!(left("durably('a', 'one'); write('a', 'two', 2)", "a"), text("one"));
    assert_eq!(left("durably('a', 'one'); write('a', 'two', 9)", "a"), text("one"));
    assert_eq!(left("durably('a', 'one'); write('a', 'two'); sync('a')", "a"), text("two"));
    assert_eq!(left("durably('a', 'one'); write('a', 'two'); sync('.')", "a"), text("one"));
    assert_eq!(left("write('a', 'one'); sync('.')", "a"), text(""));
    let other_ways = "durably('a', 'one'); file = os.open('a', os.O_WRONLY | os.O_APPEND)
os.write(file, b'two'); os.writev(file, [b'thr', b'ee'])";
    assert_eq!(left(other_ways, "a"), text("one"));
    assert_eq!(left(&format!("{other_ways}; os.fdatasync(file)"), "a"), text("onetwothree"));
}

#[test]
fn lengths_stay_only_where_a_sync_of_the_file_covers_them() {
    assert_eq!(left("durably('a', 'one'); write('a', '', 0, os.O_TRUNC)", "a"), text("one"));
    assert_eq!(left("durably('a', 'one'); write('a', 'xy', 0, os.O_TRUNC)", "a"), text("one"));
    assert_eq!(
        left("durably('a', 'x' * 3_000_000); write('a', '', 0, os.O_TRUNC)", "a"),
        text(&"x".repeat(3_000_000))
    );
    let cut = "durably('a', 'longer'); file = os.open('a', os.O_RDWR); os.ftruncate(file, 2)";
    assert_eq!(left(cut, "a"), text("longer"));
    assert_eq!(left(&format!("{cut}; os.ftruncate(file, 9)"), "a"), text("longer"));
    assert_eq!(left(&format!("{cut}; os.fsync(file)"), "a"), text("lo"));
}

#[test]
fn names_stay_only_where_a_sync_of_their_folder_covers_them() {
    assert_eq!(left("write('a', 'one'); sync('a')", "a"), None);
    assert_eq!(left("write('a', 'one'); sync('a'); sync('.')", "a"), text("one"));
    assert_eq!(left("durably('a', 'one'); os.unlink('a')", "a"), text("one"));
    assert_eq!(left("durably('a', 'one'); os.unlink('a'); sync('.')", "a"), None);
    assert_eq!(
        left("durably('a', 'one'); os.unlink('a'); write('a', 'two'); sync('a')", "a"),
        text("one")
    );
    assert_eq!(left("durably('a', 'one'); os.link('a', 'b')", "b"), None);
    assert_eq!(left("durably('a', 'one'); os.link('a', 'b'); sync('.')", "b"), text("one"));
}

#[test]
fn a_rename_stays_only_where_a_sync_of_the_folder_covers_it() {
    let rename = "durably('a', 'one'); durably('b', 'two'); os.rename('a', 'b')";
    assert_eq!((left(rename, "a"), left(rename, "b")), (text("one"), text("two")));
    let synced = format!("{rename}; sync('.')");
    assert_eq!((left(&synced, "a"), left(&synced, "b")), (None, text("one")));
    let between = "os.mkdir('c'); sync('.'); durably('a', 'one'); os.rename('a', 'c/a')";
    let target = format!("{between}; sync('c')");
    assert_eq!((left(&target, "a"), left(&target, "c/a")), (text("one"), text("one")));
    let source = format!("{between}; sync('.')");
    assert_eq!((left(&source, "a"), left(&source, "c/a")), (None, text("one")));
}

#[test]
fn a_folder_that_is_lost_takes_with_it_what_is_in_it() {
    let made = "os.mkdir('c'); write('c/a', 'one'); sync('c/a'); sync('c')";
    assert_eq!(left(made, "c/a"), None);
    assert_eq!(left(&format!("{made}; sync('.')"), "c/a"), text("one"));
    let removed = format!("{made}; sync('.'); os.unlink('c/a'); os.rmdir('c')");
    assert_eq!(left(&removed, "c/a"), text("one"));
    assert_eq!(left(&format!("{removed}; sync('.')"), "c/a"), None);
    let anew = format!("{removed}; os.mkdir('c'); write('c/a', 'two'); sync('c/a'); sync('c')");
    assert_eq!(left(&anew, "c/a"), text("one"));
    assert_eq!(left(&format!("{anew}; sync('.')"), "c/a"), text("two"));
}

#[test]
fn what_was_written_through_memory_is_lost() {
    let mapped = "durably('a', 'one'); file = os.open('a', os.O_RDWR)
memory = mmap.mmap(file, 3); memory[0:3] = b'two'";
    assert_eq!(left(mapped, "a"), text("\0\0\0"));
}

#[test]
fn what_was_durable_before_a_failure_stays_so() {
    let trial = Trial::of("durably('a', 'one')");
    assert_eq!(trial.lose(Loss::Everything, 0), Lost::default());
    assert!(trial.run("write('a', 'two')", &[]).status.success());
    assert_eq!(trial.lose(Loss::Everything, 0), Lost { writes: 1, names: 0 });
    assert_eq!(trial.text("a"), text("one"));
}

#[test]
fn a_sync_that_did_not_return_or_that_lies_covers_nothing() {
    let trial = Trial::of("durably('a', 'one')");
    trial.lose(Loss::Everything, 0);
    let lies = trial.power.root.join("a");
    let lies = [("POWER_LIES", lies.to_str().unwrap())];
    assert!(trial.run("write('a', 'two'); sync('a')", &lies).status.success());
    trial.lose(Loss::Everything, 0);
    assert_eq!(trial.text("a"), text("one"));
    // The write is the first record, the start of the sync the second, and its end the third.
    for (record, is_left) in [("0", "one"), ("1", "one"), ("2", "one"), ("3", "two")] {
        let output = trial.run("write('a', 'two'); sync('a')", &[("POWER_FAIL_AT", record)]);
        assert_eq!(output.status.success(), record == "3", "{output:?}");
        trial.lose(Loss::Everything, 0);
        assert_eq!(trial.text("a"), text(is_left), "at {record}");
    }
}

#[test]
fn what_cannot_be_followed_ends_the_program() {
    let trial = Trial::of("durably('a', 'one'); os.mkdir('c')");
    for program in ["os.symlink('a', 'b')", "os.rename('c', 'd')", "os.truncate('a', 1)"] {
        let output = trial.run(program, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("cannot follow"), "{program}: {said}");
    }
}

#[test]
#[should_panic(expected = "was overlooked")]
fn a_change_past_the_hook_is_found() {
    let trial = Trial::of("durably('a', 'one')");
    trial.lose(Loss::Everything, 0);
    // Wait until the clock of the file system has advanced.
    let begun = fs::metadata(trial.power.place.join("begun")).unwrap().modified().unwrap();
    while fs::metadata(trial.at("a")).unwrap().modified().unwrap() <= begun {
        fs::write(trial.at("a"), "two").unwrap();
    }
    trial.lose(Loss::Everything, 0);
}

#[test]
fn any_part_of_what_was_not_synced_may_stay() {
    let pages = outcomes(Loss::Pages);
    let page = |text: &str| ["oooooooo", "tttttttt", "uuuuuuuu"].contains(&text);
    let is_whole = |one: &String| page(&one[..8]) && page(&one[8..16]) && !one.starts_with('u');
    assert!(pages.iter().all(is_whole), "{pages:?}");
    assert_eq!(pages.len(), 12, "each state of each page, with and without the name: {pages:?}");
    let sectors = outcomes(Loss::Sectors);
    assert!(!sectors.iter().all(is_whole), "{sectors:?}");
}

/// The outcomes for many files of two pages, whose second page is written twice, and for a new name
/// next to each: a letter for each sector, and whether the name is there.
fn outcomes(loss: Loss) -> BTreeSet<String> {
    let trial = Trial::of("for number in range(200): write(f'{number}', 'o' * 8192)");
    // Everything up to here counts as durable.
    fs::remove_dir_all(&trial.power.place).unwrap();
    trial.power.begin();
    let program = "for number in range(200):
    write(f'{number}', 't' * 8192); write(f'{number}', 'u' * 4096, 4096); write(f'{number}b', '')";
    assert!(trial.run(program, &[]).status.success());
    trial.lose(loss, 1);
    let outcome = |number: u64| {
        let text = trial.text(&number.to_string()).unwrap();
        let sectors = text.as_bytes().chunks(512);
        let letter = |sector: &[u8]| {
            assert!(sector.iter().all(|byte| *byte == sector[0]), "a sector is torn");
            char::from(sector[0])
        };
        let letters: String = sectors.map(letter).collect();
        format!("{letters} {}", trial.at(&format!("{number}b")).exists())
    };
    (0..200).map(outcome).collect()
}

#[test]
fn a_write_during_a_sync_is_not_covered_by_it() {
    let record = |kind: u64, at: u64, sync: u64| {
        let numbers = [kind, 7, 0, at, 1, at, sync, 0, 0, 0];
        numbers.map(u64::to_le_bytes).concat()
    };
    let (write, begin, end) = (1, 10, 11);
    let records =
        [record(write, 0, 0), record(begin, 0, 5), record(write, 1, 0), record(end, 0, 5)];
    let log = Log::read(&records.concat());
    let durable = |write: &Write| write.number < log.durable_bytes(7);
    assert_eq!(log.writes[&7].iter().map(durable).collect::<Vec<_>>(), [true, false]);
    let unfinished = records.concat();
    let log = Log::read(&unfinished[..unfinished.len() - 1]);
    assert_eq!((log.records, log.durable_bytes(7)), (3, 0));
}
