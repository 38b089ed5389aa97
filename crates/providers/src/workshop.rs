//! Where pixels are processed: a thread pool, and a limited amount of memory that work must reserve
//! before it starts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::error::{ProviderError, Refused, RefusedKind};
use crate::stock::{Memory, Stock};
use retouch_core::queue::Queue;
use tokio::sync::oneshot;

/// The size of a workshop.
#[derive(Clone, Copy, Debug)]
pub struct WorkshopLimits {
    /// Threads that process pixels.
    pub workers_max: usize,
    /// Memory for all admitted work together, in bytes.
    pub memory_bytes_max: u64,
    /// Edits that may wait for memory.
    pub queue_max: usize,
}

/// The thread pool and its memory.
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
    /// No more edits may wait.
    #[error("{waiting} edits are already waiting")]
    Busy {
        /// How many wait.
        waiting: usize,
    },
    /// The work needs more memory than exists.
    #[error("The edit needs {needed_bytes} bytes of memory; this server allows {allowed_bytes}")]
    TooLarge {
        /// What the work needs.
        needed_bytes: u64,
        /// What all work together may use.
        allowed_bytes: u64,
    },
}

/// The work panicked and its data is lost. The pool keeps working.
#[derive(Debug, thiserror::Error)]
#[error("the work on the image panicked")]
pub struct Panicked;

impl Workshop {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the operating system cannot start the threads.
    pub fn new(limits: WorkshopLimits) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(limits.workers_max)
            .thread_name(|number| format!("pixels-{number}"))
            .build()?;
        let memory = Stock::new(limits.memory_bytes_max);
        Ok(Self { threads: Arc::new(threads), memory, queue: Queue::new(limits.queue_max), limits })
    }

    /// Whether no more edits may wait, so no further one should start.
    pub fn is_full(&self) -> bool {
        self.queue.is_full()
    }

    /// How many edits wait for memory now.
    pub fn waiting(&self) -> usize {
        self.queue.waiting()
    }

    /// How many bytes of memory are in use now.
    pub fn memory_bytes_used(&self) -> u64 {
        self.memory.used_bytes()
    }

    /// Waits in line for `bytes` of memory. Keep it until the work is done.
    ///
    /// # Errors
    /// Immediately, when the queue is full or `bytes` exceed the limit.
    pub async fn admit(&self, bytes: u64) -> Result<Memory, NotAdmitted> {
        self.check(bytes)?;
        let _place =
            self.queue.enter().map_err(|full| NotAdmitted::Busy { waiting: full.waiting })?;
        self.wait_for(bytes).await
    }

    /// Like [`Workshop::admit`], for videos, whose callers do not keep a connection open. They may
    /// wait as long as their own time limit allows, and they do not count toward the queue. The
    /// number of videos is limited when they are accepted.
    ///
    /// # Errors
    /// Immediately, when `bytes` exceed the limit.
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

    /// Runs `work` in the pool.
    ///
    /// # Errors
    /// When the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        let (answer, result) = oneshot::channel();
        self.threads.spawn_fifo(move || {
            // If the caller has given up, the result is discarded.
            let _ = answer.send(Self::run_here(work));
        });
        result.await.unwrap_or(Err(Panicked))
    }

    /// Runs `work` immediately in the caller's thread. For work that takes less time than handing
    /// it to the pool.
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
                let message = format!("{error}. Send smaller images or ask for a smaller result.");
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
