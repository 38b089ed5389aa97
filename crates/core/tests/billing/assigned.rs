//! Tests plans that the operator assigns.

use std::sync::Arc;

use proptest::prelude::*;
use retouch_core::billing::{
    NotAssigned, Source, Status, Subscription, Turn, advance, assign, cancel,
};
use retouch_core::catalogue::{Plan, UnusedCredits};
use retouch_core::credits::{Book, Command};
use retouch_core::{Ids, SeededEntropy, SubscriptionId, TestClock, Timestamp};

use crate::{at, book, plans};

const DAY_MS: i64 = 24 * 3_600_000;

fn id() -> SubscriptionId {
    let clock = Arc::new(TestClock::new(Timestamp(0)));
    Ids::new(clock, Arc::new(SeededEntropy::new(7))).subscription()
}

fn named<'a>(plans: &'a [Plan], id: &str) -> &'a Plan {
    plans.iter().find(|plan| plan.id == id).unwrap()
}

fn granted(turn: &Turn) -> Vec<(i64, String)> {
    let grant = |command: &Command| match command {
        Command::Grant(grant) => (grant.credits.get(), grant.source_key.clone()),
        other => panic!("{other:?}"),
    };
    turn.commands.iter().map(grant).collect()
}

fn begun(plan: &str, now: &str) -> Subscription {
    let plans = plans(UnusedCredits::Stay);
    assign(None, (named(&plans, plan), &plans), &id(), at(now)).unwrap().subscription
}

fn changed(current: &Subscription, plan: &str, now: &str) -> Turn {
    let plans = plans(UnusedCredits::Stay);
    assign(Some(current), (named(&plans, plan), &plans), &id(), at(now)).unwrap()
}

fn book_all(books: &mut Book, turn: &Turn, now: Timestamp) {
    for command in &turn.commands {
        book(books, command, now);
    }
}

#[test]
fn each_month_is_granted_when_it_begins() {
    let plans = plans(UnusedCredits::Stay);
    let first = assign(None, (named(&plans, "basic"), &plans), &id(), at("2028-01-31T12:00:00Z"));
    let first = first.unwrap();
    assert_eq!(granted(&first), [(600, format!("plan:{}:0", id()))]);
    let it = first.subscription;
    assert_eq!(it.paid_until, at("2028-02-29T12:00:00Z"));
    assert_eq!(advance(&it, &plans, at("2028-02-29T11:59:59.999Z")), None);
    let second = advance(&it, &plans, at("2028-02-29T12:00:00Z")).unwrap();
    assert_eq!(granted(&second), [(600, format!("plan:{}:1", id()))]);
    assert_eq!(second.subscription.paid_until, at("2028-03-31T12:00:00Z"));
}

#[test]
fn a_better_plan_holds_at_once_and_a_lesser_one_later() {
    let it = begun("basic", "2027-01-15T00:00:00Z");
    let up = changed(&it, "pro", "2027-01-20T00:00:00Z");
    assert_eq!(granted(&up), [(700, format!("plan:{}:0:pro", id()))]);
    let down = changed(&up.subscription, "basic", "2027-01-21T00:00:00Z");
    assert_eq!(granted(&down), []);
    assert_eq!(
        (down.subscription.plan.as_str(), down.subscription.next_plan.as_deref()),
        ("pro", Some("basic"))
    );
    // An upgrade again grants nothing more for this month and nothing less for the next.
    let up = changed(&down.subscription, "pro", "2027-01-22T00:00:00Z");
    assert_eq!((granted(&up).len(), up.subscription.next_plan.as_deref()), (0, None));
    let next = advance(&down.subscription, &plans(UnusedCredits::Stay), at("2027-02-15T00:00:00Z"));
    let next = next.unwrap();
    assert_eq!(granted(&next), [(600, format!("plan:{}:1", id()))]);
    assert_eq!((next.subscription.plan.as_str(), next.subscription.next_plan), ("basic", None));
}

