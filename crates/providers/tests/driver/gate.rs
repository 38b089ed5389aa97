//! The concurrency limit of a provider, and the pause while it accepts no calls.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::poll_immediate;
use retouch_core::SeededEntropy;
use retouch_providers::routes::{self, AttemptContext};
use retouch_providers::turns::{NoRoom, Turn};
use retouch_providers::upstream::{Advice, Gate, GateLimits, NoTurn, Upstream};
use retouch_providers::{Health, ProviderError, Serving};
use serde_json::json;

use crate::server::{Reply, ScriptedProvider, json as answer};
use crate::support::{Memory, account, gated, job, patient, perform, png, png_base64, upstream};
use crate::toy::Toy;

fn gate(concurrent_max: usize, queue_max: usize) -> Gate {
    Gate::new(
        GateLimits { concurrent_max, queue_max, wait_ms_max: 60_000 },
        Arc::new(SeededEntropy::new(3)),
    )
}

#[tokio::test(start_paused = true)]
async fn five_troubles_in_a_row_earn_a_rest_that_doubles() {
    let gate = gate(1, 1);
    for _ in 0..4 {
        assert!(!gate.troubled());
        assert_eq!(gate.advice(), Advice::Go);
    }
    assert!(gate.troubled());
    let Advice::Wait(first) = gate.advice() else { panic!("the gate is still open") };
    assert!((3_750..=5_000).contains(&first), "{first}");
    tokio::time::advance(Duration::from_millis(first)).await;
    assert_eq!(gate.advice(), Advice::Probe);
    assert!(matches!(gate.advice(), Advice::Wait(_)), "one call probes and the others wait");
    assert!(gate.troubled(), "the probe failed");
    let Advice::Wait(second) = gate.advice() else { panic!("the gate is still open") };
    assert!((7_500..=10_000).contains(&second), "{second}");
    gate.revived();
    assert_eq!(gate.advice(), Advice::Go);
    assert!(gate.troubled(), "after a successful probe, one more failure is enough");
    gate.worked();
    assert_eq!(gate.advice(), Advice::Go);
    assert!(!gate.troubled());
}

#[tokio::test(start_paused = true)]
async fn a_throttle_lasts_as_long_as_was_asked_and_no_longer_than_five_minutes() {
    let gate = gate(1, 1);
    gate.throttled(2_000);
    assert_eq!(gate.advice(), Advice::Wait(2_000));
    gate.throttled(500);
    assert_eq!(gate.advice(), Advice::Wait(2_000), "the longer wait counts");
    gate.throttled(u64::MAX);
    assert_eq!(gate.advice(), Advice::Wait(300_000));
    tokio::time::advance(Duration::from_secs(300)).await;
    assert_eq!(gate.advice(), Advice::Go);
}

#[tokio::test(start_paused = true)]
async fn reading_the_health_of_a_gate_changes_nothing() {
    let gate = gate(1, 1);
    assert_eq!(gate.health(), Health::Well);
    gate.troubled();
    assert_eq!(gate.health(), Health::Troubled(1));
    for _ in 0..4 {
        gate.troubled();
    }
    let Health::Resting(ms) = gate.health() else { panic!("the gate is still open") };
    tokio::time::advance(Duration::from_millis(ms)).await;
    assert_eq!(gate.health(), Health::Troubled(5));
    assert_eq!(gate.advice(), Advice::Probe, "asking for the health does not count as a probe");
    gate.throttled(2_000);
    assert_eq!(gate.health(), Health::Throttled(2_000));
    gate.worked();
    tokio::time::advance(Duration::from_secs(2)).await;
    assert_eq!(gate.health(), Health::Well);
}

#[tokio::test]
async fn a_full_queue_refuses_calls_immediately() {
    let gate = gate(1, 1);
    let turn = gate.enter(&account('a')).await.unwrap();
    let other = account('b');
    let mut second = Box::pin(gate.enter(&other));
    assert!(poll_immediate(second.as_mut()).await.is_none());
    let none = gate.enter(&account('c')).await.unwrap_err();
    assert!(matches!(none, NoTurn::Full(NoRoom { waiting: 1 })), "{none}");
    drop(turn);
    assert!(second.await.is_ok());
}

