//! Tests plans that the operator assigns: each month is granted once, however often and by
//! whichever process grants are checked.

use retouch_core::billing::{NotAssigned, Source, Status};
use retouch_core::catalogue::{Plan, UnusedCredits};
use retouch_core::{AccountId, Timestamp};
use retouch_store::{AssignPlan, Deed, DueGranted, Error, Store};

use crate::place::{Place, assert_proved, credits, first, member, together};

/// The plans of the shipped catalogue.
pub(crate) fn plans() -> Vec<Plan> {
    let plan = |id: &str, number, price: &str| Plan {
        id: id.into(),
        name: id.into(),
        credits_per_month: credits(number),
        price_usd: price.into(),
        unused_credits: UnusedCredits::Stay,
        results_kept_days: None,
        calls_per_minute: None,
        failures_per_minute: None,
        reads_per_minute: None,
        edits_at_once_max: None,
        videos_at_once_max: None,
    };
    vec![plan("basic", 600, "9.90"), plan("pro", 1_300, "19.90"), plan("max", 2_100, "29.90")]
}

pub(crate) fn asked(id: &str) -> AssignPlan {
    let plan = plans().into_iter().find(|plan| plan.id == id).unwrap();
    AssignPlan { plan, plans: plans() }
}

/// An action of the operator on the command line.
pub(crate) fn deed() -> Deed {
    Deed { by: None, reason: "a friend".into(), request_id: None }
}

