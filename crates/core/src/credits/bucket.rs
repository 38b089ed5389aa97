//! Buckets: credits from one source, which are used and expire together.

use super::Credits;
use crate::Timestamp;

/// Where credits came from. This determines which are used first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BucketKind {
    /// Granted once to a new account.
    SignUp,
    /// A month of a plan.
    Plan,
    /// Bought once.
    Purchase,
    /// Granted by the operator.
    Operator,
    /// Returned from a hold after their bucket had expired, because a failure must never cost
    /// credits.
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

    /// The default priority; lower is used first. Credits that expire soonest are used first, and
    /// purchased credits last.
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
    /// The moment from which the credits can no longer be used. None if they do not expire.
    pub expires_at: Option<Timestamp>,
    /// The purchase, renewal or sign-up that it comes from. None for a grace bucket.
    pub source_key: Option<String>,
    /// All credits granted to this bucket, minus those that moved on to a grace bucket.
    pub granted: Credits,
    /// Credits that can be used now.
    pub remaining: Credits,
    /// Credits reserved for running edits.
    pub held: Credits,
    /// Credits that were charged.
    pub spent: Credits,
    /// Credits that expired unused.
    pub expired: Credits,
    /// Credits that were taken back, for example after a refund.
    pub taken_back: Credits,
}

impl Bucket {
    /// Whether any of its credits are available or held.
    pub fn is_open(&self) -> bool {
        !self.remaining.is_zero() || !self.held.is_zero()
    }

    /// Whether its credits can no longer be used at `now`.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|moment| moment <= now)
    }

    /// Whether it comes from `source`: its source key equals it, or starts with it and a colon.
    pub fn is_from(&self, source: &str) -> bool {
        let rest = self.source_key.as_deref().and_then(|key| key.strip_prefix(source));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    }

    /// The sort key for using buckets: lowest priority number first, then earliest expiry (none
    /// last), then oldest.
    pub(super) fn burn_order(&self) -> (u8, i64, u32) {
        (self.priority, self.expires_at.map_or(i64::MAX, |moment| moment.0), self.number)
    }
}
