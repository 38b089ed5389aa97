//! Tests the statistics of finished edits by day, model and provider, and by account.

use retouch_core::{AccountId, Timestamp};
use retouch_store::{Deleted, Outcome, STEPS, Settings, Store};

use crate::edits::{failure, opened, success};
use crate::place::{HOUR_MS, Place, START, assert_proved, member_with};

/// The same, at a cost that is not known.
fn unpriced(mut outcome: Outcome) -> Outcome {
    if let Outcome::Succeeded { provider_cost, .. } = &mut outcome {
        *provider_cost = None;
    }
    outcome
}

/// What an account used by day: the credits and the edits.
async fn usage(store: &Store, account: &AccountId, since: Timestamp) -> Vec<(Timestamp, i64, i64)> {
    let days = store.list_usage(account, since).await.unwrap();
    assert!(days.iter().all(|it| it.model == "alpha-image-1"));
    days.iter().map(|it| (it.day, it.credits, it.edits)).collect()
}

#[tokio::test]
async fn days_count_how_edits_ended_and_outlive_them() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 100).await;
    let mut last = None;
    for outcome in [success(6), success(5), unpriced(success(5)), failure()] {
        let edit = opened(&place, &store, &ada).await;
        place.clock.advance_ms(2_000);
        store.close_edit(&ada, &edit, outcome).await.unwrap();
        last = Some(edit);
    }
    let open = opened(&place, &store, &ada).await;
    place.clock.advance_ms(24 * HOUR_MS);
    let gone = store.delete_edit(&ada, &last.unwrap()).await.unwrap();
    assert!(matches!(gone, Deleted::Gone { .. }));
    let days = store.list_days(START).await.unwrap();
    let told: Vec<_> = days
        .iter()
        .map(|it| (it.day, it.failure_code.as_deref(), it.edits, it.credits, it.took_ms))
        .collect();
    assert_eq!(told, [(START, None, 3, 16, 6_000), (START, Some("upstream_error"), 1, 0, 2_000)]);
    let costs: Vec<_> = days.iter().map(|it| (it.cost_micros, it.unpriced)).collect();
    assert_eq!(costs, [(2 * 21_200, 1), (0, 0)]);
    assert_eq!((days[0].model.as_str(), days[0].provider.as_str()), ("alpha-image-1", "built-in"));
    store.close_edit(&ada, &open, success(6)).await.unwrap();
    let tomorrow = START.plus_ms(24 * HOUR_MS);
    let days = store.list_days(Timestamp(tomorrow.0 + HOUR_MS)).await.unwrap();
    assert_eq!(days.iter().map(|it| (it.day, it.edits)).collect::<Vec<_>>(), [(tomorrow, 1)]);
    assert_eq!(store.list_days(START).await.unwrap()[0].day, tomorrow, "the newest first");
    let began = [(START, 22, 4)];
    assert_eq!(usage(&store, &ada, START).await, began, "an edit counts on the day it began");
    assert_eq!(usage(&store, &ada, tomorrow).await, []);
    let ben = member_with(&store, "ben@example.com", 100).await;
    assert_eq!(usage(&store, &ben, START).await, []);
    place.clock.advance_ms(400 * 24 * HOUR_MS);
    let pruned = store.prune().await.unwrap();
    assert_eq!((pruned.days, pruned.usage), (2, 1), "those of the first day");
    assert_eq!(store.list_days(START).await.unwrap().len(), 1);
    assert_eq!(usage(&store, &ada, START).await, []);
    assert_proved(&store).await;
}

#[tokio::test]
async fn what_was_charged_before_usage_was_summed_is_summed_by_the_migration() {
    let place = Place::new();
    let before = STEPS.iter().position(|step| step.name == "0003_daily_sums").unwrap();
    let earlier = Settings { steps: &STEPS[..before], ..place.settings.clone() };
    let store = Store::open(&earlier, place.context.clone()).await.unwrap();
    let ada = member_with(&store, "ada@example.com", 100).await;
    for outcome in [success(6), failure(), success(5)] {
        let edit = opened(&place, &store, &ada).await;
        store.close_edit(&ada, &edit, outcome).await.unwrap();
    }
    let open = opened(&place, &store, &ada).await;
    store.close().await.unwrap();
    let store = place.open().await;
    assert_eq!(usage(&store, &ada, START).await, [(START, 11, 2)]);
    store.close_edit(&ada, &open, success(4)).await.unwrap();
    assert_eq!(usage(&store, &ada, START).await, [(START, 15, 3)]);
}
