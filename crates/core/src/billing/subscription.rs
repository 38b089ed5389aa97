//! A plan that an account has.

use crate::Timestamp;

/// Who keeps a subscription going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The operator assigned it. The service grants its months automatically.
    Operator,
    /// The account's owner pays for it through Stripe.
    Stripe,
}

/// The status of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It has not been paid for yet.
    Incomplete,
    /// It runs.
    Active,
    /// The latest payment failed. It ends unless another attempt succeeds.
    PastDue,
    /// It is over.
    Ended,
}

/// A plan that an account has, in its current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its ID: our own if the operator assigned it, the payment provider's if it is paid for.
    pub id: String,
    /// Who keeps it going.
    pub source: Source,
    /// The plan's id in the catalogue.
    pub plan: String,
    /// The plan from the next month on, if it is another one.
    pub next_plan: Option<String>,
    /// Its status.
    pub status: Status,
    /// When its first month began.
    pub anchor: Timestamp,
    /// How many of its months have begun. Only counted if the operator assigned it.
    pub periods: u32,
    /// The end of the current month.
    pub paid_until: Timestamp,
    /// When it ends, if that is decided.
    pub cancel_at: Option<Timestamp>,
}

impl Subscription {
    /// Whether the account has the plan now.
    pub const fn is_live(&self) -> bool {
        matches!(self.status, Status::Active | Status::PastDue)
    }
}

impl Source {
    /// The stable name, as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Stripe => "stripe",
        }
    }

    /// The source with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Operator, Self::Stripe].into_iter().find(|source| source.as_str() == name)
    }
}

impl Status {
    /// Every status, for reading one back from its name.
    pub const ALL: [Self; 4] = [Self::Incomplete, Self::Active, Self::PastDue, Self::Ended];

    /// The stable name, as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Ended => "ended",
        }
    }

    /// The status with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}
