//! Where pixels are worked on: a pool of threads bounded by cores, and a stock of memory that
//! work must be given before it starts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::error::{ProviderError, Refused, RefusedKind};
use retouch_core::queue::Queue;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Bytes in which memory is handed out; small enough to be fair, large enough to count in `u32`.
const UNIT_BYTES: u64 = 64 * 1024;

/// How large a workshop is.
#[derive(Clone, Copy, Debug)]
pub struct WorkshopLimits {
    /// Threads that work on pixels.
    pub workers_max: usize,
    /// Memory that all admitted work together may take, in bytes.
    pub memory_bytes_max: u64,
    /// Edits that may wait for memory.
    pub queue_max: usize,
}

/// The pool and its stock of memory.
#[derive(Clone)]
pub struct Workshop {
    threads: Arc<rayon::ThreadPool>,
    memory: Arc<Semaphore>,
    queue: Queue,
    limits: WorkshopLimits,
}

/// Memory set aside for one edit; dropping it gives the memory back.
#[derive(Debug)]
pub struct Permit {
    /// Held only to be dropped.
    _memory: OwnedSemaphorePermit,
}

/// Why work was not admitted.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotAdmitted {
    /// As many edits wait as may wait.
    #[error("{waiting} edits are waiting already")]
    Busy {
        /// How many wait.
        waiting: usize,
    },
    /// The work needs more than there is at all.
    #[error(
        "the edit would take {needed_bytes} bytes of memory; this server allows {allowed_bytes}"
    )]
    TooLarge {
        /// What the work would take.
        needed_bytes: u64,
        /// What all work together may take.
        allowed_bytes: u64,
    },
}

/// Work that panicked. What it worked on is gone; the pool goes on.
#[derive(Debug, thiserror::Error)]
#[error("the work on the picture panicked")]
pub struct Panicked;

impl Workshop {
    /// Opens a workshop.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn new(limits: WorkshopLimits) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(limits.workers_max)
            .thread_name(|number| format!("pixels-{number}"))
            .build()?;
        let memory = Arc::new(Semaphore::new(units(limits.memory_bytes_max) as usize));
        Ok(Self { threads: Arc::new(threads), memory, queue: Queue::new(limits.queue_max), limits })
    }

    /// Whether as many edits wait as may wait, so that no more should be begun.
    pub fn is_full(&self) -> bool {
        self.queue.is_full()
    }

    /// Edits that wait for memory at this moment.
    pub fn waiting(&self) -> usize {
        self.queue.waiting()
    }

    /// Bytes of memory that work holds at this moment.
    pub fn memory_bytes_used(&self) -> u64 {
        let free = self.memory.available_permits() as u64 * UNIT_BYTES;
        (u64::from(units(self.limits.memory_bytes_max)) * UNIT_BYTES).saturating_sub(free)
    }

    /// Waits, in turn, for `bytes` of memory.
    ///
    /// # Errors
    /// At once, when the queue is full or there will never be so much.
    pub async fn admit(&self, bytes: u64) -> Result<Permit, NotAdmitted> {
        self.check(bytes)?;
        let _place =
            self.queue.enter().map_err(|full| NotAdmitted::Busy { waiting: full.waiting })?;
        self.wait_for(bytes).await
    }

    /// The same for whom nobody waits on the line, a video: it waits for as long as the caller
    /// lets it, and takes no place from those whom somebody waits for. How many there are is
    /// bounded where videos are let in.
    ///
    /// # Errors
    /// At once, when there will never be so much.
    pub async fn admit_patiently(&self, bytes: u64) -> Result<Permit, NotAdmitted> {
        self.check(bytes)?;
        self.wait_for(bytes).await
    }

    fn check(&self, needed_bytes: u64) -> Result<(), NotAdmitted> {
        let allowed_bytes = self.limits.memory_bytes_max;
        if units(needed_bytes) > units(allowed_bytes) {
            return Err(NotAdmitted::TooLarge { needed_bytes, allowed_bytes });
        }
        Ok(())
    }

    async fn wait_for(&self, bytes: u64) -> Result<Permit, NotAdmitted> {
        let memory = Arc::clone(&self.memory).acquire_many_owned(units(bytes)).await;
        // The semaphore is never closed; were it, nothing could be admitted any more.
        memory
            .map(|memory| Permit { _memory: memory })
            .map_err(|_| NotAdmitted::Busy { waiting: 0 })
    }

    /// Does `work` on the pool.
    ///
    /// # Errors
    /// When the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        let (answer, result) = oneshot::channel();
        self.threads.spawn_fifo(move || {
            // The caller may have given up; then nobody wants the answer.
            let _ = answer.send(Self::run_here(work));
        });
        result.await.unwrap_or(Err(Panicked))
    }

    /// Does `work` at once, where the caller is: for what takes less time than handing it over.
    ///
    /// # Errors
    /// When the work panics.
    pub fn run_here<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
        catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
    }
}

impl From<NotAdmitted> for ProviderError {
    fn from(error: NotAdmitted) -> Self {
        match error {
            NotAdmitted::Busy { .. } => Self::Busy,
            NotAdmitted::TooLarge { .. } => {
                let message =
                    format!("{error}. Send smaller pictures or ask for a smaller result.");
                Self::Refused(Refused { kind: RefusedKind::Limit, message, param: None })
            }
        }
    }
}

impl From<Panicked> for ProviderError {
    fn from(panicked: Panicked) -> Self {
        Self::Failed(panicked.to_string())
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX >> 4).min(u32::MAX >> 4)
}
