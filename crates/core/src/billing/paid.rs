//! Plans that are paid for: credits follow the money.
//!
//! An invoice is worth, line by line, the plan's credits in proportion to what the line charges of
//! the plan's price: a whole month the whole, and what a change of plan in the middle of a month
//! costs as much of the difference. What is paid back, or disputed, takes back its share of what is
//! left of that invoice's credits; a dispute that is won gives back what it took.
//!
//! Nothing here remembers an event: an event only says which invoice to look at, the invoice is
//! looked at as it is now, and [`Standing::next`] says what is still to be booked. So it does not
//! matter in which order events come, how often, or which of them never do.

use super::{Period, Subscription};
use crate::Timestamp;
use crate::catalogue::Plan;
use crate::credits::{BucketKind, Command, Credits, Grant, TakeBack};

/// How things are at the vendor, as it says when it is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// When it was asked: what was seen earlier does not undo what was seen later.
    pub seen_at: Timestamp,
    /// Whose they are: the vendor's name for the customer.
    pub customer: Option<String>,
    /// The subscription.
    pub subscription: Option<Subscription>,
    /// The price of that subscription, where it is no plan's; its `plan` is this name then.
    pub unknown_price: Option<String>,
    /// An invoice for it.
    pub invoice: Option<Invoice>,
}

/// An invoice for a subscription, as the vendor has it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// The vendor's name for it.
    pub id: String,
    /// The vendor's name for the subscription.
    pub subscription: String,
    /// Whether nothing of it is owed any more.
    pub paid: bool,
    /// What it charges for plans; other lines are left out.
    pub lines: Vec<Line>,
    /// A price that it charges and that is no plan's: what it is worth cannot be told.
    pub unknown_price: Option<String>,
    /// What was paid towards it.
    pub payments: Vec<Payment>,
}

/// A line of an invoice: a plan for some time, or a plan for the rest of a month given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The plan.
    pub plan: Plan,
    /// What it charges, in the currency's smallest unit; negative for what is given up.
    pub amount: i64,
    /// What a month of the plan costs there, in the same unit; above zero.
    pub price: i64,
    /// The time that it is for.
    pub period: Period,
}

/// A payment towards an invoice, in the currency's smallest unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payment {
    /// What was paid.
    pub amount: i64,
    /// What of it was paid back.
    pub refunded: i64,
    /// What of it the payer's bank has claimed back, in disputes that run or are lost.
    pub disputed: i64,
}

/// What has been booked for an invoice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// What it granted; none: nothing yet.
    pub granted: Option<Credits>,
    /// What was to be taken back.
    pub asked: Credits,
    /// What of that was there to be taken, and was not given back since.
    pub taken: Credits,
    /// How often credits were taken back or given back; makes each of them a name of its own.
    pub steps: u32,
}

/// One thing to be booked for an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settling {
    /// What is to be booked.
    pub command: Command,
    /// What is to be taken back once it is booked.
    asked: Credits,
}

impl Invoice {
    /// What the invoice is worth in credits, paid or not; never negative.
    pub fn worth(&self) -> Credits {
        let all = self.lines.iter().map(|line| i128::from(line.worth()));
        i64::try_from(all.sum::<i128>().max(0)).ok().and_then(Credits::new).unwrap_or_default()
    }

    /// What begins the names of all that is booked for it.
    pub fn source(&self) -> String {
        source(&self.id)
    }

    /// The share of `granted` that the payer has got back, or claims.
    fn owed_back(&self, granted: Credits) -> Credits {
        let sum = |part: fn(&Payment) -> i64| -> i128 {
            self.payments.iter().map(|payment| i128::from(part(payment).max(0))).sum()
        };
        let paid = sum(|payment| payment.amount);
        let back = sum(|payment| payment.refunded.saturating_add(payment.disputed)).min(paid);
        if paid == 0 {
            return Credits::ZERO;
        }
        let share = i128::from(granted.get()) * back / paid;
        i64::try_from(share).ok().and_then(Credits::new).unwrap_or_default()
    }

