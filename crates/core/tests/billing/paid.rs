//! Tests paid plans: in whatever order events arrive, the credits are the same in the end.

use std::collections::BTreeMap;

use proptest::prelude::*;
use retouch_core::billing::{Claim, Invoice, Line, Pack, Payment, Period, Standing, Terms, dues};
use retouch_core::catalogue::UnusedCredits;
use retouch_core::credits::{Book, BucketKind, Command, NewHold};
use retouch_core::{Credits, EditId};

/// The terms of a plan whose credits do not expire.
const TERMS: Terms = Terms { expired: Credits::ZERO, expires_at: None, kind: BucketKind::Plan };
use uuid::Uuid;

use crate::{NOW, book, plans};

pub(crate) const PRICES: [i64; 3] = [990, 1_990, 2_990];

/// A line that charges `amount` for the plan with the number `plan`.
pub(crate) fn line(plan: usize, amount: i64) -> Line {
    Line {
        plan: plans(UnusedCredits::Stay)[plan].clone(),
        amount,
        discount: 0,
        is_month: amount == PRICES[plan],
        price: PRICES[plan],
        period: Period { from: NOW, to: NOW.plus_ms(1_000) },
    }
}

/// An invoice that was finalized `id` seconds after `NOW`.
pub(crate) fn invoice(id: usize, lines: Vec<Line>) -> Invoice {
    Invoice {
        id: format!("in_{id}"),
        subscription: "sub_1".to_owned(),
        finalized_at: NOW.plus_ms(i64::try_from(id).unwrap() * 1_000),
        paid: false,
        lines,
        unknown_price: None,
        payments: Vec::new(),
        credited: 0,
    }
}

/// What a store keeps for one customer.
#[derive(Default)]
pub(crate) struct Shelf {
    pub(crate) books: Book,
    claims: BTreeMap<String, Claim>,
    standings: BTreeMap<String, Standing>,
}

impl Shelf {
    /// Looks at `invoice` and books everything that follows from it.
    pub(crate) fn settle(&mut self, invoice: &Invoice) {
        if let Some(claim) = invoice.claim() {
            self.claims.insert(invoice.id.clone(), claim);
        }
        let claims = self.claims.iter().map(|(id, claim)| (id.as_str(), claim));
        let all: Vec<_> = dues(claims).into_iter().map(|(id, due)| (id.to_owned(), due)).collect();
        all.iter().for_each(|(id, due)| self.bring(id, *due));
    }

    /// Looks at `pack` and books everything that follows from it.
    pub(crate) fn settle_pack(&mut self, pack: &Pack) {
        self.bring(&pack.id, pack.due());
    }

    /// Books until `id` has brought exactly `due`.
    fn bring(&mut self, id: &str, due: Credits) {
        let standing = self.standings.entry(id.to_owned()).or_default();
        while let Some(settling) = standing.next(id, due, TERMS) {
            let taken = book(&mut self.books, &settling.command, NOW);
            *standing = standing.after(&settling, taken);
        }
    }

    /// Spends up to `credits` of the available credits. Returns how many were spent.
    pub(crate) fn spend(&mut self, edit: u128, credits: u32) -> i64 {
        let (id, credits) = (EditId(Uuid::from_u128(edit)), Credits::from(credits));
        let credits = credits.min(self.books.balance.available);
        let hold = NewHold { id, credits, key: None, description: String::new() };
        book(&mut self.books, &Command::Hold(hold), NOW);
        book(&mut self.books, &Command::Capture { hold: id, credits }, NOW);
        credits.get()
    }

    /// The available credits minus the debt.
    pub(crate) fn position(&self) -> i64 {
        self.books.balance.available.get() - self.books.balance.debt.get()
    }
}

#[test]
fn an_invoice_is_worth_what_it_charges() {
    let worth = |lines: Vec<Line>| {
        let paid = |id, lines| Invoice { paid: true, ..invoice(id, lines) }.claim().unwrap();
        let (before, it) = (paid(0, vec![line(0, 990)]), paid(1, lines));
        dues([("in_0", &before), ("in_1", &it)])["in_1"].get()
    };
    assert_eq!(worth(vec![line(0, 990)]), 600);
    assert_eq!(worth(vec![line(1, 1_990)]), 1_300);
    assert_eq!(worth(vec![line(2, 2_990)]), 2_100);
    assert_eq!(worth(vec![line(0, 1_980)]), 1_200, "two at once");
    assert_eq!(worth(vec![line(0, 0)]), 0, "a month of trial");
    assert_eq!(worth(vec![line(0, -495), line(2, 1_495)]), 750, "up in the middle of a month");
    assert_eq!(worth(vec![line(2, -1_495), line(0, 495)]), 0, "down in the middle of a month");
    assert_eq!(worth(vec![line(0, -330), line(2, 997), line(2, 2_990)]), 2_600);
    assert_eq!(worth(vec![line(0, i64::MAX), line(0, i64::MAX)]), 0, "no such money");
}

