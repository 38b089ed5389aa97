//! Refusals by providers: counted by account and day, and slowed down.

use retouch_core::AccountId;
use retouch_store::{OpenEdit, OpenError, Opened, Store};

use crate::edits::failed;
use crate::place::{HOUR_MS, Place, assert_proved, member, member_with};

/// One edit that a provider refuses.
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
    // The built-in editor costs nobody a reputation, and others wait for nothing.
    let free = OpenEdit { is_paid: false, ..place.edit() };
    assert_eq!(store.open_edit(&eve, free.clone()).await, Ok(Opened::New));
    store.close_edit(&eve, &free.id, failed(&free.owner, ("stopped", "no"))).await.unwrap();
    refused(&place, &store, &bob).await.unwrap();
    let user = store.find_user(&eve).await.unwrap().unwrap();
    assert_eq!(user.refusals_today, 11);
    // The next day begins anew, and what was counted is thrown away in the end.
    place.clock.advance_ms(24 * HOUR_MS);
    refused(&place, &store, &eve).await.unwrap();
    place.clock.advance_ms(32 * 24 * HOUR_MS);
    assert_eq!(store.prune().await.unwrap().refusals, 3);
    assert_proved(&store).await;
}
