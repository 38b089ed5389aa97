//! Tests that manual changes of the database are detected or impossible.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/asked.rs"]
mod asked;

use std::path::PathBuf;
use std::sync::Arc;

use retouch_core::credits::{Command, KeyLimits};
use retouch_core::{AccountId, Credits, Ids, SeededEntropy, TestClock, Timestamp};
use retouch_store::{Context, Failure, NewAccount, NewKey, OpenEdit, Outcome, Settings, Store};
use rusqlite::Connection;
use tempfile::TempDir;

use asked::asked;

/// Each change is made to a correct ledger in which the first account has a captured, a released
/// and an open hold, and has used credits with an API key.
const TAMPERING: [&str; 33] = [
    "UPDATE balance SET available = available + 1",
    "UPDATE balance SET available = available - 1, spent = spent + 1",
    "UPDATE balance SET seq = seq + 1",
    "UPDATE balance SET last_at = last_at + 1",
    "DELETE FROM balance WHERE account_id IN (SELECT account_id FROM edit)",
    "UPDATE bucket SET remaining = remaining + 1",
    "UPDATE bucket SET kind = 'plan'",
    "UPDATE bucket SET expires_at = 5",
    "UPDATE bucket SET source_key = 'another'",
    "DELETE FROM bucket",
    "INSERT INTO bucket SELECT account_id, 9, kind, priority, expires_at, NULL, granted, remaining,
         held, spent, expired, taken_back FROM bucket",
    "UPDATE hold SET state = 'released' WHERE state = 'captured'",
    "UPDATE hold SET captured = captured - 1 WHERE state = 'captured'",
    "UPDATE hold SET amount = amount + 1 WHERE state = 'held'",
    "UPDATE hold SET key_id = NULL WHERE key_id IS NOT NULL",
    "UPDATE hold SET allocation = '[[1,5]]'",
    "DELETE FROM hold WHERE state = 'released'",
    "INSERT INTO hold SELECT 'another', account_id, amount, captured, state, key_id, allocation, at
         FROM hold WHERE state = 'released'",
    "INSERT INTO hold SELECT 'another', 'acct_another', amount, captured, state, key_id, allocation, at
     FROM hold LIMIT 1",
    "UPDATE hold SET id = 'another' WHERE state = 'released'",
    "UPDATE key_use SET credits = credits - 1",
    "UPDATE key_use SET day_credits = day_credits + 1",
    "UPDATE key_use SET month = month - 1",
    "UPDATE hold SET at = at - 1",
    "DELETE FROM entry WHERE seq = 2",
    "DELETE FROM entry WHERE seq = (SELECT MAX(seq) FROM entry)",
    "UPDATE entry SET available = available + 1 WHERE kind = 'grant'",
    "UPDATE entry SET legs = '[]' WHERE kind = 'hold'",
    "UPDATE entry SET available_after = available_after + 1 WHERE kind = 'capture'",
    "UPDATE edit SET status = 'failed', cost = 0 WHERE status = 'succeeded'",
    "INSERT INTO invoice (id, account_id, subscription_id, granted, asked, taken, steps, seen_at)
         SELECT 'in_1', id, 'sub_1', 600, 0, 0, 0, 0 FROM account LIMIT 1",
    "UPDATE balance SET debt = debt + 1",
    "UPDATE entry SET debt = debt + 1 WHERE kind = 'grant'",
];

struct Place {
    settings: Settings,
    context: Context,
    ids: Ids,
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let settings = Settings::new(folder.path().join("rows.db"), folder.path().join("blobs"));
        let clock = Arc::new(TestClock::new(Timestamp(1_000)));
        let context = Context { clock: clock.clone(), entropy: Arc::new(SeededEntropy::new(1)) };
        let ids = Ids::new(clock, Arc::new(SeededEntropy::new(2)));
        Self { settings, context, ids, folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("rows.db")
    }

    async fn open(&self) -> Store {
        Store::open(&self.settings, self.context.clone()).await.unwrap()
    }

    async fn member(&self, store: &Store, email: &str) -> AccountId {
        let new = NewAccount {
            email: email.parse().unwrap(),
            password_hash: None,
            sign_up_credits: Credits::from(100),
            invitation: None,
        };
        store.create_account(new).await.unwrap().id
    }

    /// Writes a correct ledger that contains rows of every kind.
    async fn written(&self) {
        let store = self.open().await;
        let ada = self.member(&store, "ada@example.com").await;
        let new = NewKey {
            scopes: retouch_store::Scopes::ALL,
            name: "robot".into(),
            hash: [1; 32],
            start: "rt".into(),
            expires_at: None,
            limits: KeyLimits::default(),
        };
        let key = Some(store.create_key(&ada, new).await.unwrap().id);
        for end in [true, false] {
            let edit = OpenEdit { key: key.clone(), ..self.edit() };
            let id = edit.id;
            store.open_edit(&ada, edit).await.unwrap();
            store.close_edit(&ada, &id, outcome(end)).await.unwrap();
        }
        store.open_edit(&ada, self.edit()).await.unwrap();
        self.member(&store, "bob@example.com").await;
        assert_eq!(store.verify().await.unwrap().found, 0);
        store.close().await.unwrap();
    }

