//! Tests emails and their links, on every database.

use retouch_core::{AccountId, Email, Timestamp};
use retouch_store::{
    Deletion, EmailKind, EmailMessage, Error, Keep, NewKey, NewPasskey, NewSession, Openers,
    PasswordReset, Pruned, Scopes, SignUpRequest, Store, Subject,
};

use crate::place::{HOUR_MS, Place, START, assert_proved, credits, key, member, session, together};

const DAY_MS: i64 = 24 * HOUR_MS;

/// A store that sends emails.
async fn open(place: &mut Place) -> Store {
    place.settings.emails_max = 3;
    place.open().await
}

fn email(text: &str) -> Email {
    text.parse().unwrap()
}

fn tomorrow() -> Timestamp {
    START.plus_ms(DAY_MS)
}

fn sign_up(address: &str, password: &str) -> SignUpRequest {
    SignUpRequest {
        email: email(address),
        password_hash: password.into(),
        browser_hash: [9; 32],
        expires_at: tomorrow(),
        invitation: None,
    }
}

/// A password that is set by the link with this token, which keeps nothing.
fn new_password(token_hash: [u8; 32], password: &str) -> PasswordReset {
    PasswordReset {
        token_hash,
        password_hash: password.into(),
        keep: Keep::default(),
        browser: [9; 32],
    }
}

/// The email that is due, begun with the token `token`, and accepted by the mail server.
async fn send(store: &Store, token: u8) -> EmailMessage {
    let email = store.take_email([token; 32]).await.unwrap().unwrap();
    store.email_sent(&email.id).await.unwrap();
    email
}

fn what(email: &EmailMessage) -> (EmailKind, &str) {
    (email.kind, email.to.as_str())
}

#[tokio::test]
async fn a_sign_up_becomes_an_account_once_its_link_is_followed() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    store.request_sign_up(sign_up("Ada@example.com", "first")).await.unwrap();
    store.request_sign_up(sign_up("ada@EXAMPLE.com", "second")).await.unwrap();
    assert_eq!(store.find_account_by_email(&email("ada@example.com")).await.unwrap(), None);
    assert_eq!(what(&send(&store, 1).await), (EmailKind::SignUp, "Ada@example.com"));
    assert_eq!(what(&send(&store, 2).await), (EmailKind::SignUp, "ada@EXAMPLE.com"));
    assert_eq!(store.take_email([3; 32]).await.unwrap(), None, "nothing else is due");
    for _ in 0..2 {
        let link = store.find_link(&[2; 32]).await.unwrap().unwrap();
        assert_eq!((link.kind, link.email.as_str()), (EmailKind::SignUp, "ada@EXAMPLE.com"));
        assert_eq!(link.password_hash.as_deref(), Some("second"));
        assert_eq!(link.browser_hash, Some([9; 32]));
    }
    let made = store.confirm_address([2; 32], credits(15)).await.unwrap();
    assert!(made.is_new);
    let balance = store.balance(&made.account.id).await.unwrap();
    assert_eq!(balance.available, credits(15));
    let (_, hash) = store.find_account_by_email(&made.account.email).await.unwrap().unwrap();
    assert_eq!(hash.as_deref(), Some("second"));
    for token in [1, 2, 7] {
        let again = store.confirm_address([token; 32], credits(15)).await;
        assert_eq!(again, Err(Error::LinkUnknown), "{token}");
        assert!(store.find_link(&[token; 32]).await.unwrap().is_none());
    }
    assert_proved(&store).await;
}

#[tokio::test]
async fn one_link_followed_by_many_at_once_makes_one_account() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    store.request_sign_up(sign_up("ada@example.com", "hash")).await.unwrap();
    send(&store, 1).await;
    let all = (0..16).map(|_| {
        let store = store.clone();
        async move { store.confirm_address([1; 32], credits(15)).await.is_ok() }
    });
    assert_eq!(together(all).await.into_iter().filter(|made| *made).count(), 1);
    assert_proved(&store).await;
}

