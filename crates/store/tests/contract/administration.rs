//! Tests administration: the first administrator, actions on accounts, and the audit log.

use retouch_core::AccountId;
use retouch_core::credits::{BucketKind, Grant, TakeBack};
use retouch_store::{
    AnyEditFilter, AuditAct, AuditEntry, Claimed, Deed, EditStatus, Error, Granted, OpenEdit,
    OpenError, PageRequest, Store,
};

use crate::edits::{opened, success};
use crate::place::{
    HOUR_MS, Place, START, assert_proved, credits, first, key, member, member_with, session,
};

pub(crate) fn deed(by: Option<&AccountId>, reason: &str) -> Deed {
    Deed { by: by.cloned(), reason: reason.into(), request_id: Some("req_1".into()) }
}

/// An action of the operator on the command line.
pub(crate) fn by_operator() -> Deed {
    Deed { by: None, reason: "asked for".into(), request_id: None }
}

fn grant(source_key: &str) -> Grant {
    Grant {
        kind: BucketKind::Operator,
        credits: credits(100),
        source_key: source_key.into(),
        expires_at: None,
        priority: None,
        description: "sorry".into(),
    }
}

fn taken(number: u32, source_key: &str) -> TakeBack {
    TakeBack {
        credits: credits(number),
        source_key: source_key.into(),
        excused_max: None,
        only_from: None,
        description: "a mistake".into(),
    }
}

/// Creates an account that is an administrator.
pub(crate) async fn administrator(store: &Store, email: &str) -> AccountId {
    let account = member(store, email).await;
    store.appoint_administrator(&account, by_operator()).await.unwrap();
    account
}

/// The audit log, oldest first, without the appointments of administrators.
pub(crate) async fn log(store: &Store) -> Vec<AuditEntry> {
    let mut log = store.list_audit(None, &first(100)).await.unwrap().data;
    log.retain(|line| line.act != AuditAct::Appoint);
    log.reverse();
    log
}

/// The action, the address of its account, and the credits of each entry.
fn told(log: &[AuditEntry]) -> Vec<(AuditAct, Option<&str>, Option<i64>)> {
    log.iter()
        .map(|line| (line.act, line.subject_email.as_deref(), line.credits.map(|it| it.get())))
        .collect()
}

#[tokio::test]
async fn a_link_makes_one_administrator_and_is_used_up() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    assert!(!store.is_administrator(&ada).await.unwrap(), "the first visitor is nobody");
    store.create_admin_link([1; 32]).await.unwrap().unwrap();
    let until = store.create_admin_link([2; 32]).await.unwrap();
    assert_eq!(until, Some(START.plus_ms(HOUR_MS / 2)));
    assert!(!store.admin_link_is_open(&[1; 32]).await.unwrap(), "a new link ends the old one");
    assert!(store.admin_link_is_open(&[2; 32]).await.unwrap());
    let claim = async |account, token| {
        store.claim_administration(account, [token; 32], Some("req_1".into())).await.unwrap()
    };
    assert_eq!(claim(&bob, 1).await, Claimed::Refused);
    assert_eq!(claim(&ada, 2).await, Claimed::New);
    assert_eq!(claim(&bob, 2).await, Claimed::Refused, "used");
    assert!(store.is_administrator(&ada).await.unwrap());
    assert!(!store.is_administrator(&bob).await.unwrap());
    assert_eq!(store.create_admin_link([3; 32]).await.unwrap(), None, "there is one");
    let log = log(&store).await;
    assert_eq!(told(&log), [(AuditAct::Claim, Some("ada@example.com"), None)]);
    assert_eq!(log[0].actor.as_deref(), Some("ada@example.com"));
    assert_eq!((log[0].request_id.as_deref(), log[0].at), (Some("req_1"), START));
}

#[tokio::test]
async fn a_link_can_be_used_for_half_an_hour() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.create_admin_link([1; 32]).await.unwrap();
    place.clock.advance_ms(HOUR_MS / 2 - 1);
    assert!(store.admin_link_is_open(&[1; 32]).await.unwrap());
    place.clock.advance_ms(1);
    assert!(!store.admin_link_is_open(&[1; 32]).await.unwrap());
    let claimed = store.claim_administration(&ada, [1; 32], None).await.unwrap();
    assert_eq!(claimed, Claimed::Refused);
    assert!(log(&store).await.is_empty(), "what was not done is not in the log");
}

