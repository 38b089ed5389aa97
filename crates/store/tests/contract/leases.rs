//! Tests which process performs an open edit, which may take it over, and what the previous owner
//! may still do.

use std::collections::HashSet;

use retouch_core::{AccountId, EditId, Timestamp};
use retouch_store::{Adoption, CloseError, OpenEdit, OpenEditRow, Store, TaskRecord};

use crate::edits::{failure, failure_of, opened, stored_as, success};
use crate::place::{Place, START, assert_proved, credits, member};

async fn only(store: &Store) -> OpenEditRow {
    let [row] = store.list_open_edits().await.unwrap().try_into().unwrap();
    row
}

async fn owner(store: &Store, account: &AccountId, id: &EditId) -> Option<String> {
    store.find_open_edit(account, id).await.unwrap().map(|row| row.owner)
}

fn adoption(owner: &str, until: Timestamp) -> Adoption {
    Adoption { owner: owner.into(), until, blob: "attempt-2.png".into() }
}

#[tokio::test]
async fn open_edits_are_found_by_their_lease_after_a_crash() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let one = opened(&place, &store, &ada).await;
    let other = OpenEdit { owner: "process-2".into(), ..place.edit() };
    let two = other.id;
    store.open_edit(&ada, other).await.unwrap();
    let until = START.plus_ms(60_000);
    assert_eq!(store.renew_leases("process-1", until).await, Ok(HashSet::from([one])));
    assert_eq!(store.renew_leases("process-3", until).await, Ok(HashSet::new()));
    drop(store);
    let store = place.open().await;
    let open = store.list_open_edits().await.unwrap();
    let found: Vec<_> = open.iter().map(|edit| (edit.id, edit.lease_until)).collect();
    assert_eq!(found, [(two, START.plus_ms(30_000)), (one, until)]);
    assert_eq!((&open[0].account, open[0].price), (&ada, credits(6)));
    store.close_edit(&ada, &two, failure_of("process-2")).await.unwrap();
    store.close_edit(&ada, &one, success(6)).await.unwrap();
    assert!(store.list_open_edits().await.unwrap().is_empty());
    let none = store.renew_leases("process-1", until).await;
    assert_eq!(none, Ok(HashSet::new()), "it has ended");
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_open_edit_is_found_by_its_account_until_it_ends() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let bob = member(&store, "bob@example.com").await;
    let asked = OpenEdit { is_background: true, ..place.edit() };
    let background = asked.id;
    store.open_edit(&ada, asked).await.unwrap();
    let other = opened(&place, &store, &bob).await;
    let found = store.find_open_edit(&ada, &background).await.unwrap().unwrap();
    assert!(found.is_background && found.task.is_none());
    assert_eq!(store.find_open_edit(&bob, &background).await, Ok(None));
    let open = async |accounts: &[&AccountId]| {
        store.list_open_of(accounts.iter().map(|it| (*it).clone()).collect()).await.unwrap()
    };
    assert_eq!(open(&[&ada]).await, HashSet::from([background]));
    assert_eq!(open(&[&bob, &ada]).await, HashSet::from([background, other]));
    assert_eq!(open(&[]).await, HashSet::new());
    store.close_edit(&ada, &background, success(6)).await.unwrap();
    assert_eq!(store.find_open_edit(&ada, &background).await, Ok(None));
    assert_eq!(open(&[&ada, &bob]).await, HashSet::from([other]));
    store.close_edit(&bob, &other, failure()).await.unwrap();
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_edit_is_due_when_its_lease_has_ended_and_to_its_own_process_always() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let due = async |owner: &str, now_ms: i64| {
        let rows = store.list_due_edits(owner, START.plus_ms(now_ms), 30_000).await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(due("process-2", 29_999).await, []);
    assert_eq!(due("process-2", 30_000).await, [id]);
    assert_eq!(due("process-1", 0).await, [id]);
    assert!(!only(&store).await.is_left());
    store.leave_edits("process-2").await.unwrap();
    assert_eq!(due("process-2", 0).await, [], "it left its own edits and no others");
    store.leave_edits("process-1").await.unwrap();
    assert_eq!(due("process-2", 0).await, [id]);
    assert!(only(&store).await.is_left());
    store.close_edit(&ada, &id, success(6)).await.unwrap();
    assert_eq!(due("process-1", 0).await, []);
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_clock_that_goes_back_makes_no_lease_longer() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let due = async |now_ms: i64| {
        let at = START.plus_ms(now_ms);
        let rows = store.list_due_edits("process-2", at, 30_000).await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(due(0).await, [], "the lease is as long as leases are");
    assert_eq!(due(-1).await, [id], "it was given by a clock that was later");
    assert_eq!(due(-3_600_000).await, [id]);
}

#[tokio::test]
async fn an_edit_is_taken_over_once_and_then_belongs_to_whoever_took_it() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let row = only(&store).await;
    let until = START.plus_ms(90_000);
    assert_eq!(store.adopt_edit(&row, adoption("process-2", until)).await, Ok(true));
    let late = store.adopt_edit(&row, adoption("process-3", until)).await;
    assert_eq!(late, Ok(false), "it is another's now");
    assert_eq!(store.renew_leases("process-1", until).await, Ok(HashSet::new()));
    assert_eq!(store.renew_leases("process-2", until).await, Ok(HashSet::from([id])));
    let row = only(&store).await;
    assert_eq!((row.owner.as_str(), row.lease_until), ("process-2", until));
    assert_eq!(row.blob, "attempt-2.png");
    store.close_edit(&ada, &id, failure_of("process-2")).await.unwrap();
    assert_eq!(store.adopt_edit(&row, adoption("process-3", until)).await, Ok(false), "it ended");
    assert_proved(&store).await;
}

