//! Tests rate limits: calls are counted, become available again with time, and are forgotten.

use std::num::NonZeroU32;

use retouch_core::Rate;
use retouch_store::{Counted, Limit, Whose};

use crate::place::Place;

const ADA: Whose = [1; 16];
const BOB: Whose = [2; 16];

fn limit(name: &'static str, times_max: u32) -> Limit {
    Limit { name, rate: Rate::per_minute(NonZeroU32::new(times_max).unwrap()) }
}

#[tokio::test]
async fn somebody_may_come_so_often_and_then_once_for_each_share_of_the_window() {
    let place = Place::new();
    let store = place.open().await;
    let visits = limit("visits", 3);
    for left in [2, 1, 0] {
        let counted = store.count(visits, ADA).await.unwrap();
        assert_eq!((counted.may_come, counted.left), (true, left));
    }
    let refused = Counted { may_come: false, left: 0, wait_s: 20, full_in_s: 60 };
    assert_eq!(store.count(visits, ADA).await, Ok(refused));
    assert_eq!(store.count(visits, ADA).await, Ok(refused), "a refusal takes nothing");
    place.clock.advance_ms(19_999);
    assert!(!store.count(visits, ADA).await.unwrap().may_come);
    place.clock.advance_ms(1);
    assert!(store.count(visits, ADA).await.unwrap().may_come);
    assert!(!store.count(visits, ADA).await.unwrap().may_come);
}

#[tokio::test]
async fn everybody_and_every_limit_is_counted_apart() {
    let place = Place::new();
    let store = place.open().await;
    let (visits, letters) = (limit("visits", 1), limit("letters", 1));
    for (limit, whose) in [(visits, ADA), (visits, BOB), (letters, ADA)] {
        assert!(store.count(limit, whose).await.unwrap().may_come);
        assert!(!store.count(limit, whose).await.unwrap().may_come);
    }
}

#[tokio::test]
async fn another_rate_takes_over_what_share_of_the_window_was_taken() {
    let place = Place::new();
    let store = place.open().await;
    for _ in 0..5 {
        assert!(store.count(limit("visits", 10), ADA).await.unwrap().may_come);
    }
    let counted = store.count(limit("visits", 4), ADA).await.unwrap();
    assert_eq!((counted.may_come, counted.left), (true, 1), "half of four, and this one");
}

#[tokio::test]
async fn a_clock_that_was_set_back_by_hours_locks_nobody_out() {
    let place = Place::new();
    let store = place.open().await;
    let visits = limit("visits", 1);
    assert!(store.count(visits, ADA).await.unwrap().may_come);
    place.clock.advance_ms(-30_000);
    let counted = store.count(visits, ADA).await.unwrap();
    assert_eq!((counted.may_come, counted.wait_s), (false, 90));
    place.clock.advance_ms(-3_600_000);
    assert!(store.count(visits, ADA).await.unwrap().may_come);
    assert!(!store.count(visits, ADA).await.unwrap().may_come);
}

#[tokio::test]
async fn who_came_long_ago_is_forgotten() {
    let place = Place::new();
    let store = place.open().await;
    let visits = limit("visits", 2);
    store.count(visits, ADA).await.unwrap();
    store.count(visits, BOB).await.unwrap();
    store.count(visits, BOB).await.unwrap();
    assert_eq!(store.forget_counts().await, Ok(0));
    place.clock.advance_ms(30_000);
    assert_eq!(store.forget_counts().await, Ok(1));
    assert_eq!(store.count(visits, BOB).await.unwrap().left, 0);
    place.clock.advance_ms(60_000);
    assert_eq!(store.forget_counts().await, Ok(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_come_at_once_as_many_are_heard_as_may_be() {
    let place = Place::new();
    let store = place.open().await;
    let mut callers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        callers.spawn(async move {
            let mut heard = 0;
            for _ in 0..10 {
                let counted = store.count(limit("visits", 25), ADA).await.unwrap();
                heard += u32::from(counted.may_come);
                assert!(
                    counted.may_come || (counted.left, counted.wait_s) == (0, 3),
                    "{counted:?}"
                );
            }
            heard
        });
    }
    assert_eq!(callers.join_all().await.into_iter().sum::<u32>(), 25);
}
