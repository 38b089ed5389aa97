//! Tests random customer histories against a model of the payment provider: no sequence of changes
//! brings more credits than were paid for, in whatever order events arrive.

use proptest::prelude::*;
use retouch_core::Credits;
use retouch_core::billing::{Invoice, Line, Pack, Payment, Period};
use retouch_core::catalogue::UnusedCredits;

use crate::paid::{PRICES, Shelf, invoice, line};
use crate::{NOW, plans};

/// The length of a month in this test, in days.
const DAYS: i64 = 30;
const DAY_MS: i64 = 24 * 3_600_000;
/// The monthly credits of the plans with the numbers 0, 1 and 2.
const CREDITS: [i64; 3] = [600, 1_300, 2_100];
/// Packs of credits and their prices. Credits of the best plan are cheaper.
const PACKS: [(u32, i64); 2] = [(300, 490), (1_750, 2_500)];

/// An action by the customer, their bank or the operator, or the passing of time.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Subscribe(usize),
    Change(usize, i64),
    CancelWithMoneyBack,
    Days(i64),
    Decline(bool),
    PayLate,
    Refund(usize, i64),
    RefundFails(usize),
    Dispute(usize),
    DisputeEnds(usize, bool),
    CreditNote(usize),
    BuyPack(usize),
    RefundPack(usize, i64),
    DisputePack(usize, bool),
    Spend(u32),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => (0..3_usize).prop_map(Deed::Subscribe),
        8 => (0..3_usize, 1..3_i64).prop_map(|(plan, number)| Deed::Change(plan, number)),
        3 => Just(Deed::CancelWithMoneyBack),
        4 => (0..40_i64).prop_map(Deed::Days),
        2 => any::<bool>().prop_map(Deed::Decline),
        2 => Just(Deed::PayLate),
        2 => (0..20_usize, 1..101_i64).prop_map(|(which, percent)| Deed::Refund(which, percent)),
        1 => (0..20_usize).prop_map(Deed::RefundFails),
        2 => (0..20_usize).prop_map(Deed::Dispute),
        2 => (0..20_usize, any::<bool>()).prop_map(|(which, won)| Deed::DisputeEnds(which, won)),
        1 => (0..20_usize).prop_map(Deed::CreditNote),
        3 => (0..PACKS.len()).prop_map(Deed::BuyPack),
        2 => (0..20_usize, 0..101_i64).prop_map(|(which, percent)| Deed::RefundPack(which, percent)),
        2 => (0..20_usize, any::<bool>()).prop_map(|(which, ends)| Deed::DisputePack(which, ends)),
        4 => (1..3_000_u32).prop_map(Deed::Spend),
    ]
}

/// A subscription: its plan, its quantity, and the day on which its month ends.
#[derive(Clone, Copy, Debug)]
struct Has {
    plan: usize,
    number: i64,
    until: i64,
}

/// The payment provider: one customer with a balance, a card and invoices.
#[derive(Debug, Default)]
struct Vendor {
    day: i64,
    has: Option<Has>,
    /// What the provider owes the customer.
    balance: i64,
    declined: bool,
    invoices: Vec<Invoice>,
    packs: Vec<Pack>,
}

impl Vendor {
    /// Finalizes an invoice with `lines`, which the card pays unless it is declined.
    fn bill(&mut self, lines: Vec<Line>) {
        let total: i64 = lines.iter().map(|line| line.amount).sum();
        let used = total.clamp(0, self.balance);
        let made = (-total).max(0);
        let due = total.max(0) - used;
        let paid = due == 0 || !self.declined;
        // The provider keeps the part of the balance that an open invoice uses.
        self.balance += made - used;
        let payments = vec![Payment { amount: due, ..Payment::default() }];
        let id = self.invoices.len();
        let finalized_at = NOW.plus_ms(self.day * DAY_MS);
        self.invoices.push(Invoice {
            finalized_at,
            paid,
            payments: if paid && due > 0 { payments } else { Vec::new() },
            ..invoice(id, lines)
        });
    }

