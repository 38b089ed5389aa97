//! `retouch serve`: starts the service, runs it and shuts it down.

mod activity;
mod arriving;
mod command_line;
mod connections;
mod housekeeping;
mod leaving;
mod lingering;
mod lock;
mod pace;
mod places;
mod preface;
mod welcome;
mod writing;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use retouch_core::{OsEntropy, SystemClock};
use retouch_store::{Context, Database};
use thiserror::Error;
use tokio::net::TcpListener;

use crate::app::{App, BuildError, Parts};
use crate::config::{Settings, key_file};
use crate::{api, edits, serving};

pub use lock::LockError;
pub(crate) use lock::{DataLock, Holder};

/// On shutdown, the time limit for handing open edits to other nodes, in milliseconds.
const LEAVE_MS_MAX: u64 = 5_000;
/// On shutdown, how long callers of unfinished edits have to read the response that says where to
/// find the result, in milliseconds.
const ANSWER_MS_MAX: u64 = 2_000;

/// Why the service did not start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The server cannot listen on the address.
    #[error(
        "cannot listen on {address}: {cause}. If another program uses the address, stop it or change RETOUCH_SERVER__LISTEN"
    )]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// Why.
        cause: std::io::Error,
    },
    /// Another server uses the database.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The key that encrypts secrets in the embedded database can be neither read nor created.
    #[error(
        "cannot read or create the key file next to the database: {0}. Fix this, or set \
         RETOUCH_SERVER__SECRET_KEY"
    )]
    KeyFile(std::io::Error),
    /// A part of the application could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Customers could get money back for credits that they have used.
    #[error("the Stripe customer portal has unsafe settings: {0}. Change them at Stripe")]
    Portal(String),
    /// The work that a previous process left open could not be taken over.
    #[error("cannot take over the work that a previous process left open: {0}")]
    Recover(#[from] retouch_store::Error),
}

/// Serves until the process receives SIGTERM or Ctrl-C.
///
/// # Errors
/// When the service cannot start.
pub async fn run(settings: Settings) -> Result<(), ServeError> {
    let context = Context { clock: Arc::new(SystemClock), entropy: Arc::new(OsEntropy) };
    let parts = Parts { settings, context, providers: Vec::new() };
    serve(parts, asked_to_stop(), welcome::print).await
}

/// Serves `parts` until `stop` completes. Calls `ready` once requests are accepted.
///
/// # Errors
/// When the service cannot start.
pub async fn serve(
    mut parts: Parts,
    stop: impl Future<Output = ()>,
    ready: impl AsyncFnOnce(&App),
) -> Result<(), ServeError> {
    let address = parts.settings.server.listen;
    let lock = parts.settings.store.database.file().map(DataLock::take).transpose()?;
    if let (None, Some(database)) =
        (&parts.settings.server.secret_key, parts.settings.store.database.file())
    {
        let key = key_file::find_or_create(database, &*parts.context.entropy);
        parts.settings.server.secret_key = Some(key.map_err(ServeError::KeyFile)?);
    }
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|cause| ServeError::Listen { address, cause })?;
    let bound = listener.local_addr().map_err(|cause| ServeError::Listen { address, cause })?;
    let app = App::build(parts, bound).await?;
    crate::billing::check_portal(&app).await.map_err(ServeError::Portal)?;
    // In an embedded database, every open edit and every claim belongs to a process that is gone. In a
    // shared one, it may belong to another node until it expires.
    let settled = match app.settings.store.database {
        Database::File(_) => {
            app.store.end_all_claims().await?;
            edits::recover(&app).await?
        }
        Database::Server(_) => edits::resume_own(&app).await?,
    };
    if settled > 0 {
        tracing::warn!(settled, "settled edits that a previous process left open");
    }
    for concern in serving::concerns(&app.catalogue, &app.live().providers, app.clock.now()) {
        tracing::warn!("{concern}");
    }
    let ending = app.ending.clone();
    housekeeping::start(&app, &ending);
    // Leases are renewed until the last edits have finished.
    let leases = edits::keep_leases(&app);
    let router = api::router(Arc::clone(&app));
    let door = connections::Door::of(&app, router);
    let accepting = connections::accept(listener, door, ending.clone());
    if let Some(lock) = &lock {
        lock.announce(app.public_url.as_str());
    }
    ready(&app).await;
    let accepting = app.tasks.spawn(accepting);
    let to_the_end = async {
        stop.await;
        announce(&app).await;
        ending.cancel();
        tracing::info!("shutting down: accepting no new requests, finishing running ones");
        finish(&app, accepting).await;
    };
    tokio::select! {
        () = to_the_end => {}
        () = leases => {}
    }
    close(&app).await;
    Ok(())
}

/// Lets load balancers switch to other nodes before this one stops accepting requests.
async fn announce(app: &App) {
    app.readiness.leave();
    let ms = app.settings.server.stop_announce_ms;
    if ms > 0 {
        tracing::info!(ms, "shutdown announced: /readyz returns 503, still accepting requests");
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

/// Waits for running requests, up to the time limit. Callers of unfinished edits then get a response
/// that says where to find the result. Another node or the next start settles these edits.
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
            "edits are still running; another node or the next start will settle them"
        );
        app.leaving.cancel();
        if !accepting.is_finished() {
            let wait = Duration::from_millis(ANSWER_MS_MAX);
            drop(tokio::time::timeout(wait, accepting).await);
        }
    }
}

/// Hands open edits to other nodes or the next start, and closes the store.
async fn close(app: &App) {
    let leaving = app.store.leave_edits(&app.owner);
    let left = tokio::time::timeout(Duration::from_millis(LEAVE_MS_MAX), leaving).await;
    let why = match left {
        Ok(left) => left.err().map(|error| error.to_string()),
        Err(_) => Some(format!("no response within {LEAVE_MS_MAX} ms")),
    };
    if let Some(why) = why {
        tracing::error!(why, "could not hand over open edits; they wait until their leases expire");
    }
    if let Err(error) = app.store.close().await {
        tracing::error!(%error, "the store did not close cleanly; the next start will repair it");
    }
}

/// Completes on SIGTERM or Ctrl-C. The signals are handled from this call on, before the service
/// reports that it is ready, so that an early signal also shuts it down cleanly.
#[cfg(unix)]
pub(crate) fn asked_to_stop() -> impl Future<Output = ()> + use<> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen =
        |kind| signal(kind).inspect_err(|error| tracing::error!(%error, "cannot handle signals"));
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

/// Completes on Ctrl-C.
#[cfg(not(unix))]
pub(crate) async fn asked_to_stop() {
    let _ = tokio::signal::ctrl_c().await;
}
