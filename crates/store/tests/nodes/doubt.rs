//! Tests commits whose answers are lost: the outcome that is reported must be true.

use std::process::Command;
use std::time::Duration;

use retouch_core::{AccountId, Credits};
use retouch_store::{Error, Granted, Store};
use tokio::task::{JoinHandle, JoinSet};

use crate::place::{Place, assert_proved, grant, member, new_account};
use crate::way::Way;

/// A grant whose commit was delayed on its way to the server.
struct Held {
    way: Way,
    one: Store,
    ada: AccountId,
    asking: JoinHandle<Result<Granted, Error>>,
}

impl Held {
    async fn on(place: &Place) -> Self {
        let way = Way::to(place.host()).await;
        let one = place.node_on(&way, 1).await;
        let ada = member(&one, "ada", 0).await;
        way.hold_commit();
        let (asked, account) = (one.clone(), ada.clone());
        let asking = tokio::spawn(async move { asked.grant(&account, grant("held".into())).await });
        way.held().await;
        Self { way, one, ada, asking }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_a_crash_has_undone_is_not_taken_for_anothers() {
    let Ok(crash) = std::env::var("RETOUCH_TEST_POSTGRES_CRASH") else { return };
    let Some(place) = Place::on("RETOUCH_TEST_POSTGRES_FRAGILE") else { return };
    let Held { way, ada, asking, .. } = Held::on(&place).await;
    assert!(Command::new(crash).status().unwrap().success());
    // The server reuses the same transaction ID for another transaction.
    let two = place.node(2).await;
    for number in 0..20 {
        two.grant(&ada, grant(format!("other-{number}"))).await.unwrap();
    }
    way.cut();
    // If there was time, the grant was repeated. If not, the call reports that it failed.
    let granted = match asking.await.unwrap() {
        Ok(Granted::New(_)) => 1,
        Err(Error::Unreachable { .. }) => 0,
        other => panic!("{other:?}"),
    };
    assert_eq!(two.balance(&ada).await.unwrap().available, Credits::from(20 + granted));
    assert_proved(&two).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_arrives_late_counts_once() {
    let Some(place) = Place::new() else { return };
    let Held { way, one, ada, asking } = Held::on(&place).await;
    way.cut();
    while !place.somebody_waits() {
        tokio::task::yield_now().await;
    }
    way.deliver();
    let granted = asking.await.unwrap().unwrap();
    assert!(matches!(granted, Granted::New(_)), "{granted:?}");
    assert_eq!(one.balance(&ada).await.unwrap().available, Credits::from(1));
    assert_proved(&one).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_does_not_wait_for_a_server_that_is_gone() {
    let Some(place) = Place::new() else { return };
    let way = Way::to(place.host()).await;
    let node = place.node_on(&way, 1).await;
    member(&node, "ada", 0).await;
    way.lose();
    let mut calls = JoinSet::new();
    for number in 0..100 {
        let (node, new) = (node.clone(), new_account(&format!("member{number}"), 0));
        calls.spawn(async move { node.create_account(new).await });
    }
    tokio::task::yield_now().await;
    // Retrying each call on its own would take five seconds per call.
    let closing = tokio::time::timeout(Duration::from_secs(60), node.close());
    closing.await.unwrap().unwrap();
    assert!(calls.join_all().await.iter().all(Result::is_err));
}