type Entering = Pin<Box<dyn Future<Output = Result<Turn, NoTurn>>>>;

/// Calls of an account that wait at a gate.
async fn flood(gate: &Arc<Gate>, name: char, calls: usize) -> Vec<Entering> {
    let mut waiting = Vec::new();
    for _ in 0..calls {
        let (gate, account) = (Arc::clone(gate), account(name));
        let mut entering: Entering = Box::pin(async move { gate.enter(&account).await });
        if poll_immediate(entering.as_mut()).await.is_none() {
            waiting.push(entering);
        }
    }
    waiting
}

#[tokio::test]
async fn the_only_call_of_one_account_is_next_however_many_of_another_wait() {
    let gate = Arc::new(gate(1, 400));
    let turn = gate.enter(&account('a')).await.unwrap();
    let mut before = flood(&gate, 'a', 48).await;
    let mut own = flood(&gate, 'b', 1).await.remove(0);
    drop(turn);
    // The oldest call of a is first, then the call of b, although it arrived last.
    let turn = poll_immediate(before[0].as_mut()).await.unwrap().unwrap();
    assert!(poll_immediate(own.as_mut()).await.is_none());
    drop(turn);
    let turn = poll_immediate(own.as_mut()).await.unwrap().unwrap();
    for later in &mut before[1..] {
        assert!(poll_immediate(later.as_mut()).await.is_none());
    }
    drop(turn);
}

#[tokio::test]
async fn an_account_has_a_quarter_of_the_waiting_places_and_gets_them_back() {
    let gate = Arc::new(gate(1, 16));
    let turn = gate.enter(&account('a')).await.unwrap();
    let waiting = flood(&gate, 'a', 48).await;
    assert_eq!(waiting.len(), 4, "the others were refused immediately");
    let others = flood(&gate, 'b', 1).await;
    assert_eq!(others.len(), 1);
    // Callers that time out give their places to the next ones.
    drop(waiting);
    assert_eq!(flood(&gate, 'a', 48).await.len(), 4);
    drop((turn, others));
}

#[tokio::test]
async fn a_turn_that_does_not_come_is_a_full_queue_and_nothing_is_sent() {
    let provider = ScriptedProvider::new([]).await;
    let limits = GateLimits { concurrent_max: 0, queue_max: 1, wait_ms_max: 20 };
    let error = perform(&gated(provider.address, Toy::default(), limits)).await.unwrap_err();
    assert!(matches!(error, ProviderError::QueueFull), "{error}");
    assert!(provider.seen().is_empty());
}

#[tokio::test]
async fn a_provider_that_fails_is_left_alone_and_comes_back_by_a_free_probe() {
    let failures = (0..5).map(|_| answer(500, &json!({})));
    let provider = ScriptedProvider::new(failures).await;
    let upstream = upstream(provider.address, Toy::default());
    for _ in 0..5 {
        assert!(matches!(perform(&upstream).await, Err(ProviderError::Failed(_))));
    }
    let error = perform(&upstream).await.unwrap_err();
    let ProviderError::NotAccepted { retry_ms: Some(wait_ms), .. } = error else {
        panic!("{error}")
    };
    assert_eq!(provider.seen().len(), 5, "the sixth call was not sent");
    provider.then(answer(200, &json!({})));
    provider.then(answer(200, &json!({ "png": png_base64() })));
    tokio::time::pause();
    tokio::time::advance(Duration::from_millis(wait_ms)).await;
    tokio::time::resume();
    assert!(perform(&upstream).await.is_ok());
    assert_eq!(provider.seen()[5..], ["GET /probe", "POST /submit"]);
}

