//! Tests servers that don't respond, only allow reading, or are gone for long.

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use retouch_core::Credits;
use retouch_store::Error;

use crate::database::TestDatabase;
use crate::place::{Place, assert_proved, member, new_account};
use crate::way::Way;

/// A role that can only read on one of the servers.
const WATCHER: &str = "DO $$ BEGIN
    CREATE ROLE watcher SUPERUSER LOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;";

#[tokio::test]
async fn a_server_that_is_silent_keeps_nobody_from_the_next_one() {
    let Some(place) = Place::new() else { return };
    // Connections are accepted, as by the kernel of a halted machine, but never answered.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hosts = format!("{},{}", silent.local_addr().unwrap(), place.host());
    let address = place.address().replace(place.host(), &hosts) + "&connect_timeout=1";
    let node = place.open(&TestDatabase::Postgres(address), 1).await.unwrap();
    let ada = member(&node, "ada", 5).await;
    assert_eq!(node.balance(&ada).await.unwrap().available, Credits::from(5));
    assert_proved(&node).await;
}

#[tokio::test]
async fn the_addresses_of_hosts_may_be_given_beside_their_names() {
    let Some(place) = Place::new() else { return };
    let (host, port) = place.host().split_once(':').unwrap();
    let schema = place.address().split_once('?').unwrap().1;
    let named = format!("one:{port},two:{port}/postgres?hostaddr={host},{host}");
    let address = TestDatabase::Postgres(format!("postgres://retouch@{named}&{schema}"));
    place.open(&address, 1).await.unwrap().close().await.unwrap();
}

#[tokio::test]
async fn what_is_read_is_read_where_it_is_written() {
    let Some(place) = Place::new() else { return };
    let Some(standby) = Place::on("RETOUCH_TEST_POSTGRES_FRAGILE") else { return };
    place.database.execute(WATCHER).unwrap();
    standby.database.execute(WATCHER).unwrap();
    let reads_only = "ALTER ROLE watcher SET default_transaction_read_only = on";
    standby.database.execute(reads_only).unwrap();
    let hosts = format!("{},{}", standby.host(), place.host());
    let address = place.address().replace(place.host(), &hosts).replace("retouch@", "watcher@");
    let node = place.open(&TestDatabase::Postgres(address), 1).await.unwrap();
    let ada = member(&node, "ada", 5).await;
    assert_eq!(node.balance(&ada).await.unwrap().available, Credits::from(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_behind_others_is_told_with_them_that_the_server_is_gone() {
    /// The maximum number of attempts for one command, plus those for the command that runs on its
    /// own.
    const TRIED_MAX: usize = 60;
    let Some(place) = Place::new() else { return };
    let way = Way::to(place.host()).await;
    let node = place.node_on(&way, 1).await;
    member(&node, "ada", 0).await;
    way.lose();
    let before = way.tried();
    let mut calls = JoinSet::new();
    for number in 0..30 {
        let (node, new) = (node.clone(), new_account(&format!("member{number}"), 0));
        calls.spawn(async move { node.create_account(new).await });
    }
    for refused in calls.join_all().await {
        assert!(matches!(refused, Err(Error::Unreachable { .. })), "{refused:?}");
    }
    let tried = way.tried() - before;
    assert!(tried <= TRIED_MAX, "each of 30 was tried by itself: {tried}");
}
