//! Tests free credits (once per person, with a daily limit) and invitations.

use retouch_core::{Credits, Email};
use retouch_store::{
    Account, Deed, Error, FreeCredits, NewAccount, NewInvitation, SignUpRequest, Store, Subject,
};

use crate::place::{HOUR_MS, Place, START, assert_proved, credits, first, together};

const DAY_MS: i64 = 24 * HOUR_MS;

fn email(text: &str) -> Email {
    text.parse().unwrap()
}

fn newcomer(address: &str, invitation: Option<[u8; 32]>) -> NewAccount {
    let email = email(address);
    NewAccount { email, password_hash: None, sign_up_credits: credits(15), invitation }
}

fn subject(name: &str) -> Subject {
    Subject { issuer: "https://id.example".into(), subject: name.into(), email: None }
}

fn deed() -> Deed {
    Deed { by: None, reason: "a test".into(), request_id: None }
}

/// What happened to the free credits of an account, and its available credits.
async fn free(store: &Store, account: &Account) -> (Option<FreeCredits>, i64) {
    let available = store.balance(&account.id).await.unwrap().available.get();
    (store.find_free_credits(&account.id).await.unwrap(), available)
}

const GRANTED: (Option<FreeCredits>, i64) = (Some(FreeCredits::Granted), 15);
const HAD_BEFORE: (Option<FreeCredits>, i64) = (Some(FreeCredits::HadBefore), 0);

