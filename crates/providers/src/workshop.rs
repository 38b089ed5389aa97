//! Where pixels are processed: one thread per core, and an amount of memory that work must reserve
//! before it starts. Small work has its own threads and its own share of the memory, so it never
//! waits for large work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::error::{ProviderError, Refused, RefusedKind};
use retouch_core::queue::Queue;
use retouch_outbound::stock::{Memory, Stock};
use tokio::sync::oneshot;

/// Largest memory need of small work, in bytes. An edit of a 1-megapixel image fits.
const SMALL_BYTES_MAX: u64 = 24 * 1024 * 1024;
/// Small work has a share of the memory to itself: one part in this many.
const SMALL_PARTS: u64 = 8;

/// How much large work yields to everything else in the process, as in `nice(1)`. It gets a quarter
/// of a core that other work also needs, and all of a free one.
const LARGE_NICENESS: i32 = 5;

/// The size of a workshop.
#[derive(Clone, Copy, Debug)]
pub struct WorkshopLimits {
    /// How many threads work on large edits, and how many on small ones.
    pub workers_max: usize,
    /// Memory for all admitted work together, in bytes.
    pub memory_bytes_max: u64,
    /// Maximum number of edits that wait for memory.
    pub queue_max: usize,
}

/// The threads that process pixels, and their memory.
#[derive(Clone)]
pub struct Workshop {
    small: Lane,
    large: Lane,
    queue: Queue,
    limits: WorkshopLimits,
}

/// Threads and the memory for their work.
#[derive(Clone)]
struct Lane {
    threads: Arc<rayon::ThreadPool>,
    memory: Stock,
}

/// Admits one edit to the threads and holds its memory.
pub struct Permit {
    threads: Arc<rayon::ThreadPool>,
    _memory: [Option<Memory>; 2],
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
        let small_bytes = limits.memory_bytes_max / SMALL_PARTS;
        let lane = |name, niceness, bytes| -> Result<Lane, rayon::ThreadPoolBuildError> {
            let threads = rayon::ThreadPoolBuilder::new()
                .num_threads(limits.workers_max)
                .thread_name(move |number| format!("{name}-{number}"))
                .start_handler(move |_| yield_to_others(niceness))
                .build()?;
            Ok(Lane { threads: Arc::new(threads), memory: Stock::new(bytes) })
        };
        Ok(Self {
            small: lane("small-pixels", 0, small_bytes)?,
            large: lane("pixels", LARGE_NICENESS, limits.memory_bytes_max - small_bytes)?,
            queue: Queue::new(limits.queue_max),
            limits,
        })
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
        self.small.memory.used_bytes() + self.large.memory.used_bytes()
    }

    /// Waits in line for `bytes` of memory. Keep it until the work is done.
    ///
    /// # Errors
    /// Immediately, if the queue is full or the work needs more memory than exists.
    pub async fn admit(&self, bytes: u64) -> Result<Arc<Permit>, NotAdmitted> {
        self.check(bytes)?;
        let _place =
            self.queue.enter().map_err(|full| NotAdmitted::Busy { waiting: full.waiting })?;
        self.wait_for(bytes).await
    }

    /// [`Workshop::admit_patiently`] for background work, [`Workshop::admit`] for the rest.
    ///
    /// # Errors
    /// As of these.
    pub async fn admit_as(
        &self,
        bytes: u64,
        is_background: bool,
    ) -> Result<Arc<Permit>, NotAdmitted> {
        match is_background {
            true => self.admit_patiently(bytes).await,
            false => self.admit(bytes).await,
        }
    }

    /// Like [`Workshop::admit`], for background work, whose callers do not keep a connection open.
    /// It may wait as long as its own time limit allows, and does not count toward the queue. Its
    /// number is limited when it is accepted.
    ///
    /// # Errors
    /// Immediately, if the work needs more memory than exists.
    pub async fn admit_patiently(&self, bytes: u64) -> Result<Arc<Permit>, NotAdmitted> {
        self.check(bytes)?;
        self.wait_for(bytes).await
    }

    fn check(&self, needed_bytes: u64) -> Result<(), NotAdmitted> {
        let allowed_bytes = self.limits.memory_bytes_max;
        if needed_bytes > allowed_bytes {
            return Err(NotAdmitted::TooLarge { needed_bytes, allowed_bytes });
        }
        Ok(())
    }

    async fn wait_for(&self, bytes: u64) -> Result<Arc<Permit>, NotAdmitted> {
        let (small, large) = (&self.small.memory, &self.large.memory);
        let is_small = bytes <= SMALL_BYTES_MAX && small.reaches(bytes);
        let large_bytes = if is_small { 0 } else { bytes.min(large.bytes()) };
        // An edit that needs more than the share of large work also waits for part of the other
        // share. All edits take from the two stocks in this order, so they cannot deadlock.
        let memory = [take(large, large_bytes).await?, take(small, bytes - large_bytes).await?];
        let lane = if is_small { &self.small } else { &self.large };
        Ok(Arc::new(Permit { threads: Arc::clone(&lane.threads), _memory: memory }))
    }
}

/// Lowers the priority of this thread. If the system refuses, the thread keeps its normal priority.
fn yield_to_others(niceness: i32) {
    // Linux changes a single thread (setpriority(2), "C library/kernel differences"). Other systems
    // would change the whole process.
    if cfg!(target_os = "linux") && niceness > 0 {
        let _ = rustix::process::setpriority_process(None, niceness);
    }
}

async fn take(stock: &Stock, bytes: u64) -> Result<Option<Memory>, NotAdmitted> {
    if bytes == 0 {
        return Ok(None);
    }
    stock.take(bytes).await.map(Some).ok_or(NotAdmitted::Busy { waiting: 0 })
}

impl Permit {
    /// Runs `work` on the threads. The memory is freed when the work has ended and every clone of
    /// the permit has been dropped, even if the caller stops waiting.
    ///
    /// # Errors
    /// When the work panics.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        let (answer, result) = oneshot::channel();
        let permit = Arc::clone(self);
        self.threads.spawn_fifo(move || {
            let worked = run_here(work);
            drop(permit);
            // The caller may have stopped waiting.
            let _ = answer.send(worked);
        });
        result.await.unwrap_or(Err(Panicked))
    }
}

/// Runs `work` in the caller's thread, for work that takes less time than waking another thread.
///
/// # Errors
/// When the work panics.
pub fn run_here<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
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
