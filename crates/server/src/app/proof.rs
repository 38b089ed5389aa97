//! The proof of the books that administrators ask for: one at a time, beside all other work.

use std::sync::Arc;

use retouch_core::Timestamp;
use retouch_store::VerifyReport;
use tokio::sync::watch;

use super::App;

/// How far the latest proof of this process has come.
#[derive(Clone, Debug)]
pub enum Proof {
    /// Nobody has asked for one.
    Never,
    /// It runs since then.
    Running(Timestamp),
    /// It has ended.
    Done {
        /// When it began.
        began_at: Timestamp,
        /// When it ended.
        ended_at: Timestamp,
        /// What it found, or why it could not look.
        found: Result<VerifyReport, String>,
    },
}

/// The latest proof, and whoever waits for it.
#[derive(Debug)]
pub struct Proofs(watch::Sender<Proof>);

impl Default for Proofs {
    fn default() -> Self {
        Self(watch::Sender::new(Proof::Never))
    }
}

impl Proofs {
    /// How far it has come.
    pub fn latest(&self) -> Proof {
        self.0.borrow().clone()
    }

    /// Waits until no proof runs.
    pub async fn ended(&self) {
        // The sender lives as long as `self`: there is an end to wait for.
        let _ = self.0.subscribe().wait_for(|proof| !matches!(proof, Proof::Running(_))).await;
    }

    /// Whether a proof begins now; not where one runs.
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
    /// Begins a proof of the books in a task of its own, unless one runs.
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
