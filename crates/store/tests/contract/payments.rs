//! Tests payments: each event counts once, in any order, and the bookings match the money.

use retouch_core::billing::{
    Alarm, Facts, Invoice, Line, Payment, Period, Source, Status, Subscription,
};
use retouch_core::catalogue::UnusedCredits;
use retouch_core::credits::{Command, NewHold};
use retouch_core::{AccountId, Clock, Timestamp};
use retouch_store::{
    NewEvent, Notice, OpenEdit, OpenError, Opened, PauseReason, Received, Settled, Store,
};

use crate::place::{HOUR_MS, Place, START, assert_proved, credits, first, member};
use crate::plans::{asked, deed, plans};

pub(crate) fn event(id: &str) -> NewEvent {
    NewEvent {
        id: id.into(),
        kind: "invoice.paid".into(),
        object: "in_1".into(),
        created_at: START,
    }
}

/// A paid invoice for a month of Basic.
pub(crate) fn invoice(id: &str) -> Invoice {
    let line = Line {
        plan: plans()[0].clone(),
        amount: 990,
        discount: 0,
        is_month: true,
        price: 990,
        period: Period { from: START, to: START.plus_ms(30 * 24 * HOUR_MS) },
    };
    Invoice {
        id: id.into(),
        subscription: "sub_1".into(),
        finalized_at: START,
        paid: true,
        lines: vec![line],
        unknown_price: None,
        payments: vec![Payment { amount: 990, ..Payment::default() }],
        credited: 0,
    }
}

pub(crate) fn about(invoice: Invoice) -> Facts {
    Facts {
        seen_at: START,
        customer: Some("cus_ada".into()),
        invoice: Some(invoice),
        ..Facts::default()
    }
}

pub(crate) fn subscription(status: Status) -> Subscription {
    Subscription {
        id: "sub_1".into(),
        source: Source::Stripe,
        plan: "basic".into(),
        next_plan: None,
        status,
        anchor: START,
        periods: 0,
        paid_until: START.plus_ms(30 * 24 * HOUR_MS),
        cancel_at: None,
    }
}

async fn ada(store: &Store) -> AccountId {
    let ada = member(store, "ada@example.com").await;
    assert_eq!(store.keep_customer(&ada, "cus_ada".into()).await.unwrap(), "cus_ada");
    ada
}

async fn told(store: &Store, id: &str, facts: Facts) -> Settled {
    store.receive_event(event(id)).await.unwrap();
    store.settle_event(id, facts).await.unwrap()
}

/// The available credits and the debt.
async fn position(store: &Store, account: &AccountId) -> (i64, i64) {
    let balance = store.balance(account).await.unwrap();
    (balance.available.get(), balance.debt.get())
}

async fn available(store: &Store, account: &AccountId) -> i64 {
    store.balance(account).await.unwrap().available.get()
}

#[tokio::test]
async fn a_checkout_is_opened_by_one_process_at_a_time() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let take = async |account: &AccountId, taker: &str| {
        let until = place.clock.now().plus_ms(1_000);
        store.take_turn(account, taker, until).await.unwrap()
    };
    assert!(take(&ada, "one").await);
    assert!(!take(&ada, "two").await);
    assert!(take(&bob, "two").await, "another account's");
    store.end_turn(&ada, "two").await.unwrap();
    assert!(!take(&ada, "two").await, "nobody ends another one's turn");
    store.end_turn(&ada, "one").await.unwrap();
    assert!(take(&ada, "two").await);
    // A turn ends automatically.
    place.clock.advance_ms(1_000);
    assert!(take(&ada, "three").await);
    store.end_turn(&ada, "two").await.unwrap();
    assert!(!take(&ada, "four").await);
}

