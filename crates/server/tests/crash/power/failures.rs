//! The service and its commands during power failures: what was acknowledged is still there
//! afterwards, and unfinished work is resumed.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{Loss, Lost, Power};
use crate::calls::{self, Random};
use crate::http::{self, Connection};
use crate::service::{BINARY, CREATE_ACCOUNT, Installation, PASSWORD, Service, feed};
use crate::{Run, books, cycles, seed};

/// Power failures during calls in `./test`, and during the creation of an account in a new folder.
/// `RETOUCH_CRASH_CYCLES` sets another number for both.
const CYCLES: u64 = 25;
const FIRST_CYCLES: u64 = 12;
/// About how many records a start makes in a folder that another start left halfway.
const START_RECORDS: u64 = 60;

impl Installation {
    /// A place for a data folder, with a simulated power supply.
    fn powered() -> (Self, Power) {
        let mut installation = Self::empty();
        let data = installation.data();
        let power =
            Power::over(data.parent().unwrap(), data.file_name().unwrap().to_str().unwrap());
        installation.environment = power.environment();
        (installation, power)
    }

    /// An installation like that of `powered`, with the account and the key.
    pub(super) fn powered_with_account() -> (Self, Power) {
        let (mut installation, power) = Self::powered();
        // The first start creates the database.
        assert!(installation.start().stop().success());
        installation.run(&CREATE_ACCOUNT, PASSWORD);
        installation.create_key();
        (installation, power)
    }