    fn edit(&self) -> OpenEdit {
        asked(self.ids.edit(), Timestamp(31_000))
    }
}

fn outcome(success: bool) -> Outcome {
    if !success {
        let failure = Failure { code: "x".into(), message: "y".into(), in_doubt: false };
        return Outcome::Failed { owner: "process-1".into(), failure };
    }
    Outcome::Succeeded {
        cost: Credits::from(6),
        provider_cost: None,
        usage: None,
        warnings: "[]".into(),
        plan: None,
        stored: Vec::new(),
        file: None,
        size: None,
        original: None,
    }
}

#[tokio::test]
async fn every_tampering_is_found_by_the_proof() {
    let place = Place::new();
    place.written().await;
    let right = std::fs::read(place.file()).unwrap();
    for sql in TAMPERING {
        std::fs::write(place.file(), &right).unwrap();
        let rows = Connection::open(place.file()).unwrap();
        rows.pragma_update(None, "ignore_check_constraints", true).unwrap();
        rows.execute_batch(
            "DROP TRIGGER entry_is_never_changed; DROP TRIGGER entry_is_never_deleted",
        )
        .unwrap();
        assert!(rows.execute(sql, []).unwrap() > 0, "{sql}");
        rows.close().unwrap();
        let store = place.open().await;
        let report = store.verify().await.unwrap();
        assert!(report.found > 0, "{sql}");
        assert!(report.disagreements[0].account.starts_with("acct_"), "{sql}");
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn every_account_of_many_is_verified_once() {
    let mut place = Place::new();
    let store = place.open().await;
    let mut members = Vec::new();
    for number in 0..200 {
        members.push(place.member(&store, &format!("{number}@example.com")).await.to_string());
    }
    members.sort();
    store.close().await.unwrap();
    let rows = Connection::open(place.file()).unwrap();
    rows.pragma_update(None, "ignore_check_constraints", true).unwrap();
    rows.execute("UPDATE bucket SET remaining = remaining + 1", []).unwrap();
    rows.close().unwrap();
    for readers_max in [1, 4, 32] {
        place.settings.readers_max = readers_max;
        let store = place.open().await;
        let report = store.verify().await.unwrap();
        assert_eq!((report.accounts, report.entries, report.found), (200, 200, 200));
        let named: Vec<String> = report.disagreements.into_iter().map(|it| it.account).collect();
        assert_eq!(named, members);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_long_ledger_is_verified_to_its_end() {
    let place = Place::new();
    let store = place.open().await;
    let ada = place.member(&store, "ada@example.com").await;
    for _ in 0..600 {
        let edit = place.edit();
        let id = edit.id;
        store.open_edit(&ada, edit).await.unwrap();
        store.close_edit(&ada, &id, outcome(false)).await.unwrap();
    }
    let report = store.verify().await.unwrap();
    assert_eq!((report.entries, report.holds, report.found), (1_201, 600, 0));
    store.close().await.unwrap();
    let rows = Connection::open(place.file()).unwrap();
    rows.execute_batch(
        "DROP TRIGGER entry_is_never_changed;
         UPDATE entry SET available_after = available_after + 1 WHERE seq = 1150",
    )
    .unwrap();
    rows.close().unwrap();
    let store = place.open().await;
    let report = store.verify().await.unwrap();
    assert_eq!((report.entries, report.found), (1_150, 1), "{:?}", report.disagreements);
}

#[tokio::test]
async fn entries_cannot_be_changed_or_deleted() {
    let place = Place::new();
    place.written().await;
    let rows = Connection::open(place.file()).unwrap();
    for sql in ["UPDATE entry SET description = 'x'", "DELETE FROM entry"] {
        let refused = rows.execute(sql, []).unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{refused}");
    }
}

#[tokio::test]
async fn the_rows_themselves_refuse_what_is_negative_or_does_not_add_up() {
    let place = Place::new();
    place.written().await;
    let rows = Connection::open(place.file()).unwrap();
    for sql in [
        "UPDATE balance SET available = -1",
        "UPDATE balance SET available = available + 1",
        "UPDATE bucket SET held = held + 1",
        "UPDATE hold SET captured = amount + 1",
    ] {
        let refused = rows.execute(sql, []).unwrap_err().to_string();
        assert!(refused.contains("CHECK"), "{refused}");
    }
}

#[tokio::test]
async fn wrong_books_are_not_written_on() {
    let place = Place::new();
    place.written().await;
    let rows = Connection::open(place.file()).unwrap();
    rows.pragma_update(None, "ignore_check_constraints", true).unwrap();
    rows.execute("UPDATE bucket SET remaining = 0", []).unwrap();
    let ada: String =
        rows.query_row("SELECT account_id FROM edit LIMIT 1", [], |row| row.get(0)).unwrap();
    rows.close().unwrap();
    let store = place.open().await;
    let edit = place.edit();
    assert!(store.open_edit(&ada.parse().unwrap(), edit).await.is_err());
    assert!(store.ledger(&place.ids.account(), Command::Expire).await.is_err());
}
