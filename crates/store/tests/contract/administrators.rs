//! Tests the administrator role, and what the operator does on the command line.

use retouch_core::AccountId;
use retouch_store::{AuditAct, Deletion, Error, NewAccount, Store};

use crate::administration::{administrator, by_operator, deed, log};
use crate::place::{HOUR_MS, Place, credits, first, key, member};

async fn administers(store: &Store, account: &AccountId) -> bool {
    store.is_administrator(account).await.unwrap()
}

#[tokio::test]
async fn administrators_make_others_and_the_last_one_stays() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    place.clock.advance_ms(1);
    let bob = member(&store, "bob@example.com").await;
    let by_ada = || deed(Some(&ada), "helps");
    let refused = store.dismiss_administrator(&ada, by_ada()).await;
    assert_eq!(refused, Err(Error::LastAdministrator));
    assert_eq!(store.dismiss_administrator(&bob, by_ada()).await, Ok(false), "he is none");
    assert_eq!(store.appoint_administrator(&bob, by_ada()).await, Ok(true));
    assert_eq!(store.appoint_administrator(&bob, by_ada()).await, Ok(false), "twice is once");
    let both: Vec<_> = store.list_administrators().await.unwrap();
    assert_eq!(both.iter().map(|it| &it.id).collect::<Vec<_>>(), [&ada, &bob]);
    assert_eq!(store.dismiss_administrator(&ada, deed(Some(&bob), "left")).await, Ok(true));
    assert!(!administers(&store, &ada).await && administers(&store, &bob).await);
    let refused = store.dismiss_administrator(&bob, by_operator()).await;
    assert_eq!(refused, Err(Error::LastAdministrator), "not on the command line either");
    let told = store.list_audit(None, &first(9)).await.unwrap().data;
    let told: Vec<_> = told.iter().map(|line| (line.act, line.actor.as_deref())).collect();
    assert_eq!(
        told,
        [
            (AuditAct::Dismiss, Some("bob@example.com")),
            (AuditAct::Appoint, Some("ada@example.com")),
            (AuditAct::Appoint, None),
        ]
    );
}

#[tokio::test]
async fn whoever_is_kept_out_is_not_made_administrator_and_does_not_count_as_one() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    let bob = administrator(&store, "bob@example.com").await;
    let eve = member(&store, "eve@example.com").await;
    let by_ada = || deed(Some(&ada), "x");
    store.suspend(&eve, by_ada()).await.unwrap();
    assert_eq!(store.appoint_administrator(&eve, by_ada()).await, Err(Error::Suspended));
    let nobody = store.appoint_administrator(&place.ids.account(), by_ada()).await;
    assert_eq!(nobody, Err(Error::AccountUnknown));
    store.suspend(&bob, by_ada()).await.unwrap();
    let refused = store.dismiss_administrator(&ada, by_ada()).await;
    assert_eq!(refused, Err(Error::LastAdministrator));
    // No administrator is left who could reinstate him, so the operator's link creates the next
    // one.
    assert_eq!(store.create_admin_link([1; 32]).await, Ok(None));
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    assert!(store.create_admin_link([1; 32]).await.unwrap().is_some());
}

#[tokio::test]
async fn whoever_administers_no_more_does_nothing_that_had_begun_before() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    let bob = administrator(&store, "bob@example.com").await;
    store.suspend(&bob, deed(Some(&ada), "lost a laptop")).await.unwrap();
    let late = || deed(Some(&bob), "too late");
    let refused = || Err(Error::NotAdministrator);
    assert_eq!(store.suspend(&ada, late()).await.map(drop), refused());
    assert_eq!(store.lift_suspension(&bob, late()).await.map(drop), refused());
    assert_eq!(store.sign_out_everywhere(&ada, late()).await.map(drop), refused());
    assert_eq!(store.appoint_administrator(&bob, late()).await.map(drop), refused());
    assert_eq!(store.dismiss_administrator(&ada, late()).await.map(drop), refused());
    assert_eq!(store.note_act(AuditAct::ProveBooks, late()).await, refused());
    assert_eq!(store.note_look(None, late()).await, refused());
    assert_eq!(log(&store).await.len(), 1, "the suspension alone");
}

#[tokio::test]
async fn a_look_is_written_down_once_an_hour() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    let bob = administrator(&store, "bob@example.com").await;
    let look = async |by: &AccountId, subject: Option<&AccountId>| {
        store.note_look(subject, deed(Some(by), "")).await.unwrap();
    };
    for _ in 0..3 {
        look(&ada, None).await;
        look(&ada, Some(&bob)).await;
    }
    assert_eq!(log(&store).await.len(), 2, "of all, and of one");
    look(&bob, None).await;
    assert_eq!(log(&store).await.len(), 3, "somebody else");
    place.clock.advance_ms(HOUR_MS - 1);
    look(&ada, None).await;
    assert_eq!(log(&store).await.len(), 3);
    place.clock.advance_ms(1);
    look(&ada, None).await;
    let log = log(&store).await;
    assert_eq!((log.len(), log[1].act), (4, AuditAct::Look));
    assert_eq!(log[1].subject_email.as_deref(), Some("bob@example.com"));
}

#[tokio::test]
async fn what_the_operator_does_on_the_command_line_is_written_down() {
    let place = Place::new();
    let store = place.open().await;
    let new = || NewAccount {
        email: "ada@example.com".parse().unwrap(),
        password_hash: None,
        sign_up_credits: credits(15),
        invitation: None,
    };
    let ada = store.create_account_as(new(), by_operator()).await.unwrap().id;
    assert_eq!(store.create_account_as(new(), by_operator()).await, Err(Error::EmailTaken));
    store.set_password_as(&ada, "hash".into(), by_operator()).await.unwrap();
    let nobody = store.set_password_as(&place.ids.account(), "x".into(), by_operator()).await;
    assert_eq!(nobody, Err(Error::AccountUnknown));
    let key = store.create_key_as(&ada, key(1), by_operator()).await.unwrap().id;
    for _ in 0..2 {
        assert!(store.revoke_key_as(&key, by_operator()).await.unwrap(), "twice is once");
    }
    let log = log(&store).await;
    let told: Vec<_> = log.iter().map(|line| (line.act, line.subject.as_deref())).collect();
    let to_ada = [AuditAct::CreateAccount, AuditAct::SetPassword, AuditAct::CreateKey];
    let to_ada = to_ada.into_iter().chain([AuditAct::RevokeKey]);
    assert_eq!(told, to_ada.map(|act| (act, Some(ada.as_str()))).collect::<Vec<_>>());
    assert!(log.iter().all(|line| line.actor.is_none()));
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(15));
}