#[tokio::test]
async fn an_event_counts_once_and_survives_a_crash() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    assert_eq!(store.receive_event(event("evt_1")).await, Ok(Received::New));
    assert_eq!(store.receive_event(event("evt_1")).await, Ok(Received::Known));
    // The process stops between receiving and settling the event.
    drop(store);
    let store = place.open().await;
    let open = store.list_open_events().await.unwrap();
    assert_eq!(open.iter().map(|it| it.event.id.as_str()).collect::<Vec<_>>(), ["evt_1"]);
    let settled = store.settle_event("evt_1", about(invoice("in_1"))).await.unwrap();
    assert_eq!(settled.account, Some(account.clone()));
    assert_eq!(settled.outcome, "600 credits for in_1");
    for _ in 0..3 {
        let again = store.settle_event("evt_1", about(invoice("in_1"))).await.unwrap();
        assert_eq!(again.outcome, "already settled");
        told(&store, "evt_2", about(invoice("in_1"))).await;
    }
    assert_eq!(store.receive_event(event("evt_1")).await, Ok(Received::Known));
    assert_eq!(store.list_open_events().await.unwrap(), []);
    assert_eq!(available(&store, &account).await, 615);
    assert_proved(&store).await;
}

#[tokio::test]
async fn what_cannot_be_settled_waits_and_the_operator_sees_why() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    for id in ["evt_1", "evt_2", "evt_3"] {
        store.receive_event(event(id)).await.unwrap();
        place.clock.advance_ms(1);
    }
    let until = START.plus_ms(HOUR_MS);
    store.postpone_event("evt_2", "no answer".into(), until).await.unwrap();
    let open = |store: Store| async move {
        let open = store.list_open_events().await.unwrap();
        open.into_iter().map(|it| it.event.id).collect::<Vec<_>>()
    };
    assert_eq!(open(store.clone()).await, ["evt_1", "evt_3"]);
    place.clock.set(until);
    assert_eq!(open(store.clone()).await, ["evt_1", "evt_2", "evt_3"]);
    store.settle_event("evt_1", about(invoice("in_1"))).await.unwrap();
    let (newest, older) = {
        let page = store.list_events(false, &first(2)).await.unwrap();
        let next = retouch_store::PageRequest { limit: 2, cursor: page.next_cursor };
        (page.data, store.list_events(false, &next).await.unwrap().data)
    };
    let shown = |row: &retouch_store::EventRecord| {
        (row.event.id.clone(), row.attempts, row.outcome.clone(), row.account.is_some())
    };
    assert_eq!(
        newest.iter().chain(&older).map(shown).collect::<Vec<_>>(),
        [
            ("evt_3".into(), 0, None, false),
            ("evt_2".into(), 1, Some("no answer".into()), false),
            ("evt_1".into(), 0, Some("600 credits for in_1".into()), true),
        ]
    );
    assert_eq!(available(&store, &account).await, 615);
}

#[tokio::test]
async fn what_was_settled_long_ago_is_cleared_away() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    told(&store, "evt_1", about(invoice("in_1"))).await;
    store.receive_event(event("evt_2")).await.unwrap();
    place.clock.advance_ms(399 * 24 * HOUR_MS);
    assert_eq!(store.prune().await.unwrap().payment_events, 0);
    place.clock.advance_ms(24 * HOUR_MS);
    assert_eq!(store.prune().await.unwrap().payment_events, 1, "what is open stays");
    // If the event is delivered again after all, its invoice has already been booked.
    let late = Facts { seen_at: START.plus_ms(400 * 24 * HOUR_MS), ..about(invoice("in_1")) };
    told(&store, "evt_1", late).await;
    assert_eq!(available(&store, &account).await, 615);
    assert_proved(&store).await;
}

#[tokio::test]
async fn whoever_is_not_ours_gets_nothing() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    let bob = member(&store, "bob@example.com").await;
    for customer in [None, Some("cus_stranger".to_owned())] {
        let settled = told(&store, "evt_1", Facts { customer, ..about(invoice("in_1")) }).await;
        assert_eq!(settled.account, None);
    }
    assert_eq!((available(&store, &account).await, available(&store, &bob).await), (15, 15));
    // The customer that was stored first is kept.
    assert_eq!(store.keep_customer(&account, "cus_2".into()).await.unwrap(), "cus_ada");
    assert_eq!(store.find_customer(&account).await.unwrap().as_deref(), Some("cus_ada"));
    assert_eq!(store.find_customer(&bob).await.unwrap(), None);
    let nobody = store.keep_customer(&place.ids.account(), "cus_3".into()).await;
    assert_eq!(nobody, Err(retouch_store::Error::AccountUnknown));
}

