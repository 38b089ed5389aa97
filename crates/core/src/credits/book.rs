//! The state of one account: its balance, its buckets, its holds, its keys.

use std::collections::{BTreeMap, BTreeSet};

use super::{Bucket, Credits, Delta, Hold, HoldState};
use crate::{EditId, KeyId, Timestamp};

/// The parts of an account's balance:
/// granted = available + held + spent + expired + taken back. A debt stands beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// All that was ever granted.
    pub granted: Credits,
    /// Free to be used.
    pub available: Credits,
    /// Set aside for edits that run.
    pub held: Credits,
    /// Used up.
    pub spent: Credits,
    /// Lost by expiry.
    pub expired: Credits,
    /// Taken back, as after a refund.
    pub taken_back: Credits,
    /// Credits that had to be taken back and were already spent. Later credits pay it first, so an
    /// account that has a debt has nothing available.
    pub debt: Credits,
    /// The number of the latest entry; 0 before the first.
    pub seq: i64,
    /// How many buckets were ever opened.
    pub buckets: u32,
    /// The time of the latest entry: time does not go back in a book.
    pub last_at: Timestamp,
}

/// One account's state, or the part of it that a command needs: all open buckets, the hold it
/// names, the source key it brings, and the use of the API key that asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// The balance.
    pub balance: Balance,
    /// The buckets, by number; the closed ones may be missing.
    pub buckets: BTreeMap<u32, Bucket>,
    /// The holds; the ended ones may be missing, as long as no command names them.
    pub holds: BTreeMap<EditId, Hold>,
    /// What each API key has used or holds, in credits.
    pub keys: BTreeMap<KeyId, Credits>,
    /// The source keys that have had their effect; may miss those that no command brings.
    pub sources: BTreeSet<String>,
}

impl Book {
    /// Forgets what no further command needs by itself (closed buckets, ended holds, source
    /// keys), so that a book kept in memory stays small. Whoever does this must look up the
    /// hold and the source key that a command names before deciding it.
    pub fn trim(&mut self) {
        self.buckets.retain(|_, bucket| bucket.is_open());
        self.holds.retain(|_, hold| hold.state == HoldState::Held);
        self.sources.clear();
    }
}

impl Balance {
    /// The balance after a change, unless a part of it leaves the range of amounts.
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
