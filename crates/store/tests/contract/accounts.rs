//! Tests accounts and keys, on every database.

use retouch_core::Email;
use retouch_core::credits::KeyLimits;
use retouch_store::{Error, KeyFound, NewAccount, NewKey};

use crate::administration::by_operator;
use crate::place::{
    HOUR_MS, Place, START, assert_proved, credits, first, key, member, member_with,
};

fn new_key(secret: u8) -> NewKey {
    NewKey { limits: KeyLimits { life: Some(credits(100)), ..KeyLimits::default() }, ..key(secret) }
}

#[tokio::test]
async fn an_account_is_found_by_its_address_without_case() {
    let place = Place::new();
    let store = place.open().await;
    let id = member(&store, "Ada@Example.com").await;
    let account = store.list_accounts(&first(1)).await.unwrap().data.remove(0);
    assert_eq!(account.id, id);
    assert_eq!(account.email.as_str(), "Ada@Example.com");
    assert_eq!(account.created_at, START);
    let email: Email = "ada@example.COM".parse().unwrap();
    let (found, hash) = store.find_account_by_email(&email).await.unwrap().unwrap();
    assert_eq!((found, hash.as_deref()), (account, Some("hash")));
    let nobody = "nobody@example.com".parse().unwrap();
    assert_eq!(store.find_account_by_email(&nobody).await.unwrap(), None);
}

#[tokio::test]
async fn an_address_has_one_account() {
    let place = Place::new();
    let store = place.open().await;
    member(&store, "ada@example.com").await;
    let again = NewAccount {
        email: "ADA@example.com".parse().unwrap(),
        password_hash: None,
        sign_up_credits: credits(15),
        invitation: None,
    };
    assert_eq!(store.create_account(again).await, Err(Error::EmailTaken));
    assert_eq!(store.list_accounts(&first(10)).await.unwrap().data.len(), 1);
    assert_proved(&store).await;
}

#[tokio::test]
async fn many_sign_ups_with_one_address_at_the_same_time_make_one_account() {
    let place = Place::new();
    let store = place.open().await;
    let sign_ups = (0..32).map(|_| {
        let new = NewAccount {
            email: "ada@example.com".parse().unwrap(),
            password_hash: None,
            sign_up_credits: credits(15),
            invitation: None,
        };
        let store = store.clone();
        async move { store.create_account(new).await.is_ok() }
    });
    let made = crate::place::together(sign_ups).await;
    assert_eq!(made.into_iter().filter(|made| *made).count(), 1);
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_account_without_sign_up_credits_has_an_empty_book() {
    let place = Place::new();
    let store = place.open().await;
    let id = member_with(&store, "ada@example.com", 0).await;
    let balance = store.balance(&id).await.unwrap();
    assert_eq!((balance.available, balance.buckets.len()), (credits(0), 0));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_password_is_replaced_and_only_for_an_account_that_exists() {
    let place = Place::new();
    let store = place.open().await;
    let id = member(&store, "ada@example.com").await;
    store.change_password(&id, "another".into(), None).await.unwrap();
    let email = "ada@example.com".parse().unwrap();
    let (_, hash) = store.find_account_by_email(&email).await.unwrap().unwrap();
    assert_eq!(hash.as_deref(), Some("another"));
    let nobody = place.ids.account();
    let answer = store.change_password(&nobody, "hash".into(), None).await;
    assert_eq!(answer, Err(Error::AccountUnknown));
}

#[tokio::test]
async fn a_key_works_until_it_is_revoked_and_stays_in_the_list() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let key = store.create_key(&ada, new_key(1)).await.unwrap();
    let KeyFound { key: found, account: owner, plan } =
        store.find_key(&[1; 32]).await.unwrap().unwrap();
    assert_eq!(plan, None);
    assert_eq!((&found, &owner.id), (&key, &ada));
    assert!(!store.revoke_key(&bob, &key.id).await.unwrap(), "another's key");
    assert!(store.find_key(&[1; 32]).await.unwrap().is_some());
    assert!(store.revoke_key(&ada, &key.id).await.unwrap());
    assert_eq!(store.find_key(&[1; 32]).await.unwrap(), None);
    let keys = store.list_keys(&ada, &first(10)).await.unwrap().data;
    assert_eq!(keys.len(), 1);
    assert_eq!(keys[0].revoked_at, Some(START));
    assert!(store.list_keys(&bob, &first(10)).await.unwrap().data.is_empty());
}

#[tokio::test]
async fn revoking_again_keeps_the_first_time() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let key = store.create_key(&ada, new_key(1)).await.unwrap();
    assert!(store.revoke_key_as(&key.id, by_operator()).await.unwrap());
    place.clock.advance_ms(HOUR_MS);
    assert!(store.revoke_key(&ada, &key.id).await.unwrap());
    let keys = store.list_keys(&ada, &first(10)).await.unwrap().data;
    assert_eq!(keys[0].revoked_at, Some(START));
    assert!(!store.revoke_key_as(&place.ids.key(), by_operator()).await.unwrap());
}

#[tokio::test]
async fn a_key_expires() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let new = NewKey { expires_at: Some(START.plus_ms(HOUR_MS)), ..new_key(1) };
    store.create_key(&ada, new).await.unwrap();
    place.clock.advance_ms(HOUR_MS - 1);
    assert!(store.find_key(&[1; 32]).await.unwrap().is_some());
    place.clock.advance_ms(1);
    assert_eq!(store.find_key(&[1; 32]).await.unwrap(), None);
}

#[tokio::test]
async fn the_use_of_a_key_is_written_once_a_minute() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.create_key(&ada, new_key(1)).await.unwrap();
    let mut seen = Vec::new();
    for _ in 0..3 {
        let key = store.find_key(&[1; 32]).await.unwrap().unwrap().key;
        store.touch_key(&key);
        // Earlier background writes are done when this returns.
        store.delete_session(&[0; 32]).await.unwrap();
        seen.push(store.list_keys(&ada, &first(1)).await.unwrap().data[0].last_used_at);
        place.clock.advance_ms(30_000);
    }
    assert_eq!(seen, [Some(START), Some(START), Some(START.plus_ms(60_000))]);
}

#[tokio::test]
async fn a_key_for_nobody_is_refused() {
    let place = Place::new();
    let store = place.open().await;
    let answer = store.create_key(&place.ids.account(), new_key(1)).await;
    assert_eq!(answer, Err(Error::AccountUnknown));
}
