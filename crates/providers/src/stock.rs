//! A stock of memory: what carries or works on pictures takes from it first, and whoever finds too
//! little waits in turn or is turned away.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes in which memory is counted: small enough for small bodies, large enough to count a
/// terabyte in what a semaphore gives out at once.
const UNIT_BYTES: u64 = 4 * 1024;

/// Memory that may be taken, all together.
#[derive(Clone, Debug)]
pub struct Stock {
    free: Arc<Semaphore>,
    units: u32,
}

/// Memory that grows with what comes in, where it is known whose it is.
pub trait Allowance: Send + Sync {
    /// Takes `bytes` more, if there are as many; they go back with the rest of it.
    fn take(&self, bytes: u64) -> bool;
}

/// Nobody counts.
impl Allowance for () {
    fn take(&self, _: u64) -> bool {
        true
    }
}

/// Memory that was taken out of a stock; it goes back when this is dropped.
#[derive(Debug)]
pub struct Memory {
    taken: OwnedSemaphorePermit,
}

impl Stock {
    /// A stock of `bytes`.
    pub fn new(bytes: u64) -> Self {
        let units = units(bytes);
        Self { free: Arc::new(Semaphore::new(units as usize)), units }
    }

    /// Whether there is as much as `bytes` at all.
    pub fn reaches(&self, bytes: u64) -> bool {
        units(bytes) <= self.units
    }

    /// Bytes that are taken at this moment.
    pub fn used_bytes(&self) -> u64 {
        (u64::from(self.units) * UNIT_BYTES).saturating_sub(self.free_bytes())
    }

    /// Bytes that are free at this moment.
    pub fn free_bytes(&self) -> u64 {
        self.free.available_permits() as u64 * UNIT_BYTES
    }

    /// Waits until `bytes` are free, first come first served; what is larger than the stock waits
    /// for all of it. None only where the stock is closed, which nobody does.
    pub async fn take(&self, bytes: u64) -> Option<Memory> {
        let wanted = units(bytes).min(self.units);
        let taken = Arc::clone(&self.free).acquire_many_owned(wanted).await.ok()?;
        Some(Memory { taken })
    }

    /// Takes `bytes` if they are free now.
    pub fn try_take(&self, bytes: u64) -> Option<Memory> {
        let taken = Arc::clone(&self.free).try_acquire_many_owned(units(bytes)).ok()?;
        Some(Memory { taken })
    }

    /// Sees to it that `memory`, which is of this stock, covers `bytes`, if what is missing is
    /// free now; the answer says whether it does.
    pub fn try_cover(&self, memory: &mut Memory, bytes: u64) -> bool {
        let missing_bytes = bytes.saturating_sub(memory.bytes());
        match self.try_take(missing_bytes) {
            Some(more) => memory.taken.merge(more.taken),
            None => return false,
        }
        true
    }
}

impl Memory {
    /// Gives back what is more than `bytes`.
    pub fn keep(&mut self, bytes: u64) {
        let surplus = self.taken.num_permits().saturating_sub(units(bytes) as usize);
        drop(self.taken.split(surplus));
    }

    fn bytes(&self) -> u64 {
        self.taken.num_permits() as u64 * UNIT_BYTES
    }
}

fn units(bytes: u64) -> u32 {
    const UNITS_MAX: u32 = u32::MAX >> 4;
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(UNITS_MAX).min(UNITS_MAX)
}
