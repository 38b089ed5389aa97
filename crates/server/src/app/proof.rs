//! Verification of the ledger, started by administrators. One runs at a time, in the background.

use std::sync::Arc;

use retouch_core::Timestamp;
use retouch_store::VerifyReport;
use tokio::sync::watch;

use super::App;

/// The state of the latest verification in this process.
#[derive(Clone, Debug)]
pub enum Proof {
    /// None has been started.
    Never,
    /// It has been running since this time.
    Running(Timestamp),
    /// It has finished.
    Done {
        /// When it started.
        began_at: Timestamp,
        /// When it finished.
        ended_at: Timestamp,
        /// What it found, or why it failed.
        found: Result<VerifyReport, String>,
    },
}

/// The latest verification; tasks can wait for it.
#[derive(Debug)]
pub struct Proofs(watch::Sender<Proof>);

impl Default for Proofs {
    fn default() -> Self {
        Self(watch::Sender::new(Proof::Never))
    }
}

impl Proofs {
    /// The state of the latest verification.
    pub fn latest(&self) -> Proof {
        self.0.borrow().clone()
    }

    /// Waits until no verification is running.
    pub async fn ended(&self) {
        // This cannot fail, because the sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(|proof| !matches!(proof, Proof::Running(_))).await;
    }

    /// Starts a verification unless one is running; returns whether it did.
    fn begin(&self, now: Timestamp) -> bool {
        self.0.send_if_modified(|proof| {
            let free = !matches!(proof, Proof::Running(_));
            if free {
                *proof = Proof::Running(now);
            }
            free
        })
    }
}

impl App {
    /// Verifies the ledger in a background task, unless that is already running.
    pub fn prove_books(self: &Arc<Self>) {
        let began_at = self.clock.now();
        if !self.proofs.begin(began_at) {
            return;
        }
        let app = Arc::clone(self);
        self.tasks.spawn(async move {
            let found = app.store.verify().await.map_err(|error| error.to_string());
            match &found {
                Ok(report) if report.found == 0 => {}
                Ok(report) => tracing::error!(found = report.found, "the ledger has errors"),
                Err(error) => tracing::error!(error, "could not verify the ledger"),
            }
            let ended_at = app.clock.now();
            app.proofs.0.send_replace(Proof::Done { began_at, ended_at, found });
        });
    }
}