async fn available(store: &Store, account: &AccountId) -> i64 {
    store.balance(account).await.unwrap().available.get()
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

#[tokio::test]
async fn months_are_granted_as_they_begin_and_after_a_long_sleep() {
    let place = Place::new();
    place.clock.set(at("2027-01-31T08:00:00Z"));
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    assert_eq!(store.find_subscription(&ada).await.unwrap(), None);
    let given = store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    assert_eq!(store.find_subscription(&ada).await.unwrap(), Some(given));
    assert_eq!(available(&store, &ada).await, 615);
    let entries = store.list_entries(&ada, &first(1)).await.unwrap().data;
    assert_eq!(entries[0].description, "basic: monthly credits (a friend)");
    place.clock.set(at("2027-02-28T07:59:59.999Z"));
    assert_eq!(store.grant_due(&plans(), None).await, Ok(DueGranted::default()));
    place.clock.set(at("2027-02-28T08:00:00Z"));
    let granted = store.grant_due(&plans(), None).await.unwrap();
    assert_eq!((granted.grants, granted.ended), (1, 0));
    assert_eq!(store.grant_due(&plans(), None).await, Ok(DueGranted::default()));
    // The service was down for three years.
    place.clock.set(at("2030-02-28T12:00:00Z"));
    let mut all = 0;
    loop {
        let granted = store.grant_due(&plans(), None).await.unwrap();
        all += granted.grants;
        if granted.moved == 0 {
            break;
        }
    }
    assert_eq!(all, 36);
    assert_eq!(available(&store, &ada).await, 15 + 38 * 600);
    let stands = store.find_subscription(&ada).await.unwrap().unwrap();
    assert_eq!(stands.paid_until, at("2030-03-31T08:00:00Z"));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_clock_that_goes_back_keeps_no_month_and_gives_none_twice() {
    let place = Place::new();
    place.clock.set(at("2027-01-31T08:00:00Z"));
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    place.clock.set(at("2031-01-31T08:00:00Z"));
    store.grant_due(&plans(), None).await.unwrap();
    place.clock.set(at("2030-12-31T08:00:00Z"));
    for _ in 0..9 {
        store.grant_due(&plans(), None).await.unwrap();
    }
    assert_eq!(store.grant_due(&plans(), None).await, Ok(DueGranted::default()));
    assert_eq!(available(&store, &ada).await, 15 + 48 * 600);
    assert_proved(&store).await;
}

#[tokio::test]
async fn many_who_look_at_once_grant_once() {
    let place = Place::new();
    let (store, other) = (place.open().await, place.open().await);
    let ada = member(&store, "ada@example.com").await;
    store.assign_plan(&ada, asked("pro"), deed()).await.unwrap();
    place.clock.advance_ms(65 * 24 * 3_600_000);
    let looking = (0..16).map(|turn| {
        let store = if turn % 2 == 0 { store.clone() } else { other.clone() };
        async move { store.grant_due(&plans(), None).await.unwrap().grants }
    });
    assert_eq!(together(looking).await.into_iter().sum::<usize>(), 2);
    assert_eq!(available(&other, &ada).await, 15 + 3 * 1_300);
    assert_proved(&store).await;
}

#[tokio::test]
async fn up_at_once_down_later_and_out_with_the_month() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    store.assign_plan(&ada, asked("max"), deed()).await.unwrap();
    assert_eq!(available(&store, &ada).await, 15 + 2_100);
    for _ in 0..3 {
        let down = store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
        assert_eq!(down.next_plan.as_deref(), Some("basic"));
        store.assign_plan(&ada, asked("max"), deed()).await.unwrap();
    }
    assert_eq!(available(&store, &ada).await, 15 + 2_100, "up and down brings nothing");
    store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    place.clock.advance_ms(31 * 24 * 3_600_000);
    // The due downgrade is granted first, then the requested plan is assigned.
    let kept = store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    assert_eq!((kept.plan.as_str(), kept.next_plan), ("basic", None));
    assert_eq!(available(&store, &ada).await, 15 + 2_100 + 600);
    let ending = store.cancel_plan(&ada, false, deed()).await.unwrap().unwrap();
    assert_eq!(ending.cancel_at, Some(ending.paid_until));
    place.clock.advance_ms(90 * 24 * 3_600_000);
    let granted = store.grant_due(&plans(), None).await.unwrap();
    assert_eq!((granted.grants, granted.ended), (0, 1));
    assert_eq!(store.find_subscription(&ada).await.unwrap(), None);
    assert_eq!(store.cancel_plan(&ada, true, deed()).await.unwrap(), None);
    let again = store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    assert_eq!((again.status, again.source), (Status::Active, Source::Operator));
    let over = store.cancel_plan(&ada, true, deed()).await.unwrap().unwrap();
    assert_eq!(over.status, Status::Ended);
    assert_eq!(available(&store, &ada).await, 15 + 2_100 + 600 + 600);
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_plan_is_given_to_somebody_and_is_one_that_is_sold() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let nobody = place.ids.account();
    assert_eq!(store.assign_plan(&nobody, asked("pro"), deed()).await, Err(Error::AccountUnknown));
    store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();
    assert_eq!(store.find_subscription(&bob).await.unwrap(), None);
    assert_eq!(store.cancel_plan(&bob, true, deed()).await.unwrap(), None);
    let gone = AssignPlan { plans: plans()[1..].to_vec(), ..asked("pro") };
    let refused = Error::NotAssigned(NotAssigned::PlanUnknown("basic".into()));
    assert_eq!(store.assign_plan(&ada, gone, deed()).await, Err(refused));
    place.clock.advance_ms(40 * 24 * 3_600_000);
    let waiting = store.grant_due(&plans()[1..], None).await.unwrap();
    assert_eq!((waiting.waiting, waiting.next), (1, None));
    assert_eq!(available(&store, &ada).await, 615);
    assert_proved(&store).await;
}

/// More subscriptions than one batch has a plan that left the catalogue. They must not keep an
/// account with another plan from getting its month.
#[tokio::test]
async fn plans_that_are_sold_no_more_keep_nobody_from_a_month() {
    let place = Place::new();
    let store = place.open().await;
    for number in 0..101 {
        let member = member(&store, &format!("{number}@example.com")).await;
        store.assign_plan(&member, asked("basic"), deed()).await.unwrap();
    }
    place.clock.advance_ms(1);
    let ada = member(&store, "ada@example.com").await;
    store.assign_plan(&ada, asked("pro"), deed()).await.unwrap();
    place.clock.advance_ms(40 * 24 * 3_600_000);
    let first = store.grant_due(&plans()[1..], None).await.unwrap();
    assert_eq!((first.waiting, first.grants), (100, 0));
    let second = store.grant_due(&plans()[1..], first.next).await.unwrap();
    assert_eq!((second.waiting, second.grants, second.next), (1, 1, None));
    assert_eq!(available(&store, &ada).await, 15 + 2 * 1_300);
    assert_proved(&store).await;
}
