//! Tests that a repeated call finds the first one.

use retouch_core::Clock;
use retouch_core::credits::Refused;
use retouch_store::{EditFilter, IdempotencyKey, OpenEdit, OpenError, Opened, Pruned};

use crate::edits::{doubt, failure, success};
use crate::place::{HOUR_MS, Place, assert_proved, credits, first, member, together};

fn with_key(place: &Place, key: &str, fingerprint: u8) -> OpenEdit {
    let idempotency =
        IdempotencyKey { call: "image-edit", key: key.into(), fingerprint: [fingerprint; 32] };
    OpenEdit { idempotency: Some(idempotency), ..place.edit() }
}

#[tokio::test]
async fn a_charged_call_is_replayed_and_not_charged_again() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = with_key(&place, "k", 1);
    let id = edit.id;
    store.open_edit(&ada, edit).await.unwrap();
    let record = store.close_edit(&ada, &id, success(6)).await.unwrap().edit;
    let again = store.open_edit(&ada, with_key(&place, "k", 1)).await;
    assert_eq!(again, Ok(Opened::Replay(Box::new(record))));
    let other = store.open_edit(&ada, with_key(&place, "k", 2)).await;
    assert_eq!(other, Err(OpenError::IdempotencyMismatch));
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(9));
}

#[tokio::test]
async fn a_running_call_is_not_run_again() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = with_key(&place, "k", 1);
    let id = edit.id;
    store.open_edit(&ada, edit).await.unwrap();
    let again = store.open_edit(&ada, with_key(&place, "k", 1)).await;
    assert_eq!(again, Err(OpenError::IdempotencyRunning { edit: id }));
    let other = store.open_edit(&ada, with_key(&place, "k", 2)).await;
    assert_eq!(other, Err(OpenError::IdempotencyMismatch));
}

#[tokio::test]
async fn an_attempt_in_doubt_is_named_by_those_that_repeat_it() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let attempt = async |fingerprint| {
        let edit = with_key(&place, "k", fingerprint);
        let id = edit.id;
        assert_eq!(store.open_edit(&ada, edit).await, Ok(Opened::New));
        id
    };
    let first = attempt(1).await;
    let record = store.close_edit(&ada, &first, doubt()).await.unwrap().edit;
    assert_eq!((record.failure.unwrap().in_doubt, record.repeats), (true, None));
    let second = attempt(1).await;
    let record = store.close_edit(&ada, &second, failure()).await.unwrap().edit;
    assert_eq!((record.failure.unwrap().in_doubt, record.repeats), (false, Some(first)));
    // The second attempt certainly did nothing, but that doesn't settle the first.
    let third = attempt(1).await;
    let record = store.close_edit(&ada, &third, success(6)).await.unwrap().edit;
    assert_eq!(record.repeats, Some(first));
    assert_eq!(store.find_edit(&ada, &third).await.unwrap(), Some(record));
    assert_proved(&store).await;
}

#[tokio::test]
async fn another_body_under_the_key_of_an_attempt_in_doubt_repeats_nothing() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = with_key(&place, "k", 1);
    let id = edit.id;
    store.open_edit(&ada, edit).await.unwrap();
    store.close_edit(&ada, &id, doubt()).await.unwrap();
    let other = with_key(&place, "k", 2);
    let id = other.id;
    store.open_edit(&ada, other).await.unwrap();
    assert_eq!(store.find_edit(&ada, &id).await.unwrap().unwrap().repeats, None);
}

#[tokio::test]
async fn an_uncharged_attempt_frees_the_key_for_any_body() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = with_key(&place, "k", 1);
    let id = edit.id;
    store.open_edit(&ada, edit).await.unwrap();
    store.close_edit(&ada, &id, failure()).await.unwrap();
    let second = with_key(&place, "k", 2);
    let id = second.id;
    assert_eq!(store.open_edit(&ada, second).await, Ok(Opened::New));
    let record = store.close_edit(&ada, &id, success(6)).await.unwrap().edit;
    let again = store.open_edit(&ada, with_key(&place, "k", 2)).await;
    assert_eq!(again, Ok(Opened::Replay(Box::new(record))));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_call_that_was_refused_does_not_use_the_key() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let dear = OpenEdit { price: credits(99), ..with_key(&place, "k", 1) };
    assert!(matches!(
        store.open_edit(&ada, dear).await,
        Err(OpenError::Refused(Refused::Insufficient { .. }))
    ));
    assert_eq!(store.open_edit(&ada, with_key(&place, "k", 2)).await, Ok(Opened::New));
}

