//! Plans that customers pay for, as the payment provider reports them.
//!
//! Credits follow the money: [`super::tally`] computes the credits of an invoice from all invoices
//! of its customer together. Events are not stored. An event only says which invoice to look up;
//! the invoice is read in its current state, and [`Standing::next`] decides what is still to be
//! booked. So events may arrive in any order, several times, or never.
//!
//! [`Standing::next`]: super::Standing::next

use super::{Claim, Period, Subscription, tally};
use crate::Timestamp;
use crate::catalogue::Plan;
use crate::credits::Credits;

/// The current state at the payment provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// When it was read. An older state never overwrites a newer one.
    pub seen_at: Timestamp,
    /// The provider's ID of the customer.
    pub customer: Option<String>,
    /// The subscription.
    pub subscription: Option<Subscription>,
    /// The price of that subscription, if no plan has it. Its `plan` is then this name.
    pub unknown_price: Option<String>,
    /// An invoice for it.
    pub invoice: Option<Invoice>,
    /// A pack of credits.
    pub pack: Option<Pack>,
    /// The invoices that gave the customer money back, if some of that money paid this one.
    pub given_back: Vec<Invoice>,
    /// Signs that the money may have to be returned.
    pub alarms: Vec<Alarm>,
}

/// A sign that money may have to be returned, with the provider's ID for it. Each counts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// A payer's bank claims money back.
    Dispute(String),
    /// A card's issuer believes that a payment is fraud.
    FraudWarning(String),
}

/// An invoice for a subscription, in its current state at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// The provider's ID of it.
    pub id: String,
    /// The provider's ID of the subscription.
    pub subscription: String,
    /// When it was finalized. From then on its amount is fixed, and a balance is used or created.
    pub finalized_at: Timestamp,
    /// Whether it is fully paid.
    pub paid: bool,
    /// What it charges for plans. Other lines are left out.
    pub lines: Vec<Line>,
    /// A price on it that belongs to no plan, so its value in credits is unknown.
    pub unknown_price: Option<String>,
    /// What was paid towards it.
    pub payments: Vec<Payment>,
    /// What credit notes gave back after it was paid, refunds included, in the currency's smallest
    /// unit.
    pub credited: i64,
}

/// A line of an invoice: a plan for a period, or a credit for the rest of a month that was given
/// up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The plan.
    pub plan: Plan,
    /// What it charges before discounts, in the currency's smallest unit. Negative for what is
    /// given up.
    pub amount: i64,
    /// The discounts on that amount.
    pub discount: i64,
    /// Whether it charges for a whole month, rather than for a change in the middle of one.
    pub is_month: bool,
    /// The price of a month of the plan on this invoice, in the same unit; above zero.
    pub price: i64,
    /// The period that it is for.
    pub period: Period,
}

/// A payment towards an invoice, in the currency's smallest unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payment {
    /// What was paid.
    pub amount: i64,
    /// How much of it was paid back.
    pub refunded: i64,
    /// How much of it the payer's bank claims back, in disputes that are open or lost.
    pub disputed: i64,
}

/// A pack of credits that is bought once, in its current state at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// The provider's ID of its checkout, which is paid at most once.
    pub id: String,
    /// How many credits it has.
    pub credits: Credits,
    /// Whether it is paid, or a discount left nothing to pay.
    pub paid: bool,
    /// What was paid for it.
    pub payment: Payment,
}

impl Pack {
    /// How many credits it has to bring. Money that went back lowers them by the same share, rounded
    /// down. A discount lowers none of them: it is the operator's gift.
    pub fn due(&self) -> Credits {
        let Payment { amount, refunded, disputed } = self.payment;
        let back = add(refunded.max(0), disputed.max(0));
        if !self.paid {
            return Credits::ZERO;
        }
        if back <= 0 {
            return self.credits;
        }
        let kept = i128::from(amount.saturating_sub(back).max(0));
        let share = i128::from(self.credits.get()) * kept / i128::from(amount.max(1));
        i64::try_from(share).ok().and_then(Credits::new).unwrap_or_default()
    }
}

impl Invoice {
    /// The invoice's part in the computation of credits. None until it is paid.
    pub fn claim(&self) -> Option<Claim> {
        if !self.paid {
            return None;
        }
        let net = self.lines.iter().map(|line| line.credits(line.charged())).fold(0, add);
        let (from, to) = self.main_line().map_or_else(Default::default, Line::span);
        let (paid, back) = self.money();
        let rates = self.lines.iter().map(|it| (it.plan.credits_per_month.get(), it.price.max(1)));
        let rate = rates.reduce(tally::better).unwrap_or_default();
        Some(Claim {
            finalized_at: self.finalized_at,
            net,
            money: self.lines.iter().map(Line::charged).fold(0, add),
            rate_credits: rate.0,
            rate_price: rate.1,
            gift: Credits::new(self.lines.iter().map(Line::gift).fold(0, add)).unwrap_or_default(),
            from,
            to,
            paid,
            back,
            expires_at: self.main_line().and_then(|line| line.plan.expiry(line.period.to)),
        })
    }

    /// What was paid, and what was returned to the payer or is disputed.
    fn money(&self) -> (i64, i64) {
        let sum = |part: fn(&Payment) -> i64| {
            self.payments.iter().map(|payment| part(payment).max(0)).fold(0, add)
        };
        let charged = self.lines.iter().map(Line::charged).fold(0, add).max(0);
        // If the charge is higher, the rest was paid from the customer's balance at the provider.
        let paid = sum(|payment| payment.amount).max(charged);
        let refunded = sum(|payment| payment.refunded).max(self.credited);
        (paid, add(refunded, sum(|payment| payment.disputed)).clamp(0, add(paid, paid)))
    }

    /// The positive line whose period ends last: the plan that the invoice is mostly for.
    fn main_line(&self) -> Option<&Line> {
        self.lines.iter().filter(|line| line.amount > 0).max_by_key(|line| line.period.to)
    }
}

impl Line {
    /// What it charges, after discounts.
    fn charged(&self) -> i64 {
        self.amount.saturating_sub(self.discount)
    }

    /// The value in credits of a discount on a whole month.
    fn gift(&self) -> i64 {
        let discount = if self.is_month { self.discount.clamp(0, self.amount.max(0)) } else { 0 };
        self.credits(discount)
    }

    /// Credits in proportion to the money. Always rounded down, even if negative: giving up a plan
    /// and buying it again must not gain a credit by rounding.
    fn credits(&self, amount: i64) -> i64 {
        let credits = i128::from(self.plan.credits_per_month.get()) * i128::from(amount);
        let whole = credits.div_euclid(i128::from(self.price.max(1)));
        // A result above the maximum can't come from a real plan, so it counts for nothing.
        let most = i128::from(Credits::MAX.get());
        if whole > most { 0 } else { i64::try_from(whole.max(-most)).unwrap_or_default() }
    }

    fn span(&self) -> (Timestamp, Timestamp) {
        (self.period.from, self.period.to)
    }
}

fn add(one: i64, other: i64) -> i64 {
    one.saturating_add(other)
}
