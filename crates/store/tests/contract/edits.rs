//! Tests edits: opened, closed once, settled after a crash, and deleted.

use retouch_core::catalogue::MicroDollars;
use retouch_core::credits::{Command, EntryKind, KeyLimits, KeyPeriod, Refused};
use retouch_core::{AccountId, EditId, Kind};
use retouch_store::{
    CloseError, Deleted, EditFilter, EditStatus, Failure, NewKey, OpenEdit, OpenError, Opened,
    Outcome, Store,
};

use crate::place::{Place, START, assert_proved, credits, first, key, member, together};

pub(crate) fn success(cost: u32) -> Outcome {
    stored_as("a.png", cost)
}

/// A success whose result has this blob name.
pub(crate) fn stored_as(blob: &str, cost: u32) -> Outcome {
    Outcome::Succeeded {
        cost: credits(cost),
        provider_cost: Some(MicroDollars(21_200)),
        usage: Some("{}".into()),
        warnings: r#"[{"code":"x"}]"#.into(),
        plan: Some("[]".into()),
        stored: vec![blob.into()],
        file: None,
        size: Some((640, 480)),
        original: None,
    }
}

/// A success whose result is stored with it.
pub(crate) fn stored_small(blob: &str, content: &str) -> Outcome {
    let mut outcome = stored_as(blob, 6);
    if let Outcome::Succeeded { file, .. } = &mut outcome {
        *file = Some(content.to_owned().into());
    }
    outcome
}

pub(crate) fn failure() -> Outcome {
    failure_of("process-1")
}

/// A failure reported by the process `owner`.
pub(crate) fn failure_of(owner: &str) -> Outcome {
    failed(owner, ("upstream_error", "it did not answer"))
}

/// A failure after which it is unknown whether the provider performed the edit anyway.
pub(crate) fn doubt() -> Outcome {
    let (code, message) = ("upstream_error".into(), "the server stopped".into());
    let failure = Failure { code, message, in_doubt: true };
    Outcome::Failed { owner: "process-1".into(), failure }
}

/// A failure with this code and message.
pub(crate) fn failed(owner: &str, (code, message): (&str, &str)) -> Outcome {
    let failure = Failure { code: code.into(), message: message.into(), in_doubt: false };
    Outcome::Failed { owner: owner.into(), failure }
}

/// Opens an edit that costs 6 credits.
pub(crate) async fn opened(place: &Place, store: &Store, account: &AccountId) -> EditId {
    let edit = place.edit();
    let id = edit.id;
    assert_eq!(store.open_edit(account, edit).await, Ok(Opened::New));
    id
}

#[tokio::test]
async fn a_success_is_charged_and_recorded_together() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let running = store.find_edit(&ada, &id).await.unwrap().unwrap();
    assert_eq!((running.status, running.cost), (EditStatus::Processing, credits(6)));
    place.clock.advance_ms(5);
    let closed = store.close_edit(&ada, &id, success(6)).await.unwrap().edit;
    assert_eq!(closed.status, EditStatus::Succeeded);
    assert_eq!(closed.completed_at, Some(START.plus_ms(5)));
    assert_eq!(store.find_edit(&ada, &id).await.unwrap(), Some(closed));
    let balance = store.balance(&ada).await.unwrap();
    assert_eq!((balance.available, balance.held), (credits(9), credits(0)));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_failure_costs_nothing() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let closed = store.close_edit(&ada, &id, failure()).await.unwrap().edit;
    assert_eq!((closed.status, closed.cost), (EditStatus::Failed, credits(0)));
    assert_eq!(closed.failure.unwrap().code, "upstream_error");
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(15));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_second_close_changes_nothing_and_is_told_how_it_ended() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let failed = store.close_edit(&ada, &id, failure()).await.unwrap().edit;
    let late = store.close_edit(&ada, &id, success(6)).await;
    assert_eq!(late, Err(CloseError::Ended(Box::new(failed))));
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(15));
    assert_proved(&store).await;
}

#[tokio::test]
async fn of_many_closes_at_the_same_time_one_counts() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let closes = (0..32).map(|number| {
        let (store, ada) = (store.clone(), ada.clone());
        let outcome = if number % 2 == 0 { success(6) } else { failure() };
        async move { store.close_edit(&ada, &id, outcome).await.is_ok() }
    });
    assert_eq!(together(closes).await.into_iter().filter(|it| *it).count(), 1);
    let entries = store.list_entries(&ada, &first(10)).await.unwrap().data;
    assert_eq!(entries.len(), 3, "grant, hold, and one end");
    assert_proved(&store).await;
}