#[tokio::test]
async fn a_refund_of_spent_credits_leaves_a_debt_and_a_dispute_that_is_won_pays_it() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    let with = |refunded, disputed| Invoice {
        payments: vec![Payment { amount: 990, refunded, disputed }],
        ..invoice("in_1")
    };
    told(&store, "evt_1", about(with(0, 0))).await;
    let id = place.ids.edit();
    let hold = NewHold { id, credits: credits(500), key: None, description: "Edit".into() };
    store.ledger(&account, Command::Hold(hold)).await.unwrap();
    let capture = Command::Capture { hold: id, credits: credits(500) };
    store.ledger(&account, capture).await.unwrap();
    assert_eq!(position(&store, &account).await, (115, 0));
    let settled = told(&store, "evt_2", about(with(0, 990))).await;
    assert!(settled.outcome.starts_with("600 of 600 credits of in_1 taken back"), "{settled:?}");
    assert_eq!(position(&store, &account).await, (0, 485), "the sign-up's credits pay too");
    told(&store, "evt_3", about(with(0, 0))).await;
    assert_eq!(position(&store, &account).await, (115, 0));
    told(&store, "evt_4", about(with(990, 0))).await;
    assert_eq!(position(&store, &account).await, (0, 485));
    // The credits of the next invoice pay the debt first.
    let next = Invoice { finalized_at: START.plus_ms(1_000), ..invoice("in_2") };
    told(&store, "evt_5", about(next)).await;
    assert_eq!(position(&store, &account).await, (115, 0));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_debt_or_an_alarm_pauses_paid_providers_once_until_somebody_has_looked() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    let free = || OpenEdit { is_paid: false, ..place.edit() };
    let disputed = || Facts {
        alarms: vec![Alarm::Dispute("du_1".into()), Alarm::FraudWarning("issfr_1".into())],
        ..about(invoice("in_1"))
    };
    let settled = told(&store, "evt_1", disputed()).await;
    assert_eq!(settled.notice, Notice::Paused);
    let reasons = async || {
        let pauses = store.list_pauses(&account).await.unwrap();
        pauses.iter().map(|pause| pause.reason).collect::<Vec<_>>()
    };
    assert_eq!(reasons().await, [PauseReason::Dispute, PauseReason::FraudWarning]);
    assert_eq!(store.open_edit(&account, place.edit()).await, Err(OpenError::Paused));
    assert_eq!(store.open_edit(&account, free()).await, Ok(Opened::New));
    assert_eq!(store.lift_pauses(&account, deed()).await, Ok(true));
    assert_eq!(store.lift_pauses(&account, deed()).await, Ok(false));
    // If the same dispute is reported again, it has already been reviewed.
    assert_eq!(told(&store, "evt_2", disputed()).await.notice, Notice::Plain);
    assert_eq!(store.open_edit(&account, place.edit()).await, Ok(Opened::New));
    let id = place.ids.edit();
    let hold = NewHold { id, credits: credits(600), key: None, description: "Edit".into() };
    store.ledger(&account, Command::Hold(hold)).await.unwrap();
    store.ledger(&account, Command::Capture { hold: id, credits: credits(600) }).await.unwrap();
    let payments = vec![Payment { amount: 990, refunded: 990, disputed: 0 }];
    told(&store, "evt_3", about(Invoice { payments, ..invoice("in_1") })).await;
    assert_eq!(reasons().await, [PauseReason::Debt]);
    assert_eq!(store.open_edit(&account, place.edit()).await, Err(OpenError::Paused));
    assert_proved(&store).await;
}

