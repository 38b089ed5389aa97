//! Rate limits: recent calls are counted across all nodes and forgotten when they no longer matter.

mod memory;
mod server;

use retouch_core::rate::Taken;
use retouch_core::{Rate, Timestamp};

pub(crate) use self::memory::{Memory, Refused};
pub(crate) use self::server::{count, forget, give_back};
use crate::{Error, Store};

/// A limit on how often each caller may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name. There are only a few.
    pub name: &'static str,
    /// The rate.
    pub rate: Rate,
}

/// The caller: an IP address, or part of a hash of an id.
pub type Whose = [u8; 16];

/// The result of counting a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Whether the call is allowed. If not, it was not counted.
    pub may_come: bool,
    /// How many more calls are allowed now.
    pub left: u32,
    /// When the next call is allowed if none is left, in seconds from now, at least 1.
    pub wait_s: u64,
    /// When the full number of calls is allowed again, in seconds from now.
    pub full_in_s: u64,
}

impl Store {
    /// Counts a call on any node. Counts are not durable: a crash of the database resets them.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count(&self, limit: Limit, whose: Whose) -> Result<Counted, Error> {
        let now = self.clock.now();
        let (may_come, taken) = self.backend().count(limit, whose, now).await?;
        Ok(Counted::of(limit, may_come, taken, now))
    }

    /// Counts a call on this node only. This is done in memory and takes no query.
    pub fn count_here(&self, limit: Limit, whose: Whose) -> Counted {
        let now = self.clock.now();
        let (may_come, taken) = self.counts.count(limit, whose, now);
        Counted::of(limit, may_come, taken, now)
    }

    /// Whether this node already knows that the caller is over the limit. `None` if it does not.
    /// Counts nothing and takes no query.
    pub fn find_refused(&self, limit: Limit, whose: Whose) -> Option<Counted> {
        let now = self.clock.now();
        let taken = self.backend().find_refused(limit, whose, now)?;
        Some(Counted::of(limit, false, taken, now))
    }

    /// Undoes one count, because the call turned out not to matter.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn give_back(&self, limit: Limit, whose: Whose) -> Result<(), Error> {
        self.backend().give_back(limit, whose).await
    }

    /// Forgets callers whose full number of calls is allowed again. Returns how many.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn forget_counts(&self) -> Result<usize, Error> {
        let now = self.clock.now();
        let here = self.counts.forget(now);
        Ok(here + self.backend().forget_counts(now).await?)
    }
}

impl Counted {
    fn of(limit: Limit, may_come: bool, taken: Taken, now: Timestamp) -> Self {
        let rate = limit.rate;
        Self {
            may_come,
            left: rate.left(taken, now),
            wait_s: rate.wait_s(taken, now),
            full_in_s: rate.full_in_s(taken, now),
        }
    }
}