#[tokio::test]
async fn credits_are_given_and_taken_once_and_written_down_once() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    let bob = member(&store, "bob@example.com").await;
    let by = deed(Some(&ada), "sorry");
    let given = store.grant_as(&bob, grant("form:1"), by.clone()).await.unwrap();
    assert!(matches!(given, Granted::New(balance) if balance.available == credits(115)));
    let again = store.grant_as(&bob, grant("form:1"), by.clone()).await.unwrap();
    assert_eq!(again, Granted::Already);
    let more = store.take_back_as(&bob, taken(1_000, "form:2"), by.clone()).await.unwrap();
    assert!(matches!(more, Granted::New(balance) if balance.available == credits(0)));
    let again = store.take_back_as(&bob, taken(1_000, "form:2"), by.clone()).await.unwrap();
    assert_eq!(again, Granted::Already);
    let nobody = store.grant_as(&place.ids.account(), grant("form:3"), by).await;
    assert_eq!(nobody, Err(Error::AccountUnknown));
    let all = log(&store).await;
    let bobs = Some("bob@example.com");
    assert_eq!(
        told(&all),
        [(AuditAct::Grant, bobs, Some(100)), (AuditAct::TakeBack, bobs, Some(115))],
        "what was really taken"
    );
    let of_ada = store.list_audit(Some(&ada), &first(9)).await.unwrap().data;
    assert!(of_ada.iter().all(|line| line.act == AuditAct::Appoint), "{of_ada:?}");
    assert_eq!(store.list_audit(Some(&bob), &first(9)).await.unwrap().data.len(), 2);
    assert_proved(&store).await;
}

#[tokio::test]
async fn many_clicks_at_once_give_once() {
    let place = Place::new();
    let store = place.open().await;
    let bob = member(&store, "bob@example.com").await;
    let clicks = (0..32).map(|_| {
        let (store, bob) = (store.clone(), bob.clone());
        async move { store.grant_as(&bob, grant("form:1"), deed(None, "sorry")).await.unwrap() }
    });
    let given = crate::place::together(clicks).await;
    assert_eq!(given.iter().filter(|one| matches!(one, Granted::New(_))).count(), 1);
    assert_eq!(store.balance(&bob).await.unwrap().available, credits(115));
    assert_eq!(log(&store).await.len(), 1);
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_suspended_account_is_out_at_once_and_its_running_edits_are_finished() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    let bob = member(&store, "bob@example.com").await;
    store.create_session(&bob, session(7)).await.unwrap();
    store.create_key(&bob, key(1)).await.unwrap();
    let running = opened(&place, &store, &bob).await;
    let by = || deed(Some(&ada), "spam");
    assert!(store.suspend(&bob, by()).await.unwrap());
    assert!(!store.suspend(&bob, by()).await.unwrap(), "twice is once");
    assert_eq!(store.find_session(&[7; 32]).await.unwrap(), None);
    assert_eq!(store.find_key(&[1; 32]).await.unwrap(), None);
    assert_eq!(store.create_session(&bob, session(7)).await, Err(Error::Suspended));
    store.close_edit(&bob, &running, success(6)).await.unwrap();
    assert_eq!(store.balance(&bob).await.unwrap().available, credits(9), "and is paid for");

    assert!(store.lift_suspension(&bob, by()).await.unwrap());
    assert!(!store.lift_suspension(&bob, by()).await.unwrap());
    assert_eq!(store.find_session(&[7; 32]).await.unwrap(), None, "it signs in anew");
    assert!(store.find_key(&[1; 32]).await.unwrap().is_some(), "keys work again");
    let acts: Vec<_> = log(&store).await.into_iter().map(|line| line.act).collect();
    assert_eq!(acts, [AuditAct::Suspend, AuditAct::Lift]);
    assert_proved(&store).await;
}

#[tokio::test]
async fn nothing_begins_for_an_account_that_was_suspended_after_the_call_was_let_in() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    let bob = member(&store, "bob@example.com").await;
    let key = store.create_key(&bob, key(1)).await.unwrap().id;
    store.suspend(&bob, deed(Some(&ada), "spam")).await.unwrap();
    for key in [None, Some(key)] {
        let late = store.open_edit(&bob, OpenEdit { key, ..place.edit() }).await;
        assert_eq!(late, Err(OpenError::Store(Error::Suspended)));
    }
    assert_eq!(store.balance(&bob).await.unwrap().held, credits(0));
    assert_proved(&store).await;
}

#[tokio::test]
async fn nobody_suspends_the_own_account_or_one_that_is_not_there() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    assert_eq!(store.suspend(&ada, deed(Some(&ada), "oops")).await, Err(Error::OwnAccount));
    let nobody = place.ids.account();
    let by = || deed(Some(&ada), "x");
    assert_eq!(store.suspend(&nobody, by()).await, Err(Error::AccountUnknown));
    assert_eq!(store.lift_suspension(&nobody, by()).await, Err(Error::AccountUnknown));
    assert_eq!(store.sign_out_everywhere(&nobody, by()).await, Err(Error::AccountUnknown));
    assert!(log(&store).await.is_empty());
}

