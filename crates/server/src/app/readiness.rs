//! Readiness: whether the service can accept calls, which load balancers check every few seconds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use retouch_store::Error;

use super::App;

/// The time limit of a check, in milliseconds. A store that takes longer cannot serve users either.
const LOOK_MS_MAX: u64 = 5_000;

/// Why the service should not get calls.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotReady {
    /// It has been asked to stop.
    #[error("The service is stopping.")]
    Stopping,
    /// The database failed the check.
    #[error("The database is not responding or not writable.")]
    Database,
    /// The image store failed the check.
    #[error("The image store is not responding or not writable.")]
    Images,
}

/// The running checks. However many callers ask, only one check of each kind runs at a time.
#[derive(Default)]
pub struct Readiness {
    rows: Mutex<Option<Look>>,
    images: Mutex<Option<Look>>,
    is_leaving: AtomicBool,
    /// Whether the latest check found a problem.
    is_known_bad: AtomicBool,
}

/// A check in a task of its own, which ends with the problem it found, if any.
type Look = Shared<BoxFuture<'static, Result<(), String>>>;

impl Readiness {
    /// From now on, checks report that the service is stopping.
    pub fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
    }

    /// Checks that the database and the image store respond and are writable.
    ///
    /// # Errors
    /// The first that is not.
    pub async fn look(&self, app: &App) -> Result<(), NotReady> {
        if self.is_leaving.load(Ordering::Relaxed) {
            return Err(NotReady::Stopping);
        }
        let store = || app.store.clone();
        let rows = taken(&self.rows, app, || {
            let store = store();
            async move { store.ready().await }.boxed()
        });
        let images = taken(&self.images, app, || {
            let store = store();
            async move { store.blobs().ready().await }.boxed()
        });
        let (rows, images) = (seen(NotReady::Database, rows), seen(NotReady::Images, images));
        let found = tokio::try_join!(rows, images);
        note(found.as_ref().err(), &self.is_known_bad);
        found.map(drop).map_err(|(not_ready, _)| not_ready)
    }
}

/// The running check, or a new one. It continues even if no one waits for it any longer, so that a
/// store that hangs is checked only once.
fn taken(
    current: &Mutex<Option<Look>>,
    app: &App,
    begin: impl FnOnce() -> BoxFuture<'static, Result<(), Error>>,
) -> Look {
    let mut current = current.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(look) = current.as_ref().filter(|look| look.peek().is_none()) {
        return look.clone();
    }
    let looking = app.tasks.spawn(begin()).map(|done| match done {
        Ok(found) => found.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    });
    current.insert(looking.boxed().shared()).clone()
}

/// Waits for the check of `part` within the time limit. Errors include the text for the log.
async fn seen(part: NotReady, look: Look) -> Result<(), (NotReady, String)> {
    match tokio::time::timeout(Duration::from_millis(LOOK_MS_MAX), look).await {
        Ok(found) => found.map_err(|why| (part, why)),
        Err(_) => Err((part, format!("no response within {LOOK_MS_MAX} ms"))),
    }
}

/// Logs changes of readiness, not every result.
fn note(found: Option<&(NotReady, String)>, is_known_bad: &AtomicBool) {
    match found {
        Some((_, why)) if !is_known_bad.swap(true, Ordering::Relaxed) => {
            tracing::error!(why, "not ready");
        }
        None if is_known_bad.swap(false, Ordering::Relaxed) => tracing::info!("ready again"),
        _ => {}
    }
}
