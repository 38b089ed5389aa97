//! A database, and nodes on it.

use std::sync::Arc;

use retouch_core::credits::{BucketKind, Command, Grant, NewHold};
use retouch_core::{AccountId, Credits, EditId, Ids, SeededEntropy, TestClock, Timestamp};
use retouch_store::{Context, Error, NewAccount, Store};
use tempfile::TempDir;

use crate::database::TestDatabase;

pub(crate) const START: Timestamp = Timestamp(1_795_132_800_000);

/// A database of a test's own on the server.
pub(crate) struct Place {
    pub(crate) clock: Arc<TestClock>,
    pub(crate) ids: Ids,
    pub(crate) database: TestDatabase,
    folder: TempDir,
}

impl Place {
    /// None where there is no server.
    pub(crate) fn new() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let database = TestDatabase::new(folder.path());
        let clock = Arc::new(TestClock::new(START));
        let ids = Ids::new(clock.clone(), Arc::new(SeededEntropy::new(1)));
        let has_server = matches!(database, TestDatabase::Postgres(_));
        has_server.then_some(Self { clock, ids, database, folder })
    }

    /// What the server calls the connections of the nodes.
    pub(crate) fn application(&self) -> &str {
        match &self.database {
            TestDatabase::Postgres(address) => address.rsplit('=').next().unwrap(),
            TestDatabase::Sqlite(_) => "",
        }
    }

    /// A node; `seed` keeps the names that it makes apart from the others'.
    pub(crate) async fn node(&self, seed: u64) -> Store {
        self.try_node(seed).await.unwrap()
    }

    pub(crate) async fn try_node(&self, seed: u64) -> Result<Store, Error> {
        let settings = self.database.settings(&self.folder.path().join("blobs"));
        let entropy = Arc::new(SeededEntropy::new(seed));
        let context = Context { clock: self.clock.clone(), entropy };
        Store::open(&settings, context).await
    }
}

pub(crate) async fn member(store: &Store, name: &str, credits: u32) -> AccountId {
    let new = NewAccount {
        email: format!("{name}@example.com").parse().unwrap(),
        password_hash: None,
        sign_up_credits: Credits::from(credits),
    };
    store.create_account(new).await.unwrap().id
}

pub(crate) fn hold(id: EditId, credits: u32) -> Command {
    let credits = Credits::from(credits);
    Command::Hold(NewHold { id, credits, key: None, description: "Edit".into() })
}

pub(crate) fn grant(source_key: String) -> Grant {
    Grant {
        kind: BucketKind::Operator,
        credits: Credits::from(1),
        source_key,
        expires_at: None,
        priority: None,
        description: "thanks".into(),
    }
}

pub(crate) async fn assert_proved(store: &Store) {
    let report = store.verify().await.unwrap();
    assert_eq!(report.found, 0, "{:?}", report.disagreements);
}
