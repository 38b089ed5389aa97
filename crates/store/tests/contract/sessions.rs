//! Tests sessions: found, kept alive, and ended.

use retouch_core::Timestamp;
use retouch_store::{Error, NewSession, Pruned};

use crate::place::{HOUR_MS, Place, START, member, session};

const DAY_MS: i64 = 24 * HOUR_MS;

fn new_session(expires_at: Timestamp) -> NewSession {
    NewSession { expires_at, ..session(7) }
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
        // The background write of the session's use is done when this returns.
        store.delete_session(&[0; 32]).await.unwrap();
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

#[tokio::test]
async fn an_owner_sees_and_ends_sessions_of_their_own_alone() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) = (member(&store, "a@example.com").await, member(&store, "b@example.com").await);
    for (account, number) in [(&ada, 1), (&ada, 2), (&ada, 3), (&bob, 4)] {
        let new = NewSession {
            expires_at: START.plus_ms(DAY_MS),
            user_agent: Some(format!("browser {number}")),
            ..session(number)
        };
        store.create_session(account, new).await.unwrap();
        place.clock.advance_ms(1);
    }
    let listed = store.list_sessions(&ada).await.unwrap();
    let browsers: Vec<_> = listed.iter().filter_map(|one| one.user_agent.as_deref()).collect();
    assert_eq!(browsers, ["browser 3", "browser 2", "browser 1"]);
    assert_eq!(store.find_session(&[3; 32]).await.unwrap().unwrap(), listed[0]);
    let second = &listed[1].id;
    assert!(!store.end_session(&bob, second).await.unwrap(), "not Bob's to end");
    assert!(store.end_session(&ada, second).await.unwrap());
    assert!(!store.end_session(&ada, second).await.unwrap());
    assert_eq!(store.find_session(&[2; 32]).await.unwrap(), None);
    assert_eq!(store.end_sessions(&ada, Some([1; 32])).await, Ok(1));
    assert!(store.find_session(&[1; 32]).await.unwrap().is_some());
    assert_eq!(store.end_sessions(&ada, None).await, Ok(1));
    assert!(store.find_session(&[4; 32]).await.unwrap().is_some(), "Bob is still in");
    place.clock.advance_ms(DAY_MS);
    assert_eq!(store.list_sessions(&bob).await, Ok(vec![]), "it has ended by itself");
}

#[tokio::test]
async fn another_password_ends_the_other_sessions() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    for number in [1, 2] {
        let expires_at = START.plus_ms(DAY_MS);
        let new = NewSession { expires_at, ..session(number) };
        store.create_session(&ada, new).await.unwrap();
    }
    store.change_password(&ada, "another".into(), Some([2; 32])).await.unwrap();
    assert_eq!(store.find_password_hash(&ada).await, Ok(Some("another".into())));
    assert_eq!(store.find_session(&[1; 32]).await, Ok(None));
    assert!(store.find_session(&[2; 32]).await.unwrap().is_some());
}