#[test]
fn an_end_waits_for_the_month_or_does_not() {
    let it = begun("max", "2027-01-15T00:00:00Z");
    let ending = cancel(&it, false, at("2027-01-20T00:00:00Z"));
    assert!(ending.is_live());
    assert_eq!(ending.cancel_at, Some(at("2027-02-15T00:00:00Z")));
    let over = advance(&ending, &plans(UnusedCredits::Stay), at("2027-06-01T00:00:00Z")).unwrap();
    assert_eq!((over.subscription.status, granted(&over).len()), (Status::Ended, 0));
    let kept = changed(&ending, "max", "2027-01-21T00:00:00Z").subscription;
    assert_eq!(kept, it);
    let now = at("2027-01-20T00:00:00Z");
    let at_once = cancel(&it, true, now);
    assert_eq!((at_once.status, at_once.cancel_at), (Status::Ended, Some(now)));
    assert_eq!(advance(&at_once, &plans(UnusedCredits::Stay), at("2028-01-01T00:00:00Z")), None);
}

#[test]
fn what_is_paid_for_is_not_touched() {
    let paid = Subscription { source: Source::Stripe, ..begun("basic", "2027-01-15T00:00:00Z") };
    let all = plans(UnusedCredits::Stay);
    let now = at("2029-01-01T00:00:00Z");
    let refused = assign(Some(&paid), (named(&all, "pro"), &all), &id(), now);
    assert_eq!(refused, Err(NotAssigned::IsPaidFor));
    assert_eq!(advance(&paid, &all, now), None);
    let over = Subscription { status: Status::Ended, ..paid };
    assert!(assign(Some(&over), (named(&all, "pro"), &all), &id(), now).is_ok());
}

#[test]
fn a_plan_that_is_no_longer_sold_waits_until_it_is() {
    let it = begun("basic", "2027-01-15T00:00:00Z");
    assert_eq!(advance(&it, &plans(UnusedCredits::Stay)[1..], at("2027-03-01T00:00:00Z")), None);
    let back = advance(&it, &plans(UnusedCredits::Stay), at("2027-03-20T00:00:00Z")).unwrap();
    assert_eq!(granted(&back).len(), 2);
}

#[test]
fn unused_credits_go_with_their_month_where_the_catalogue_says_so() {
    let all = plans(UnusedCredits::Expire);
    let mut books = Book::default();
    let begin = at("2027-01-15T00:00:00Z");
    let first = assign(None, (named(&all, "basic"), &all), &id(), begin).unwrap();
    book_all(&mut books, &first, begin);
    // Months that passed during downtime are not granted afterwards, because they are already
    // over.
    let late = at("2027-04-20T00:00:00Z");
    let turn = advance(&first.subscription, &all, late).unwrap();
    assert_eq!(granted(&turn), [(600, format!("plan:{}:3", id()))]);
    book_all(&mut books, &turn, late);
    assert_eq!((books.balance.available.get(), books.balance.expired.get()), (600, 600));
}

proptest! {
    /// However the clock jumps and however often subscriptions are updated, every month that has
    /// begun is granted exactly once.
    #[test]
    fn it_does_not_matter_when_it_is_looked_at(
        anchor in 1_700_000_000_000..2_000_000_000_000_i64,
        steps in prop::collection::vec(-20..90_i64, 1..40),
    ) {
        let all = plans(UnusedCredits::Stay);
        let begin = assign(None, (&all[0], &all), &id(), Timestamp(anchor)).unwrap();
        let (mut books, mut now, mut latest) = (Book::default(), anchor, anchor);
        let mut it = begin.subscription.clone();
        book_all(&mut books, &begin, Timestamp(now));
        for days in steps {
            now += days * DAY_MS;
            latest = latest.max(now);
            while let Some(turn) = advance(&it, &all, Timestamp(now)) {
                book_all(&mut books, &turn, Timestamp(now));
                it = turn.subscription;
            }
        }
        let months = (0..).take_while(|month| {
            retouch_core::billing::period(Timestamp(anchor), *month).unwrap().from.0 <= latest
        });
        let months = i64::try_from(months.count()).unwrap();
        prop_assert_eq!(books.balance.available.get(), 600 * months);
        prop_assert_eq!(i64::from(it.periods), months);
    }
}
