//! Computes how many credits each invoice of a customer brings, from all their invoices together.
//!
//! # The rule
//!
//! A customer's invoices are ordered by the time at which they were finalized. Of those finalized
//! in the same second, the ones with a negative net value come first. The net value of an invoice,
//! in credits, is what its lines charge, converted at the price of each plan. It is negative if
//! more is given up than bought. If money was paid back or is disputed, a positive net value is
//! reduced by the same share. The running sum of the net values is the number of plan credits that
//! the customer holds and has paid for. An invoice brings as many credits as it raises the sum
//! above its previous maximum, and none if it doesn't raise it. Everything is recomputed whenever
//! an invoice changes, and credits that were granted but are no longer due are taken back.
//!
//! # Why no sequence brings more than was paid for
//!
//! The credits that a customer was granted and keeps add up to the maximum of the running sum. So
//! it is enough to show that the running sum never exceeds what was paid up to then and kept. An
//! invoice with a negative total becomes a balance at the payment provider, and a balance pays
//! later invoices. So at any moment, the money charged is the sum of the totals plus the remaining
//! balance, which is never negative. Money that went back lowers the sum by the same share. Hence
//! the running sum is at most what was charged and kept. Giving up a plan and buying it again
//! lowers the sum and raises it again, which brings nothing above the old maximum. It makes no
//! difference to which subscription a line belongs, or what its quantity and its plan are, because
//! the sum is kept for the customer as a whole. An unpaid invoice counts for nothing, but the
//! invoice that gives its plan up counts immediately; that can only lower the sum. A balance is
//! used when an invoice is finalized, so in the order of finalization it is always counted before
//! it is used. Rounding is always downwards.
//!
//! Plans differ in the price of a credit, and money that was paid for one plan may go back while
//! another was bought with its balance. So the sum is also capped at what all the money that was
//! kept buys at the best rate among the customer's plans.
//!
//! The credits that one month brings are at most the maximum of the sum in that month minus its
//! value at the beginning of the month, because the previous maximum is never below that value. In
//! other words, they are at most the highest value that was paid for in the month.
//!
//! # Money that the operator gives
//!
//! A balance that the operator gives counts as paid, because no line subtracts it from the sum. A
//! discount lowers what a line charges, and so its net value. On a whole month, the value of the
//! discount is added as a gift, once for any period. Changes in the middle of a month bring no
//! gift, because they can be repeated. Neither does a month that overlaps one with a gift, because
//! it can be bought again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::credits::Credits;

/// What one paid invoice counts for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// When the invoice was finalized.
    pub finalized_at: Timestamp,
    /// Its net value in credits, after discounts. Negative if more is given up than bought.
    pub net: i64,
    /// What its lines charge after discounts, in the currency's smallest unit. Negative if more is
    /// given up than bought.
    pub money: i64,
    /// The monthly credits of the plan on it whose credits are cheapest.
    pub rate_credits: i64,
    /// What a month of that plan costs; 0 if the invoice charges for no plan.
    pub rate_price: i64,
    /// The value in credits of the discounts on its whole months.
    pub gift: Credits,
    /// The start of the period that it pays for.
    pub from: Timestamp,
    /// The end of that period.
    pub to: Timestamp,
    /// What was paid, including from a balance, in the currency's smallest unit.
    pub paid: i64,
    /// What was returned to the payer or is disputed, in the same unit; at most twice what was
    /// paid.
    pub back: i64,
    /// The moment from which its credits can no longer be used. None if they do not expire.
    pub expires_at: Option<Timestamp>,
}

/// How many credits each of a customer's invoices currently brings, by the ID of the invoice.
pub fn dues<'a>(
    claims: impl IntoIterator<Item = (&'a str, &'a Claim)>,
) -> BTreeMap<&'a str, Credits> {
    let mut ordered: Vec<(&str, &Claim)> = claims.into_iter().collect();
    ordered.sort_by_key(|(id, claim)| (claim.finalized_at, claim.net >= 0, *id));
    let rate = ordered.iter().map(|(_, claim)| claim.rate()).reduce(better).unwrap_or_default();
    let (mut sum, mut money, mut highest) = (0_i64, 0_i64, 0_i64);
    let mut gifts_until = Timestamp(i64::MIN);
    let mut dues = BTreeMap::new();
    for (id, claim) in ordered {
        sum = sum.saturating_add(claim.kept_of(claim.net));
        money = money.saturating_add(claim.kept_of(claim.money));
        let level = sum.min(bought(money, rate));
        let mut due = level.saturating_sub(highest).max(0);
        highest = highest.max(level);
        if !claim.gift.is_zero() && claim.from >= gifts_until {
            due = due.saturating_add(claim.kept_of(claim.gift.get()).max(0));
            gifts_until = claim.to;
        }
        dues.insert(id, Credits::new(due).unwrap_or_default());
    }
    dues
}

/// The better of two rates, each a number of credits and their price.
pub(super) fn better(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    let product = |credits: i64, price: i64| i128::from(credits) * i128::from(price);
    match (one.1, other.1) {
        (0, _) => other,
        (_, 0) => one,
        _ if product(one.0, other.1) >= product(other.0, one.1) => one,
        _ => other,
    }
}

/// How many credits `money` buys at a rate, rounded down.
fn bought(money: i64, (credits, price): (i64, i64)) -> i64 {
    let product = i128::from(money) * i128::from(credits);
    i64::try_from(product.div_euclid(i128::from(price.max(1)))).unwrap_or(i64::MAX)
}

impl Claim {
    fn rate(&self) -> (i64, i64) {
        (self.rate_credits, self.rate_price)
    }

    /// What remains of `credits` after subtracting the share of the money that went back, rounded
    /// down. A negative amount doesn't change, because a plan that was given up stays given up.
    fn kept_of(&self, credits: i64) -> i64 {
        if self.back <= 0 || credits <= 0 {
            return credits;
        }
        // Negative if more went back than came in, as after both a credit note and a dispute.
        let kept = i128::from(self.paid.saturating_sub(self.back));
        let share = (i128::from(credits) * kept).div_euclid(i128::from(self.paid.max(1)));
        i64::try_from(share).unwrap_or_default()
    }
}
