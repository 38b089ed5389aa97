//! Tests that an account with many rows slows down neither its own calls nor those of others:
//! SQLite finds rows by an index and doesn't scan others.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/asked.rs"]
mod asked;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use retouch_core::catalogue::{Catalogue, EMBEDDED};
use retouch_core::{AccountId, Credits, EditId, Ids, SeededEntropy, TestClock, Timestamp};
use retouch_store::{
    Context, Deleted, EditFilter, ExpiryPlace, IdempotencyKey, NewAccount, OpenEdit, Opened,
    Outcome, PageRequest, Settings, Store, TreeRequest,
};
use rusqlite::Connection;
use tempfile::TempDir;

use asked::asked;

const START: Timestamp = Timestamp(1_795_132_800_000);
const DAY_MS: i64 = 24 * 3_600_000;

/// The store's log output. Clones share it.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Said {
    /// Starts to collect the log.
    fn begin() -> Self {
        let said = Self::default();
        let writer = said.clone();
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_ansi(false);
        log.with_writer(move || writer.clone()).init();
        said
    }

    /// The statements that scanned many rows since the last call.
    fn take(&self) -> Vec<String> {
        let said = std::mem::take(&mut *self.0.lock().unwrap());
        let lines = String::from_utf8(said).unwrap();
        lines.lines().filter(|line| line.contains("many rows")).map(str::to_owned).collect()
    }
}

struct Place {
    store: Store,
    clock: Arc<TestClock>,
    ids: Ids,
    folder: TempDir,
}

impl Place {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let settings = Settings::new(folder.path().join("rows.db"), folder.path().join("blobs"));
        let clock = Arc::new(TestClock::new(START));
        let context = Context { clock: clock.clone(), entropy: Arc::new(SeededEntropy::new(1)) };
        let store = Store::open(&settings, context).await.unwrap();
        let ids = Ids::new(clock.clone(), Arc::new(SeededEntropy::new(2)));
        Self { store, clock, ids, folder }
    }

    async fn member(&self) -> AccountId {
        let new = NewAccount {
            email: "ada@example.com".parse().unwrap(),
            password_hash: None,
            sign_up_credits: Credits::from(1_000),
            invitation: None,
        };
        self.store.create_account(new).await.unwrap().id
    }

    /// Creates an edit that is charged. It starts from the result of a copy, if there are any.
    async fn make(&self, ada: &AccountId, key: &str) -> EditId {
        let edit = asked(self.ids.edit(), START.plus_ms(30_000));
        let input_blob = Some(format!("{:032}.png", 7));
        let edit = OpenEdit { idempotency: Some(named(key)), input_blob, ..edit };
        let (id, blob) = (edit.id, edit.blob.clone());
        assert_eq!(self.store.open_edit(ada, edit).await, Ok(Opened::New));
        let done = Outcome::Succeeded {
            cost: Credits::from(6),
            provider_cost: None,
            stored: vec![blob],
            file: None,
            usage: None,
            warnings: "[]".into(),
            plan: None,
            size: None,
            original: None,
        };
        self.store.close_edit(ada, &id, done).await.unwrap();
        id
    }

    /// Copies an edit with its hold and its idempotency key twenty thousand times, and adds as
    /// many sessions.
    fn copy(&self) {
        let rows = Connection::open(self.folder.path().join("rows.db")).unwrap();
        let name = "substr(it.id, 1, 24) || printf('%012x', i)";
        let sql = format!(
            "CREATE TEMP TABLE number AS
                 WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                 SELECT i FROM n;
             CREATE TEMP TABLE one AS SELECT * FROM edit LIMIT 1;
             CREATE TEMP TABLE copy AS SELECT it.*, i FROM one AS it, number;
             UPDATE copy AS it SET id = {name}, blob = printf('%032d.png', i);
             ALTER TABLE copy DROP COLUMN i;
             INSERT INTO edit SELECT * FROM copy;
             INSERT INTO hold (id, account_id, amount, captured, state, key_id, allocation, at)
                 SELECT {name}, account_id, amount, captured, state, key_id, allocation, at
                 FROM (SELECT * FROM hold LIMIT 1) AS it, number;
             INSERT INTO idempotency (account_id, call, key, fingerprint, edit_id, created_at)
                 SELECT account_id, call, 'copy-' || i, fingerprint,
                     substr(edit_id, 1, 24) || printf('%012x', i), created_at
                 FROM (SELECT * FROM idempotency LIMIT 1) AS it, number;
             INSERT INTO session (token_hash, account_id, created_at, last_seen_at, expires_at)
                 SELECT randomblob(32), (SELECT id FROM account), 1, 4000000000000, 4000000000000
                 FROM number;"
        );
        rows.execute_batch(&sql).unwrap();
    }
}

