//! Rate limits and concurrency limits, and fair turns between accounts.

use std::pin::Pin;
use std::task::Poll;

use futures_util::poll;
use retouch_core::AccountId;
use retouch_server::edits::{AccountFull, Turn, Turns};
use retouch_store::{AssignPlan, Deed};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, scripted};

fn rates(answer: &Answer) -> [Option<&str>; 5] {
    [
        "ratelimit-policy",
        "ratelimit",
        "x-ratelimit-limit-requests",
        "x-ratelimit-remaining-requests",
        "x-ratelimit-reset-requests",
    ]
    .map(|name| answer.header(name))
}

#[tokio::test]
async fn every_limit_on_calls_is_told_with_the_answer_and_the_tightest_refuses() {
    let app = TestApp::with(&[
        ("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_KEY", "2"),
        ("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "3"),
        ("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ADDRESS", "60"),
    ])
    .await;
    let member = app.member("ada@example.com").await;
    let caller = member.clone().with_key().await;
    let first = caller.edit("a picture").await;
    assert_eq!(
        rates(&first),
        [
            Some("\"key\";q=2;w=60, \"account\";q=3;w=60, \"address\";q=60;w=60"),
            Some("\"key\";r=1;t=30, \"account\";r=2;t=20, \"address\";r=59;t=1"),
            Some("2"),
            Some("1"),
            Some("30s"),
        ]
    );
    // An invalid call counts like a valid one.
    caller.edit_with(&json!({ "model": "gamma-2" })).await.is_error(
        400,
        "missing_field",
        Some("instruction"),
    );
    let third = caller.edit("a picture").await;
    let message = third.is_error(429, "rate_limited", None);
    assert!(
        message.contains("each API key can make 2 calls a minute that charge credits."),
        "{message}"
    );
    let wait_s: u64 = third.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=30).contains(&wait_s), "{wait_s}");
    assert_eq!(rates(&third)[1], Some("\"key\";r=0;t=60"));
    // The refused call of the key did not count toward its account, which has one call left.
    let signed_in = member.edit("a picture").await;
    assert_eq!((signed_in.status.as_u16(), rates(&signed_in)[1].is_some()), (200, true));
    let message = member.edit("a picture").await.is_error(429, "rate_limited", None);
    assert!(message.contains("each account can make 3 calls"), "{message}");
    // Calls that don't charge are neither counted nor refused.
    let looking = caller.get("/api/credits").await;
    assert_eq!((looking.status.as_u16(), rates(&looking)), (200, [None; 5]));
    assert_eq!(caller.available().await, 3);
    app.check().await;
}

#[tokio::test]
async fn an_address_is_counted_whoever_calls_from_it() {
    let app = TestApp::with(&[("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ADDRESS", "1")]).await;
    let near = app.caller("ada@example.com").await.calling_from([192, 0, 2, 1]);
    let beside = app.caller("bob@example.com").await.calling_from([192, 0, 2, 1]);
    let away = app.caller("eve@example.com").await.calling_from([192, 0, 2, 2]);
    assert_eq!(near.edit("a picture").await.status, 200);
    beside.edit("a picture").await.is_error(429, "rate_limited", None);
    assert_eq!(away.edit("a picture").await.status, 200);
    assert_eq!(beside.available().await, 15);
    app.check().await;
}

#[tokio::test]
async fn no_limit_is_told_where_none_is_set() {
    let app = TestApp::new().await;
    let answer = app.caller("ada@example.com").await.edit("a picture").await;
    assert_eq!((answer.status.as_u16(), rates(&answer)), (200, [None; 5]));
    app.check().await;
}

