//! Backups made during a stream of calls: a restored backup has everything that was acknowledged
//! before it began, and a correct ledger.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::calls::{PRICE, Random};
use crate::http::{self, Connection};
use crate::journal::{Journal, Receipt};
use crate::service::{BINARY, Installation, Service};
use crate::stream::{CALLERS, Stream};
use crate::vendor::wait_until;
use crate::{GRANTED, SILENCE_MAX, seed};

/// Requests sent and answers received before a backup begins, and again after it.
const EVENTS: usize = 120;

impl Installation {
    /// Makes a backup, also while a service runs.
    pub(crate) fn back_up(&self, folder: &Path) {
        self.run(&["backup", "create", folder.to_str().unwrap()], "");
    }

    /// Another data folder with the same settings, restored from a backup.
    pub(crate) fn restored(&self, folder: &Path) -> Self {
        let mut other = Self::empty();
        (other.environment, other.key) = (self.environment.clone(), self.key.clone());
        other.run(&["backup", "restore", folder.to_str().unwrap()], "");
        other
    }

    /// The error when a backup cannot be made or restored.
    fn refused(&self, how: &str, folder: &Path) -> String {
        let mut command = self.command(BINARY);
        let output = command.args(["backup", how]).arg(folder).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

#[test]
fn a_backup_made_under_load_holds_all_that_was_acknowledged_before() {
    let seed = seed();
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let installation = Installation::new(&[
        ("RETOUCH_EDITS__LEASE", "1.5 s"),
        ("RETOUCH_EDITS__LEASE_RENEW_EVERY", "500 ms"),
        ("RETOUCH_EDITS__SWEEP_EVERY", "100 ms"),
    ]);
    installation.grant(GRANTED);
    let service = installation.start();
    let (journal, ended) = (Journal::default(), AtomicBool::new(false));
    let key = installation.key.as_str();
    let stream = Stream { address: service.address, key, journal: &journal, ended: &ended };
    let backup = tempfile::tempdir().unwrap();
    let (events, happened) = mpsc::channel();
    let before: Vec<Receipt> = thread::scope(|scope| {
        for _ in 0..CALLERS {
            let (stream, seed, events) = (&stream, random.next(), events.clone());
            scope.spawn(move || stream.run(seed, &events));
        }
        let go_on = || (0..EVENTS).for_each(|_| happened.recv_timeout(SILENCE_MAX).unwrap());
        go_on();
        let before = journal.lock().receipts.values().cloned().collect();
        installation.back_up(backup.path());
        go_on();
        ended.store(true, Ordering::Relaxed);
        before
    });
    assert!(service.stop().success());
    let restored = installation.restored(backup.path());
    let service = restored.start();
    let credits = || service.get("/api/credits", key);
    wait_until(|| credits()["held"] == 0);
    check(&service, key, &before, &journal);
    let charged = GRANTED + crate::SIGN_UP - credits()["available"].as_i64().unwrap();
    assert!(charged >= PRICE * before.len() as i64, "{charged} credits for {}", before.len());
    assert!(service.stop().success());
    restored.verify();
    println!("{} results were acknowledged before the backup", before.len());
    assert!(before.len() > 10);
}

/// Checks that every result is there unless its deletion was requested.
fn check(service: &Service, key: &str, receipts: &[Receipt], journal: &Journal) {
    let known = journal.lock();
    let mut connection = Connection::open(service.address).unwrap();
    for receipt in receipts.iter().filter(|it| !known.deletions.contains_key(&it.uuid)) {
        let generation = service.get(&format!("/api/generations/{}", receipt.uuid), key);
        assert_eq!(generation["status"], "succeeded", "{generation}");
        let line = format!("GET {}", receipt.path);
        let file = connection.call(&http::request(&line, &[], None)).unwrap();
        assert_eq!(file.status, 200, "{}", receipt.path);
        assert!(file.body == receipt.png, "{} is another image", receipt.path);
    }
}

#[test]
fn what_is_no_backup_is_not_put_back_and_nothing_is_put_over_data() {
    let installation = Installation::new(&[]);
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup");
    let said = |said: &str, words: &str| assert!(said.contains(words), "{said}");
    said(&installation.refused("restore", &backup), "it has no backup.json");
    installation.back_up(&backup);
    said(&installation.refused("create", &backup), "is not empty");
    said(&installation.refused("restore", &backup), "is not empty");
    damage(&backup);
    let other = Installation::empty();
    said(&other.refused("restore", &backup), "the backup is damaged");
    assert!(!other.data().join("retouch.db").exists(), "no database is left behind");
}

/// Truncates the file of rows in the middle.
fn damage(backup: &Path) {
    let rows = std::fs::OpenOptions::new().write(true).open(backup.join("retouch.db")).unwrap();
    let length = rows.metadata().unwrap().len();
    rows.set_len(length / 2).unwrap();
}
