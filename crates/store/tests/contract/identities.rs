//! Tests identities: which account they belong to, and that the last sign-in method can't be
//! removed.

use retouch_core::AccountId;
use retouch_store::{Deletion, Error, NewAccount, Store, Subject};

use crate::place::{Place, assert_proved, credits, member, together};

const ISSUER: &str = "https://id.example";

fn subject(name: &str) -> Subject {
    Subject { issuer: ISSUER.into(), subject: name.into(), email: Some("x@example.com".into()) }
}

/// A new account without a password.
fn newcomer(email: &str) -> NewAccount {
    let email = email.parse().unwrap();
    NewAccount { email, password_hash: None, sign_up_credits: credits(15), invitation: None }
}

async fn names(store: &Store, account: &AccountId) -> Vec<String> {
    let listed = store.list_identities(account).await.unwrap();
    listed.into_iter().map(|one| one.subject.subject).collect()
}

#[tokio::test]
async fn an_identity_makes_one_account_however_often_it_comes_at_once() {
    let place = Place::new();
    let store = place.open().await;
    assert_eq!(store.use_identity(subject("ada")).await.unwrap(), None);
    let all = (0..8).map(|_| {
        let store = store.clone();
        async move {
            store.create_account_by_identity(newcomer("ada@example.com"), subject("ada")).await
        }
    });
    let made = together(all).await;
    let account = made[0].clone().unwrap();
    assert!(made.iter().all(|one| one.as_ref() == Ok(&account)));
    assert_eq!(store.balance(&account.id).await.unwrap().available, credits(15));
    assert_eq!(store.use_identity(subject("ada")).await.unwrap(), Some(account.clone()));
    let used = &store.list_identities(&account.id).await.unwrap()[0];
    assert!(used.last_used_at.is_some());
    assert_eq!(store.find_password_hash(&account.id).await.unwrap(), None);
    // The provider has verified Ada's address. Bob's is not verified yet.
    let bob = member(&store, "bob@example.com").await;
    let verified = async |id| store.find_user(id).await.unwrap().unwrap().verified_at;
    assert_eq!(verified(&account.id).await, Some(account.created_at));
    assert_eq!(verified(&bob).await, None);
    assert_proved(&store).await;
}

#[tokio::test]
async fn nobody_gets_an_account_by_an_address_or_an_identity_that_another_has() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) = (member(&store, "a@example.com").await, member(&store, "b@example.com").await);
    let taken = store.create_account_by_identity(newcomer("A@example.com"), subject("eve")).await;
    assert_eq!(taken, Err(Error::EmailTaken));
    assert_eq!(store.use_identity(subject("eve")).await.unwrap(), None);

    store.link_identity(&ada, subject("ada")).await.unwrap();
    store.link_identity(&ada, subject("ada")).await.unwrap();
    assert_eq!(names(&store, &ada).await, ["ada"]);
    let stolen = store.link_identity(&bob, subject("ada")).await;
    assert_eq!(stolen, Err(Error::IdentityTaken));
    assert!(!store.unlink_identity(&bob, subject("ada"), None).await.unwrap(), "not Bob's");
    assert_eq!(names(&store, &ada).await, ["ada"]);
    for number in 1..10 {
        store.link_identity(&ada, subject(&number.to_string())).await.unwrap();
    }
    let more = store.link_identity(&ada, subject("eleventh")).await;
    assert_eq!(more, Err(Error::TooMany { what: "identities", most: 10 }));
}

#[tokio::test]
async fn the_last_way_in_stays() {
    let place = Place::new();
    let store = place.open().await;
    let new = newcomer("ada@example.com");
    let ada = store.create_account_by_identity(new, subject("ada")).await.unwrap().id;
    let last = store.unlink_identity(&ada, subject("ada"), Some(ISSUER)).await;
    assert_eq!(last, Err(Error::LastWayIn));
    // An identity of a provider that is no longer configured can't be used to sign in.
    let former = Subject { issuer: "https://former.example".into(), ..subject("ada") };
    store.link_identity(&ada, former.clone()).await.unwrap();
    let last = store.unlink_identity(&ada, subject("ada"), Some(ISSUER)).await;
    assert_eq!(last, Err(Error::LastWayIn));
    assert!(store.unlink_identity(&ada, former, Some(ISSUER)).await.unwrap());
    store.change_password(&ada, "hash".into(), None).await.unwrap();
    assert!(store.unlink_identity(&ada, subject("ada"), Some(ISSUER)).await.unwrap());
    assert!(!store.unlink_identity(&ada, subject("ada"), Some(ISSUER)).await.unwrap());
}

#[tokio::test]
async fn a_deleted_account_leaves_its_identity_free() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.link_identity(&ada, subject("ada")).await.unwrap();
    assert_eq!(store.delete_account(&ada).await.unwrap(), Deletion::Gone);
    assert_eq!(store.use_identity(subject("ada")).await.unwrap(), None);
    let late = store.link_identity(&ada, subject("ada")).await;
    assert_eq!(late, Err(Error::AccountUnknown));
}
