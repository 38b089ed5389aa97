//! How many calls a vendor gets, and none while it is known not to take any.

use std::sync::Arc;
use std::time::Duration;

use retouch_core::SeededEntropy;
use retouch_providers::ProviderError;
use retouch_providers::upstream::{Advice, Gate, GateLimits};
use serde_json::json;

use crate::server::{Vendor, json as answer};
use crate::support::{gated, perform, png_base64, upstream};
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
    let Advice::Wait(first) = gate.advice() else { panic!("it goes on") };
    assert!((3_750..=5_000).contains(&first), "{first}");
    tokio::time::advance(Duration::from_millis(first)).await;
    assert_eq!(gate.advice(), Advice::Probe);
    assert!(matches!(gate.advice(), Advice::Wait(_)), "one probes, the others wait");
    assert!(gate.troubled(), "the probe failed");
    let Advice::Wait(second) = gate.advice() else { panic!("it goes on") };
    assert!((7_500..=10_000).contains(&second), "{second}");
    gate.revived();
    assert_eq!(gate.advice(), Advice::Go);
    assert!(gate.troubled(), "after a good probe one more trouble is enough");
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
    assert_eq!(gate.advice(), Advice::Wait(2_000), "the longer one counts");
    gate.throttled(u64::MAX);
    assert_eq!(gate.advice(), Advice::Wait(300_000));
    tokio::time::advance(Duration::from_secs(300)).await;
    assert_eq!(gate.advice(), Advice::Go);
}

#[tokio::test]
async fn whoever_finds_the_queue_full_is_told_at_once() {
    let gate = gate(1, 1);
    let turn = gate.enter().await.unwrap();
    let mut second = Box::pin(gate.enter());
    assert!(futures_util::future::poll_immediate(second.as_mut()).await.is_none());
    assert!(gate.enter().await.is_none());
    drop(turn);
    assert!(second.await.is_some());
}

#[tokio::test]
async fn a_turn_that_does_not_come_is_not_accepted_and_nothing_is_sent() {
    let vendor = Vendor::new([]).await;
    let limits = GateLimits { concurrent_max: 0, queue_max: 1, wait_ms_max: 20 };
    let error = perform(&gated(vendor.address, Toy::default(), limits)).await.unwrap_err();
    assert!(matches!(error, ProviderError::NotAccepted { .. }), "{error}");
    assert!(vendor.seen().is_empty());
}

#[tokio::test]
async fn a_vendor_that_fails_is_left_alone_and_comes_back_by_a_free_probe() {
    let failures = (0..5).map(|_| answer(500, &json!({})));
    let vendor = Vendor::new(failures).await;
    let upstream = upstream(vendor.address, Toy::default());
    for _ in 0..5 {
        assert!(matches!(perform(&upstream).await, Err(ProviderError::Failed(_))));
    }
    let error = perform(&upstream).await.unwrap_err();
    let ProviderError::NotAccepted { retry_ms: Some(wait_ms), .. } = error else {
        panic!("{error}")
    };
    assert_eq!(vendor.seen().len(), 5, "the sixth call was not sent");
    vendor.then(answer(200, &json!({})));
    vendor.then(answer(200, &json!({ "png": png_base64() })));
    tokio::time::pause();
    tokio::time::advance(Duration::from_millis(wait_ms)).await;
    tokio::time::resume();
    assert!(perform(&upstream).await.is_ok());
    assert_eq!(vendor.seen()[5..], ["GET /probe", "POST /submit"]);
}