#[tokio::test]
async fn a_known_key_is_answered_before_the_balance_is_looked_at() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = OpenEdit { price: credits(15), ..with_key(&place, "k", 1) };
    let id = edit.id;
    store.open_edit(&ada, edit).await.unwrap();
    store.close_edit(&ada, &id, success(15)).await.unwrap();
    let again = OpenEdit { price: credits(15), ..with_key(&place, "k", 1) };
    assert!(matches!(store.open_edit(&ada, again).await, Ok(Opened::Replay(_))));
}

#[tokio::test]
async fn a_key_is_its_accounts_and_its_calls_own() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    store.open_edit(&ada, with_key(&place, "k", 1)).await.unwrap();
    assert_eq!(store.open_edit(&bob, with_key(&place, "k", 2)).await, Ok(Opened::New));
    let mut other_call = with_key(&place, "k", 3);
    other_call.idempotency.as_mut().unwrap().call = "another-call";
    assert_eq!(store.open_edit(&ada, other_call).await, Ok(Opened::New));
    assert_eq!(
        store.open_edit(&ada, with_key(&place, "K", 4)).await,
        Err(OpenError::Refused(Refused::Insufficient {
            needed: credits(6),
            available: credits(3)
        }))
    );
}

#[tokio::test]
async fn the_newest_key_with_a_beginning_is_found_while_it_is_young() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let since = place.clock.now();
    for key in ["sdk a 1", "sdk a 2", "sdk b 3", "sdk"] {
        let cheap = OpenEdit { price: credits(1), ..with_key(&place, key, 1) };
        store.open_edit(&ada, cheap).await.unwrap();
        place.clock.advance_ms(1_000);
    }
    let newest = async |account, call, prefix, since| {
        store.find_newest_key(account, call, (prefix, since)).await.unwrap()
    };
    let call = "image-edit";
    assert_eq!(newest(&ada, call, "sdk a ", since).await.as_deref(), Some("sdk a 2"));
    assert_eq!(newest(&ada, call, "sdk b ", since).await.as_deref(), Some("sdk b 3"));
    assert_eq!(newest(&ada, call, "sdk c ", since).await, None);
    assert_eq!(newest(&ada, call, "sdk a ", since.plus_ms(1_001)).await, None);
    assert_eq!(newest(&ada, "another-call", "sdk a ", since).await, None);
    assert_eq!(newest(&bob, call, "sdk a ", since).await, None);
}

#[tokio::test]
async fn many_calls_with_one_key_at_the_same_time_hold_once() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let calls = (0..32).map(|_| {
        let (store, ada, edit) = (store.clone(), ada.clone(), with_key(&place, "k", 1));
        async move { store.open_edit(&ada, edit).await }
    });
    let answers = together(calls).await;
    assert_eq!(answers.iter().filter(|it| **it == Ok(Opened::New)).count(), 1);
    let running = |it: &&Result<_, _>| matches!(it, Err(OpenError::IdempotencyRunning { .. }));
    assert_eq!(answers.iter().filter(running).count(), 31);
    assert_eq!(store.balance(&ada).await.unwrap().held, credits(6));
    assert_eq!(
        store.list_edits(&ada, &EditFilter::default(), &first(10)).await.unwrap().data.len(),
        1
    );
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_key_is_kept_a_day_and_as_long_as_its_edit() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let (young, old) = (with_key(&place, "young", 1), with_key(&place, "old", 1));
    let (young_id, old_id) = (young.id, old.id);
    for edit in [young, old] {
        let id = edit.id;
        store.open_edit(&ada, edit).await.unwrap();
        store.close_edit(&ada, &id, success(6)).await.unwrap();
    }
    let keys = || place.database.texts("SELECT key FROM idempotency");
    let nothing = Pruned::default();
    place.clock.advance_ms(HOUR_MS);
    store.delete_edit(&ada, &young_id).await.unwrap();
    assert_eq!(store.prune().await, Ok(nothing), "it is not a day old");
    place.clock.advance_ms(24 * HOUR_MS);
    assert_eq!(keys().len(), 2);
    assert_eq!(store.prune().await, Ok(Pruned { idempotency_keys: 1, ..nothing }));
    assert_eq!(keys(), ["old"], "its edit is there");
    assert_eq!(store.prune().await, Ok(nothing));
    store.delete_edit(&ada, &old_id).await.unwrap();
    assert_eq!(keys().len(), 0, "an old one goes with its edit");
    let cheap = OpenEdit { price: credits(1), ..with_key(&place, "old", 2) };
    assert_eq!(store.open_edit(&ada, cheap).await, Ok(Opened::New));
}
