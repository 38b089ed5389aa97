//! Threads that edit images from a list, within the memory of the machine. They can be stopped without
//! leaving a half-written file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::Instant;

use retouch_core::image::OutputFormat;
use retouch_engine::{Plan, codec, execute_any};

use super::budget::Budget;
use super::output::{self, FLATTENED};
use super::{bytes_of, decode};
use crate::config::machine;

/// An image to edit.
#[derive(Clone)]
pub(super) struct Order {
    /// The image.
    pub(super) input: PathBuf,
    /// The file for the result.
    pub(super) output: PathBuf,
    /// The format of the result.
    pub(super) format: OutputFormat,
}

/// A saved result.
pub(super) struct Done {
    /// What was asked for.
    pub(super) order: Order,
    /// Width and height in pixels.
    pub(super) size: (u32, u32),
    /// How long it took, in seconds.
    pub(super) seconds: f64,
    /// How the result differs from what was asked for.
    pub(super) warnings: Vec<String>,
}

/// What happens while images are edited.
pub(super) enum Event {
    /// An image was edited and saved, or not.
    Ended(PathBuf, Result<Done, String>),
    /// The user pressed Ctrl-C, or the process was asked to end.
    Stop,
}

/// The list of images and what the threads share.
pub(super) struct Workers {
    orders: Vec<Order>,
    plan: Plan,
    next: AtomicUsize,
    budget: Budget,
    /// Whether results may no longer be saved. Locked for reading while one is.
    is_stopped: RwLock<bool>,
}

impl Workers {
    /// Starts a thread for each core.
    pub(super) fn start(
        orders: Vec<Order>,
        plan: Plan,
    ) -> std::io::Result<(Arc<Self>, Receiver<Event>)> {
        let workers = Arc::new(Self {
            orders,
            plan,
            next: AtomicUsize::new(0),
            budget: Budget::of_machine(),
            is_stopped: RwLock::new(false),
        });
        let (events, received) = mpsc::channel();
        watch_for_stop(events.clone())?;
        for _ in 0..machine::cores().min(workers.count()) {
            let (workers, events) = (Arc::clone(&workers), events.clone());
            thread::Builder::new().spawn(move || workers.work(&events))?;
        }
        Ok((workers, received))
    }

    /// The number of images.
    pub(super) fn count(&self) -> usize {
        self.orders.len()
    }

    /// Saves no more results. Returns when none is being written.
    pub(super) fn stop(&self) {
        *self.is_stopped.write().unwrap_or_else(PoisonError::into_inner) = true;
    }

    fn work(&self, events: &Sender<Event>) {
        while let Some(order) = self.orders.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let edited = catch_unwind(AssertUnwindSafe(|| self.edit(order)));
            let edited = edited.unwrap_or_else(|_| Err("internal error in the editor".to_owned()));
            // Held until the result is saved and reported.
            let is_stopped = self.is_stopped.read().unwrap_or_else(PoisonError::into_inner);
            if *is_stopped {
                return;
            }
            let save = |(file, done): (Vec<u8>, Done)| {
                output::save_new(&order.output, &file).map(|()| done)
            };
            let result = edited.and_then(save);
            // Fails once no one waits for results any more.
            if events.send(Event::Ended(order.input.clone(), result)).is_err() {
                return;
            }
        }
    }

    /// The file of the result, not saved yet.
    fn edit(&self, order: &Order) -> Result<(Vec<u8>, Done), String> {
        let began = Instant::now();
        let bytes = bytes_of(&order.input)?;
        let reserved = self.budget.reserve(self.needed_bytes(&bytes, order)?);
        let picture = decode(&bytes)?;
        drop(bytes);
        let edited = execute_any(&self.plan, vec![picture]).map_err(|error| error.to_string())?;
        let size = edited.picture.size();
        let encoded = output::encode(&edited.picture, order.format)?;
        drop((edited.picture, reserved));
        let seconds = began.elapsed().as_secs_f64();
        let mut warnings = edited.warnings;
        warnings.extend(encoded.flattened.then(|| FLATTENED.to_owned()));
        Ok((encoded.bytes, Done { order: order.clone(), size, seconds, warnings }))
    }

    /// The memory for decoding, for the steps or for encoding the result, whichever needs the most.
    fn needed_bytes(&self, bytes: &[u8], order: &Order) -> Result<u64, String> {
        let header = codec::probe(bytes, &codec::Limits::default()).map_err(|it| it.to_string())?;
        let steps = self.plan.working_bytes_any(&[(header.size(), header.depth)]);
        let result = self.plan.result_size(&[header.size()]).map_err(|it| it.to_string())?;
        let steps = steps.map_err(|it| it.to_string())?;
        let encoding = codec::encode_bytes(result, output::encoding(order.format));
        Ok(steps.max(header.decode_bytes).max(encoding))
    }
}

/// Reports Ctrl-C and SIGTERM as events, instead of letting them end the process.
fn watch_for_stop(events: Sender<Event>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stopped = {
        let _inside = runtime.enter();
        crate::serve::asked_to_stop()
    };
    let wait = move || {
        runtime.block_on(stopped);
        // Fails once no one waits for events any more.
        let _ = events.send(Event::Stop);
    };
    thread::Builder::new().spawn(wait).map(drop)
}