/// Regression test: this sequence once brought 9,615 credits for 29.90 USD.
#[tokio::test]
async fn going_down_and_up_again_brings_nothing_in_whatever_order_it_is_heard() {
    let place = Place::new();
    let store = place.open().await;
    let line = |plan: usize, amount| Line {
        plan: plans()[plan].clone(),
        amount,
        discount: 0,
        is_month: false,
        price: [990, 1_990, 2_990][plan],
        period: Period { from: START, to: START.plus_ms(30 * 24 * HOUR_MS) },
    };
    let (up, down) = (vec![line(0, -990), line(2, 2_990)], vec![line(2, -2_990), line(0, 990)]);
    for (number, backwards) in [false, true].into_iter().enumerate() {
        let account = member(&store, &format!("{number}@example.com")).await;
        let customer = format!("cus_{number}");
        store.keep_customer(&account, customer.clone()).await.unwrap();
        let mut all: Vec<Facts> = (0..12_i64)
            .map(|at| {
                let lines = match at {
                    0 => vec![line(0, 990)],
                    at if at % 2 == 1 => up.clone(),
                    _ => down.clone(),
                };
                let finalized_at = START.plus_ms(at * 1_000);
                let payments = Vec::new();
                let id = format!("in_{number}_{at}");
                let it = Invoice { finalized_at, lines, payments, ..invoice(&id) };
                Facts { customer: Some(customer.clone()), ..about(it) }
            })
            .collect();
        if backwards {
            all.reverse();
        }
        for (at, facts) in all.into_iter().enumerate() {
            told(&store, &format!("evt_{number}_{at}"), facts).await;
        }
        assert_eq!(position(&store, &account).await, (15 + 2_100, 0), "{backwards}");
    }
    assert_proved(&store).await;
}

#[tokio::test]
async fn what_expired_unused_is_not_owed() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    let mut month = invoice("in_1");
    month.lines[0].plan.unused_credits = UnusedCredits::Expire;
    told(&store, "evt_1", about(month.clone())).await;
    place.clock.advance_ms(31 * 24 * HOUR_MS);
    assert_eq!(position(&store, &account).await, (15, 0));
    month.payments[0].refunded = 990;
    told(&store, "evt_2", about(month.clone())).await;
    assert_eq!(position(&store, &account).await, (15, 0));
    month.payments[0].refunded = 0;
    told(&store, "evt_3", about(month)).await;
    assert_eq!(position(&store, &account).await, (15, 0));
    assert_proved(&store).await;
}

#[tokio::test]
async fn what_was_seen_earlier_undoes_nothing() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    let seen = |status, late| Facts {
        seen_at: START.plus_ms(late),
        customer: Some("cus_ada".into()),
        subscription: Some(subscription(status)),
        invoice: Some(Invoice {
            payments: vec![Payment { amount: 990, refunded: 99 * late, disputed: 0 }],
            ..invoice("in_1")
        }),
        ..Facts::default()
    };
    told(&store, "evt_1", seen(Status::Active, 1)).await;
    told(&store, "evt_2", seen(Status::Ended, 10)).await;
    assert_eq!(available(&store, &account).await, 15);
    store.receive_event(event("evt_3")).await.unwrap();
    let late = store.settle_event("evt_3", seen(Status::Active, 5)).await;
    assert_eq!(late, Err(retouch_store::Error::SeenBefore));
    let open = store.list_open_events().await.unwrap();
    assert_eq!(open.len(), 1, "it is looked at again");
    assert_eq!(store.find_subscription(&account).await.unwrap(), None);
    assert_eq!(available(&store, &account).await, 15);
    assert_proved(&store).await;
}

