//! A limited amount of memory. Work on images reserves memory here first. If too little is free, it
//! waits or is rejected.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit in which memory is counted. It is small enough for small bodies, and large enough for a
/// semaphore to count a terabyte.
const UNIT_BYTES: u64 = 4 * 1024;

/// Memory that can be reserved.
#[derive(Clone, Debug)]
pub struct Stock {
    free: Arc<Semaphore>,
    units: u32,
}

/// Memory that grows with the data that arrives, counted for one owner.
pub trait Allowance: Send + Sync {
    /// Reserves `bytes` more, if available. They are freed together with the rest.
    fn take(&self, bytes: u64) -> bool;
}

/// No limit.
impl Allowance for () {
    fn take(&self, _: u64) -> bool {
        true
    }
}

/// Reserved memory. Dropping it frees it.
#[derive(Debug)]
pub struct Memory {
    taken: OwnedSemaphorePermit,
}

impl Stock {
    /// A stock of this many bytes.
    pub fn new(bytes: u64) -> Self {
        let units = units(bytes);
        Self { free: Arc::new(Semaphore::new(units as usize)), units }
    }

    /// Whether the whole stock is at least `bytes`.
    pub fn reaches(&self, bytes: u64) -> bool {
        units(bytes) <= self.units
    }

    /// How many bytes there are in total.
    pub fn bytes(&self) -> u64 {
        u64::from(self.units) * UNIT_BYTES
    }

    /// How many bytes are reserved now.
    pub fn used_bytes(&self) -> u64 {
        self.bytes().saturating_sub(self.free_bytes())
    }

    /// How many bytes are free now.
    pub fn free_bytes(&self) -> u64 {
        self.free.available_permits() as u64 * UNIT_BYTES
    }

    /// Waits until `bytes` are free, first come, first served. A request for more than the stock
    /// waits for all of it. `None` only if the stock is closed, which never happens.
    pub async fn take(&self, bytes: u64) -> Option<Memory> {
        let wanted = units(bytes).min(self.units);
        let taken = Arc::clone(&self.free).acquire_many_owned(wanted).await.ok()?;
        Some(Memory { taken })
    }

    /// Reserves `bytes` if they are free now.
    pub fn try_take(&self, bytes: u64) -> Option<Memory> {
        let taken = Arc::clone(&self.free).try_acquire_many_owned(units(bytes)).ok()?;
        Some(Memory { taken })
    }

    /// Grows `memory`, which belongs to this stock, to at least `bytes` if enough is free now.
    /// Returns whether it covers `bytes`.
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
    /// Frees everything beyond `bytes`.
    pub fn keep(&mut self, bytes: u64) {
        let surplus = self.taken.num_permits().saturating_sub(units(bytes) as usize);
        drop(self.taken.split(surplus));
    }

    /// `bytes`, for which this memory was reserved. It is freed with the last reference to them,
    /// and what they do not need is freed now.
    #[must_use]
    pub fn tied_to(mut self, bytes: Bytes) -> Bytes {
        self.keep(bytes.len() as u64);
        Bytes::from_owner(Counted { bytes, _memory: self })
    }

    fn bytes(&self) -> u64 {
        self.taken.num_permits() as u64 * UNIT_BYTES
    }
}

/// Bytes together with the memory reserved for them.
struct Counted {
    bytes: Bytes,
    _memory: Memory,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

fn units(bytes: u64) -> u32 {
    const UNITS_MAX: u32 = u32::MAX >> 4;
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(UNITS_MAX).min(UNITS_MAX)
}
