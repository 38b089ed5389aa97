//! Tests keys that programs received through OAuth: their tokens, and what ends them.

use retouch_core::{AccountId, Timestamp};
use retouch_store::{
    ApiKey, Deletion, Error, NewGrant, NewKey, Pruned, Refresh, Refreshed, Scopes, Store, TokenPair,
};

use crate::place::{HOUR_MS, Place, START, assert_proved, first, key, member, together};
use crate::plans::deed;

const DAY_MS: i64 = 24 * HOUR_MS;
/// For how long an exchanged refresh token still works.
const OVERLAP_MS: i64 = 60_000;

/// The access token `number` and the refresh token `number + 100`.
fn pair(number: u8, now: Timestamp) -> TokenPair {
    TokenPair {
        access: [number; 32],
        access_until: now.plus_ms(HOUR_MS),
        refresh: [number + 100; 32],
        refresh_until: now.plus_ms(30 * DAY_MS),
    }
}

/// A key for the program 9, whose code is 8, with the first tokens 1 and 101.
pub(crate) fn grant() -> NewGrant {
    let expires_at = Some(START.plus_ms(30 * DAY_MS));
    let key = NewKey { start: String::new(), expires_at, ..key(7) };
    NewGrant { key, client: [9; 32], code: [8; 32], tokens: pair(1, START) }
}

async fn granted(store: &Store, account: &AccountId) -> ApiKey {
    store.create_grant(account, grant()).await.unwrap()
}

/// Exchanges the refresh token `old + 100` for the next tokens.
async fn exchange(place: &Place, store: &Store, (old, next): (u8, u8)) -> Refreshed {
    let tokens = pair(next, place.context.clock.now());
    let refresh = Refresh { token: [old + 100; 32], client: [9; 32], tokens };
    store.refresh_grant(refresh).await.unwrap()
}

/// Whether an access token is accepted.
async fn works(store: &Store, token: u8) -> bool {
    store.find_key_of_token(&[token; 32]).await.unwrap().is_some()
}

const DONE: Refreshed = Refreshed::Done(Scopes::ALL);

#[tokio::test]
async fn a_program_shows_tokens_in_place_of_a_secret() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let made = granted(&store, &ada).await;
    let found = store.find_key_of_token(&[1; 32]).await.unwrap().unwrap();
    assert_eq!((&found.key, &found.account.id), (&made, &ada));
    for other in [8, 9, 101] {
        assert!(!works(&store, other).await, "a code, a client and a refresh token");
    }
    assert_eq!(store.find_key(&[1; 32]).await, Ok(None), "a token is no secret");
    assert_eq!(store.list_keys(&ada, &first(9)).await.unwrap().data, [made]);
    place.clock.advance_ms(HOUR_MS);
    assert!(!works(&store, 1).await);
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_refresh_token_brings_the_next_tokens_and_keeps_the_key_alive() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    granted(&store, &ada).await;
    for number in 1..4 {
        place.clock.advance_ms(29 * DAY_MS);
        assert_eq!(exchange(&place, &store, (number, number + 1)).await, DONE);
        assert!(works(&store, number + 1).await && !works(&store, number).await);
    }
    let now = place.context.clock.now();
    let keys = store.list_keys(&ada, &first(9)).await.unwrap().data;
    assert_eq!(keys[0].expires_at, Some(now.plus_ms(30 * DAY_MS)));
    let pruned = store.prune().await.unwrap();
    // The code, three access tokens and two refresh tokens.
    assert_eq!(pruned, Pruned { tokens: 6, free_days: 1, ..Pruned::default() });
    place.clock.advance_ms(30 * DAY_MS);
    assert_eq!(exchange(&place, &store, (4, 5)).await, Refreshed::Refused);
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_refresh_token_that_is_shown_again_later_revokes_the_key() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    granted(&store, &ada).await;
    assert_eq!(exchange(&place, &store, (1, 2)).await, DONE);
    place.clock.advance_ms(OVERLAP_MS - 1);
    assert_eq!(exchange(&place, &store, (1, 3)).await, DONE, "by another process of the program");
    place.clock.advance_ms(1);
    assert!(works(&store, 1).await && works(&store, 2).await && works(&store, 3).await);
    assert_eq!(exchange(&place, &store, (1, 4)).await, Refreshed::Reused);
    for token in 1..5 {
        assert!(!works(&store, token).await);
        assert_eq!(exchange(&place, &store, (token, 5)).await, Refreshed::Refused);
    }
    assert_proved(&store).await;
}

