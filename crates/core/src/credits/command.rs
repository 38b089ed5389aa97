//! What may be asked of a book.

use super::{BucketKind, Credits};
use crate::{EditId, KeyId, Timestamp};

/// What may be asked of an account's book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Open a bucket.
    Grant(Grant),
    /// Book credits that were paid for: they pay a debt first, and what is left opens a bucket. Where
    /// the bucket's time is over already, its credits expire at once.
    Paid(Grant),
    /// Set credits aside for an edit, all or none.
    Hold(NewHold),
    /// Charge for a stored result: `credits` are spent, the rest of the hold is free again.
    Capture {
        /// The hold.
        hold: EditId,
        /// What is charged; at most what is held.
        credits: Credits,
    },
    /// Give all of a hold back.
    Release {
        /// The hold.
        hold: EditId,
    },
    /// Book what has expired by now; every other command does so first.
    Expire,
    /// Take credits back, as after a refund.
    TakeBack(TakeBack),
}

/// A bucket to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Where the credits come from.
    pub kind: BucketKind,
    /// How many; at least one.
    pub credits: Credits,
    /// Names the purchase, renewal or sign-up; it grants once, whichever account asks.
    pub source_key: String,
    /// The moment from which they can no longer be used; none: they do not expire.
    pub expires_at: Option<Timestamp>,
    /// Lower is used first; none: [`BucketKind::priority`].
    pub priority: Option<u8>,
    /// A sentence for the account's owner.
    pub description: String,
}

/// Credits to set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewHold {
    /// The edit that they are for; it names the hold.
    pub id: EditId,
    /// How many; zero for an edit that is free.
    pub credits: Credits,
    /// The API key that asks, where one does.
    pub key: Option<KeyAllowance>,
    /// A sentence for the account's owner.
    pub description: String,
}

/// An API key and what it may use over its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAllowance {
    /// The key.
    pub id: KeyId,
    /// What all its holds and charges together may reach; none: no limit.
    pub limit: Option<Credits>,
}

/// Credits to take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeBack {
    /// How many at most: where fewer are available, those are taken, since what is held or
    /// spent cannot be. What becomes of the rest, `excused_max` says.
    pub credits: Credits,
    /// None: the rest is not asked for. Otherwise all of the rest but this many credits becomes the
    /// account's debt, which is paid from whatever else is available, now or later.
    pub excused_max: Option<Credits>,
    /// The source whose grants alone are taken from: those whose source key is this, or begins
    /// with it and a colon. None: whatever is available, in the order in which it is used.
    pub only_from: Option<String>,
    /// Names the refund; it takes back once.
    pub source_key: String,
    /// A sentence for the account's owner.
    pub description: String,
}