#[tokio::test]
async fn whoever_has_an_account_is_told_so_at_the_address_that_is_known() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    // The Kelvin sign is a `k` in lower case. A careless mail server could deliver to another
    // mailbox.
    member(&store, "mike@example.com").await;
    store.request_sign_up(sign_up("mi\u{212a}e@example.com", "hash")).await.unwrap();
    assert_eq!(what(&send(&store, 1).await), (EmailKind::Taken, "mike@example.com"));
    assert!(store.find_link(&[1; 32]).await.unwrap().is_none(), "it has no link");
    store.request_reset(email("mi\u{212a}e@example.com"), tomorrow()).await.unwrap();
    assert_eq!(what(&send(&store, 2).await), (EmailKind::Reset, "mike@example.com"));
    assert_eq!(store.count_waiting_emails().await.unwrap(), 0);
}

#[tokio::test]
async fn a_password_is_reset_once_and_ends_all_sessions_and_other_links() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    let session = NewSession { expires_at: tomorrow(), ..session(5) };
    store.create_session(&ada, session).await.unwrap();
    store.request_reset(email("nobody@example.com"), tomorrow()).await.unwrap();
    assert_eq!(store.take_email([1; 32]).await.unwrap(), None, "nobody to write to");
    for token in [1, 2] {
        store.request_reset(email("ADA@example.com"), tomorrow()).await.unwrap();
        assert_eq!(what(&send(&store, token).await), (EmailKind::Reset, "ada@example.com"));
    }
    let wrong = store.confirm_address([1; 32], credits(15)).await;
    assert_eq!(wrong, Err(Error::LinkUnknown), "a link does what its email says");
    let account = store.reset_password(new_password([1; 32], "new")).await.unwrap();
    assert_eq!(account.id, ada);
    let (_, hash) = store.find_account_by_email(&account.email).await.unwrap().unwrap();
    assert_eq!(hash.as_deref(), Some("new"));
    assert!(store.find_session(&[5; 32]).await.unwrap().is_none());
    for token in [1, 2] {
        let again = store.reset_password(new_password([token; 32], "newer")).await;
        assert_eq!(again, Err(Error::LinkUnknown), "{token}");
    }
    assert_eq!(what(&send(&store, 3).await), (EmailKind::PasswordChanged, "ada@example.com"));
}

#[tokio::test]
async fn another_address_is_the_accounts_once_it_is_confirmed_and_the_old_one_is_told() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    store.request_reset(email("ada@example.com"), tomorrow()).await.unwrap();
    send(&store, 1).await;
    store.request_email_change(&ada, email("one@example.com"), tomorrow()).await.unwrap();
    store.request_email_change(&ada, email("two@example.com"), tomorrow()).await.unwrap();
    assert_eq!(store.find_pending_email(&ada).await.unwrap(), Some(email("two@example.com")));
    assert_eq!(what(&send(&store, 2).await), (EmailKind::Change, "two@example.com"));
    assert_eq!(store.take_email([3; 32]).await.unwrap(), None, "the first is taken back");
    assert!(store.find_account_by_email(&email("two@example.com")).await.unwrap().is_none());
    let changed = store.confirm_address([2; 32], credits(15)).await.unwrap();
    assert!(!changed.is_new);
    assert_eq!(
        (changed.account.id, changed.account.email),
        (ada.clone(), email("two@example.com"))
    );
    assert_eq!(store.find_pending_email(&ada).await.unwrap(), None);
    assert_eq!(what(&send(&store, 3).await), (EmailKind::EmailChanged, "ada@example.com"));
    let old = store.reset_password(new_password([1; 32], "new")).await;
    assert_eq!(old, Err(Error::LinkUnknown), "a link in the old mailbox opens nothing");
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(15), "granted once");
    let nobody = place.ids.account();
    let unknown = store.request_email_change(&nobody, email("x@example.com"), tomorrow()).await;
    assert_eq!(unknown, Err(Error::AccountUnknown));
}