    /// A line for the rest of the month, charging (`sign` 1) or crediting (-1) the whole quantity.
    fn rest(&self, has: Has, sign: i64) -> Line {
        let share = PRICES[has.plan] * has.number * (has.until - self.day);
        let amount = sign * ((share + DAYS / 2) / DAYS);
        Line { is_month: false, ..line(has.plan, amount) }
    }

    fn month(&mut self, has: Has) {
        let day = |day: i64| NOW.plus_ms(day * DAY_MS);
        let period = Period { from: day(self.day), to: day(has.until) };
        let whole = line(has.plan, PRICES[has.plan] * has.number);
        self.bill(vec![Line { is_month: true, period, ..whole }]);
    }

    fn live(&mut self, days: i64) {
        for _ in 0..days {
            self.day += 1;
            if let Some(has) = self.has.filter(|has| has.until <= self.day) {
                let has = Has { until: self.day + DAYS, ..has };
                self.has = Some(has);
                self.month(has);
            }
        }
    }

    /// The customer pays for a pack, unless the card is declined.
    fn sell(&mut self, (credits, price): (u32, i64)) {
        let paid = !self.declined;
        let amount = if paid { price } else { 0 };
        let id = format!("cs_{}", self.packs.len());
        let payment = Payment { amount, ..Payment::default() };
        self.packs.push(Pack { id, credits: Credits::from(credits), paid, payment });
    }

    fn payment(&mut self, which: usize) -> Option<(&mut Payment, &mut i64)> {
        let count = self.invoices.len().max(1);
        let it = self.invoices.get_mut(which % count)?;
        it.payments.first_mut().zip(Some(&mut it.credited))
    }

    fn does(&mut self, deed: Deed) {
        match deed {
            Deed::Subscribe(plan) if self.has.is_none() => {
                let has = Has { plan, number: 1, until: self.day + DAYS };
                self.has = Some(has);
                self.month(has);
            }
            Deed::Change(plan, number) => {
                if let Some(has) = self.has {
                    let next = Has { plan, number, ..has };
                    self.has = Some(next);
                    self.bill(vec![self.rest(has, -1), self.rest(next, 1)]);
                }
            }
            Deed::CancelWithMoneyBack => {
                if let Some(has) = self.has.take() {
                    self.bill(vec![self.rest(has, -1)]);
                }
            }
            Deed::Days(days) => self.live(days),
            Deed::Decline(declined) => self.declined = declined,
            Deed::PayLate => {
                if let Some(open) = self.invoices.iter_mut().find(|it| !it.paid) {
                    // The part of the balance that it used was kept by the provider when it was
                    // finalized. Here the card pays the full amount, which costs more.
                    let amount = open.lines.iter().map(|line| line.amount).sum();
                    open.paid = true;
                    open.payments = vec![Payment { amount, ..Payment::default() }];
                }
            }
            Deed::Refund(which, percent) => {
                // Money that was already returned as a balance is not refunded as well.
                if let Some((it, _)) = self.payment(which).filter(|(_, credited)| **credited == 0) {
                    it.refunded = it.refunded.max(it.amount * percent / 100);
                }
            }
            Deed::RefundFails(which) => {
                if let Some((it, _)) = self.payment(which) {
                    it.refunded = 0;
                }
            }
            Deed::Dispute(which) => {
                if let Some((it, _)) = self.payment(which) {
                    it.disputed = it.amount - it.refunded;
                }
            }
            Deed::DisputeEnds(which, won) => {
                if let Some((it, _)) = self.payment(which).filter(|_| won) {
                    it.disputed = 0;
                }
            }
            Deed::CreditNote(which) => {
                // The operator returns the whole payment as a balance.
                if let Some((it, credited)) = self.payment(which)
                    && *credited == 0
                    && it.refunded + it.disputed == 0
                {
                    *credited = it.amount;
                    self.balance += self.invoices[which % self.invoices.len()].credited;
                }
            }
            Deed::BuyPack(which) => self.sell(PACKS[which]),
            Deed::RefundPack(..) | Deed::DisputePack(..) => self.take_back_pack(deed),
            Deed::Subscribe(_) | Deed::Spend(_) => {}
        }
    }

