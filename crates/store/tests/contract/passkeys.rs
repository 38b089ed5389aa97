//! Tests passkeys and challenges: their owners, their counters, and that a challenge can be
//! answered once.

use retouch_core::AccountId;
use retouch_store::{
    Challenge, Deletion, Error, NewAccount, NewChallenge, NewPasskey, PasskeyReport, PasskeyUse,
    Pruned, Subject,
};

use crate::place::{HOUR_MS, Place, START, credits, member};

fn passkey(number: u8) -> NewPasskey {
    NewPasskey {
        id: vec![number; 16],
        name: format!("key {number}"),
        public_key: vec![1, 2, 3],
        sign_count: 0,
        may_back_up: true,
        is_backed_up: false,
    }
}

fn report(sign_count: u32) -> PasskeyReport {
    PasskeyReport { sign_count, is_backed_up: true }
}

fn challenge(number: u8, account: Option<AccountId>) -> NewChallenge {
    NewChallenge {
        token_hash: [number; 32],
        kind: "a",
        account,
        content: "content".into(),
        expires_at: START.plus_ms(HOUR_MS),
    }
}

#[tokio::test]
async fn a_passkey_is_found_listed_and_removed_by_its_owner_alone() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) = (member(&store, "a@example.com").await, member(&store, "b@example.com").await);
    store.create_passkey(&ada, passkey(1)).await.unwrap();
    assert_eq!(store.create_passkey(&bob, passkey(1)).await, Err(Error::PasskeyTaken));
    let found = store.find_passkey(&[1; 16]).await.unwrap().unwrap();
    assert_eq!(
        (found.account.id, found.public_key, found.may_back_up),
        (ada.clone(), vec![1, 2, 3], true)
    );
    assert_eq!(store.list_passkeys(&bob).await.unwrap(), []);
    assert!(!store.remove_passkey(&bob, &[1; 16], None).await.unwrap());
    assert_eq!(store.list_passkeys(&ada).await.unwrap()[0].name, "key 1");
    assert!(store.remove_passkey(&ada, &[1; 16], None).await.unwrap());
    assert_eq!(store.find_passkey(&[1; 16]).await.unwrap(), None);
    for number in 0..20 {
        store.create_passkey(&ada, passkey(number)).await.unwrap();
    }
    let more = store.create_passkey(&ada, passkey(20)).await;
    assert_eq!(more, Err(Error::TooMany { what: "passkeys", most: 20 }));
    assert_eq!(store.delete_account(&ada).await.unwrap(), Deletion::Gone);
    assert_eq!(store.find_passkey(&[1; 16]).await.unwrap(), None);
}

#[tokio::test]
async fn a_counter_goes_up_or_the_passkey_opens_nothing_any_more() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "a@example.com").await;
    store.create_passkey(&ada, passkey(1)).await.unwrap();
    let signs = async |count: u32| store.use_passkey(&ada, &[1; 16], report(count)).await.unwrap();
    assert_eq!(signs(0).await, PasskeyUse::Noted, "a device that does not count");
    assert_eq!(signs(0).await, PasskeyUse::Noted);
    assert_eq!(signs(4).await, PasskeyUse::Noted);
    let listed = store.list_passkeys(&ada).await.unwrap();
    assert!(listed[0].is_backed_up && listed[0].last_used_at.is_some());
    for back in [4, 3, 0, 5] {
        assert_eq!(signs(back).await, PasskeyUse::Doubted, "{back}, once it has gone back");
    }
    assert_eq!(store.list_passkeys(&ada).await.unwrap()[0].doubted_at, Some(START));
    let unknown = store.use_passkey(&ada, &[2; 16], report(1)).await;
    assert_eq!(unknown, Err(Error::AccountUnknown));
}

#[tokio::test]
async fn a_doubted_passkey_is_no_way_in() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "a@example.com").await;
    store.create_passkey(&ada, passkey(1)).await.unwrap();
    store.create_passkey(&ada, NewPasskey { sign_count: 9, ..passkey(2) }).await.unwrap();
    store.use_passkey(&ada, &[2; 16], report(8)).await.unwrap();
    // The account also has a password, which can't be removed, so both passkeys can.
    assert!(store.remove_passkey(&ada, &[2; 16], None).await.unwrap());
    assert!(store.remove_passkey(&ada, &[1; 16], None).await.unwrap());

    let email = "bob@example.com".parse().unwrap();
    let new =
        NewAccount { email, password_hash: None, sign_up_credits: credits(15), invitation: None };
    let subject = Subject { issuer: "issuer".into(), subject: "bob".into(), email: None };
    let bob = store.create_account_by_identity(new, subject).await.unwrap().id;
    store.create_passkey(&bob, passkey(1)).await.unwrap();
    store.create_passkey(&bob, NewPasskey { sign_count: 9, ..passkey(2) }).await.unwrap();
    store.use_passkey(&bob, &[2; 16], report(8)).await.unwrap();
    let last = store.remove_passkey(&bob, &[1; 16], None).await;
    assert_eq!(last, Err(Error::LastWayIn), "without a provider the identity is none either");
    assert!(store.remove_passkey(&bob, &[2; 16], None).await.unwrap());
    assert!(store.remove_passkey(&bob, &[1; 16], Some("issuer")).await.unwrap());
}

#[tokio::test]
async fn a_challenge_is_answered_once_in_time_and_as_what_it_is() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "a@example.com").await;
    store.create_challenge(challenge(1, Some(ada.clone()))).await.unwrap();
    assert_eq!(store.take_challenge(&[1; 32], "b").await.unwrap(), None, "another kind");
    let asked = store.take_challenge(&[1; 32], "a").await.unwrap();
    assert_eq!(asked, Some(Challenge { account: Some(ada.clone()), content: "content".into() }));
    assert_eq!(store.take_challenge(&[1; 32], "a").await.unwrap(), None, "a second time");

    store.create_challenge(challenge(2, None)).await.unwrap();
    store.create_challenge(challenge(3, Some(ada.clone()))).await.unwrap();
    assert_eq!(store.delete_account(&ada).await.unwrap(), Deletion::Gone);
    assert_eq!(store.take_challenge(&[3; 32], "a").await.unwrap(), None, "of somebody who left");
    place.clock.advance_ms(HOUR_MS);
    assert_eq!(store.take_challenge(&[2; 32], "a").await.unwrap(), None, "too late");
    let pruned = store.prune().await.unwrap();
    assert_eq!(pruned, Pruned { challenges: 1, ..Pruned::default() });
}
