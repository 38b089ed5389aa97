//! Tests that a failure affects only the command that caused it, and that the store works
//! afterwards.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retouch_core::credits::{BucketKind, Command, Grant};
use retouch_core::{AccountId, Clock, Credits, SeededEntropy, TestClock, Timestamp};
use retouch_store::{Context, Error, NewAccount, NewSession, Settings, Store};
use rusqlite::Connection;
use tempfile::TempDir;
use tokio::task::JoinSet;

const START: Timestamp = Timestamp(1_795_132_800_000);
const HOUR_MS: i64 = 3_600_000;

async fn open(folder: &TempDir, clock: Arc<dyn Clock>, database_bytes_max: u64) -> Store {
    let settings = Settings {
        database_bytes_max,
        ..Settings::new(folder.path().join("rows.db"), folder.path().join("blobs"))
    };
    let context = Context { clock, entropy: Arc::new(SeededEntropy::new(1)) };
    Store::open(&settings, context).await.unwrap()
}

async fn member(store: &Store) -> AccountId {
    let new = NewAccount {
        email: "ada@example.com".parse().unwrap(),
        password_hash: None,
        sign_up_credits: Credits::from(15),
        invitation: None,
    };
    store.create_account(new).await.unwrap().id
}

fn grant(number: usize) -> Command {
    Command::Grant(Grant {
        kind: BucketKind::Operator,
        credits: Credits::from(1),
        source_key: format!("grant-{number}"),
        expires_at: None,
        priority: None,
        description: "x".repeat(100),
    })
}

async fn assert_proved(store: &Store) {
    let report = store.verify().await.unwrap();
    assert_eq!(report.found, 0, "{:?}", report.disagreements);
}

fn session(number: u32) -> NewSession {
    let mut token_hash = [0; 32];
    token_hash[..4].copy_from_slice(&number.to_be_bytes());
    NewSession {
        second_factor_at: None,
        browser: None,
        token_hash,
        expires_at: START.plus_ms(HOUR_MS),
        user_agent: None,
        proven_at: None,
    }
}

#[tokio::test]
async fn a_full_disk_refuses_what_does_not_fit_and_works_again_when_there_is_room() {
    let (folder, clock) = (TempDir::new().unwrap(), Arc::new(TestClock::new(START)));
    let store = open(&folder, clock.clone(), 700 << 10).await;
    let ada = member(&store).await;
    let mut sessions = 0;
    while store.create_session(&ada, session(sessions)).await.is_ok() {
        sessions += 1;
    }
    assert!(sessions > 100);
    let mut granted = 0;
    let refused = loop {
        match store.ledger(&ada, grant(granted)).await {
            Ok(_) => granted += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::Database { .. }), "{refused}");
    let before = 15 + i64::try_from(granted).unwrap();
    assert_eq!(store.balance(&ada).await.unwrap().available.get(), before);
    clock.advance_ms(2 * HOUR_MS);
    while store.prune().await.unwrap().sessions > 0 {}
    let after = store.ledger(&ada, grant(granted)).await.unwrap();
    assert_eq!(after.available.get(), before + 1);
    assert_proved(&store).await;
}

#[tokio::test]
async fn those_who_wait_together_with_one_that_does_not_fit_are_served() {
    let (folder, clock) = (TempDir::new().unwrap(), Arc::new(TestClock::new(START)));
    let store = open(&folder, clock, 700 << 10).await;
    let ada = member(&store).await;
    let mut calls = JoinSet::new();
    for number in 0..64 {
        let (store, ada) = (store.clone(), ada.clone());
        calls.spawn(async move {
            if number == 20 {
                let hash = "x".repeat(1 << 20);
                return (number, store.change_password(&ada, hash, None).await);
            }
            (number, store.ledger(&ada, grant(number)).await.map(drop))
        });
    }
    for (number, answer) in calls.join_all().await {
        assert_eq!(answer.is_err(), number == 20, "{number}: {answer:?}");
    }
    assert_eq!(store.balance(&ada).await.unwrap().available, Credits::from(15 + 63));
    assert_proved(&store).await;
}

/// A clock that panics once.
#[derive(Debug)]
struct Brittle(AtomicBool);

impl Clock for Brittle {
    fn now(&self) -> Timestamp {
        assert!(!self.0.swap(false, Ordering::SeqCst), "the clock fell apart");
        START
    }
}

#[tokio::test]
async fn a_panic_in_a_command_fails_that_command_and_no_other() {
    let (folder, clock) = (TempDir::new().unwrap(), Arc::new(Brittle(AtomicBool::new(false))));
    let store = open(&folder, clock.clone(), 1 << 30).await;
    let ada = member(&store).await;
    clock.0.store(true, Ordering::SeqCst);
    assert_eq!(store.ledger(&ada, grant(1)).await, Err(Error::Panicked));
    let after = store.ledger(&ada, grant(1)).await.unwrap();
    assert_eq!(after.available, Credits::from(16));
    assert_proved(&store).await;
}

#[tokio::test]
async fn closing_answers_all_who_wait_and_leaves_the_files_at_rest() {
    let (folder, clock) = (TempDir::new().unwrap(), Arc::new(TestClock::new(START)));
    let store = open(&folder, clock.clone(), 1 << 30).await;
    let ada = member(&store).await;
    let mut calls = JoinSet::new();
    for number in 0..200 {
        let (store, ada) = (store.clone(), ada.clone());
        calls.spawn(async move { store.ledger(&ada, grant(number)).await });
    }
    tokio::task::yield_now().await;
    store.close().await.unwrap();
    let mut granted = 0;
    for answer in calls.join_all().await {
        match answer {
            Ok(_) => granted += 1,
            Err(error) => assert_eq!(error, Error::Closed),
        }
    }
    assert_eq!(store.ready().await, Err(Error::Closed));
    assert!(matches!(store.balance(&ada).await, Err(Error::Closed)));
    let log = std::fs::metadata(folder.path().join("rows.db-wal"));
    assert_eq!(log.map_or(0, |log| log.len()), 0);
    let store = open(&folder, clock, 1 << 30).await;
    assert_eq!(store.balance(&ada).await.unwrap().available, Credits::from(15 + granted));
}

#[tokio::test]
async fn a_database_of_a_later_version_is_left_alone() {
    let (folder, clock) = (TempDir::new().unwrap(), Arc::new(TestClock::new(START)));
    open(&folder, clock.clone(), 1 << 30).await.close().await.unwrap();
    let rows = Connection::open(folder.path().join("rows.db")).unwrap();
    rows.execute("INSERT INTO schema_step VALUES (99, '0099_later', 0)", []).unwrap();
    rows.close().unwrap();
    let settings = Settings::new(folder.path().join("rows.db"), folder.path().join("blobs"));
    let context = Context { clock, entropy: Arc::new(SeededEntropy::new(1)) };
    let refused = Store::open(&settings, context).await.unwrap_err();
    assert!(matches!(refused, Error::TooNew { found: 99, known } if known < 99), "{refused}");
}
