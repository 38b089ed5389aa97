//! The databases and folders of the tests.

use std::sync::Arc;

use retouch_core::credits::KeyLimits;
use retouch_core::{AccountId, Credits, Ids, SeededEntropy, TestClock, Timestamp};
use retouch_store::{
    Context, NewAccount, NewKey, NewSession, OpenEdit, PageRequest, Scopes, Settings, Store,
};
use tempfile::TempDir;

use crate::asked::asked;
use crate::database::TestDatabase;

/// 2026-11-20T00:00:00Z.
pub(crate) const START: Timestamp = Timestamp(1_795_132_800_000);
pub(crate) const HOUR_MS: i64 = 3_600_000;

/// A folder for one test, and a clock that only moves when the test moves it.
pub(crate) struct Place {
    pub(crate) clock: Arc<TestClock>,
    pub(crate) ids: Ids,
    pub(crate) settings: Settings,
    pub(crate) context: Context,
    pub(crate) database: TestDatabase,
    _folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let database = TestDatabase::new(folder.path());
        let settings = database.settings(&folder.path().join("blobs"));
        let clock = Arc::new(TestClock::new(START));
        let entropy = Arc::new(SeededEntropy::new(1));
        let context = Context { clock: clock.clone(), entropy };
        // IDs of edits must differ from those that the store generates for accounts and keys.
        let ids = Ids::new(clock.clone(), Arc::new(SeededEntropy::new(2)));
        Self { clock, ids, settings, context, database, _folder: folder }
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.settings, self.context.clone()).await.unwrap()
    }

    /// An edit that costs 6 credits, requested without an API key.
    pub(crate) fn edit(&self) -> OpenEdit {
        asked(self.ids.edit(), START.plus_ms(30_000))
    }
}

pub(crate) fn credits(number: u32) -> Credits {
    Credits::from(number)
}

/// Creates an account with 15 credits.
pub(crate) async fn member(store: &Store, email: &str) -> AccountId {
    member_with(store, email, 15).await
}

pub(crate) async fn member_with(store: &Store, email: &str, sign_up_credits: u32) -> AccountId {
    let new = NewAccount {
        email: email.parse().unwrap(),
        password_hash: Some("hash".into()),
        sign_up_credits: credits(sign_up_credits),
        invitation: None,
    };
    store.create_account(new).await.unwrap().id
}

pub(crate) fn first(limit: u32) -> PageRequest {
    PageRequest { limit, cursor: None }
}

/// A session with this token, which lasts for an hour.
pub(crate) fn session(token: u8) -> NewSession {
    NewSession {
        token_hash: [token; 32],
        expires_at: START.plus_ms(HOUR_MS),
        user_agent: None,
        browser: None,
        proven_at: None,
        second_factor_at: None,
    }
}

/// An API key with this secret, which has all rights and no limit.
pub(crate) fn key(secret: u8) -> NewKey {
    NewKey {
        name: "robot".into(),
        hash: [secret; 32],
        start: "rt_abcd".into(),
        scopes: Scopes::ALL,
        expires_at: None,
        limits: KeyLimits::default(),
    }
}

/// Checks that the ledger is correct.
pub(crate) async fn assert_proved(store: &Store) {
    let report = store.verify().await.unwrap();
    assert_eq!(report.found, 0, "{:?}", report.disagreements);
}

/// Runs futures as concurrent tasks. Returns their outputs.
pub(crate) async fn together<F>(futures: impl Iterator<Item = F>) -> Vec<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let mut tasks = tokio::task::JoinSet::new();
    for future in futures {
        tasks.spawn(future);
    }
    tasks.join_all().await
}