#[tokio::test]
async fn free_credits_are_granted_once_for_each_mailbox_whatever_becomes_of_the_account() {
    let place = Place::new();
    let store = place.open().await;
    let ada = store.create_account(newcomer("Ada@example.com", None)).await.unwrap();
    assert_eq!(free(&store, &ada).await, GRANTED);
    let tagged = store.create_account(newcomer("ada+1@example.com", None)).await.unwrap();
    assert_eq!(free(&store, &tagged).await, HAD_BEFORE);
    // An account that changes its address still belongs to the same person.
    store.change_email(&ada.id, email("lovelace@example.com")).await.unwrap();
    store.delete_account(&ada.id).await.unwrap();
    // The hashes stay the same after a restart, and no address is stored.
    store.close().await.unwrap();
    let store = place.open().await;
    for address in ["ada@example.com", "lovelace@example.com"] {
        let again = store.create_account_as(newcomer(address, None), deed()).await.unwrap();
        assert_eq!(free(&store, &again).await, HAD_BEFORE, "{address}");
    }
    let bob = store.create_account(newcomer("bob@example.com", None)).await.unwrap();
    assert_eq!(free(&store, &bob).await, GRANTED);
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_identity_and_an_address_are_one_person_once_they_have_met() {
    let place = Place::new();
    let store = place.open().await;
    let ada = newcomer("ada@example.com", None);
    let ada = store.create_account_by_identity(ada, subject("ada")).await.unwrap();
    assert_eq!(free(&store, &ada).await, GRANTED);
    store.link_identity(&ada.id, subject("work")).await.unwrap();
    store.delete_account(&ada.id).await.unwrap();
    for (address, name) in
        [("x@example.com", "ada"), ("y@example.com", "work"), ("ada@example.com", "z")]
    {
        let again = newcomer(address, None);
        let again = store.create_account_by_identity(again, subject(name)).await.unwrap();
        assert_eq!(free(&store, &again).await, HAD_BEFORE, "{address} as {name}");
    }
    // An account without free credits uses nothing up: an identity that it links still counts as
    // new.
    let poor = store.create_account(newcomer("ada+2@example.com", None)).await.unwrap();
    store.link_identity(&poor.id, subject("new")).await.unwrap();
    store.delete_account(&poor.id).await.unwrap();
    let eve = newcomer("eve@example.com", None);
    let eve = store.create_account_by_identity(eve, subject("new")).await.unwrap();
    assert_eq!(free(&store, &eve).await, GRANTED);
    assert_proved(&store).await;
}

#[tokio::test]
async fn all_sign_ups_of_a_day_share_a_bound() {
    let mut place = Place::new();
    place.settings.free_credits_per_day_max = Credits::from(65);
    let store = place.open().await;
    let made = together((0..10).map(|number| {
        let store = store.clone();
        let new = newcomer(&format!("user{number}@example.com"), None);
        async move {
            let made = store.create_account(new).await.unwrap();
            free(&store, &made).await
        }
    }))
    .await;
    let granted = made.iter().filter(|it| **it == GRANTED).count();
    let late = made.iter().filter(|it| **it == (Some(FreeCredits::DayFull), 0)).count();
    assert_eq!((granted, late), (4, 6));
    // The limit does not apply to accounts that the operator creates, and starts again the next
    // day.
    let boss = newcomer("boss@example.com", None);
    let boss = store.create_account_as(boss, deed()).await.unwrap();
    assert_eq!(free(&store, &boss).await, GRANTED);
    place.clock.advance_ms(DAY_MS);
    let next = store.create_account(newcomer("next@example.com", None)).await.unwrap();
    assert_eq!(free(&store, &next).await, GRANTED);
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_invitation_is_used_up_by_one_sign_up() {
    let place = Place::new();
    let store = place.open().await;
    let invite = async |hash, only: Option<&str>| {
        let expires_at = START.plus_ms(DAY_MS);
        let new = NewInvitation { token_hash: [hash; 32], email: only.map(email), expires_at };
        store.create_invitation(new, deed()).await
    };
    assert_eq!(invite(1, None).await, Ok(false), "no mail is sent");
    assert_eq!(invite(2, Some("ada@example.com")).await, Ok(false));
    let sign_up = async |address: &str, hash: u8| {
        store.create_account(newcomer(address, Some([hash; 32]))).await.map(drop)
    };
    let unusable = Err(Error::InvitationUnusable);
    assert_eq!(sign_up("eve@example.com", 2).await, unusable, "it is Ada's");
    assert_eq!(sign_up("eve@example.com", 9).await, unusable, "there is none");
    assert_eq!(sign_up("Ada@example.com", 2).await, Ok(()));
    assert_eq!(sign_up("eve@example.com", 1).await, Ok(()));
    assert_eq!(sign_up("bob@example.com", 1).await, unusable, "Eve has used it");
    assert_eq!(invite(3, Some("eve@example.com")).await, Err(Error::EmailTaken));
    let listed = store.list_invitations(&first(10)).await.unwrap().data;
    let mut users: Vec<_> = listed.iter().map(|it| it.used_by.as_deref()).collect();
    users.sort_unstable();
    assert_eq!(users, [Some("Ada@example.com"), Some("eve@example.com")]);
    assert_eq!(store.find_invitation(&[1; 32]).await, Ok(None), "it is used up");

    assert_eq!(invite(4, None).await, Ok(false));
    let open = store.find_invitation(&[4; 32]).await.unwrap().unwrap();
    assert_eq!(store.withdraw_invitation(&open.id, deed()).await, Ok(true));
    assert_eq!(store.withdraw_invitation(&open.id, deed()).await, Ok(false));
    assert_eq!(invite(5, None).await, Ok(false));
    place.clock.advance_ms(DAY_MS);
    assert_eq!(sign_up("bob@example.com", 5).await, unusable, "it is too late");
    place.clock.advance_ms(30 * DAY_MS);
    assert_eq!(store.prune().await.unwrap().invitations, 3);
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_emailed_invitation_has_a_link_of_its_own_and_waits_for_the_address() {
    let mut place = Place::new();
    place.settings.emails_max = 10;
    let store = place.open().await;
    let expires_at = START.plus_ms(DAY_MS);
    let invited =
        NewInvitation { token_hash: [1; 32], email: Some(email("ada@example.com")), expires_at };
    assert_eq!(store.create_invitation(invited, deed()).await, Ok(true));
    let sent = store.take_email([2; 32]).await.unwrap().unwrap();
    assert_eq!((sent.kind.as_str(), sent.to.as_str()), ("invitation", "ada@example.com"));
    store.email_sent(&sent.id).await.unwrap();
    for token in [1, 2] {
        assert!(store.find_invitation(&[token; 32]).await.unwrap().is_some(), "{token}");
    }
    let ask = |address: &str, invitation| SignUpRequest {
        email: email(address),
        password_hash: "hash".into(),
        browser_hash: [9; 32],
        expires_at,
        invitation: Some([invitation; 32]),
    };
    let refused = store.request_sign_up(ask("eve@example.com", 1)).await;
    assert_eq!(refused, Err(Error::InvitationUnusable));
    // Requesting a sign-up twice does not use up the invitation. Confirming the address does.
    for token in [3, 4] {
        store.request_sign_up(ask("ada@example.com", 2)).await.unwrap();
        store.take_email([token; 32]).await.unwrap().unwrap();
    }
    let made = store.confirm_address([3; 32], credits(15)).await.unwrap();
    assert_eq!(free(&store, &made.account).await, GRANTED);
    assert_eq!(store.find_invitation(&[2; 32]).await, Ok(None));
    assert_eq!(store.confirm_address([4; 32], credits(15)).await.err(), Some(Error::LinkUnknown));
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_end_user_has_one_name_at_providers_that_tells_nothing() {
    let place = Place::new();
    let store = place.open().await;
    let ada = store.create_account(newcomer("ada@example.com", None)).await.unwrap();
    let bob = store.create_account(newcomer("bob@example.com", None)).await.unwrap();
    let name = store.end_user(&ada.id).await.unwrap();
    assert_eq!((name.len(), store.end_user(&ada.id).await.unwrap() == name), (32, true));
    assert_ne!(store.end_user(&bob.id).await.unwrap(), name);
    store.close().await.unwrap();
    assert_eq!(place.open().await.end_user(&ada.id).await.unwrap(), name, "after a restart");
}