#[tokio::test]
async fn an_address_that_another_account_has_is_told_and_stays_its_own() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    store.request_email_change(&ada, email("bob@example.com"), tomorrow()).await.unwrap();
    send(&store, 1).await;
    member(&store, "bob@example.com").await;
    let late = store.confirm_address([1; 32], credits(15)).await;
    assert_eq!(late, Err(Error::LinkUnknown), "taken since the email was sent");
    store.request_email_change(&ada, email("BOB@example.com"), tomorrow()).await.unwrap();
    assert_eq!(what(&send(&store, 2).await), (EmailKind::Taken, "bob@example.com"));
    assert!(store.find_link(&[2; 32]).await.unwrap().is_none());
}

#[tokio::test]
async fn a_changed_password_takes_links_back_and_is_told() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    store.request_email_change(&ada, email("evil@example.com"), tomorrow()).await.unwrap();
    send(&store, 1).await;
    store.change_password(&ada, "new".into(), None).await.unwrap();
    assert!(store.find_link(&[1; 32]).await.unwrap().is_none());
    assert_eq!(what(&send(&store, 2).await), (EmailKind::PasswordChanged, "ada@example.com"));
}

#[tokio::test]
async fn a_deleted_account_is_told_at_the_address_that_it_had() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    store.request_reset(email("ada@example.com"), tomorrow()).await.unwrap();
    send(&store, 1).await;
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    assert!(store.find_link(&[1; 32]).await.unwrap().is_none());
    assert_eq!(what(&send(&store, 2).await), (EmailKind::Deleted, "ada@example.com"));
    assert_eq!(store.take_email([3; 32]).await.unwrap(), None);
}

#[tokio::test]
async fn what_was_not_taken_is_due_again_later_and_later_with_another_link() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    store.request_sign_up(sign_up("ada@example.com", "hash")).await.unwrap();
    let first = store.take_email([1; 32]).await.unwrap().unwrap();
    for (token, minutes) in [(2, 1), (3, 2), (4, 4)] {
        place.clock.advance_ms(minutes * 60_000 - 1);
        assert_eq!(store.take_email([token; 32]).await.unwrap(), None);
        place.clock.advance_ms(1);
        let again = store.take_email([token; 32]).await.unwrap().unwrap();
        assert_eq!(again, first, "under the same name");
        assert!(store.find_link(&[token - 1; 32]).await.unwrap().is_none());
        assert!(store.find_link(&[token; 32]).await.unwrap().is_some());
    }
    assert_eq!(store.count_waiting_emails().await.unwrap(), 1);
    store.email_refused(&first.id).await.unwrap();
    assert_eq!(store.count_waiting_emails().await.unwrap(), 0);
    assert!(store.find_link(&[4; 32]).await.unwrap().is_none());
}

#[tokio::test]
async fn emails_and_links_end_with_their_time_and_are_cleared_away() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    for _ in 0..2 {
        store.request_sign_up(sign_up("ada@example.com", "hash")).await.unwrap();
    }
    send(&store, 1).await;
    place.clock.advance_ms(DAY_MS - 1);
    assert!(store.find_link(&[1; 32]).await.unwrap().is_some());
    assert_eq!(store.prune().await.unwrap().emails, 0);
    place.clock.advance_ms(1);
    assert!(store.find_link(&[1; 32]).await.unwrap().is_none());
    let late = store.confirm_address([1; 32], credits(15)).await;
    assert_eq!(late, Err(Error::LinkUnknown));
    assert_eq!(store.take_email([2; 32]).await.unwrap(), None, "too late to be sent");
    assert_eq!(store.prune().await, Ok(Pruned { emails: 1, ..Pruned::default() }));
}

#[tokio::test]
async fn no_more_emails_wait_than_may_and_what_they_would_tell_is_done_all_the_same() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    for _ in 0..3 {
        store.request_reset(email("ada@example.com"), tomorrow()).await.unwrap();
    }
    let full = Err(Error::EmailsFull { emails_max: 3 });
    assert_eq!(store.request_reset(email("ada@example.com"), tomorrow()).await, full);
    assert_eq!(store.request_sign_up(sign_up("bob@example.com", "hash")).await, full);
    assert_eq!(store.request_email_change(&ada, email("b@example.com"), tomorrow()).await, full);
    store.change_password(&ada, "new".into(), None).await.unwrap();
    assert_eq!(store.count_waiting_emails().await.unwrap(), 3);
}

