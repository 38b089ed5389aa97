//! Threads that have images from a list edited and save the results. They can be stopped without leaving
//! a half-written file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;

use retouch_core::image::OutputFormat;

use super::output;

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
    /// The credits that a server has charged.
    pub(super) cost: i64,
    /// How the result differs from what was asked for.
    pub(super) warnings: Vec<String>,
}

/// Why an image was not edited.
pub(super) struct NotEdited {
    /// The reason, for people.
    pub(super) reason: String,
    /// Whether all further images would fail as well.
    pub(super) is_hopeless: bool,
}

impl From<String> for NotEdited {
    fn from(reason: String) -> Self {
        Self { reason, is_hopeless: false }
    }
}

/// Edits images, several at a time.
pub(super) trait Editor: Send + Sync + 'static {
    /// How many images it edits at a time.
    fn threads(&self) -> usize;

    /// The file of the result, not saved yet.
    fn edit(&self, order: &Order) -> Result<(Vec<u8>, Done), NotEdited>;
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
    editor: Box<dyn Editor>,
    next: AtomicUsize,
    /// Whether the rest is not tried.
    is_hopeless: AtomicBool,
    /// Whether results may no longer be saved. Locked for reading while one is.
    is_stopped: RwLock<bool>,
}

impl Workers {
    /// Starts the threads.
    pub(super) fn start(
        orders: Vec<Order>,
        editor: Box<dyn Editor>,
    ) -> std::io::Result<(Arc<Self>, Receiver<Event>)> {
        let workers = Arc::new(Self {
            orders,
            editor,
            next: AtomicUsize::new(0),
            is_hopeless: AtomicBool::new(false),
            is_stopped: RwLock::new(false),
        });
        let (events, received) = mpsc::channel();
        watch_for_stop(events.clone())?;
        for _ in 0..workers.editor.threads().min(workers.count()) {
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
            let edited = self.edit(order);
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
        if self.is_hopeless.load(Ordering::Relaxed) {
            return Err("not tried after another image's error".to_owned());
        }
        let edited = catch_unwind(AssertUnwindSafe(|| self.editor.edit(order)));
        let edited =
            edited.unwrap_or_else(|_| Err("internal error in the editor".to_owned().into()));
        edited.map_err(|NotEdited { reason, is_hopeless }| {
            self.is_hopeless.fetch_or(is_hopeless, Ordering::Relaxed);
            reason
        })
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