#[tokio::test]
async fn an_edit_whose_process_has_given_a_sign_of_life_is_not_taken_over() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    opened(&place, &store, &ada).await;
    let seen = only(&store).await;
    store.renew_leases("process-1", START.plus_ms(60_000)).await.unwrap();
    let until = START.plus_ms(90_000);
    assert_eq!(store.adopt_edit(&seen, adoption("process-2", until)).await, Ok(false));
    let seen = only(&store).await;
    assert_eq!((seen.owner.as_str(), seen.blob != "attempt-2.png"), ("process-1", true));
    assert_eq!(store.adopt_edit(&seen, adoption("process-2", until)).await, Ok(true));
}

#[tokio::test]
async fn an_edit_of_which_more_is_known_than_was_seen_is_not_taken_over() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let seen = only(&store).await;
    let owner = "process-1".to_owned();
    let task = TaskRecord { owner, provider: "vendor".into(), task: "{}".into() };
    store.record_task(&ada, &id, task).await.unwrap();
    // A process that trusted the outdated record would give up an edit that a provider is working
    // on.
    let until = START.plus_ms(90_000);
    assert_eq!(store.adopt_edit(&seen, adoption("process-2", until)).await, Ok(false));
    let seen = only(&store).await;
    assert_eq!(store.adopt_edit(&seen, adoption("process-2", until)).await, Ok(true));
}

#[tokio::test]
async fn whoever_has_lost_an_edit_records_nothing_and_fails_nothing() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    assert_eq!(owner(&store, &ada, &id).await.as_deref(), Some("process-1"));
    let seen = only(&store).await;
    store.adopt_edit(&seen, adoption("process-2", START.plus_ms(90_000))).await.unwrap();
    let task = |owner: &str| TaskRecord {
        owner: owner.into(),
        provider: format!("vendor of {owner}"),
        task: "{}".into(),
    };
    assert_eq!(store.record_task(&ada, &id, task("process-2")).await, Ok(true));
    assert_eq!(store.record_task(&ada, &id, task("process-1")).await, Ok(false));
    assert_eq!(only(&store).await.provider, "vendor of process-2");
    assert_eq!(store.close_edit(&ada, &id, failure()).await, Err(CloseError::Taken));
    assert_eq!(store.balance(&ada).await.unwrap().held, credits(6));
    assert_eq!(owner(&store, &ada, &id).await.as_deref(), Some("process-2"));
    store.close_edit(&ada, &id, failure_of("process-2")).await.unwrap();
    assert_eq!(owner(&store, &ada, &id).await, None, "it has ended");
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_result_is_charged_whoever_has_stored_it_and_its_name_is_the_edits() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let seen = only(&store).await;
    store.adopt_edit(&seen, adoption("process-2", START.plus_ms(90_000))).await.unwrap();
    let closed = store.close_edit(&ada, &id, stored_as(&seen.blob, 6)).await.unwrap().edit;
    assert_eq!((&closed.blob, &closed.stored), (&seen.blob, &vec![seen.blob.clone()]));
    assert_eq!(store.find_edit(&ada, &id).await.unwrap(), Some(closed.clone()));
    let late = store.close_edit(&ada, &id, stored_as("attempt-2.png", 6)).await;
    assert_eq!(late, Err(CloseError::Ended(Box::new(closed))));
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(9));
    assert_proved(&store).await;
}
