//! The entries of the ledger: everything that ever happened to a book.

use std::borrow::Cow;

use super::{BucketKind, Credits};
use crate::{EditId, KeyId, Timestamp};

/// What an entry books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A bucket was opened.
    Grant,
    /// Credits were reserved.
    Hold,
    /// A hold was charged. What it held beyond the charge is available again.
    Capture,
    /// A hold was returned as a whole.
    Release,
    /// Credits expired unused.
    Expire,
    /// Credits were taken back.
    TakeBack,
}

impl EntryKind {
    /// Every kind, for reading one back from its name.
    pub const ALL: [Self; 6] =
        [Self::Grant, Self::Hold, Self::Capture, Self::Release, Self::Expire, Self::TakeBack];

    /// The stable name, as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Release => "release",
            Self::Expire => "expire",
            Self::TakeBack => "take_back",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Signed changes of the parts of a balance or of a bucket, in credits. Granted = available + held
/// + spent + expired + taken back holds for changes too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Change of all credits ever granted.
    pub granted: i64,
    /// Change of the credits that can be used (`remaining` in a bucket).
    pub available: i64,
    /// Change of the reserved credits.
    pub held: i64,
    /// Change of the charged credits.
    pub spent: i64,
    /// Change of the credits that expired unused.
    pub expired: i64,
    /// Change of the credits that were taken back.
    pub taken_back: i64,
    /// Change of the debt; always 0 for a bucket.
    pub debt: i64,
}

impl Delta {
    /// The sum of both changes.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            granted: self.granted.saturating_add(other.granted),
            available: self.available.saturating_add(other.available),
            held: self.held.saturating_add(other.held),
            spent: self.spent.saturating_add(other.spent),
            expired: self.expired.saturating_add(other.expired),
            taken_back: self.taken_back.saturating_add(other.taken_back),
            debt: self.debt.saturating_add(other.debt),
        }
    }
}

/// What an entry changes in one bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The bucket's number.
    pub bucket: u32,
    /// The change of its parts.
    pub delta: Delta,
    /// The properties of the bucket, if this entry opens it.
    pub opening: Option<Opening>,
}

/// The properties of a new bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the credits came from.
    pub kind: BucketKind,
    /// Lower is used first.
    pub priority: u8,
    /// The moment from which its credits can no longer be used. None if they do not expire.
    pub expires_at: Option<Timestamp>,
}

/// One change of an account's book. Entries are append-only and complete: replaying them
/// reproduces the balance, the buckets and the holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1 for the account's first entry, with no gaps after that.
    pub seq: i64,
    /// What it books.
    pub kind: EntryKind,
    /// The time of the entry; never earlier than the previous entry, even if the clock went back.
    pub at: Timestamp,
    /// The change of the balance: the sum of the legs plus the change of the debt.
    pub delta: Delta,
    /// The changes of the buckets, in the order in which the buckets were used.
    pub legs: Vec<Leg>,
    /// `available` of the balance after this entry.
    pub available_after: Credits,
    /// `held` of the balance after this entry.
    pub held_after: Credits,
    /// The hold that it creates or ends.
    pub hold: Option<EditId>,
    /// The API key that a new hold counts against.
    pub key: Option<KeyId>,
    /// Prevents a grant or a refund from being booked twice.
    pub source_key: Option<String>,
    /// A sentence for the account's owner.
    pub description: Cow<'static, str>,
}
