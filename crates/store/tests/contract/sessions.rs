//! Sessions: found, kept alive, ended.

use retouch_core::Timestamp;
use retouch_store::{Error, NewSession, Pruned};

use crate::place::{HOUR_MS, Place, START, member};

const DAY_MS: i64 = 24 * HOUR_MS;

fn new_session(expires_at: Timestamp) -> NewSession {
    NewSession { token_hash: [7; 32], expires_at }
}

#[tokio::test]
async fn a_session_is_found_until_it_is_deleted() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.create_session(&ada, new_session(START.plus_ms(DAY_MS))).await.unwrap();
    let session = store.find_session(&[7; 32]).await.unwrap().unwrap();
    assert_eq!((session.account.id, session.created_at), (ada, START));
    assert_eq!(store.find_session(&[8; 32]).await.unwrap(), None);
    assert!(store.delete_session(&[7; 32]).await.unwrap());
    assert!(!store.delete_session(&[7; 32]).await.unwrap());
    assert_eq!(store.find_session(&[7; 32]).await.unwrap(), None);
}

#[tokio::test]
async fn a_session_ends_at_its_time_however_much_it_is_used() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.create_session(&ada, new_session(START.plus_ms(DAY_MS))).await.unwrap();
    place.clock.advance_ms(DAY_MS - 1);
    assert!(store.find_session(&[7; 32]).await.unwrap().is_some());
    place.clock.advance_ms(1);
    assert_eq!(store.find_session(&[7; 32]).await.unwrap(), None);
    let pruned = store.prune().await.unwrap();
    assert_eq!(pruned, Pruned { sessions: 1, ..Pruned::default() });
}

#[tokio::test]
async fn a_session_that_is_used_lives_on_and_one_that_is_not_ends() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.create_session(&ada, new_session(START.plus_ms(90 * DAY_MS))).await.unwrap();
    for _ in 0..3 {
        place.clock.advance_ms(13 * DAY_MS);
        assert!(store.find_session(&[7; 32]).await.unwrap().is_some());
        // The use that was posted has been written when this answers.
        store.ready().await.unwrap();
    }
    place.clock.advance_ms(14 * DAY_MS);
    assert_eq!(store.find_session(&[7; 32]).await.unwrap(), None);
}

#[tokio::test]
async fn a_session_for_nobody_is_refused() {
    let place = Place::new();
    let store = place.open().await;
    let answer = store.create_session(&place.ids.account(), new_session(START)).await;
    assert_eq!(answer, Err(Error::AccountUnknown));
}
