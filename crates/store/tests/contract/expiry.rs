//! Tests results that expire according to the plan of their account.

use std::collections::HashSet;

use retouch_core::AccountId;
use retouch_core::catalogue::{Catalogue, EMBEDDED, Retention};
use retouch_store::{Deleted, EditStatus, Error, Expired, ExpiryPlace, Opened, Store};

use crate::claims::stored;
use crate::database::TestDatabase;
use crate::place::{HOUR_MS, Place, START, assert_proved, member_with, together};
use crate::plans::{asked, deed, plans};

const DAY_MS: i64 = 24 * HOUR_MS;

/// Keeps results for these numbers of days, without a plan and with the plans basic, pro and max.
pub(crate) fn kept(without_plan: Option<u32>, plans: [Option<u32>; 3]) -> Retention {
    let mut catalogue = Catalogue::parse(EMBEDDED).unwrap();
    catalogue.results_kept_days = without_plan;
    for (plan, days) in catalogue.plans.iter_mut().zip(plans) {
        plan.results_kept_days = days;
    }
    catalogue.retention()
}

/// Creates an edit that is charged now. Returns the name of its blob.
async fn make(place: &Place, store: &Store, account: &AccountId) -> String {
    let edit = place.edit();
    assert_eq!(store.open_edit(account, edit.clone()).await, Ok(Opened::New));
    store.close_edit(account, &edit.id, stored(&edit.blob)).await.unwrap();
    edit.blob
}

/// Expires everything that is too old. Returns how many results.
async fn expire(store: &Store, retention: &Retention) -> usize {
    let (mut results, mut next) = (0, Some(ExpiryPlace::default()));
    while let Some(place) = next {
        let expired = store.expire_results(retention, &place).await.unwrap();
        assert!(expired.results <= 200, "in bounded pieces");
        results += expired.results;
        next = expired.next;
    }
    results
}

async fn to_remove(store: &Store) -> HashSet<String> {
    store.list_removals(0).await.unwrap().into_iter().map(|removal| removal.blob).collect()
}

#[tokio::test]
async fn a_result_goes_once_it_is_too_old_and_its_record_stays() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 100).await;
    let old = make(&place, &store, &ada).await;
    place.clock.advance_ms(DAY_MS);
    let young = make(&place, &store, &ada).await;
    let running = place.edit();
    assert_eq!(store.open_edit(&ada, running.clone()).await, Ok(Opened::New));
    let rules = kept(Some(30), [None; 3]);
    place.clock.advance_ms(29 * DAY_MS - 1);
    assert_eq!(expire(&store, &rules).await, 0);
    place.clock.advance_ms(1);
    let done = store.expire_results(&rules, &ExpiryPlace::default()).await;
    assert_eq!(done, Ok(Expired { results: 1, next: None, failed: Vec::new() }));
    assert_eq!(expire(&store, &rules).await, 0, "once");
    assert_eq!(to_remove(&store).await, HashSet::from([old.clone()]));
    let at = Some(START.plus_ms(30 * DAY_MS));
    assert_eq!(store.find_expiry(&old).await.unwrap(), at);
    assert_eq!(store.find_expiry(&young).await.unwrap(), None);

    let edits = store.list_edits(&ada, &Default::default(), &crate::place::first(9)).await.unwrap();
    let record = edits.data.iter().find(|edit| edit.blob == old).unwrap();
    assert_eq!((record.status, record.expired_at), (EditStatus::Succeeded, at));
    assert_eq!(record.stored, [] as [String; 0]);
    assert_eq!((record.cost.get(), record.instruction.as_str()), (6, "make it grey"));
    store.confirm_removal(&ada, &record.id).await.unwrap();
    assert_eq!(to_remove(&store).await, HashSet::new());
    assert_eq!(store.find_expiry(&old).await.unwrap(), at, "it is still known");
    let gone = store.delete_edit(&ada, &record.id).await.unwrap();
    assert_eq!(gone, Deleted::Gone { blobs: vec![old.clone()] });
    assert_eq!(store.find_expiry(&old).await.unwrap(), None, "its owner wanted it forgotten");
    store.close_edit(&ada, &running.id, stored(&running.blob)).await.unwrap();
    assert_eq!(expire(&store, &rules).await, 0, "it was made just now, whenever it was begun");
    assert_proved(&store).await;
}

