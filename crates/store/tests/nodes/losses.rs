//! Tests connections that are lost in the middle of commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retouch_core::Credits;
use retouch_store::{Error, Granted};
use tokio::task::JoinSet;

use crate::database::TestDatabase;
use crate::place::{Place, assert_proved, grant, member, new_account};

/// Terminates all connections of the nodes.
const CUT: &str = "SELECT CAST(COUNT(pg_terminate_backend(pid)) AS TEXT) FROM pg_stat_activity
                   WHERE application_name = 'APPLICATION' AND pid <> pg_backend_pid()";

#[tokio::test(flavor = "multi_thread")]
async fn whatever_was_acknowledged_is_there_and_nothing_is_done_twice_though_connections_are_cut() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<2>().await;
    let mut accounts = Vec::new();
    for number in 0..4 {
        accounts.push(member(&nodes[0], &format!("member{number}"), 0).await);
    }
    let enough = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for caller in 0..16_usize {
        let (node, account) = (nodes[caller % 2].clone(), accounts[caller % 4].clone());
        let enough = Arc::clone(&enough);
        callers.spawn(async move {
            let (mut granted, mut unknown, mut failed) = (0, 0, 0);
            for turn in 0.. {
                if enough.load(Ordering::Relaxed) {
                    break;
                }
                match node.grant(&account, grant(format!("source-{caller}-{turn}"))).await {
                    Ok(Granted::New(_)) => granted += 1,
                    Ok(Granted::Already) => panic!("nobody else has this source"),
                    Err(Error::Unsure { .. }) => unknown += 1,
                    Err(error) if error.is_transient() => failed += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            (caller % 4, granted, unknown, failed)
        });
    }
    let cut = CUT.replace("APPLICATION", place.application());
    let mut cuts = 0;
    while cuts < 40 {
        let found = place.database.texts(&cut);
        cuts += found[0].parse::<u32>().unwrap();
    }
    enough.store(true, Ordering::Relaxed);
    let mut expected = [(0, 0); 4];
    for (account, granted, unknown, _) in callers.join_all().await {
        expected[account].0 += granted;
        expected[account].1 += unknown;
    }
    for (account, (granted, unknown)) in accounts.iter().zip(expected) {
        let found = nodes[1].balance(account).await.unwrap().available.get();
        assert!(granted > 0, "something got through");
        assert!((granted..=granted + unknown).contains(&found), "{found}: {granted}, {unknown}");
    }
    assert_proved(&nodes[0]).await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_and_its_password_is_not() {
    let address = "postgres://ada:hunter22@127.0.0.1:1/books";
    let database = retouch_store::Database::Server(retouch_store::Address::parse(address).unwrap());
    assert_eq!(database.to_string(), "postgres://127.0.0.1:1/books");
    assert!(!format!("{database:?}").contains("hunter"));
    let settings = retouch_store::Settings::of(database, retouch_store::BlobsPlace::Memory);
    let context = retouch_store::Context {
        clock: Arc::new(retouch_core::TestClock::new(crate::place::START)),
        entropy: Arc::new(retouch_core::SeededEntropy::new(1)),
    };
    let refused = retouch_store::Store::open(&settings, context).await.unwrap_err();
    assert!(matches!(refused, Error::Unreachable { .. }), "{refused}");
    assert!(!refused.to_string().contains("hunter"));
}

#[tokio::test]
async fn a_server_that_only_reads_is_not_written_to() {
    let Some(place) = Place::new() else { return };
    place.node(1).await.close().await.unwrap();
    let options = "options=-cdefault_transaction_read_only%3Don%20";
    let reads_only = place.address().replace("options=", options);
    let refused = place.open(&TestDatabase::Postgres(reads_only), 2).await.unwrap_err();
    assert!(matches!(refused, Error::Unreachable { .. }), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_goes_away_before_anybody_has_tried_is_not_served() {
    let Some(place) = Place::new() else { return };
    let node = place.node(1).await;
    let other = place.connect().await;
    let lock = "BEGIN; SELECT pg_advisory_xact_lock(19521030, hashtext(current_schema()))";
    other.batch_execute(lock).await.unwrap();
    let first = {
        let node = node.clone();
        tokio::spawn(async move { member(&node, "first", 0).await })
    };
    while !place.somebody_waits() {
        tokio::task::yield_now().await;
    }
    tokio::select! {
        biased;
        _ = node.create_account(new_account("gone", 0)) => panic!("the first one waits"),
        () = std::future::ready(()) => {}
    }
    other.batch_execute("COMMIT").await.unwrap();
    first.await.unwrap();
    member(&node, "last", 0).await;
    let made = place.database.texts("SELECT email FROM account ORDER BY email");
    assert_eq!(made, ["first@example.com", "last@example.com"]);
}

#[tokio::test]
async fn a_refusal_costs_no_connection() {
    let Some(place) = Place::new() else { return };
    let node = place.node(1).await;
    let ada = member(&node, "ada", 5).await;
    let connections = || {
        let sql = "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()
                   AND application_name = ";
        place.database.texts(&format!("{sql} '{}' ORDER BY pid", place.application()))
    };
    node.balance(&ada).await.unwrap();
    let before = connections();
    let nobody = "acct_00000000000000000000000000".parse().unwrap();
    for _ in 0..3 {
        assert!(matches!(node.balance(&nobody).await, Err(Error::AccountUnknown)));
    }
    assert_eq!(connections(), before);
    assert_eq!(node.balance(&ada).await.unwrap().available, Credits::from(5));
}

#[tokio::test]
async fn a_database_of_a_later_version_is_left_alone() {
    let Some(place) = Place::new() else { return };
    place.node(1).await.close().await.unwrap();
    place.database.execute("INSERT INTO schema_step VALUES (99, '0099_later', 0)").unwrap();
    let refused = place.try_node(1).await.unwrap_err();
    assert!(matches!(refused, Error::TooNew { found: 99, known } if known < 99), "{refused}");
}

#[tokio::test]
async fn a_store_that_was_closed_says_so() {
    let Some(place) = Place::new() else { return };
    let node = place.node(1).await;
    let ada = member(&node, "ada", 15).await;
    node.close().await.unwrap();
    assert_eq!(node.ready().await, Err(Error::Closed));
    assert!(matches!(node.balance(&ada).await, Err(Error::Closed)));
    assert_eq!(place.node(2).await.balance(&ada).await.unwrap().available, Credits::from(15));
}