    /// The plan that the invoice is mostly for, and until when.
    fn main_line(&self) -> Option<&Line> {
        self.lines.iter().filter(|line| line.amount > 0).max_by_key(|line| line.period.to)
    }
}

fn source(invoice: &str) -> String {
    format!("stripe:{invoice}")
}

impl Line {
    /// Credits in proportion to the money, to the nearest whole one.
    fn worth(&self) -> i64 {
        let price = i128::from(self.price.max(1));
        let credits = i128::from(self.plan.credits_per_month.get()) * i128::from(self.amount);
        let nearest = (2 * credits + price).div_euclid(2 * price);
        i64::try_from(nearest).unwrap_or_default()
    }
}

impl Standing {
    /// What is to be booked next so that the credits agree with `invoice`; none: they do.
    pub fn next(&self, invoice: &Invoice) -> Option<Settling> {
        let Some(granted) = self.granted else { return self.grant(invoice) };
        let wanted = invoice.owed_back(granted);
        if wanted > self.asked {
            return Some(self.take_back(invoice, wanted));
        }
        (wanted < self.asked).then(|| self.give_back(invoice, wanted))?
    }

    /// What is to be taken back of the invoice `id` that was not there when it was asked for; none:
    /// nothing. An edit that failed has given it back since.
    pub fn overdue(&self, id: &str) -> Option<Settling> {
        let credits = self.asked.checked_sub(self.taken).filter(|credits| !credits.is_zero())?;
        Some(self.taking(&source(id), (credits, self.asked)))
    }

    /// What has been booked after `settling`, where `taken` credits were there to be taken.
    #[must_use]
    pub fn after(&self, settling: &Settling, taken: Credits) -> Self {
        let sum = |one: Credits, other: Credits| one.checked_add(other).unwrap_or(Credits::MAX);
        let asked = settling.asked;
        match &settling.command {
            Command::Grant(grant) if self.granted.is_none() => {
                Self { granted: Some(grant.credits), ..*self }
            }
            Command::Grant(grant) => {
                let taken = self.taken.checked_sub(grant.credits).unwrap_or_default();
                Self { asked, taken, steps: self.steps + 1, ..*self }
            }
            _ => Self { asked, taken: sum(self.taken, taken), steps: self.steps + 1, ..*self },
        }
    }

    fn grant(&self, invoice: &Invoice) -> Option<Settling> {
        let (credits, line) = (invoice.worth(), invoice.main_line()?);
        if !invoice.paid || credits.is_zero() {
            return None;
        }
        let command = Command::Grant(Grant {
            kind: BucketKind::Plan,
            credits,
            source_key: invoice.source(),
            expires_at: line.plan.expiry(line.period.to),
            priority: None,
            description: format!("{}: paid", line.plan.name),
        });
        Some(Settling { command, asked: Credits::ZERO })
    }

    fn take_back(&self, invoice: &Invoice, asked: Credits) -> Settling {
        let credits = asked.checked_sub(self.asked).unwrap_or_default();
        self.taking(&invoice.source(), (credits, asked))
    }

    fn taking(&self, source: &str, (credits, asked): (Credits, Credits)) -> Settling {
        let command = Command::TakeBack(TakeBack {
            credits,
            source_key: format!("{source}:back:{}", self.steps),
            only_from: Some(source.to_owned()),
            description: "Taken back: the payment was returned or is disputed".into(),
        });
        Settling { command, asked }
    }

    fn give_back(&self, invoice: &Invoice, asked: Credits) -> Option<Settling> {
        let credits = self.taken.checked_sub(asked).filter(|credits| !credits.is_zero())?;
        let line = invoice.main_line()?;
        let command = Command::Grant(Grant {
            kind: BucketKind::Plan,
            credits,
            source_key: format!("{}:again:{}", invoice.source(), self.steps),
            expires_at: line.plan.expiry(line.period.to),
            priority: None,
            description: "Given back: the payment holds".into(),
        });
        Some(Settling { command, asked })
    }
}
