//! What must be true whenever the service has just started and there are no calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use serde_json::Value;

use crate::calls::PRICE;
use crate::http;
use crate::journal::{Journal, Known, is_canceled};
use crate::service::{Installation, Service};
use crate::vendor::wait_until;

/// The uuid of every generation known to have succeeded, including deleted ones.
pub(crate) struct Books {
    pub(crate) charged: BTreeSet<String>,
    pub(crate) granted: i64,
}

impl Books {
    pub(crate) fn new(granted: i64) -> Self {
        Self { charged: BTreeSet::new(), granted }
    }

    /// Checks the balance against the answers. Reads generations from the newest to the last one
    /// already seen, because a finished generation does not change.
    pub(crate) fn check(&mut self, service: &Service, key: &str, journal: &Journal) {
        let known = journal.lock();
        let receipts = known.receipts.values().map(|receipt| receipt.uuid.clone());
        let acknowledged: BTreeSet<String> = receipts.collect();
        let seen = self.charged.clone();
        // What was accepted before the service ended is done now.
        wait_until(|| service.get("/api/credits", key)["held"] == 0);
        let listed = generations(service, key, |uuid| seen.contains(uuid));
        for (uuid, generation) in &listed {
            assert_ne!(generation["status"], "processing", "left open: {generation}");
            let is_acknowledged = known.cancels.get(uuid) == Some(&true);
            assert!(!is_acknowledged || is_canceled(generation), "not canceled: {generation}");
            if generation["status"] == "succeeded" {
                assert_eq!(generation["cost"], PRICE, "{generation}");
                self.charged.insert(uuid.clone());
            } else {
                assert_eq!(generation["cost"], 0, "{generation}");
            }
        }
        // An acknowledged generation may be missing only if its deletion was requested.
        for uuid in acknowledged.difference(&self.charged.clone()) {
            assert!(known.deletions.contains_key(uuid), "{uuid} was acknowledged but is lost");
            self.charged.insert(uuid.clone());
        }
        let credits = service.get("/api/credits", key);
        assert_eq!(credits["held"], 0, "{credits}");
        let spent = self.granted - credits["available"].as_i64().unwrap();
        let owed = PRICE * self.charged.len() as i64;
        assert_eq!(spent, owed, "{} generations are known", self.charged.len());
    }

    /// The final check, when the outcome of every call is known, for the installation's only
    /// account.
    pub(crate) fn check_end(
        &mut self,
        service: &Service,
        installation: &Installation,
        journal: &Journal,
    ) {
        let stored = self.check_calls(service, &installation.key, journal);
        check_stored(installation, &stored);
    }

    /// Checks that exactly the successful calls are charged and that their images are there.
    /// Returns the names of the images.
    pub(crate) fn check_calls(
        &mut self,
        service: &Service,
        key: &str,
        journal: &Journal,
    ) -> BTreeSet<String> {
        self.check(service, key, journal);
        let known = journal.lock();
        let uuids: BTreeSet<String> =
            known.receipts.values().map(|receipt| receipt.uuid.clone()).collect();
        assert_eq!(uuids.len(), known.receipts.len(), "two calls share a generation");
        assert_eq!(uuids, self.charged, "something was charged that no call received");
        check_files(service, key, &known)
    }
}

/// Checks that there are no other images and that the ledger is correct.
pub(crate) fn check_stored(installation: &Installation, stored: &BTreeSet<String>) {
    let names = stored_names(installation);
    let differing: Vec<_> = names.symmetric_difference(stored).collect();
    assert!(differing.is_empty(), "{differing:?} belong to no call or are missing");
    installation.verify();
}

/// The names of all stored images: files, and rows of the embedded database if it is used.
pub(crate) fn stored_names(installation: &Installation) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = stored_files(installation).into_keys().collect();
    let database = installation.data().join("retouch.db");
    // With a server, the file is missing or empty.
    if fs::metadata(&database).is_ok_and(|about| about.len() > 0) {
        let database = Connection::open(database).unwrap();
        let mut query = database.prepare("SELECT name FROM small_file").unwrap();
        let small = query.query_map([], |row| row.get(0)).unwrap();
        names.extend(small.map(|name| -> String { name.unwrap() }));
    }
    names
}

/// The names and paths of the images that are files.
pub(crate) fn stored_files(installation: &Installation) -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(installation.data().join("blobs/files")).unwrap();
    let named = entries.map(|entry| entry.unwrap());
    named.map(|entry| (entry.file_name().into_string().unwrap(), entry.path())).collect()
}

/// Fetches and compares every image that was acknowledged and not deleted. Returns the names of the
/// files.
fn check_files(service: &Service, key: &str, known: &Known) -> BTreeSet<String> {
    let listed = generations(service, key, |_| false);
    let mut connection = http::Connection::open(service.address).unwrap();
    let mut stored = BTreeSet::new();
    for ((number, _), receipt) in &known.receipts {
        let listed = listed.contains_key(&receipt.uuid);
        let deletion = known.deletions.get(&receipt.uuid);
        assert!(listed || deletion.is_some(), "call {number} is not listed");
        assert!(!listed || deletion != Some(&true), "call {number} was deleted but is listed");
        let line = format!("GET {}", receipt.path);
        let file = connection.call(&http::request(&line, &[], None)).unwrap();
        assert_eq!(file.status, if listed { 200 } else { 404 }, "the image of call {number}");
        if listed {
            assert!(file.body == receipt.png, "the stored image of call {number} differs");
            stored.insert(receipt.path.trim_start_matches("/files/").to_owned());
        }
    }
    stored
}

/// The listed generations, up to the first page on which all are `known`.
pub(crate) fn generations(
    service: &Service,
    key: &str,
    known: impl Fn(&str) -> bool,
) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    let mut path = "/api/generations?limit=100".to_owned();
    loop {
        let page = service.get(&path, key);
        let mut news = false;
        for generation in page["data"].as_array().unwrap() {
            let uuid = generation["uuid"].as_str().unwrap().to_owned();
            news |= !known(&uuid);
            assert!(all.insert(uuid, generation.clone()).is_none(), "listed twice");
        }
        let Some(cursor) = page["next_cursor"].as_str().filter(|_| news) else { return all };
        path = format!("/api/generations?limit=100&cursor={cursor}");
    }
}
