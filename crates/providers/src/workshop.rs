//! Where pixels are worked on: a pool of threads bounded by cores, and a stock of memory that
//! work must be given before it starts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::error::{ProviderError, Refused, RefusedKind};
use crate::stock::{Memory, Stock};
use retouch_core::queue::Queue;
use tokio::sync::oneshot;

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
    memory: Stock,
    queue: Queue,
    limits: WorkshopLimits,
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
        let memory = Stock::new(limits.memory_bytes_max);
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
        self.memory.used_bytes()
    }

    /// Waits, in turn, for `bytes` of memory, to be kept until the work is done.
    ///
    /// # Errors
    /// At once, when the queue is full or there will never be so much.
    pub async fn admit(&self, bytes: u64) -> Result<Memory, NotAdmitted> {
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
    pub async fn admit_patiently(&self, bytes: u64) -> Result<Memory, NotAdmitted> {
        self.check(bytes)?;
        self.wait_for(bytes).await
    }

    fn check(&self, needed_bytes: u64) -> Result<(), NotAdmitted> {
        if !self.memory.reaches(needed_bytes) {
            let allowed_bytes = self.limits.memory_bytes_max;
            return Err(NotAdmitted::TooLarge { needed_bytes, allowed_bytes });
        }
        Ok(())
    }

    async fn wait_for(&self, bytes: u64) -> Result<Memory, NotAdmitted> {
        self.memory.take(bytes).await.ok_or(NotAdmitted::Busy { waiting: 0 })
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