#[tokio::test]
async fn where_no_mail_is_sent_nobody_is_told() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.change_password(&ada, "new".into(), None).await.unwrap();
    store.delete_account(&ada).await.unwrap();
    assert_eq!(store.count_waiting_emails().await.unwrap(), 0);
}

#[tokio::test]
async fn the_domain_of_deleted_accounts_is_nobodys() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    for address in ["x@deleted.invalid", "x@INVALID"] {
        let asked = sign_up(address, "hash");
        assert_eq!(store.request_sign_up(asked).await, Err(Error::EmailIsNobodys));
        let asked = store.request_email_change(&ada, email(address), tomorrow()).await;
        assert_eq!(asked, Err(Error::EmailIsNobodys));
        assert_eq!(store.change_email(&ada, email(address)).await, Err(Error::EmailIsNobodys));
        let new = retouch_store::NewAccount {
            email: email(address),
            password_hash: None,
            sign_up_credits: credits(15),
            invitation: None,
        };
        assert_eq!(store.create_account(new).await, Err(Error::EmailIsNobodys));
    }
}

#[tokio::test]
async fn a_reset_removes_what_was_added_before_the_address_was_confirmed_whatever_is_kept() {
    let mut place = Place::new();
    let store = open(&mut place).await;
    let ada = member(&store, "ada@example.com").await;
    open_by(&store, &ada, 1).await;
    let all = store.list_openers(&ada).await.unwrap();
    assert_eq!((all.older, all.passkeys.len(), all.keys.len()), (3, 0, 0), "never confirmed");
    let everything = Keep { passkeys: true, identities: true, keys: true };
    reset(&store, (1, 1), everything).await;
    assert_eq!(store.list_openers(&ada).await.unwrap(), Openers::default());
    assert!(store.find_key(&[1; 32]).await.unwrap().is_none());
    assert!(store.knows_browser(&email("ada@example.com"), &[1; 32]).await.unwrap());

    place.clock.advance_ms(1_000);
    open_by(&store, &ada, 2).await;
    let kept = store.list_openers(&ada).await.unwrap();
    assert_eq!(
        (kept.older, kept.passkeys.len(), kept.identities.len(), kept.keys.len()),
        (0, 1, 1, 1)
    );
    reset(&store, (2, 2), everything).await;
    assert_eq!(store.list_openers(&ada).await.unwrap(), kept, "its owner has kept it");
    assert!(!store.knows_browser(&email("ada@example.com"), &[1; 32]).await.unwrap());
    reset(&store, (3, 3), Keep::default()).await;
    assert_eq!(store.list_openers(&ada).await.unwrap(), Openers::default());
    assert!(store.find_key(&[2; 32]).await.unwrap().is_none());
}

/// Adds one of everything that gives access to an account.
async fn open_by(store: &Store, account: &AccountId, number: u8) {
    let passkey = NewPasskey {
        id: vec![number],
        name: "phone".into(),
        public_key: vec![1],
        sign_count: 0,
        may_back_up: false,
        is_backed_up: false,
    };
    store.create_passkey(account, passkey).await.unwrap();
    let (issuer, subject) = ("https://id.example.com".into(), number.to_string());
    store.link_identity(account, Subject { issuer, subject, email: None }).await.unwrap();
    let key = NewKey {
        name: "laptop".into(),
        start: "retouch_abcd".into(),
        scopes: Scopes::DEFAULT,
        ..key(number)
    };
    store.create_key(account, key).await.unwrap();
}

/// Resets Ada's password with a link that has the token `token`, in the browser `browser`.
async fn reset(store: &Store, (token, browser): (u8, u8), keep: Keep) {
    while let Some(notice) = store.take_email([0; 32]).await.unwrap() {
        store.email_sent(&notice.id).await.unwrap();
    }
    store.request_reset(email("ada@example.com"), tomorrow()).await.unwrap();
    send(store, token).await;
    store
        .reset_password(PasswordReset {
            keep,
            browser: [browser; 32],
            ..new_password([token; 32], "new")
        })
        .await
        .unwrap();
}
