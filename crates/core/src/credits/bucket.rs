//! Credits of one origin, used up and expiring together.

use super::Credits;
use crate::Timestamp;

/// Where credits came from; it settles which are used first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BucketKind {
    /// Given once to a new account.
    SignUp,
    /// A month of a plan.
    Plan,
    /// Bought once.
    Purchase,
    /// Granted by the operator.
    Operator,
    /// Came back from a hold after their bucket had expired: a failure never costs credits.
    Grace,
}

impl BucketKind {
    /// Every kind, for reading one back from its name.
    pub const ALL: [Self; 5] =
        [Self::SignUp, Self::Plan, Self::Purchase, Self::Operator, Self::Grace];

    /// The stable name, as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SignUp => "sign_up",
            Self::Plan => "plan",
            Self::Purchase => "purchase",
            Self::Operator => "operator",
            Self::Grace => "grace",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The usual priority, lower first: what is lost soonest is used first, what was paid for
    /// with money of its own is kept longest.
    pub const fn priority(self) -> u8 {
        match self {
            Self::Grace => 0,
            Self::Plan => 10,
            Self::SignUp => 20,
            Self::Operator => 30,
            Self::Purchase => 40,
        }
    }
}

/// Credits of one origin: granted = remaining + held + spent + expired + taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// 1 for the account's first bucket, and so on.
    pub number: u32,
    /// Where the credits came from.
    pub kind: BucketKind,
    /// Lower is used first.
    pub priority: u8,
    /// The moment from which the credits can no longer be used; none: they do not expire.
    pub expires_at: Option<Timestamp>,
    /// Names the purchase, renewal or sign-up that paid for it; none for grace.
    pub source_key: Option<String>,
    /// All that this bucket answers for (what moved on to a grace bucket is counted there).
    pub granted: Credits,
    /// Free to be used.
    pub remaining: Credits,
    /// Set aside for edits that run.
    pub held: Credits,
    /// Used up.
    pub spent: Credits,
    /// Lost by expiry.
    pub expired: Credits,
    /// Taken back, as after a refund.
    pub taken_back: Credits,
}

impl Bucket {
    /// Whether anything in it can still move.
    pub fn is_open(&self) -> bool {
        !self.remaining.is_zero() || !self.held.is_zero()
    }

    /// Whether its credits can no longer be used at `now`.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|moment| moment <= now)
    }

    /// Whether `source` paid for it: its source key is this, or begins with it and a colon.
    pub fn is_from(&self, source: &str) -> bool {
        let rest = self.source_key.as_deref().and_then(|key| key.strip_prefix(source));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    }

    /// The key of the order in which buckets are used: lower priority number, then earlier
    /// expiry (none last), then older.
    pub(super) fn burn_order(&self) -> (u8, i64, u32) {
        (self.priority, self.expires_at.map_or(i64::MAX, |moment| moment.0), self.number)
    }
}
