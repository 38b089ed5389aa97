//! What the invoices of one customer bring, taken together.
//!
//! **The rule.** A customer's invoices are put in the order in which they were finalized; of those
//! finalized in the same second, the ones that give something up come first. Each has a net worth in
//! credits: what its lines charge, in proportion to the plan's price, below zero where a plan is given
//! up; without the share of its money that was paid back or is disputed. The running sum of the net
//! worths is what the customer holds of plans and has paid for, in credits. An invoice brings as much
//! as the sum rises above its highest so far, and nothing where it does not. All is worked out again
//! whenever an invoice has changed; what was granted and is not due any more is taken back.
//!
//! **Why no sequence brings more than was paid for.** All that a customer has been granted and keeps
//! is the highest running sum (the rises add up to it). So it is enough to see that no running sum
//! exceeds what was paid up to then and kept. An invoice whose total is below zero becomes a balance at
//! the vendor, and a balance pays later invoices. So up to each moment, money charged is the sum of the
//! totals plus the balance that is left, and that is never below zero; and money that went back lowers
//! the sum by the same share. Hence the running sum is at most what was charged and kept. Giving a plan up
//! and taking it again moves the sum down and up again, and brings nothing above the old mark. Which of
//! several subscriptions a line belongs to, its quantity and its plan make no difference, for the sum
//! is the customer's. An invoice that is not paid counts for nothing, while what is given up of it
//! counts at once: that only lowers the sum. A balance is used when an invoice is finalized, so in the
//! order of finalizing nobody uses a balance before it counts. Rounding is always downwards.
//!
//! Plans differ in what a credit costs, and money that was paid for one may go back while another was
//! bought with its balance. So the sum is also capped by what all the money that was kept buys at the
//! best rate among the customer's plans.
//!
//! In one month, the sum's highest value less its value at the month's beginning bounds what that
//! month brings, because the mark is never below the value at the beginning: the highest value paid
//! for in the month.
//!
//! **Money that the operator gives.** A balance that the operator gives counts as paid, since no line
//! takes it off the sum. A discount lowers what a line charges and so its net worth. On a whole month
//! it is added as a gift, once for any time: not on changes in the middle of a month, which can be
//! repeated, and not for a month that overlaps one with a gift, which can be bought again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::credits::Credits;

/// What one paid invoice counts for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// When it was finalized.
    pub finalized_at: Timestamp,
    /// Its net worth in credits, discounts taken off; below zero where plans are given up.
    pub net: i64,
    /// What its lines charge, in the currency's smallest unit, discounts taken off; below zero where
    /// plans are given up.
    pub money: i64,
    /// The credits of a month of the cheapest plan for its credits among its lines.
    pub rate_credits: i64,
    /// What that month costs; 0 where it charges no plan.
    pub rate_price: i64,
    /// What discounts on its whole months are worth in credits.
    pub gift: Credits,
    /// When the time that it pays for begins.
    pub from: Timestamp,
    /// When that time ends.
    pub to: Timestamp,
    /// What was paid, in the currency's smallest unit, also out of a balance.
    pub paid: i64,
    /// What the payer has got back or claims; at most twice what was paid.
    pub back: i64,
    /// The moment from which its credits can no longer be used; none: they do not expire.
    pub expires_at: Option<Timestamp>,
}

/// What each of a customer's invoices brings as things are; each by its name.
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

/// The better of two rates: credits, and what they cost.
pub(super) fn better(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    let product = |credits: i64, price: i64| i128::from(credits) * i128::from(price);
    match (one.1, other.1) {
        (0, _) => other,
        (_, 0) => one,
        _ if product(one.0, other.1) >= product(other.0, one.1) => one,
        _ => other,
    }
}

/// What money buys at a rate, rounded down.
fn bought(money: i64, (credits, price): (i64, i64)) -> i64 {
    let product = i128::from(money) * i128::from(credits);
    i64::try_from(product.div_euclid(i128::from(price.max(1)))).unwrap_or(i64::MAX)
}

impl Claim {
    fn rate(&self) -> (i64, i64) {
        (self.rate_credits, self.rate_price)
    }

    /// What is left of `credits` once the share is off whose money went back, rounded down. What is
    /// given up stays given up.
    fn kept_of(&self, credits: i64) -> i64 {
        if self.back <= 0 || credits <= 0 {
            return credits;
        }
        // Below zero where more went back than came in, as by a credit note and a dispute.
        let kept = i128::from(self.paid.saturating_sub(self.back));
        let share = (i128::from(credits) * kept).div_euclid(i128::from(self.paid.max(1)));
        i64::try_from(share).unwrap_or_default()
    }
}
