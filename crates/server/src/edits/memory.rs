//! Memory for the requests of videos, which would take it from pictures for minutes otherwise.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes in which memory is counted; small enough to be fair, large enough to count in `u32`.
const UNIT_BYTES: u64 = 64 * 1024;

/// A stock of memory for the videos under way.
#[derive(Clone, Debug)]
pub struct VideoMemory {
    stock: Arc<Semaphore>,
    units: u32,
}

impl VideoMemory {
    /// A stock of `bytes`.
    pub fn new(bytes: u64) -> Self {
        let units = units(bytes);
        Self { stock: Arc::new(Semaphore::new(units as usize)), units }
    }

    /// Waits until `bytes` are free, first come first served; what is larger than the stock waits
    /// for all of it. Dropping what this answers with gives the memory back.
    pub async fn take(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let wanted = units(bytes).min(self.units);
        // The semaphore is never closed; were it, there would be nothing to wait for.
        Arc::clone(&self.stock).acquire_many_owned(wanted).await.ok()
    }
}

fn units(bytes: u64) -> u32 {
    const UNITS_MAX: u32 = u32::MAX >> 4;
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(UNITS_MAX).min(UNITS_MAX)
}