#[tokio::test]
async fn nothing_is_opened_without_the_credits_for_it() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let dear = OpenEdit { price: credits(16), ..place.edit() };
    let id = dear.id;
    let answer = store.open_edit(&ada, dear).await;
    let needed =
        OpenError::Refused(Refused::Insufficient { needed: credits(16), available: credits(15) });
    assert_eq!(answer, Err(needed));
    assert_eq!(store.find_edit(&ada, &id).await.unwrap(), None);
    assert!(store.list_open_edits().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_key_that_is_revoked_or_over_its_limit_opens_nothing() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let limits = KeyLimits { life: Some(credits(8)), ..KeyLimits::default() };
    let new = NewKey { start: "rt".into(), limits, ..key(1) };
    let key = store.create_key(&ada, new).await.unwrap().id;
    let with_key = || OpenEdit { key: Some(key.clone()), ..place.edit() };
    assert_eq!(store.open_edit(&ada, with_key()).await, Ok(Opened::New));
    let limit = OpenError::Refused(Refused::KeyLimit {
        period: KeyPeriod::Life,
        limit: credits(8),
        used: credits(6),
        needed: credits(6),
    });
    assert_eq!(store.open_edit(&ada, with_key()).await, Err(limit));
    assert_eq!(store.list_keys(&ada, &first(1)).await.unwrap().data[0].used.life, credits(6));
    let bob = member(&store, "bob@example.com").await;
    assert_eq!(store.open_edit(&bob, with_key()).await, Err(OpenError::KeyUnusable));
    store.revoke_key(&ada, &key).await.unwrap();
    assert_eq!(store.open_edit(&ada, with_key()).await, Err(OpenError::KeyUnusable));
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_account_sees_and_changes_only_its_own_edits() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let id = opened(&place, &store, &ada).await;
    assert_eq!(store.find_edit(&bob, &id).await.unwrap(), None);
    assert_eq!(store.close_edit(&bob, &id, success(6)).await, Err(CloseError::Unknown));
    assert_eq!(store.delete_edit(&bob, &id).await, Ok(Deleted::Unknown));
    assert!(
        store.list_edits(&bob, &EditFilter::default(), &first(10)).await.unwrap().data.is_empty()
    );
    let entries = store.list_entries(&bob, &first(10)).await.unwrap().data;
    assert!(entries.iter().all(|entry| entry.kind == EntryKind::Grant));
    let again = OpenEdit { id, ..place.edit() };
    let taken = OpenError::Refused(Refused::HoldIdTaken);
    assert_eq!(store.open_edit(&bob, again).await, Err(taken));
    assert_proved(&store).await;
}

#[tokio::test]
async fn deleting_hides_the_edit_and_keeps_the_books() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    assert_eq!(store.delete_edit(&ada, &id).await, Ok(Deleted::Running));
    store.close_edit(&ada, &id, success(6)).await.unwrap();
    let gone = Deleted::Gone { blobs: vec!["a.png".into()] };
    assert_eq!(store.delete_edit(&ada, &id).await, Ok(gone));
    assert_eq!(store.delete_edit(&ada, &id).await, Ok(Deleted::Unknown));
    assert_eq!(store.find_edit(&ada, &id).await.unwrap(), None);
    assert!(
        store.list_edits(&ada, &EditFilter::default(), &first(10)).await.unwrap().data.is_empty()
    );
    assert_proved(&store).await;
}

#[tokio::test]
async fn charging_more_than_is_held_is_refused_and_the_edit_stays_open() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    assert!(matches!(store.close_edit(&ada, &id, success(7)).await, Err(CloseError::Store(_))));
    let record = store.close_edit(&ada, &id, success(4)).await.unwrap().edit;
    assert_eq!(record.cost, credits(4));
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(11));
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_account_has_so_many_pictures_and_so_many_videos_under_way() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let picture = || OpenEdit { price: credits(2), at_once_max: 2, ..place.edit() };
    let video = || OpenEdit { kind: Kind::Video, at_once_max: 1, ..picture() };
    let first = picture();
    for edit in [first.clone(), picture(), video()] {
        assert_eq!(store.open_edit(&ada, edit).await, Ok(Opened::New));
    }
    let text = OpenEdit { kind: Kind::TextToImage, ..picture() };
    assert_eq!(store.open_edit(&ada, text).await, Err(OpenError::Full { under_way: 2 }));
    assert_eq!(store.open_edit(&ada, video()).await, Err(OpenError::Full { under_way: 1 }));
    assert_eq!(store.balance(&ada).await.unwrap().held, credits(6), "nothing more is held");
    let bob = member(&store, "bob@example.com").await;
    assert_eq!(store.open_edit(&bob, picture()).await, Ok(Opened::New));
    store.close_edit(&ada, &first.id, success(2)).await.unwrap();
    assert_eq!(store.open_edit(&ada, picture()).await, Ok(Opened::New));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_hold_that_is_ended_behind_its_edit_is_noticed() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    store.ledger(&ada, Command::Release { hold: id }).await.unwrap();
    assert_eq!(store.verify().await.unwrap().found, 1);
}
