//! How often somebody has come lately: counted for all nodes together, and forgotten when it is past.

mod memory;
mod server;

use retouch_core::rate::Taken;
use retouch_core::{Rate, Timestamp};

pub(crate) use self::memory::Memory;
pub(crate) use self::server::{count, forget, give_back};
use crate::{Error, Store};

/// A limit on how often each of many may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name, of which there are few.
    pub name: &'static str,
    /// How often.
    pub rate: Rate,
}

/// Whom a limit counts: an address, or a part of a hash of what they are called.
pub type Whose = [u8; 16];

/// What came of counting somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Whether they may come; otherwise nothing was counted.
    pub may_come: bool,
    /// How many more times they may come at once.
    pub left: u32,
    /// When they may come once more if none is left, in seconds from now, at least 1.
    pub wait_s: u64,
    /// When they may come as often as ever, in seconds from now.
    pub full_in_s: u64,
}

impl Store {
    /// Counts somebody who comes, to whichever node. What is counted is not durable: after a crash of
    /// the database everybody begins anew.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count(&self, limit: Limit, whose: Whose) -> Result<Counted, Error> {
        let now = self.clock.now();
        let (may_come, taken) = self.backend().count(limit, whose, now).await?;
        Ok(Counted::of(limit, (may_come, taken), now))
    }

    /// Counts somebody who comes to this node: in memory, so that it costs the database nothing. Each node
    /// counts for itself.
    pub fn count_here(&self, limit: Limit, whose: Whose) -> Counted {
        let now = self.clock.now();
        Counted::of(limit, self.counts.count(limit, whose, now), now)
    }

    /// What there is to say to somebody who may not come at present, as far as this node knows; none where
    /// they may. Nothing is counted, and the database is not asked.
    pub fn find_refused(&self, limit: Limit, whose: Whose) -> Option<Counted> {
        let now = self.clock.now();
        let taken = self.backend().find_refused(limit, whose, now)?;
        Some(Counted::of(limit, (false, taken), now))
    }

    /// Gives back one time that was counted, because it need not count after all.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn give_back(&self, limit: Limit, whose: Whose) -> Result<(), Error> {
        self.backend().give_back(limit, whose).await
    }

    /// Forgets who has come and may come as often as ever; of how many.
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
    fn of(limit: Limit, (may_come, taken): (bool, Taken), now: Timestamp) -> Self {
        let rate = limit.rate;
        Self {
            may_come,
            left: rate.left(taken, now),
            wait_s: rate.wait_s(taken, now),
            full_in_s: rate.full_in_s(taken, now),
        }
    }
}
