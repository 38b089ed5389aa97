//! Tests refusals by providers: they are counted by account and day, and lead to waiting times.

use retouch_core::AccountId;
use retouch_store::{Deed, OpenEdit, OpenError, Opened, PauseReason, Store};

use crate::edits::failed;
use crate::place::{HOUR_MS, Place, assert_proved, member, member_with};

/// Opens one edit, which a provider refuses.
async fn refused(place: &Place, store: &Store, account: &AccountId) -> Result<(), OpenError> {
    let edit = place.edit();
    assert_eq!(store.open_edit(account, edit.clone()).await?, Opened::New);
    let failed = failed(&edit.owner, ("content_refused", "no"));
    store.close_edit(account, &edit.id, failed).await.unwrap();
    Ok(())
}

#[tokio::test]
async fn refusals_make_an_account_wait_longer_each_time_and_nobody_else() {
    let mut place = Place::new();
    place.settings.refusals_before_wait = 3;
    let store = place.open().await;
    let eve = member(&store, "eve@example.com").await;
    let bob = member_with(&store, "bob@example.com", 100).await;
    for _ in 0..3 {
        refused(&place, &store, &eve).await.unwrap();
    }
    let mut waits = Vec::new();
    for _ in 0..8 {
        let Err(OpenError::RefusedTooOften { wait_s }) = refused(&place, &store, &eve).await else {
            panic!("it does not have to wait");
        };
        waits.push(wait_s);
        place.clock.advance_ms(i64::try_from(wait_s).unwrap() * 1_000);
        refused(&place, &store, &eve).await.unwrap();
    }
    assert_eq!(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600]);
    // The built-in editor is not affected, and neither are other accounts.
    let free = OpenEdit { is_paid: false, ..place.edit() };
    assert_eq!(store.open_edit(&eve, free.clone()).await, Ok(Opened::New));
    store.close_edit(&eve, &free.id, failed(&free.owner, ("stopped", "no"))).await.unwrap();
    refused(&place, &store, &bob).await.unwrap();
    let user = store.find_user(&eve).await.unwrap().unwrap();
    assert_eq!(user.refusals_today, 11);
    // The count starts again the next day, and old counts are removed eventually.
    place.clock.advance_ms(24 * HOUR_MS);
    refused(&place, &store, &eve).await.unwrap();
    place.clock.advance_ms(32 * 24 * HOUR_MS);
    assert_eq!(store.prune().await.unwrap().refusals, 3);
    assert_proved(&store).await;
}

#[tokio::test]
async fn many_refusals_pause_providers_until_an_administrator_lifts_it() {
    let mut place = Place::new();
    place.settings.refusals_before_pause = 3;
    let store = place.open().await;
    let eve = member_with(&store, "eve@example.com", 100).await;
    let deed = || Deed { by: None, reason: "a test".into(), request_id: None };
    for round in 0..2 {
        for _ in 0..3 {
            refused(&place, &store, &eve).await.unwrap();
        }
        let paused = refused(&place, &store, &eve).await;
        assert_eq!(paused, Err(OpenError::PausedForRefusals), "round {round}");
        place.clock.advance_ms(24 * HOUR_MS);
        let paused = refused(&place, &store, &eve).await;
        assert_eq!(paused, Err(OpenError::PausedForRefusals), "the next day too");
        let free = OpenEdit { is_paid: false, ..place.edit() };
        assert_eq!(store.open_edit(&eve, free.clone()).await, Ok(Opened::New));
        let failed = failed(&free.owner, ("stopped", "no"));
        store.close_edit(&eve, &free.id, failed).await.unwrap();
        let pauses = store.list_pauses(&eve).await.unwrap();
        assert_eq!((pauses.len(), pauses[0].reason), (1, PauseReason::Refusals));
        assert_eq!(store.lift_pauses(&eve, deed()).await, Ok(true));
    }
    refused(&place, &store, &eve).await.unwrap();
    assert_proved(&store).await;
}
