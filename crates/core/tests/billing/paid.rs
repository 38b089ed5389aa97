//! Plans that are paid for: in whatever order one hears of what happened, the credits end alike.

use proptest::prelude::*;
use retouch_core::billing::{Invoice, Line, Payment, Period, Standing};
use retouch_core::catalogue::UnusedCredits;
use retouch_core::credits::{Book, Command, NewHold};
use retouch_core::{Credits, EditId, Timestamp};
use uuid::Uuid;

use crate::{book, plans};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const PRICES: [i64; 3] = [990, 1_990, 2_990];

/// A line for plan number `plan` that charges `amount`.
fn line(plan: usize, amount: i64) -> Line {
    let plan_row = plans(UnusedCredits::Stay)[plan].clone();
    let period = Period { from: NOW, to: NOW.plus_ms(1_000) };
    Line { plan: plan_row, amount, price: PRICES[plan], period }
}

fn invoice(id: usize, lines: Vec<Line>) -> Invoice {
    let subscription = "sub_1".to_owned();
    Invoice {
        id: format!("in_{id}"),
        subscription,
        paid: false,
        lines,
        unknown_price: None,
        payments: Vec::new(),
    }
}

/// Books what an invoice still asks for.
fn settle(books: &mut Book, standing: &mut Standing, invoice: &Invoice) {
    while let Some(settling) = standing.next(invoice) {
        let taken = book(books, &settling.command, NOW);
        *standing = standing.after(&settling, taken);
    }
}

#[test]
fn an_invoice_is_worth_what_it_charges() {
    let worth = |lines: Vec<Line>| invoice(1, lines).worth().get();
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
fn what_is_spent_is_not_taken_back() {
    let (mut books, mut standing) = (Book::default(), Standing::default());
    let mut paid = invoice(1, vec![line(0, 990)]);
    settle(&mut books, &mut standing, &paid);
    assert_eq!(books.balance.granted.get(), 0, "nothing before it is paid");
    paid.paid = true;
    paid.payments = vec![Payment { amount: 990, ..Payment::default() }];
    settle(&mut books, &mut standing, &paid);
    let id = EditId(Uuid::from_u128(1));
    let hold = NewHold { id, credits: Credits::from(400), key: None, description: String::new() };
    book(&mut books, &Command::Hold(hold), NOW);
    book(&mut books, &Command::Capture { hold: id, credits: Credits::from(400) }, NOW);
    paid.payments[0].disputed = 990;
    settle(&mut books, &mut standing, &paid);
    assert_eq!((books.balance.available.get(), books.balance.taken_back.get()), (0, 200));
    // The dispute is won, and half of the money is paid back after all.
    paid.payments[0] = Payment { amount: 990, refunded: 495, disputed: 0 };
    settle(&mut books, &mut standing, &paid);
    assert_eq!(books.balance.available.get(), 0, "300 are to be had, and were spent");
    paid.payments[0].refunded = 330;
    settle(&mut books, &mut standing, &paid);
    assert_eq!(books.balance.available.get(), 0, "of 200 the 200 are still asked for");
    paid.payments[0].refunded = 0;
    settle(&mut books, &mut standing, &paid);
    assert_eq!(books.balance.available.get(), 200, "what was taken comes back");
}

#[test]
fn only_its_own_credits_are_taken_back() {
    let mut books = Book::default();
    let (mut first, mut second) = (Standing::default(), Standing::default());
    let paid = |id| Invoice {
        paid: true,
        payments: vec![Payment { amount: 990, ..Payment::default() }],
        ..invoice(id, vec![line(0, 990)])
    };
    // in_1 and in_11: the one's name begins the other's.
    let (one, mut other) = (paid(11), paid(1));
    settle(&mut books, &mut first, &one);
    settle(&mut books, &mut second, &other);
    other.payments[0].refunded = 990;
    settle(&mut books, &mut second, &other);
    let left: Vec<_> = books.buckets.values().map(|bucket| bucket.remaining.get()).collect();
    assert_eq!(left, [600, 0]);
}

/// What can happen to one of a few invoices.
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

/// A sign-up, a renewal, a change up, a change down, a renewal after it.
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

/// What the world comes to for somebody who hears of everything at the end, once.
fn at_last(world: &[Invoice]) -> i64 {
    let mut books = Book::default();
    world.iter().for_each(|invoice| settle(&mut books, &mut Standing::default(), invoice));
    books.balance.available.get()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Things happen, each sends an event, and the events come late, twice, in any order, between
    /// other happenings: once all have come, the balance is that of hearing of everything at the
    /// end.
    #[test]
    fn every_order_ends_in_the_same_balance(
        happenings in prop::collection::vec(happening(), 1..25),
        deliveries in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..60),
        last in any::<prop::sample::Index>(),
    ) {
        let mut world = life();
        let mut books = Book::default();
        let mut standings = vec![Standing::default(); world.len()];
        let mut waiting: Vec<usize> = Vec::new();
        let mut happenings = happenings.into_iter();
        for (which, happen_first) in deliveries {
            if happen_first && let Some(it) = happenings.next() {
                it.happen(&mut world);
                // Twice, as may be.
                waiting.extend([it.invoice(); 2]);
            }
            if !waiting.is_empty() {
                let it = waiting.swap_remove(which.index(waiting.len()));
                settle(&mut books, &mut standings[it], &world[it]);
            }
        }
        for it in happenings {
            it.happen(&mut world);
            waiting.push(it.invoice());
        }
        while !waiting.is_empty() {
            let it = waiting.swap_remove(last.index(waiting.len()));
            settle(&mut books, &mut standings[it], &world[it]);
        }
        prop_assert_eq!(books.balance.available.get(), at_last(&world));
    }
}

/// All orders of `items`.
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
        let mut books = Book::default();
        let mut standings = vec![Standing::default(); world.len()];
        for event in order {
            settle(&mut books, &mut standings[event.invoice()], &world[event.invoice()]);
        }
        assert_eq!(books.balance.available.get(), at_last(&world));
    }
}
