//! Tests the daily spending at providers.

use retouch_core::catalogue::MicroDollars;

use crate::place::{HOUR_MS, Place};

const TEN_CENTS: MicroDollars = MicroDollars(100_000);
const LIMIT: MicroDollars = MicroDollars(1_000_000);

#[tokio::test]
async fn calls_side_by_side_cannot_spend_more_than_the_limit_of_a_day() {
    let place = Place::new();
    let store = place.open().await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let store = store.clone();
        calls.spawn(async move { store.reserve_spending("fal", TEN_CENTS, LIMIT).await.unwrap() });
    }
    let reserved: Vec<_> = calls.join_all().await.into_iter().flatten().collect();
    assert_eq!(reserved.len(), 10);
    let spent = store.list_spending().await.unwrap();
    assert_eq!((spent[0].provider.as_str(), spent[0].spent), ("fal", LIMIT));
    assert!(store.reserve_spending("openai", TEN_CENTS, LIMIT).await.unwrap().is_some());
    store.give_back_spending("fal", reserved[0], TEN_CENTS).await.unwrap();
    assert!(store.reserve_spending("fal", TEN_CENTS, LIMIT).await.unwrap().is_some());
    assert!(store.reserve_spending("fal", MicroDollars(1), LIMIT).await.unwrap().is_none());
    let dear = MicroDollars(LIMIT.0 + 1);
    assert!(store.reserve_spending("bfl", dear, LIMIT).await.unwrap().is_none());
}

#[tokio::test]
async fn what_is_spent_outlives_a_restart_and_ends_with_the_day() {
    let place = Place::new();
    let store = place.open().await;
    assert!(store.reserve_spending("fal", LIMIT, LIMIT).await.unwrap().is_some());
    drop(store);
    let store = place.open().await;
    assert!(store.reserve_spending("fal", TEN_CENTS, LIMIT).await.unwrap().is_none());
    place.clock.advance_ms(24 * HOUR_MS);
    assert_eq!(store.list_spending().await.unwrap(), []);
    assert!(store.reserve_spending("fal", TEN_CENTS, LIMIT).await.unwrap().is_some());
    place.clock.advance_ms(31 * 24 * HOUR_MS);
    assert_eq!(store.prune().await.unwrap().spending, 1, "the first day's sum");
}