#[test]
fn what_is_spent_and_paid_back_is_owed() {
    let mut shelf = Shelf::default();
    let mut paid = invoice(1, vec![line(0, 990)]);
    shelf.settle(&paid);
    assert_eq!(shelf.books.balance.granted.get(), 0, "nothing before it is paid");
    paid.paid = true;
    paid.payments = vec![Payment { amount: 990, ..Payment::default() }];
    shelf.settle(&paid);
    assert_eq!(shelf.spend(1, 400), 400);
    let mut then = |payment: Payment| {
        paid.payments[0] = payment;
        shelf.settle(&paid);
        (shelf.books.balance.available.get(), shelf.books.balance.debt.get())
    };
    assert_eq!(then(Payment { amount: 990, refunded: 0, disputed: 990 }), (0, 400));
    // The dispute is won, but later half of the money is refunded.
    assert_eq!(then(Payment { amount: 990, refunded: 495, disputed: 0 }), (0, 100));
    assert_eq!(then(Payment { amount: 990, refunded: 330, disputed: 0 }), (0, 0));
    assert_eq!(then(Payment { amount: 990, refunded: 0, disputed: 0 }), (200, 0));
}

#[test]
fn a_debt_is_paid_from_whatever_comes_next() {
    let mut shelf = Shelf::default();
    let paid = |id| Invoice {
        paid: true,
        payments: vec![Payment { amount: 990, ..Payment::default() }],
        ..invoice(id, vec![line(0, 990)])
    };
    let mut first = paid(1);
    shelf.settle(&first);
    shelf.spend(1, 600);
    first.payments[0].disputed = 990;
    shelf.settle(&first);
    assert_eq!(shelf.position(), -600);
    shelf.settle(&paid(2));
    assert_eq!((shelf.position(), shelf.spend(2, 600)), (0, 0));
    shelf.settle(&paid(3));
    assert_eq!(shelf.position(), 600);
}

#[test]
fn its_own_credits_are_taken_back_first() {
    let mut shelf = Shelf::default();
    let paid = |id| Invoice {
        paid: true,
        payments: vec![Payment { amount: 990, ..Payment::default() }],
        ..invoice(id, vec![line(0, 990)])
    };
    // The ID `in_1` is a prefix of `in_11`.
    let (one, mut other) = (paid(11), paid(1));
    shelf.settle(&one);
    shelf.settle(&other);
    other.payments[0].refunded = 990;
    shelf.settle(&other);
    let left: Vec<_> = shelf.books.buckets.values().map(|it| it.remaining.get()).collect();
    assert_eq!(left, [600, 0]);
}

/// Regression test: this sequence once brought 9,615 credits for 29.90 USD.
#[test]
fn going_down_and_up_again_brings_nothing() {
    let mut shelf = Shelf::default();
    let first = vec![line(0, 990)];
    let mut all = vec![invoice(1, first), invoice(2, vec![line(0, -990), line(2, 2_990)])];
    for turn in 0..5 {
        all.push(invoice(3 + 2 * turn, vec![line(2, -2_990), line(0, 990)]));
        all.push(invoice(4 + 2 * turn, vec![line(0, -990), line(2, 2_990)]));
    }
    for it in &mut all {
        it.paid = true;
        shelf.settle(it);
    }
    assert_eq!(shelf.books.balance.granted.get(), 2_100, "what 29.90 pay for");
    // The same events in reverse order.
    let mut backwards = Shelf::default();
    all.iter().rev().for_each(|it| backwards.settle(it));
    assert_eq!(backwards.position(), 2_100);
}

#[test]
fn a_plan_that_is_given_up_and_bought_anew_brings_nothing_twice() {
    let mut shelf = Shelf::default();
    for (id, amount) in [(1, 2_990), (2, -2_990), (3, 2_990), (4, -1_495), (5, 2_990)] {
        let subscription = format!("sub_{id}");
        let it = Invoice { paid: true, subscription, ..invoice(id, vec![line(2, amount)]) };
        shelf.settle(&it);
    }
    assert_eq!(shelf.books.balance.granted.get(), 2_100 + 1_050);
}

#[test]
fn a_discount_counts_once_for_a_month() {
    let month = |id, plan: usize, percent| {
        let discount = PRICES[plan] * percent / 100;
        let line = Line { discount, ..line(plan, PRICES[plan]) };
        Invoice { paid: true, ..invoice(id, vec![line]) }
    };
    let mut shelf = Shelf::default();
    shelf.settle(&month(1, 0, 100));
    assert_eq!(shelf.position(), 600, "the operator gave it");
    // The plan is bought repeatedly in the same month, with a change in the middle of it.
    for id in 2..9 {
        shelf.settle(&month(id, 0, 100));
        let up = Line { discount: 2_000, ..line(2, 2_000) };
        shelf.settle(&Invoice { paid: true, ..invoice(20 + id, vec![up]) });
    }
    assert_eq!(shelf.position(), 600);
}