/// The tests' catalogue, in which the plan `basic` has limits of its own.
fn catalogue(folder: &TempDir) -> String {
    let limits = "calls_per_minute = 3\nedits_at_once_max = 1\nvideos_at_once_max = 1\n";
    let basic = "id = \"basic\"\n";
    let text = scripted::catalogue().replacen(basic, &format!("{basic}{limits}"), 1);
    let path = folder.path().join("models.toml");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

async fn give(app: &TestApp, persona: &Persona, plan: &str) {
    let id = persona.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let plans = app.app.catalogue.plans.clone();
    let plan = plans.iter().find(|it| it.id == plan).unwrap().clone();
    let deed = Deed { by: None, reason: "a friend".into(), request_id: None };
    app.app.store.assign_plan(&id, AssignPlan { plan, plans }, deed).await.unwrap();
}

/// The limits that a response reports.
fn limits(answer: &Value) -> [Value; 3] {
    ["calls_per_minute", "edits_at_once_max", "videos_at_once_max"].map(|name| answer[name].clone())
}

#[tokio::test]
async fn the_limits_of_a_plan_count_instead_of_the_usual_ones() {
    let folder = tempfile::tempdir().unwrap();
    let app = TestApp::with(&[
        ("RETOUCH_CATALOGUE__FILE", &catalogue(&folder)),
        ("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "5"),
        ("RETOUCH_EDITS__PER_ACCOUNT_MAX", "2"),
        ("RETOUCH_EDITS__VIDEOS_PER_ACCOUNT_MAX", "2"),
    ])
    .await;
    let (own, usual) = ([json!(3), json!(1), json!(1)], [json!(5), json!(2), json!(2)]);
    let plans = app.anon().get("/api/plans").await.ok();
    assert_eq!(limits(&plans["data"][0]), own);
    assert_eq!(limits(&plans["data"][1]), usual);
    let page = app.anon().get("/plans").await.text();
    for said in [
        "Up to 1 edit and 1 video at a time, and 3 calls per minute.",
        "Up to 2 edits and 2 videos at a time, and 5 calls per minute.",
    ] {
        assert!(page.contains(said), "{page}");
    }
    let ada = app.member("ada@example.com").await;
    let (key, bob) = (ada.clone().with_key().await, app.rich_caller("bob@example.com").await);
    give(&app, &ada, "basic").await;
    give(&app, &bob, "pro").await;
    assert_eq!(limits(&key.get("/api/account").await.ok()), own);
    assert_eq!(limits(&bob.get("/api/account").await.ok()), usual);

    let caller = key.clone();
    let first = tokio::spawn(async move { caller.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    let said = ada.edit("go").await.is_error(429, "rate_limited", None);
    assert!(said.contains("has 1 edits running"), "{said}");
    app.provider.gate.add_permits(1);
    let first = first.await.unwrap();
    assert_eq!((first.status.as_u16(), rates(&first)[0]), (200, Some("\"account\";q=3;w=60")));
    let third = key.video(&json!({ "instruction": "go" })).await;
    assert_eq!((third.status.as_u16(), rates(&third)[3]), (202, Some("0")));
    // The limit applies to the account, whichever way it calls.
    let said = ada.edit("go").await.is_error(429, "rate_limited", None);
    assert!(said.contains("each account can make 3 calls"), "{said}");
    let other = bob.edit("go").await;
    assert_eq!((other.status.as_u16(), rates(&other)[0]), (200, Some("\"account\";q=5;w=60")));
    app.check().await;
}

#[tokio::test]
async fn videos_at_once_are_limited_by_the_plan_too() {
    let folder = tempfile::tempdir().unwrap();
    let app = TestApp::with(&[("RETOUCH_CATALOGUE__FILE", &catalogue(&folder))]).await;
    let ada = app.rich_caller("ada@example.com").await;
    give(&app, &ada, "basic").await;
    let wait = json!({ "instruction": "wait" });
    assert_eq!(ada.video(&wait).await.status, 202);
    ada.video(&wait).await.is_error(429, "rate_limited", None);
    give(&app, &ada, "pro").await;
    assert_eq!(ada.video(&wait).await.status, 202, "a better plan takes effect immediately");
    app.provider.gate.add_permits(2);
    app.check().await;
}

/// Sends a call that waits at the provider. Returns when it is there or waits for its turn.
async fn begin(app: &TestApp, caller: &Persona, waiting: usize) -> tokio::task::JoinHandle<u16> {
    let caller = caller.clone();
    let call = tokio::spawn(async move { caller.edit("wait").await.status.as_u16() });
    while app.app.vendor_turns.waiting() < waiting {
        tokio::task::yield_now().await;
    }
    call
}

#[tokio::test]
async fn an_account_with_as_many_edits_under_way_as_may_be_waits_for_its_own() {
    let app = TestApp::with(&[
        ("RETOUCH_EDITS__PER_ACCOUNT_MAX", "2"),
        ("RETOUCH_EDITS__AT_PROVIDERS_MAX", "1"),
    ])
    .await;
    let ada = app.rich_caller("ada@example.com").await;
    let bob = app.caller("bob@example.com").await;
    let first = begin(&app, &ada, 0).await;
    app.provider.waiting.acquire().await.unwrap().forget();
    let second = begin(&app, &ada, 1).await;
    let before = ada.available().await;
    let third = ada.edit("a picture").await;
    let message = third.is_error(429, "rate_limited", None);
    assert!(message.contains("has 2 edits running"), "{message}");
    assert_eq!((third.header("retry-after"), ada.available().await), (Some("1"), before));
    // A call with a new idempotency key gets the same answer, and no credits were held or released
    // for it.
    let booked = ada.get("/api/credits/entries").await.ok();
    let keyed = ada.clone().with_header("idempotency-key", "again");
    keyed.edit("a picture").await.is_error(429, "rate_limited", None);
    assert_eq!(ada.get("/api/credits/entries").await.ok(), booked);
    let other = begin(&app, &bob, 2).await;
    app.provider.gate.add_permits(3);
    for call in [first, second, other] {
        assert_eq!(call.await.unwrap(), 200);
    }
    assert_eq!(keyed.edit("a picture").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn a_repeated_call_is_answered_although_its_account_is_full() {
    let app = TestApp::with(&[("RETOUCH_EDITS__PER_ACCOUNT_MAX", "1")]).await;
    let ada = app.rich_caller("ada@example.com").await;
    let keyed = |key: &str| ada.clone().with_header("idempotency-key", key);
    let first = keyed("first").edit("a picture").await;
    let (caller, running) = (keyed("second"), app.provider.waiting.acquire());
    let second = tokio::spawn(async move { caller.edit("wait").await });
    running.await.unwrap().forget();
    let booked = ada.get("/api/credits/entries").await.ok();
    let again = keyed("first").edit("a picture").await;
    assert_eq!((again.ok(), again.header("idempotent-replayed")), (first.ok(), Some("true")));
    keyed("first").edit("another").await.is_error(422, "idempotency_mismatch", None);
    keyed("second").edit("wait").await.is_error(409, "idempotency_in_progress", None);
    keyed("third").edit("a picture").await.is_error(429, "rate_limited", None);
    assert_eq!(
        ada.get("/api/credits/entries").await.ok(),
        booked,
        "there is no transaction for any of them"
    );
    app.provider.gate.add_permits(1);
    assert_eq!(second.await.unwrap().status, 200);
    app.check().await;
}

/// More places for an account than these tests use.
const PLACES_MAX: usize = 100;

fn account(name: char) -> AccountId {
    format!("acct_{name:0>26}").parse().unwrap()
}

type Waiting = Pin<Box<dyn Future<Output = Turn>>>;

async fn wait(turns: &Turns, name: char) -> Waiting {
    let place = turns.enter(&account(name), PLACES_MAX).unwrap();
    let mut waiting: Waiting = Box::pin(async move { place.turn().await });
    assert!(poll!(&mut waiting).is_pending());
    waiting
}

/// The order in which edits of these accounts, which arrive while the only turn is taken, get their
/// turn. The edits with the indices `gone` stop waiting before that.
async fn served(order: &str, gone: &[usize]) -> String {
    let turns = Turns::new(1);
    let first = turns.enter(&account('0'), PLACES_MAX).unwrap().turn().await;
    let mut lines = Vec::new();
    for name in order.chars() {
        lines.push((name, wait(&turns, name).await));
    }
    let mut number = 0;
    lines.retain(|_| {
        number += 1;
        !gone.contains(&(number - 1))
    });
    drop(first);
    let mut served = String::new();
    while !lines.is_empty() {
        let mut next = None;
        for (at, (name, waiting)) in lines.iter_mut().enumerate() {
            if let Poll::Ready(turn) = poll!(waiting) {
                assert!(next.is_none(), "two turns at the same time");
                served.push(*name);
                next = Some((at, turn));
            }
        }
        let (at, turn) = next.unwrap();
        drop(lines.remove(at));
        drop(turn);
    }
    assert_eq!(turns.waiting(), 0);
    served
}

#[tokio::test]
async fn accounts_are_served_in_turn_and_the_edits_of_each_in_order() {
    assert_eq!(served("aaaab", &[]).await, "abaaa");
    assert_eq!(served("aaabbc", &[]).await, "abcaba");
    assert_eq!(served("abab", &[]).await, "abab");
    // An edit that stops waiting gives up its place and does not block others.
    assert_eq!(served("aaaab", &[0, 1]).await, "aba");
    assert_eq!(served("abc", &[1]).await, "ac");
    assert_eq!(served("abc", &[0, 1, 2]).await, "");
}

#[tokio::test]
async fn sets_of_turns_share_the_places_of_an_account() {
    let one = Turns::new(1);
    let other = one.beside(1);
    let ada = account('a');
    let (first, second) = (one.enter(&ada, 2).unwrap(), other.enter(&ada, 2).unwrap());
    assert_eq!(one.enter(&ada, 2).unwrap_err().under_way, 2);
    assert_eq!(other.enter(&ada, 2).unwrap_err().under_way, 2);
    // Each set of turns has a turn of its own.
    let (_working, _beside) = (first.turn().await, second.turn().await);
    drop(second);
    one.enter(&ada, 2).unwrap();
}

#[tokio::test]
async fn a_turn_handed_to_an_edit_that_stops_waiting_is_passed_on() {
    let turns = Turns::new(1);
    let first = turns.enter(&account('a'), PLACES_MAX).unwrap().turn().await;
    let handed = wait(&turns, 'b').await;
    let mut last = wait(&turns, 'c').await;
    drop(first);
    // The turn has been handed to b, which stops waiting before taking it.
    drop(handed);
    let Poll::Ready(turn) = poll!(&mut last) else { panic!("c waits forever") };
    drop(turn);
    let mut again =
        Box::pin(async { turns.enter(&account('b'), PLACES_MAX).unwrap().turn().await });
    assert!(poll!(&mut again).is_ready());
}

#[tokio::test]
async fn an_account_has_no_more_under_way_than_it_may() {
    let turns = Turns::new(1);
    let first = turns.enter(&account('a'), 2).unwrap();
    let turn = first.turn().await;
    let second = wait(&turns, 'a').await;
    assert_eq!(turns.enter(&account('a'), 2).unwrap_err(), AccountFull { under_way: 2 });
    assert!(turns.enter(&account('b'), 2).is_ok());
    drop(second);
    let third = turns.enter(&account('a'), 2).unwrap();
    drop(turn);
    // An edit without a turn still counts until it is finished.
    assert_eq!(turns.enter(&account('a'), 2).unwrap_err(), AccountFull { under_way: 2 });
    drop((first, third));
    assert!(turns.enter(&account('a'), 2).is_ok());
}

#[tokio::test]
async fn what_an_account_has_under_way_at_another_node_counts() {
    let settings =
        [("RETOUCH_EDITS__PER_ACCOUNT_MAX", "1"), ("RETOUCH_EDITS__VIDEOS_PER_ACCOUNT_MAX", "1")];
    let app = TestApp::with(&settings).await;
    let caller = app.rich_caller("ada@example.com").await;
    let second = app.second_with(&settings).await;
    let elsewhere = caller.clone().at(retouch_server::api::router(second));
    let here = caller.clone();
    let first = tokio::spawn(async move { here.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    let said = elsewhere.edit("go").await.is_error(429, "rate_limited", None);
    assert!(said.contains("has 1 edits running"), "{said}");
    // Videos are counted separately.
    let video = json!({ "instruction": "wait" });
    caller.video(&video).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    let said = elsewhere.video(&video).await.is_error(429, "rate_limited", None);
    assert!(said.contains("limit of videos in progress"), "{said}");
    app.provider.gate.add_permits(2);
    first.await.unwrap().ok();
    elsewhere.edit("go").await.ok();
    app.settled().await;
    app.check().await;
}

#[tokio::test]
async fn an_account_with_as_many_turns_as_it_may_have_waits_for_its_own_alone() {
    let turns = Turns::new(3);
    let (ada, bob) = (account('a'), account('b'));
    let first = turns.turn(&ada, 2).await;
    let second = turns.turn(&ada, 2).await;
    let mut third = Box::pin(turns.turn(&ada, 2));
    assert!(poll!(&mut third).is_pending(), "the account already has two turns");
    let mut bobs = Box::pin(turns.turn(&bob, 2));
    let Poll::Ready(bobs) = poll!(&mut bobs) else { panic!("a turn is free and Bob has none") };
    let mut later = Box::pin(turns.turn(&bob, 2));
    assert!(poll!(&mut later).is_pending(), "no turn is free");
    drop(bobs);
    assert!(poll!(&mut third).is_pending(), "the account still has two turns");
    let Poll::Ready(later) = poll!(&mut later) else { panic!("Bob's turn was passed on") };
    drop(first);
    let Poll::Ready(third) = poll!(&mut third) else {
        panic!("the account has only one of its two turns")
    };
    assert_eq!(turns.waiting(), 0);
    drop((second, third, later));
    assert!(poll!(&mut Box::pin(turns.turn(&ada, 1))).is_ready());
}
