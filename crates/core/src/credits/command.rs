//! The commands that change a book.

use super::{BucketKind, Credits, KeyLimits};
use crate::{EditId, KeyId, Timestamp};

/// A command for an account's book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Open a bucket.
    Grant(Grant),
    /// Book credits that were paid for. They pay a debt first, and the rest opens a bucket. If its
    /// expiry has already passed, the rest expires immediately.
    Paid(Grant),
    /// Reserve credits for an edit, all of them or none.
    Hold(NewHold),
    /// Charge for a stored result: `credits` are spent, and the rest of the hold becomes
    /// available.
    Capture {
        /// The hold.
        hold: EditId,
        /// How many credits to charge; at most what is held.
        credits: Credits,
    },
    /// Return a whole hold.
    Release {
        /// The hold.
        hold: EditId,
    },
    /// Book what has expired by now. Every other command does this first.
    Expire,
    /// Take credits back, for example after a refund.
    TakeBack(TakeBack),
}

/// A bucket to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Where the credits come from.
    pub kind: BucketKind,
    /// How many credits; at least one.
    pub credits: Credits,
    /// The purchase, renewal or sign-up that it is for. Each is granted only once, even to
    /// different accounts.
    pub source_key: String,
    /// The moment from which they can no longer be used. None if they do not expire.
    pub expires_at: Option<Timestamp>,
    /// Lower is used first. None for the default, [`BucketKind::priority`].
    pub priority: Option<u8>,
    /// A sentence for the account's owner.
    pub description: String,
}

/// Credits to reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewHold {
    /// The edit that they are for, which also identifies the hold.
    pub id: EditId,
    /// How many credits; zero for a free edit.
    pub credits: Credits,
    /// The API key that makes the request, if it uses one.
    pub key: Option<KeyAllowance>,
    /// A sentence for the account's owner.
    pub description: String,
}

/// An API key and its spending limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAllowance {
    /// The key.
    pub id: KeyId,
    /// The most that its holds and charges may be.
    pub limits: KeyLimits,
}

/// Credits to take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeBack {
    /// The maximum to take. Held and spent credits can't be taken, so if fewer are available, only
    /// those are taken. `excused_max` decides what happens to the rest.
    pub credits: Credits,
    /// None if the rest is not claimed. Otherwise, the rest minus this many credits becomes a debt
    /// of the account, which is paid from any other available credits, now or later.
    pub excused_max: Option<Credits>,
    /// Takes credits only from the grants of this source: those whose source key equals it, or
    /// starts with it and a colon. None to take any available credits, in the order in which they
    /// are used.
    pub only_from: Option<String>,
    /// Identifies the refund. Credits are taken back only once for it.
    pub source_key: String,
    /// A sentence for the account's owner.
    pub description: String,
}