    fn take_back_pack(&mut self, deed: Deed) {
        let count = self.packs.len().max(1);
        let (Deed::RefundPack(which, _) | Deed::DisputePack(which, _)) = deed else { return };
        let Some(pack) = self.packs.get_mut(which % count) else { return };
        let it = &mut pack.payment;
        match deed {
            // A refund of 0 percent is one that failed.
            Deed::RefundPack(_, percent) if it.disputed == 0 => {
                it.refunded = it.amount * percent / 100;
            }
            Deed::DisputePack(_, true) => it.disputed = 0,
            Deed::DisputePack(_, false) => it.disputed = it.amount - it.refunded,
            _ => {}
        }
    }

    /// The money that the operator keeps from the customer, in the currency's smallest unit.
    fn kept(&self) -> i64 {
        let payments = self.invoices.iter().flat_map(|it| &it.payments);
        let payments = payments.chain(self.packs.iter().map(|pack| &pack.payment));
        payments.map(|it| it.amount - (it.refunded + it.disputed).min(it.amount)).sum()
    }
}

/// The most credits that the kept money can buy at the best price of a plan, plus two for each
/// invoice, because amounts are whole cents.
fn most(vendor: &Vendor) -> i64 {
    let buys = (vendor.kept() * CREDITS[2] + PRICES[2] - 1) / PRICES[2];
    buys + 2 * i64::try_from(vendor.invoices.len()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        rng_seed: proptest::test_runner::RngSeed::Fixed(17),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// After each action, with every invoice and pack looked at: the credits that were spent and are left,
    /// minus the debt, are at most what the money that the operator keeps can buy.
    #[test]
    fn no_sequence_brings_more_than_was_paid_for(
        deeds in prop::collection::vec(deed(), 1..60),
        shuffle in any::<u64>(),
    ) {
        let (mut vendor, mut shelf) = (Vendor::default(), Shelf::default());
        let mut spent = 0;
        for (number, deed) in deeds.iter().enumerate() {
            vendor.does(*deed);
            if let Deed::Spend(credits) = deed {
                spent += shelf.spend(number as u128, *credits);
            }
            vendor.invoices.iter().for_each(|it| shelf.settle(it));
            vendor.packs.iter().for_each(|it| shelf.settle_pack(it));
            let has = spent + shelf.position();
            let most = most(&vendor);
            prop_assert!(has <= most, "{has} credits for {} cents, {most} at most", vendor.kept());
        }
        // The same invoices looked at only at the end, twice each and in another order.
        let mut late = Shelf::default();
        let mut order: Vec<&Invoice> = vendor.invoices.iter().chain(&vendor.invoices).collect();
        order.sort_by_key(|it| (it.finalized_at.0 as u64 ^ shuffle).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        vendor.packs.iter().for_each(|it| late.settle_pack(it));
        order.iter().for_each(|it| late.settle(it));
        vendor.packs.iter().for_each(|it| late.settle_pack(it));
        prop_assert_eq!(late.position(), spent + shelf.position());
        prop_assert!(late.books.balance.debt == Credits::ZERO, "nothing was spent there");
    }
}

/// How many random histories are tried: `RETOUCH_BILLING_CASES`, or 300.
fn cases() -> u32 {
    let asked = std::env::var("RETOUCH_BILLING_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(300)
}

#[test]
fn the_model_sells_the_shipped_plans() {
    let all = plans(UnusedCredits::Stay);
    let sold: Vec<i64> = all.iter().map(|plan| plan.credits_per_month.get()).collect();
    assert_eq!(sold, CREDITS);
}