#[tokio::test]
async fn a_full_queue_sends_the_call_to_the_next_route_and_is_named_where_there_is_none() {
    let full = GateLimits { concurrent_max: 0, queue_max: 0, wait_ms_max: 60_000 };
    let busy = ScriptedProvider::new([]).await;
    let other = ScriptedProvider::new([answer(200, &json!({ "png": png_base64() }))]).await;
    let first = gated(busy.address, Toy::default(), full);
    let second = upstream(other.address, Toy::default());
    let route = |one: Upstream| Serving { provider: Arc::new(one), model: "toy-1".into() };
    let context = AttemptContext {
        journal: &Memory::default(),
        observe: &|_| {},
        entropy: &SeededEntropy::new(5),
        budget: None,
    };
    let both = [route(first), route(second)];
    assert!(routes::perform(&both, &job(), &context).await.is_ok());
    let error = routes::perform(&both[..1], &job(), &context).await.unwrap_err();
    assert!(matches!(error, ProviderError::QueueFull), "{error}");
    assert!(busy.seen().is_empty());
}

/// An edit that times out when `provider` has received that many requests and has not answered the
/// last one.
async fn time_out(upstream: &Upstream, provider: &ScriptedProvider, requests: usize) {
    tokio::select! {
        done = perform(upstream) => panic!("the edit ended: {done:?}"),
        () = provider.has_seen(requests) => {}
    }
}

#[tokio::test]
async fn a_provider_that_hangs_is_left_alone_and_the_next_call_goes_to_another_route_at_once() {
    let hanging = ScriptedProvider::new((0..5).map(|_| Reply::Hang)).await;
    let other = ScriptedProvider::new([answer(200, &json!({ "png": png_base64() }))]).await;
    let first = Arc::new(patient(hanging.address, Toy::default()));
    for calls in 1..=5 {
        time_out(&first, &hanging, calls).await;
    }
    let second = Arc::new(upstream(other.address, Toy::default()));
    let route = |provider| Serving { provider, model: "toy-1".into() };
    let context = AttemptContext {
        journal: &Memory::default(),
        observe: &|_| {},
        entropy: &SeededEntropy::new(5),
        budget: None,
    };
    let done = routes::perform(&[route(first), route(second)], &job(), &context).await.unwrap();
    assert_eq!(
        (done.file, hanging.seen().len()),
        (png().into(), 5),
        "the provider was not asked again"
    );
}

#[tokio::test]
async fn a_provider_that_hangs_at_its_task_is_left_alone_too() {
    let hanging = ScriptedProvider::new([]).await;
    let upstream = patient(hanging.address, Toy::default());
    for calls in 1..=5 {
        hanging.then(answer(200, &json!({ "task": "t-1" })));
        hanging.then(Reply::Hang);
        time_out(&upstream, &hanging, 2 * calls).await;
    }
    let error = perform(&upstream).await.unwrap_err();
    assert!(matches!(error, ProviderError::NotAccepted { .. }), "{error}");
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_says_nothing_about_the_provider() {
    let provider =
        ScriptedProvider::new([Reply::Hang, answer(200, &json!({ "png": png_base64() }))]).await;
    let limits = GateLimits { concurrent_max: 1, queue_max: 1, wait_ms_max: 60_000 };
    let upstream = gated(provider.address, Toy::default(), limits);
    let mut in_front = Box::pin(perform(&upstream));
    tokio::select! {
        done = &mut in_front => panic!("the edit ended: {done:?}"),
        () = provider.has_seen(1) => {}
    }
    for _ in 0..6 {
        let mut behind = Box::pin(perform(&upstream));
        assert!(poll_immediate(&mut behind).await.is_none());
    }
    drop(in_front);
    assert!(perform(&upstream).await.is_ok());
}

#[tokio::test]
async fn a_probe_that_hangs_is_given_up_while_there_is_time_for_another_route() {
    let provider = ScriptedProvider::new((0..5).map(|_| answer(500, &json!({})))).await;
    let upstream = patient(provider.address, Toy::default());
    for _ in 0..5 {
        assert!(matches!(perform(&upstream).await, Err(ProviderError::Failed(_))));
    }
    provider.then(Reply::Hang);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(5)).await;
    let began = tokio::time::Instant::now();
    let error = perform(&upstream).await.unwrap_err();
    assert!(matches!(error, ProviderError::NotAccepted { .. }), "{error}");
    assert!(began.elapsed() <= Duration::from_secs(6), "{:?}", began.elapsed());
}