fn named(key: &str) -> IdempotencyKey {
    IdempotencyKey { call: "image-edit", key: key.into(), fingerprint: [1; 32] }
}

#[tokio::test]
async fn what_an_account_has_made_is_not_gone_through_by_its_calls() {
    let said = Said::begin();
    let place = Place::new().await;
    let (store, ada) = (&place.store, place.member().await);
    let old = place.make(&ada, "old").await;
    place.copy();
    place.clock.advance_ms(2 * DAY_MS);
    let young = place.make(&ada, "new").await;
    let page = PageRequest { limit: 100, cursor: None };
    let catalogue = Catalogue { results_kept_days: Some(1), ..Catalogue::parse(EMBEDDED).unwrap() };
    // Each idempotency key is checked only once, so this first call may scan all of them.
    store.prune().await.unwrap();
    let _ = said.take();

    store.find_replay(&ada, named("new")).await.unwrap().unwrap();
    store.find_edit(&ada, &old).await.unwrap().unwrap();
    let mut next = Some(page.clone());
    while let Some(page) = next {
        let edits = store.list_edits(&ada, &Default::default(), &page).await.unwrap();
        next = edits.next_cursor.map(|cursor| PageRequest { cursor: Some(cursor), ..page });
    }
    let starred = EditFilter { is_starred: true, ..EditFilter::default() };
    assert_eq!(store.list_edits(&ada, &starred, &page).await.unwrap().data.len(), 0);
    for edit in [young, old] {
        let asked = TreeRequest { edit, page: page.clone() };
        store.list_tree(&ada, None, asked).await.unwrap().unwrap();
    }
    store.find_shared("nobody").await.unwrap();
    store.list_entries(&ada, &page).await.unwrap();
    store.list_edits_named(&ada, vec![old, young]).await.unwrap();
    store.list_usage(&ada, START.plus_ms(2 * DAY_MS)).await.unwrap();
    store.balance(&ada).await.unwrap();
    store.claimed_blobs(vec![format!("{old}.png"), "nobody.png".into()]).await.unwrap();
    store.find_expiry("nobody.png").await.unwrap();
    store.count_open_edits().await.unwrap();
    assert!(store.list_open_of(vec![ada.clone()]).await.unwrap().is_empty());
    store.list_due_edits("process-1", START.plus_ms(3 * DAY_MS), 30_000).await.unwrap();
    store.renew_leases("process-1", START.plus_ms(3 * DAY_MS)).await.unwrap();
    store.list_removals(0).await.unwrap();
    let expired = store.expire_results(&catalogue.retention(), &ExpiryPlace::default()).await;
    assert_eq!(expired.unwrap().results, 200);
    store.prune().await.unwrap();
    for edit in [old, young] {
        assert!(matches!(store.delete_edit(&ada, &edit).await, Ok(Deleted::Gone { .. })));
    }
    store.list_removals(0).await.unwrap();
    place.make(&ada, "next").await;
    assert_eq!(said.take(), [""; 0]);

    store.verify().await.unwrap();
    assert_ne!(said.take(), [""; 0], "a query that goes through everything is told of");
    store.delete_account(&ada).await.unwrap();
    assert_ne!(said.take(), [""; 0], "and so is what changes everything");
}
