//! Leases: an edit belongs to the process that keeps renewing its lease. Another process takes it
//! over only after seeing for long enough that the lease is not renewed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use retouch_core::{EditId, Timestamp};
use retouch_store::OpenEditRow;
use tokio::time::Instant;

use crate::app::App;

/// What sweeps have observed about edits whose lease has ended. After a database outage all leases
/// have ended, even of processes that are alive, and clocks may be wrong. What counts is therefore
/// that a process could have renewed its lease and has not.
#[derive(Debug, Default)]
pub struct LeaseObservations(Mutex<HashMap<EditId, Observation>>);

/// An ended lease, and since when it has been unchanged.
#[derive(Debug)]
struct Observation {
    owner: String,
    lease_until: Timestamp,
    since: Instant,
}

impl LeaseObservations {
    /// Records the edits in `rows`, seen at `at`. Returns those whose ended lease has been
    /// unchanged for at least as long as `wait` says.
    pub fn see(
        &self,
        rows: &[OpenEditRow],
        at: Instant,
        wait: impl Fn(Timestamp) -> Duration,
    ) -> Vec<EditId> {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut *looks);
        for row in rows {
            let (owner, lease_until) = (row.owner.clone(), row.lease_until);
            let same = before.get(&row.id);
            let same = same.filter(|it| it.owner == owner && it.lease_until == lease_until);
            let since = same.map_or(at, |look| look.since);
            looks.insert(row.id, Observation { owner, lease_until, since });
        }
        let long =
            |look: &Observation| at.saturating_duration_since(look.since) >= wait(look.lease_until);
        looks.iter().filter(|(_, look)| long(look)).map(|(id, _)| *id).collect()
    }

    /// Forgets everything: while the database cannot be read, no process can renew its leases
    /// either.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// How long an ended lease must stay unchanged before its edit is taken over: one and a half
/// renewal intervals, to allow for a late renewal. If `until` is still in the future, the clock was
/// set back after the lease was given, so the lease must stay unchanged for a whole lease period.
pub(super) fn wait(app: &App, now: Timestamp) -> impl Fn(Timestamp) -> Duration {
    let settings = &app.settings.edits;
    let renewal = Duration::from_millis(settings.lease_renew_every_ms).mul_f64(1.5);
    let lease = Duration::from_millis(settings.lease_ms.unsigned_abs());
    move |until| if until > now { lease.max(renewal) } else { renewal }
}

/// Renews the lease of each edit of this process, and stops working on edits that another process
/// has taken over.
///
/// # Errors
/// If the store cannot be written.
pub async fn renew_leases(app: &App) -> Result<(), retouch_store::Error> {
    // List them first, so that edits opened in the meantime are not taken for lost below.
    let running = app.running.list_open();
    if running.is_empty() {
        return Ok(());
    }
    let until = app.clock.now().plus_ms(app.settings.edits.lease_ms);
    let own = app.store.renew_leases(&app.owner, until).await?;
    for id in running.iter().filter(|id| !own.contains(id)) {
        app.metrics.lost();
        app.running.lose(id);
    }
    Ok(())
}

/// Renews leases forever.
pub async fn keep_leases(app: &App) {
    let every = Duration::from_millis(app.settings.edits.lease_renew_every_ms);
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = renew_leases(app).await {
            tracing::error!(%error, "could not renew leases");
        }
    }
}
