//! `retouch serve`: from settings to a service that answers, and to its end.

mod activity;
mod arriving;
mod connections;
mod housekeeping;
mod leaving;
mod lock;
mod opening;
mod pace;
mod places;
mod welcome;
mod writing;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use retouch_core::{OsEntropy, SystemClock};
use retouch_store::Database;
use thiserror::Error;
use tokio::net::TcpListener;

use crate::app::{App, BuildError, Nature, Parts};
use crate::config::Settings;
use crate::{api, edits, serving};

pub(crate) use lock::DataLock;
pub use lock::LockError;

/// How long a stop tries to leave its edits to others, in milliseconds.
const LEAVE_MS_MAX: u64 = 5_000;
/// How long the callers of edits that have not ended may take to read where to look for them, in
/// milliseconds.
const ANSWER_MS_MAX: u64 = 2_000;

/// Why the service did not start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error(
        "cannot listen on {address}: {cause}. Is another server running? RETOUCH_SERVER__LISTEN sets the address"
    )]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// Why.
        cause: std::io::Error,
    },
    /// Another server works on the database.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A part could not be made.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Customers could take money back for credits that they have spent.
    #[error("Stripe's customer portal can be abused: {0}. Change its settings at Stripe")]
    Portal(String),
    /// What an earlier process left open could not be read.
    #[error("the edits that an earlier process left open cannot be read: {0}")]
    Recover(#[from] retouch_store::Error),
}

/// Serves until the operating system asks for an end.
///
/// # Errors
/// When the service cannot start.
pub async fn run(settings: Settings) -> Result<(), ServeError> {
    let nature = Nature { clock: Arc::new(SystemClock), entropy: Arc::new(OsEntropy) };
    let parts = Parts { settings, nature, providers: Vec::new() };
    serve(parts, asked_to_stop(), welcome::print).await
}

/// Serves `parts` until `stop` completes; `ready` is called once calls are answered.
///
/// # Errors
/// When the service cannot start.
pub async fn serve(
    parts: Parts,
    stop: impl Future<Output = ()>,
    ready: impl AsyncFnOnce(&App),
) -> Result<(), ServeError> {
    let address = parts.settings.server.listen;
    let _lock = parts.settings.store.database.file().map(DataLock::take).transpose()?;
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|cause| ServeError::Listen { address, cause })?;
    let bound = listener.local_addr().map_err(|cause| ServeError::Listen { address, cause })?;
    let app = App::build(parts, bound).await?;
    crate::billing::check_portal(&app).await.map_err(ServeError::Portal)?;
    // On a database of its own every open edit is of a process that is gone; on a server it may be
    // another node's, until its lease ends.
    let settled = match app.settings.store.database {
        Database::File(_) => edits::recover(&app).await?,
        Database::Server(_) => edits::resume_own(&app).await?,
    };
    if settled > 0 {
        tracing::warn!(settled, "settled edits that an earlier process left open");
    }
    for concern in serving::concerns(&app.catalogue, &app.settings, app.clock.now()) {
        tracing::warn!("{concern}");
    }
    let ending = app.ending.clone();
    housekeeping::start(&app, &ending);
    // Also while this process is waiting for its last edits.
    let leases = edits::keep_leases(&app);
    let router = api::router(Arc::clone(&app));
    let door = connections::Door::of(&app, router);
    let accepting = connections::accept(listener, door, ending.clone());
    ready(&app).await;
    let accepting = app.tasks.spawn(accepting);
    let to_the_end = async {
        stop.await;
        announce(&app).await;
        ending.cancel();
        tracing::info!("stopping: no new calls, finishing those that run");
        finish(&app, accepting).await;
    };
    tokio::select! {
        () = to_the_end => {}
        () = leases => {}
    }
    close(&app).await;
    Ok(())
}

/// Has balancers turn to other nodes before this one takes no more calls.
async fn announce(app: &App) {
    app.readiness.leave();
    let ms = app.settings.server.stop_announce_ms;
    if ms > 0 {
        tracing::info!(ms, "asked to stop: taking calls until balancers have noticed");
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

/// Waits for what is running, within its time. Callers of what is still open then are told where to look
/// for it; another node or the next start settles it.
async fn finish(app: &App, mut accepting: tokio::task::JoinHandle<()>) {
    app.tasks.close();
    let all = async {
        let _ = (&mut accepting).await;
        app.tasks.wait().await;
    };
    let wait = Duration::from_millis(app.settings.server.stop_wait_ms_max);
    if tokio::time::timeout(wait, all).await.is_err() {
        let running = app.running.count();
        tracing::warn!(
            running,
            "edits are still running; another node or the next start settles them"
        );
        app.leaving.cancel();
        if !accepting.is_finished() {
            let wait = Duration::from_millis(ANSWER_MS_MAX);
            drop(tokio::time::timeout(wait, accepting).await);
        }
    }
}

/// Leaves the edits that are still open to whoever comes next, and closes the store.
async fn close(app: &App) {
    let leaving = app.store.leave_edits(&app.owner);
    let left = tokio::time::timeout(Duration::from_millis(LEAVE_MS_MAX), leaving).await;
    let why = match left {
        Ok(left) => left.err().map(|error| error.to_string()),
        Err(_) => Some(format!("no answer within {LEAVE_MS_MAX} ms")),
    };
    if let Some(why) = why {
        tracing::error!(why, "edits could not be left; their leases have to end");
    }
    if let Err(error) = app.store.close().await {
        tracing::error!(%error, "the store did not close cleanly; the next start mends it");
    }
}

/// Completes at SIGTERM or at Ctrl-C. Both are listened for from this call on, before the service
/// says that it is ready: whoever stops it then is heard, not obeyed by the operating system.
#[cfg(unix)]
fn asked_to_stop() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).inspect_err(|error| tracing::error!(%error, "no signals"));
    let (terminate, interrupt) = (listen(SignalKind::terminate()), listen(SignalKind::interrupt()));
    let heard = async |signal: std::io::Result<tokio::signal::unix::Signal>| match signal {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    };
    async move {
        tokio::select! {
            () = heard(terminate) => {}
            () = heard(interrupt) => {}
        }
    }
}

/// Completes at Ctrl-C.
#[cfg(not(unix))]
async fn asked_to_stop() {
    let _ = tokio::signal::ctrl_c().await;
}