#[tokio::test]
async fn the_plan_of_this_moment_says_how_long() {
    let place = Place::new();
    let store = place.open().await;
    let mut blobs = Vec::new();
    for plan in [None, Some("basic"), Some("pro"), Some("max")] {
        let email = format!("{}@example.com", plan.unwrap_or("nobody"));
        let account = member_with(&store, &email, 100).await;
        if let Some(plan) = plan {
            store.assign_plan(&account, asked(plan), deed()).await.unwrap();
        }
        blobs.push((make(&place, &store, &account).await, account));
    }
    // The plan max has no limit, so its results never expire.
    let rules = kept(Some(7), [Some(30), Some(90), None]);
    let of = |count: usize| blobs.iter().take(count).map(|(blob, _)| blob.clone()).collect();
    for (days, gone) in [(6, 0), (7, 1), (29, 1), (30, 2), (89, 2), (90, 3), (10_000, 3)] {
        place.clock.set(START.plus_ms(days * DAY_MS));
        expire(&store, &rules).await;
        assert_eq!(to_remove(&store).await, of(gone), "after {days} days");
    }
    assert_eq!(expire(&store, &kept(Some(7), [Some(30), Some(90), Some(10_001)])).await, 0);
    store.cancel_plan(&blobs[3].1, true, deed()).await.unwrap();
    assert_eq!(expire(&store, &rules).await, 0, "whoever comes back soon finds everything");
    place.clock.advance_ms(30 * DAY_MS - 1);
    assert_eq!(expire(&store, &rules).await, 0);
    place.clock.advance_ms(1);
    assert_eq!(expire(&store, &rules).await, 1, "without a plan any more");
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_plan_that_was_left_for_a_lesser_one_keeps_results_for_a_while() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 100).await;
    store.assign_plan(&ada, asked("max"), deed()).await.unwrap();
    make(&place, &store, &ada).await;
    let rules = kept(Some(7), [Some(7), Some(7), None]);
    place.clock.advance_ms(100 * DAY_MS);
    while store.grant_due(&plans(), None).await.unwrap().moved > 0 {}
    store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    assert_eq!(expire(&store, &rules).await, 0, "until the month ends it is the better one");
    while store.find_subscription(&ada).await.unwrap().unwrap().plan != "basic" {
        place.clock.advance_ms(DAY_MS);
        store.grant_due(&plans(), None).await.unwrap();
    }
    assert_eq!(expire(&store, &rules).await, 0, "it was left just now");
    place.clock.advance_ms(30 * DAY_MS - 1);
    assert_eq!((expire(&store, &rules).await, store.prune().await.unwrap().plans_left), (0, 0));
    place.clock.advance_ms(1);
    assert_eq!((expire(&store, &rules).await, store.prune().await.unwrap().plans_left), (1, 1));
    assert_proved(&store).await;
}

#[tokio::test]
async fn several_may_sweep_at_once_through_more_than_one_call_takes() {
    let place = Place::new();
    let store = place.open().await;
    let mut made = HashSet::new();
    for number in 0..120 {
        let account = member_with(&store, &format!("a{number}@example.com"), 2_000).await;
        let edits = if number == 60 { 250 } else { 1 };
        for _ in 0..edits {
            made.insert(make(&place, &store, &account).await);
        }
    }
    place.clock.advance_ms(31 * DAY_MS);
    let sweeps = (0..3).map(|_| {
        let store = store.clone();
        async move { expire(&store, &kept(Some(30), [None; 3])).await }
    });
    let results: usize = together(sweeps).await.into_iter().sum();
    assert_eq!(results, made.len(), "each went once");
    assert_eq!(to_remove(&store).await, made);
    assert_proved(&store).await;
}

/// SQL for a trigger that prevents results of this account from expiring.
fn stuck(database: &TestDatabase, account: &AccountId) -> String {
    match database {
        TestDatabase::Sqlite(_) => format!(
            "CREATE TRIGGER stuck BEFORE UPDATE OF expired_at ON edit
             WHEN NEW.account_id = '{account}' BEGIN SELECT RAISE(ABORT, 'stuck'); END"
        ),
        TestDatabase::Postgres(_) => format!(
            "CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$
                 BEGIN RAISE EXCEPTION 'stuck'; END $$;
             CREATE TRIGGER stuck BEFORE UPDATE OF expired_at ON edit
                 FOR EACH ROW WHEN (NEW.account_id = '{account}') EXECUTE FUNCTION stuck()"
        ),
    }
}

#[tokio::test]
async fn an_account_whose_results_cannot_go_keeps_none_of_the_others() {
    let place = Place::new();
    let store = place.open().await;
    let mut accounts = Vec::new();
    for name in ["ada", "bob", "cyd"] {
        accounts.push(member_with(&store, &format!("{name}@example.com"), 100).await);
    }
    accounts.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    let mut blobs = Vec::new();
    for account in &accounts {
        blobs.push(make(&place, &store, account).await);
    }
    place.clock.advance_ms(31 * DAY_MS);
    place.database.execute(&stuck(&place.database, &accounts[0])).unwrap();
    let rules = kept(Some(30), [None; 3]);
    let expired = store.expire_results(&rules, &ExpiryPlace::default()).await.unwrap();
    assert_eq!((expired.results, expired.next), (2, None));
    let [(account, error)] = expired.failed.as_slice() else { panic!("{:?}", expired.failed) };
    assert_eq!(account, &accounts[0]);
    assert!(matches!(error, Error::Database { .. }), "{error}");
    assert_eq!(to_remove(&store).await, blobs[1..].iter().cloned().collect());
}