#[tokio::test]
async fn whoever_pays_has_no_given_plan_beside_it() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    store.assign_plan(&account, asked("max"), deed()).await.unwrap();
    let facts = |status| Facts {
        seen_at: START,
        customer: Some("cus_ada".into()),
        subscription: Some(subscription(status)),
        ..Facts::default()
    };
    let settled = told(&store, "evt_1", facts(Status::Incomplete)).await;
    assert_eq!(settled.outcome, "sub_1 of plan basic is incomplete");
    let settled = told(&store, "evt_2", facts(Status::Active)).await;
    assert_eq!(
        settled.outcome,
        "sub_1 of plan basic is active; it replaces max, which the operator assigned"
    );
    let it = store.find_subscription(&account).await.unwrap().unwrap();
    assert_eq!((it.id.as_str(), it.source), ("sub_1", Source::Stripe));
    place.clock.advance_ms(100 * 24 * HOUR_MS);
    assert_eq!(store.grant_due(&plans(), None).await.unwrap().grants, 0);
    let refused = store.assign_plan(&account, asked("max"), deed()).await;
    assert!(matches!(refused, Err(retouch_store::Error::NotAssigned(_))));
    assert_eq!(available(&store, &account).await, 15 + 2_100);
    assert_proved(&store).await;
}

/// All permutations of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let grown = orders(last).into_iter().flat_map(|order| {
        (0..=last).map(move |place| {
            let mut order = order.clone();
            order.insert(place, last);
            order
        })
    });
    grown.collect()
}

/// Tries every order of the events of two months, each event twice: paid, paid again, partly
/// refunded, disputed. Each order uses an account of its own.
#[tokio::test]
async fn every_permutation_ends_in_the_same_balance() {
    let place = Place::new();
    let store = place.open().await;
    let refunded = Payment { amount: 990, refunded: 495, disputed: 0 };
    let disputed = Payment { amount: 990, refunded: 0, disputed: 990 };
    for (number, order) in orders(4).into_iter().enumerate() {
        let member = member(&store, &format!("{number}@example.com")).await;
        let customer = format!("cus_{number}");
        store.keep_customer(&member, customer.clone()).await.unwrap();
        let facts = |which: usize| {
            let named = |month, payments| Invoice {
                payments,
                subscription: format!("sub_{number}"),
                ..invoice(&format!("in_{number}_{month}"))
            };
            let its = Subscription {
                id: format!("sub_{number}"),
                cancel_at: Some(Timestamp(1)),
                ..subscription(Status::Ended)
            };
            // Whichever event causes the lookup, it finds the current state.
            let invoice = match which {
                0 | 1 => Some(named(1, vec![refunded])),
                2 => Some(named(2, vec![disputed])),
                _ => None,
            };
            let subscription = Some(its);
            let customer = Some(customer.clone());
            Facts { seen_at: START, customer, subscription, invoice, ..Facts::default() }
        };
        for which in &order {
            for _ in 0..2 {
                told(&store, &format!("evt_{number}_{which}"), facts(*which)).await;
            }
        }
        assert_eq!(position(&store, &member).await, (15 + 300, 0), "{order:?}");
        assert_eq!(store.find_subscription(&member).await.unwrap(), None);
    }
    assert_proved(&store).await;
}

/// Credits that an edit held when the payment was refunded are taken once the edit has failed.
#[tokio::test]
async fn what_was_held_when_the_money_went_back_is_taken_when_it_is_free() {
    let place = Place::new();
    let store = place.open().await;
    let account = ada(&store).await;
    told(&store, "evt_1", about(invoice("in_1"))).await;
    let id = place.ids.edit();
    let hold = NewHold { id, credits: credits(500), key: None, description: "Edit".into() };
    store.ledger(&account, Command::Hold(hold)).await.unwrap();
    let payments = vec![Payment { amount: 990, refunded: 990, disputed: 0 }];
    told(&store, "evt_2", about(Invoice { payments, ..invoice("in_1") })).await;
    assert_eq!(position(&store, &account).await, (0, 485), "it is held");
    store.ledger(&account, Command::Release { hold: id }).await.unwrap();
    assert_eq!(position(&store, &account).await, (15, 0));
    // A dispute that is finally won returns all of the credits.
    told(&store, "evt_3", about(invoice("in_1"))).await;
    assert_eq!(position(&store, &account).await, (615, 0));
    assert_proved(&store).await;
}