/// An event that can happen to one of a few invoices.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Paid(usize),
    Refunded(usize, i64),
    Disputed(usize),
    DisputeWon(usize),
}

impl Happening {
    fn invoice(self) -> usize {
        match self {
            Self::Paid(it) | Self::Refunded(it, _) | Self::Disputed(it) | Self::DisputeWon(it) => {
                it
            }
        }
    }

    fn happen(self, world: &mut [Invoice]) {
        let it = &mut world[self.invoice()];
        let amount = it.lines.iter().map(|line| line.amount).sum::<i64>().max(0);
        if let Self::Paid(_) = self {
            it.paid = true;
            if it.payments.is_empty() {
                it.payments.push(Payment { amount, ..Payment::default() });
            }
        }
        let Some(payment) = it.payments.first_mut() else { return };
        match self {
            Self::Paid(_) => {}
            Self::Refunded(_, percent) => {
                payment.refunded = payment.refunded.max(amount * percent / 100);
            }
            Self::Disputed(_) => payment.disputed = amount - payment.refunded,
            Self::DisputeWon(_) => payment.disputed = 0,
        }
    }
}

/// A sign-up, a renewal, an upgrade, a downgrade, and another renewal.
fn life() -> Vec<Invoice> {
    vec![
        invoice(0, vec![line(0, 990)]),
        invoice(1, vec![line(0, 990)]),
        invoice(2, vec![line(0, -495), line(2, 1_495)]),
        invoice(3, vec![line(2, -1_495), line(0, 495)]),
        invoice(4, vec![line(0, 990)]),
    ]
}

fn happening() -> impl Strategy<Value = Happening> {
    (0..5_usize, 0..5_u8, 1..=100_i64).prop_map(|(invoice, what, percent)| match what {
        0 | 1 => Happening::Paid(invoice),
        2 => Happening::Refunded(invoice, percent),
        3 => Happening::Disputed(invoice),
        _ => Happening::DisputeWon(invoice),
    })
}

/// The final position if every invoice is looked at once, at the end.
fn at_last(world: &[Invoice]) -> i64 {
    let mut shelf = Shelf::default();
    world.iter().for_each(|invoice| shelf.settle(invoice));
    shelf.position()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Every happening sends an event, and events arrive late, twice, in any order and between
    /// other happenings. Once all have arrived, the balance is the same as if every invoice had
    /// been looked at once, at the end.
    #[test]
    fn every_order_ends_in_the_same_balance(
        happenings in prop::collection::vec(happening(), 1..25),
        deliveries in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..60),
        last in any::<prop::sample::Index>(),
    ) {
        let mut world = life();
        let mut shelf = Shelf::default();
        let mut waiting: Vec<usize> = Vec::new();
        let mut happenings = happenings.into_iter();
        for (which, happen_first) in deliveries {
            if happen_first && let Some(it) = happenings.next() {
                it.happen(&mut world);
                // Events may be delivered twice.
                waiting.extend([it.invoice(); 2]);
            }
            if !waiting.is_empty() {
                let it = waiting.swap_remove(which.index(waiting.len()));
                shelf.settle(&world[it]);
            }
        }
        for it in happenings {
            it.happen(&mut world);
            waiting.push(it.invoice());
        }
        while !waiting.is_empty() {
            let it = waiting.swap_remove(last.index(waiting.len()));
            shelf.settle(&world[it]);
        }
        prop_assert_eq!(shelf.position(), at_last(&world));
    }
}

/// All permutations of `items`.
fn orders(items: Vec<Happening>) -> Vec<Vec<Happening>> {
    if items.len() < 2 {
        return vec![items];
    }
    let mut all = Vec::new();
    for first in 0..items.len() {
        let mut rest = items.clone();
        let chosen = rest.remove(first);
        for mut order in orders(rest) {
            order.insert(0, chosen);
            all.push(order);
        }
    }
    all
}

#[test]
fn every_permutation_of_a_life_ends_in_the_same_balance() {
    use Happening::{DisputeWon, Disputed, Paid, Refunded};
    let happened =
        vec![Paid(0), Paid(1), Paid(2), Disputed(0), DisputeWon(0), Refunded(1, 50), Paid(4)];
    let mut world = life();
    happened.iter().for_each(|it| it.happen(&mut world));
    assert_eq!(at_last(&world), 600 + 300 + 750 + 600);
    let all = orders(happened);
    assert_eq!(all.len(), 5_040);
    for order in all {
        let mut shelf = Shelf::default();
        for event in order {
            shelf.settle(&world[event.invoice()]);
        }
        assert_eq!(shelf.position(), at_last(&world));
    }
}