#[tokio::test]
async fn all_sessions_of_one_account_end_and_nobody_elses() {
    let place = Place::new();
    let store = place.open().await;
    let ada = administrator(&store, "ada@example.com").await;
    let bob = member(&store, "bob@example.com").await;
    for (account, token) in [(&ada, 1), (&bob, 2), (&bob, 3)] {
        store.create_session(account, session(token)).await.unwrap();
    }
    let user = store.find_user(&bob).await.unwrap().unwrap();
    assert_eq!((user.sessions, user.last_seen_at), (2, Some(START)));
    let ended = store.sign_out_everywhere(&bob, deed(Some(&ada), "lost a laptop")).await;
    assert_eq!(ended, Ok(2));
    assert_eq!(store.find_session(&[2; 32]).await.unwrap(), None);
    assert!(store.find_session(&[1; 32]).await.unwrap().is_some());
    assert_eq!(log(&store).await[0].reason, "lost a laptop");
}

#[tokio::test]
async fn users_are_found_by_a_part_of_their_address_page_by_page() {
    let place = Place::new();
    let store = place.open().await;
    for email in ["Ada@Example.com", "bob@example.com", "100%@x.org", "eve@x.org"] {
        place.clock.advance_ms(1);
        member(&store, email).await;
    }
    let found = async |words: &str| {
        let page = store.list_users(words, &first(10)).await.unwrap();
        page.data.iter().map(|user| user.account.email.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found("EXAMPLE").await, ["bob@example.com", "Ada@Example.com"]);
    assert_eq!(found(" ada ").await, ["Ada@Example.com"]);
    assert_eq!(found("%").await, ["100%@x.org"], "no pattern");
    assert_eq!(found("").await.len(), 4);
    let page = store.list_users("", &first(3)).await.unwrap();
    let next = PageRequest { limit: 3, cursor: page.next_cursor };
    let page = store.list_users("", &next).await.unwrap();
    assert_eq!((page.data.len(), page.next_cursor), (1, None));
    let user = &page.data[0];
    assert_eq!((user.available, user.is_administrator), (credits(15), false));
    assert_eq!(store.find_user(&place.ids.account()).await.unwrap(), None);
}

#[tokio::test]
async fn the_edits_of_all_are_listed_without_their_words() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 600).await;
    let bob = member(&store, "bob@example.com").await;
    let mut made = Vec::new();
    for account in [&ada, &bob, &ada] {
        place.clock.advance_ms(1);
        made.push(opened(&place, &store, account).await);
    }
    store.close_edit(&ada, &made[0], success(6)).await.unwrap();
    store.close_edit(&bob, &made[1], crate::edits::failure()).await.unwrap();
    let found = async |filter: AnyEditFilter| {
        let page = store.list_all_edits(&filter, &first(10)).await.unwrap();
        page.data.iter().map(|edit| edit.id).collect::<Vec<_>>()
    };
    let all = || AnyEditFilter::default();
    assert_eq!(found(all()).await, [made[2], made[1], made[0]]);
    let with = |status| AnyEditFilter { status: Some(status), ..all() };
    assert_eq!(found(with(EditStatus::Failed)).await, [made[1]]);
    assert_eq!(found(with(EditStatus::Processing)).await, [made[2]]);
    assert_eq!(found(AnyEditFilter { account: Some(bob.clone()), ..all() }).await, [made[1]]);
    assert_eq!(found(AnyEditFilter { model: Some("none".into()), ..all() }).await, []);
    let built_in = AnyEditFilter { provider: Some("built-in".into()), ..all() };
    assert_eq!(found(built_in).await.len(), 3);
    let page = store.list_all_edits(&with(EditStatus::Failed), &first(1)).await.unwrap();
    let edit = &page.data[0];
    assert_eq!(edit.email.as_deref(), Some("bob@example.com"));
    assert_eq!(edit.instruction_chars, 12, "its length alone: make it grey");
    assert!(edit.failure_code.is_some());
    let user = store.find_user(&ada).await.unwrap().unwrap();
    assert_eq!(user.edits, [1, 0, 1]);
    store.close_edit(&ada, &made[2], success(6)).await.unwrap();
}

#[tokio::test]
async fn the_log_cannot_be_changed() {
    let place = Place::new();
    let store = place.open().await;
    store.note_act(AuditAct::ProveBooks, deed(None, "a doubt")).await.unwrap();
    for sql in ["UPDATE audit SET reason = 'none'", "DELETE FROM audit"] {
        let refused = place.database.execute(sql).unwrap_err();
        assert!(refused.contains("append-only"), "{refused}");
    }
    let log = log(&store).await;
    assert_eq!(
        (log[0].number, log[0].actor.as_deref(), log[0].act),
        (1, None, AuditAct::ProveBooks)
    );
}
