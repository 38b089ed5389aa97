//! A database and the nodes on it.

use std::sync::Arc;

use retouch_core::credits::{BucketKind, Command, Grant, NewHold};
use retouch_core::{AccountId, Credits, EditId, Ids, SeededEntropy, TestClock, Timestamp};
use retouch_store::{Context, Error, IdempotencyKey, NewAccount, OpenEdit, Store};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

use crate::asked::asked;
use crate::database::TestDatabase;
use crate::way::Way;

pub(crate) const START: Timestamp = Timestamp(1_795_132_800_000);
pub(crate) const HOUR_MS: i64 = 3_600_000;

/// A schema on the server for one test.
pub(crate) struct Place {
    pub(crate) clock: Arc<TestClock>,
    pub(crate) ids: Ids,
    pub(crate) database: TestDatabase,
    folder: TempDir,
}

impl Place {
    /// None if there is no server.
    pub(crate) fn new() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let database = TestDatabase::new(folder.path());
        let has_server = matches!(database, TestDatabase::Postgres(_));
        has_server.then(|| Self::of(folder, database))
    }

    /// Uses the server in this environment variable.
    pub(crate) fn on(variable: &str) -> Option<Self> {
        let database = TestDatabase::on(&std::env::var(variable).ok()?);
        Some(Self::of(TempDir::new().unwrap(), database))
    }

    fn of(folder: TempDir, database: TestDatabase) -> Self {
        let clock = Arc::new(TestClock::new(START));
        let ids = Ids::new(clock.clone(), Arc::new(SeededEntropy::new(1)));
        Self { clock, ids, database, folder }
    }

    /// The application name of the nodes' connections.
    pub(crate) fn application(&self) -> &str {
        self.address().rsplit('=').next().unwrap()
    }

    /// The address of the database.
    pub(crate) fn address(&self) -> &str {
        match &self.database {
            TestDatabase::Postgres(address) => address,
            TestDatabase::Sqlite(_) => "",
        }
    }

    /// The server's host and port.
    pub(crate) fn host(&self) -> &str {
        let behind = self.address().split_once('@').unwrap().1;
        behind.split_once('/').unwrap().0
    }

    /// A direct connection, for locking rows or holding a transaction open.
    pub(crate) async fn connect(&self) -> Client {
        let (client, connection) = tokio_postgres::connect(self.address(), NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    /// Whether one of the nodes is waiting for a lock.
    pub(crate) fn somebody_waits(&self) -> bool {
        let sql = "SELECT 'waits' FROM pg_stat_activity
                   WHERE wait_event_type = 'Lock' AND application_name = ";
        !self.database.texts(&format!("{sql} '{}'", self.application())).is_empty()
    }

    /// A node. Nodes with different seeds generate different IDs.
    pub(crate) async fn node(&self, seed: u64) -> Store {
        self.try_node(seed).await.unwrap()
    }

    /// This number of nodes.
    pub(crate) async fn nodes<const COUNT: usize>(&self) -> [Store; COUNT] {
        let mut nodes = Vec::new();
        for seed in (1..).take(COUNT) {
            nodes.push(self.node(seed).await);
        }
        nodes.try_into().unwrap()
    }

    pub(crate) async fn try_node(&self, seed: u64) -> Result<Store, Error> {
        self.open(&self.database, seed).await
    }

    /// A node that reaches the server through `way`.
    pub(crate) async fn node_on(&self, way: &Way, seed: u64) -> Store {
        let address = self.address().replace(self.host(), &way.host);
        self.open(&TestDatabase::Postgres(address), seed).await.unwrap()
    }

    /// A node on a database with another address.
    pub(crate) async fn open(&self, database: &TestDatabase, seed: u64) -> Result<Store, Error> {
        let settings = database.settings(&self.folder.path().join("blobs"));
        let entropy = Arc::new(SeededEntropy::new(seed));
        let context = Context { clock: self.clock.clone(), entropy };
        Store::open(&settings, context).await
    }
}

pub(crate) async fn member(store: &Store, name: &str, credits: u32) -> AccountId {
    store.create_account(new_account(name, credits)).await.unwrap().id
}

pub(crate) fn new_account(name: &str, credits: u32) -> NewAccount {
    NewAccount {
        email: format!("{name}@example.com").parse().unwrap(),
        password_hash: None,
        sign_up_credits: Credits::from(credits),
        invitation: None,
    }
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

pub(crate) fn edit(place: &Place, idempotency: Option<IdempotencyKey>) -> OpenEdit {
    OpenEdit {
        instruction: "make it \0 grey".into(),
        idempotency,
        owner: "node-1".into(),
        ..asked(place.ids.edit(), START.plus_ms(30_000))
    }
}

pub(crate) async fn assert_proved(store: &Store) {
    let report = store.verify().await.unwrap();
    assert_eq!(report.found, 0, "{:?}", report.disagreements);
}
