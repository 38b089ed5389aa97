//! Whether the service can serve, as whoever sends calls to it asks every few seconds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use retouch_store::Error;

use super::App;

/// How long a look may take, in milliseconds: what takes longer does not serve people either.
const LOOK_MS_MAX: u64 = 5_000;

/// Why the service should get no calls.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotReady {
    /// It has been asked to stop.
    #[error("The service is stopping.")]
    Stopping,
    /// The rows.
    #[error("The database does not answer, or cannot be written to.")]
    Database,
    /// The stored images.
    #[error("The image store does not answer, or cannot be written to.")]
    Images,
}

/// The look that is being taken: however many ask, there is one at a time.
#[derive(Default)]
pub struct Readiness {
    look: Mutex<Option<Look>>,
    is_leaving: AtomicBool,
    /// Whether the latest look found that something is wrong.
    is_known_bad: Arc<AtomicBool>,
}

type Look = Shared<BoxFuture<'static, Result<(), NotReady>>>;

impl Readiness {
    /// From now on whoever asks is told that the service is stopping.
    pub fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
    }

    /// Whether the database answers and can be written to, and so can the place of the images.
    ///
    /// # Errors
    /// What is not so.
    pub async fn look(&self, app: &App) -> Result<(), NotReady> {
        if self.is_leaving.load(Ordering::Relaxed) {
            return Err(NotReady::Stopping);
        }
        let look = {
            let mut look = self.look.lock().unwrap_or_else(PoisonError::into_inner);
            match look.as_ref().filter(|look| look.peek().is_none()) {
                Some(look) => look.clone(),
                None => look.insert(self.begin(app)).clone(),
            }
        };
        look.await
    }

    /// A look in a task of its own: a caller who hangs up leaves nothing half done for the next one.
    fn begin(&self, app: &App) -> Look {
        let (store, is_known_bad) = (app.store.clone(), Arc::clone(&self.is_known_bad));
        let looking = app.tasks.spawn(async move {
            let rows = seen(NotReady::Database, store.ready());
            let images = seen(NotReady::Images, store.blobs().ready());
            let found = tokio::try_join!(rows, images);
            note(found.as_ref().err(), &is_known_bad);
            found.map(drop).map_err(|(not_ready, _)| not_ready)
        });
        looking.map(|done| done.unwrap_or(Err(NotReady::Database))).boxed().shared()
    }
}

/// What a look at `part` finds, with what the log says of it.
async fn seen(
    part: NotReady,
    looking: impl Future<Output = Result<(), Error>>,
) -> Result<(), (NotReady, String)> {
    match tokio::time::timeout(Duration::from_millis(LOOK_MS_MAX), looking).await {
        Ok(found) => found.map_err(|error| (part, error.to_string())),
        Err(_) => Err((part, format!("no answer within {LOOK_MS_MAX} ms"))),
    }
}

/// Tells the log what has changed, not what every question finds.
fn note(found: Option<&(NotReady, String)>, is_known_bad: &AtomicBool) {
    match found {
        Some((_, why)) if !is_known_bad.swap(true, Ordering::Relaxed) => {
            tracing::error!(why, "not ready");
        }
        None if is_known_bad.swap(false, Ordering::Relaxed) => tracing::info!("ready again"),
        _ => {}
    }
}