    /// Starts a service, which ends before it makes this record, or else as soon as it is ready.
    fn start_until(&self, record: u64) {
        let mut command = self.command(BINARY);
        command.arg("serve").env("POWER_FAIL_AT", record.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Creates the account after an attempt that may have succeeded. Returns whether the account
    /// existed already.
    fn create_account_again(&self) -> bool {
        let output = feed(self.command(BINARY).args(CREATE_ACCOUNT), PASSWORD);
        let said = String::from_utf8_lossy(&output.stderr);
        let is_there = said.contains("an account with this email address already exists");
        assert!(output.status.success() || is_there, "{}: {said}", output.status);
        is_there
    }
}

#[test]
#[ignore = "slow: simulates 25 power failures"]
fn a_failure_of_power_keeps_what_was_acknowledged() {
    let (installation, power) = Installation::powered_with_account();
    let mut run = Run::on(installation, seed());
    power.fail(Loss::Everything, &mut run.random);
    let mut lost = Lost::default();
    for cycle in 0..cycles(CYCLES) {
        let service = run.begin(cycle);
        run.interrupt(service, Service::kill);
        lost += power.fail(Loss::any(&mut run.random), &mut run.random);
        if cycle % 3 == 2 {
            run.installation.start_until(run.random.below(START_RECORDS));
            lost += power.fail(Loss::any(&mut run.random), &mut run.random);
        }
    }
    run.finish();
    println!("{} writes and {} names were lost", lost.writes, lost.names);
    assert!(lost.writes > 0 && lost.names > 0);
}

#[test]
#[ignore = "slow: creates an account in twelve new folders"]
fn a_failure_of_power_at_the_first_start_leaves_a_folder_that_can_be_used() {
    let seed = seed();
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let (installation, power) = Installation::powered();
    installation.start().kill();
    let start_records = power.records() as u64;
    installation.run(&CREATE_ACCOUNT, PASSWORD);
    let records = power.records() as u64 - start_records;
    for _ in 0..cycles(FIRST_CYCLES) {
        let (mut installation, power) = Installation::powered();
        installation.start_until(random.below(start_records));
        power.fail(Loss::any(&mut random), &mut random);
        assert!(installation.start().stop().success());
        let mut command = installation.command(BINARY);
        let record = random.below(records).to_string();
        command.args(CREATE_ACCOUNT).env("POWER_FAIL_AT", &record);
        let is_acknowledged = feed(&mut command, PASSWORD).status.success();
        power.fail(Loss::any(&mut random), &mut random);
        assert!(installation.create_account_again() || !is_acknowledged, "at {record}");
        power.fail(Loss::Everything, &mut random);
        installation.create_key();
        power.fail(Loss::Everything, &mut random);
        let service = installation.start();
        assert_eq!(service.get("/api/credits", &installation.key)["held"], 0, "at {record}");
        assert!(service.stop().success());
        installation.verify();
    }
}

#[test]
fn a_backup_that_was_acknowledged_is_kept_and_so_is_what_was_put_back() {
    let mut random = Random::new(1);
    let (installation, power) = Installation::powered_with_account();
    let service = installation.start();
    let request = calls::edit(1, &installation.key);
    let answer = Connection::open(service.address).unwrap().call(&request).unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
    // The backup is in the folder in which the power fails.
    let backup = installation.data().join("backups/today");
    installation.back_up(&backup);
    service.kill();
    power.fail(Loss::Everything, &mut random);
    let (restored, power) = Installation::powered();
    restored.run(&["backup", "restore", backup.to_str().unwrap()], "");
    power.fail(Loss::Everything, &mut random);
    let service = restored.start();
    let uuid = answer.json()["generation"]["uuid"].as_str().unwrap().to_owned();
    let generation = service.get(&format!("/api/generations/{uuid}"), &installation.key);
    assert_eq!(generation["status"], "succeeded", "{generation}");
    let address = generation["stored_images"][0].as_str().unwrap();
    let line = format!("GET {}", &address[address.find("/files/").unwrap()..]);
    let request = http::request(&line, &[], None);
    let file = Connection::open(service.address).unwrap().call(&request).unwrap();
    assert_eq!(file.status, 200, "{line}");
    assert!(service.stop().success());
    restored.verify();
}

/// A call whose result is stored as a row, and one whose result is stored as a file.
const SMALL: u64 = 1;
const LARGE: u64 = 15;

/// A service that has acknowledged an edit before the power failed, on a disk that ignores syncs of
/// the folder `lies` but reports success.
fn after_an_edit(number: u64, lies: Option<&str>) -> (Run, Power) {
    let (installation, power) = Installation::powered_with_account();
    let mut run = Run::on(installation, seed());
    power.fail(Loss::Everything, &mut run.random);
    let honest = run.installation.environment.clone();
    let lies = lies.map(|name| power.root.join(name).to_str().unwrap().to_owned());
    run.installation.environment.extend(lies.map(|lies| ("POWER_LIES".to_owned(), lies)));
    let service = run.start();
    let request = calls::edit(number, &run.installation.key);
    let answer = Connection::open(service.address).unwrap().call(&request).unwrap();
    run.journal.lock().answered_with(number, &answer);
    let files = books::stored_files(&run.installation).len();
    assert_eq!(files, usize::from(number == LARGE), "the size of the image has changed");
    assert_eq!(run.journal.lock().receipts.len(), 1);
    service.kill();
    power.fail(Loss::Everything, &mut run.random);
    run.installation.environment = honest;
    (run, power)
}

#[test]
fn the_first_edit_is_kept_and_what_was_deleted_stays_away() {
    for number in [SMALL, LARGE] {
        keeps_and_deletes(number);
    }
}

fn keeps_and_deletes(number: u64) {
    let (mut run, power) = after_an_edit(number, None);
    let service = run.start();
    run.books.check_calls(&service, &run.installation.key, &run.journal);
    let uuid = run.journal.lock().receipts[&(number, 0)].uuid.clone();
    let line = format!("DELETE /api/generations/{uuid}");
    let request = http::request(&line, &[http::bearer(&run.installation.key)], None);
    let answer = Connection::open(service.address).unwrap().call(&request).unwrap();
    assert_eq!(answer.status, 204, "{answer:?}");
    service.kill();
    power.fail(Loss::Everything, &mut run.random);
    assert_eq!(books::stored_names(&run.installation).len(), 0, "what was deleted is back");
    run.installation.verify();
}

#[test]
#[should_panic(expected = "was acknowledged but is lost")]
fn rows_that_no_sync_covers_are_missed() {
    after_an_edit(SMALL, Some("retouch.db-wal")).0.start();
}

#[test]
#[should_panic(expected = "the image of call 15")]
fn files_that_no_sync_covers_are_missed() {
    let (mut run, _) = after_an_edit(LARGE, Some("blobs"));
    let service = run.start();
    run.books.check_calls(&service, &run.installation.key, &run.journal);
}