#[tokio::test]
async fn processes_of_a_program_that_renew_at_once_all_get_tokens() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    granted(&store, &ada).await;
    let renewing = (20..28).map(|number| {
        let refresh = Refresh { token: [101; 32], client: [9; 32], tokens: pair(number, START) };
        let store = store.clone();
        async move { store.refresh_grant(refresh).await }
    });
    assert!(together(renewing).await.iter().all(|done| *done == Ok(DONE)));
    for token in (20..28).chain([1]) {
        assert!(works(&store, token).await);
    }
    assert_proved(&store).await;
}

#[tokio::test]
async fn only_the_latest_tokens_of_a_key_are_kept() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    granted(&store, &ada).await;
    let mut old = [101; 32];
    for number in 0..200_u16 {
        place.clock.advance_ms(1);
        let [high, low] = number.to_be_bytes();
        let now = place.context.clock.now();
        let (mut tokens, mut next) = (pair(50, now), [151; 32]);
        (tokens.access[0], tokens.access[1]) = (high, low);
        (next[0], next[1]) = (high, low);
        tokens.refresh = next;
        let refresh = Refresh { token: old, client: [9; 32], tokens };
        assert_eq!(store.refresh_grant(refresh).await, Ok(DONE));
        old = next;
    }
    let kept = place.database.texts("SELECT kind FROM oauth_token");
    assert_eq!(kept.len(), 300);
    assert_proved(&store).await;
}

#[tokio::test]
async fn whoever_may_end_a_key_ends_its_tokens() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let bob = member(&store, "bob@example.com").await;
    let refused = async |what: &str| {
        assert!(!works(&store, 1).await, "{what}");
        assert_eq!(exchange(&place, &store, (1, 2)).await, Refreshed::Refused, "{what}");
    };
    let made = granted(&store, &ada).await;
    assert!(!store.revoke_key(&bob, &made.id).await.unwrap());
    assert!(works(&store, 1).await);
    store.suspend(&ada, deed()).await.unwrap();
    refused("suspended").await;
    store.lift_suspension(&ada, deed()).await.unwrap();
    assert!(works(&store, 1).await);
    assert!(store.revoke_key(&ada, &made.id).await.unwrap());
    refused("revoked by its owner").await;

    store.delete_account(&ada).await.unwrap();
    assert!(place.database.texts("SELECT kind FROM oauth_token").is_empty());
    let ada = member(&store, "ada@example.com").await;
    for (token, what) in [(1, "an access token"), (101, "a refresh token"), (8, "a code")] {
        let mut new = grant();
        new.key.hash = [token; 32];
        store.create_grant(&ada, new).await.unwrap();
        assert!(!store.revoke_grant([token; 32], [1; 32]).await.unwrap(), "of another program");
        assert!(works(&store, 1).await);
        assert!(store.revoke_grant([token; 32], [9; 32]).await.unwrap(), "{what}");
        assert!(!store.revoke_grant([token; 32], [9; 32]).await.unwrap(), "{what}");
        refused(what).await;
        place.database.execute("DELETE FROM oauth_token").unwrap();
    }
    assert_proved(&store).await;
}

#[tokio::test]
async fn nobody_gets_a_key_for_an_account_that_may_not_act() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.suspend(&ada, deed()).await.unwrap();
    assert_eq!(store.create_grant(&ada, grant()).await, Err(Error::Suspended));
    store.lift_suspension(&ada, deed()).await.unwrap();
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    assert_eq!(store.create_grant(&ada, grant()).await, Err(Error::AccountUnknown));
    assert!(place.database.texts("SELECT kind FROM oauth_token").is_empty());
}
