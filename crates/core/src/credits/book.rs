//! The state of one account: its balance, buckets, holds and API keys.

use std::collections::{BTreeMap, BTreeSet};

use super::{Bucket, Credits, Delta, Hold, HoldState, KeyUse};
use crate::{EditId, KeyId, Timestamp};

/// The parts of an account's balance: granted = available + held + spent + expired + taken back. A
/// debt is counted separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// All credits that were ever granted.
    pub granted: Credits,
    /// Credits that can be used now.
    pub available: Credits,
    /// Credits reserved for running edits.
    pub held: Credits,
    /// Credits that were charged.
    pub spent: Credits,
    /// Credits that expired unused.
    pub expired: Credits,
    /// Credits that were taken back, for example after a refund.
    pub taken_back: Credits,
    /// Credits that had to be taken back but were already spent. Later credits pay it first, so an
    /// account with a debt has nothing available.
    pub debt: Credits,
    /// The number of the latest entry; 0 before the first.
    pub seq: i64,
    /// How many buckets were ever opened.
    pub buckets: u32,
    /// The time of the latest entry. Time never goes backwards in a book.
    pub last_at: Timestamp,
}

/// The state of one account, or the part of it that a command needs: all open buckets, the hold
/// and the source key that the command names, and what the requesting API key has used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// The balance.
    pub balance: Balance,
    /// The buckets, by number. Closed ones may be missing.
    pub buckets: BTreeMap<u32, Bucket>,
    /// The holds. Those that have ended may be missing, unless a command names them.
    pub holds: BTreeMap<EditId, Hold>,
    /// What each API key has used or holds.
    pub keys: BTreeMap<KeyId, KeyUse>,
    /// The source keys that were already booked. Those that no command names may be missing.
    pub sources: BTreeSet<String>,
}

impl Book {
    /// Removes what further commands need only if they name it (closed buckets, ended holds,
    /// source keys), so that a book kept in memory stays small. After this, look up the hold and
    /// the source key that a command names before deciding it.
    pub fn trim(&mut self) {
        self.buckets.retain(|_, bucket| bucket.is_open());
        self.holds.retain(|_, hold| hold.state == HoldState::Held);
        self.sources.clear();
    }
}

impl Balance {
    /// The balance after a change, unless one of its parts becomes negative or too large.
    pub(super) fn changed_by(self, delta: &Delta) -> Option<Self> {
        Some(Self {
            granted: self.granted.changed_by(delta.granted)?,
            available: self.available.changed_by(delta.available)?,
            held: self.held.changed_by(delta.held)?,
            spent: self.spent.changed_by(delta.spent)?,
            expired: self.expired.changed_by(delta.expired)?,
            taken_back: self.taken_back.changed_by(delta.taken_back)?,
            debt: self.debt.changed_by(delta.debt)?,
            ..self
        })
    }
}
