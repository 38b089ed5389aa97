//! Signs of life: an edit belongs to the process that gives them, and another one takes it over only
//! when it has seen for long enough that there are none.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use retouch_core::{EditId, Timestamp};
use retouch_store::OpenEditRow;
use tokio::time::Instant;

use crate::app::App;

/// What a sweep has seen of edits whose lease has ended. After an outage of the database all leases
/// have, of processes that live too; and clocks may be wrong. So what counts is that a process has
/// been able to give a sign of life, and has given none.
#[derive(Debug, Default)]
pub struct Looks(Mutex<HashMap<EditId, Look>>);

/// A lease that had ended, and since when it has been seen to be that one.
#[derive(Debug)]
struct Look {
    owner: String,
    lease_until: Timestamp,
    since: Instant,
}

impl Looks {
    /// Notes what was seen at `at`; answers which of these edits had the same lease, ended, for as
    /// long as `wait` says.
    pub fn see(
        &self,
        rows: &[OpenEditRow],
        (at, wait): (Instant, impl Fn(Timestamp) -> Duration),
    ) -> Vec<EditId> {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut *looks);
        for row in rows {
            let (owner, lease_until) = (row.owner.clone(), row.lease_until);
            let same = before.get(&row.id);
            let same = same.filter(|it| it.owner == owner && it.lease_until == lease_until);
            let since = same.map_or(at, |look| look.since);
            looks.insert(row.id, Look { owner, lease_until, since });
        }
        let long = |look: &Look| at.saturating_duration_since(look.since) >= wait(look.lease_until);
        looks.iter().filter(|(_, look)| long(look)).map(|(id, _)| *id).collect()
    }

    /// Forgets everything: while nothing could be seen, nobody could give a sign of life.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// How long a lease that ended by `now` must stay as it is before its edit is taken over: the time
/// between two signs of life, and half as much for a sign that comes late. A lease that a clock has given
/// which has gone back since ends at no time that can be known; it must stay for as long as leases are.
pub(super) fn wait(app: &App, now: Timestamp) -> impl Fn(Timestamp) -> Duration {
    let settings = &app.settings.edits;
    let renewal = Duration::from_millis(settings.lease_renew_every_ms).mul_f64(1.5);
    let lease = Duration::from_millis(settings.lease_ms.unsigned_abs());
    move |until| if until > now { lease.max(renewal) } else { renewal }
}

/// Gives a sign of life for each edit of this process, and ends its work on those that another
/// process has taken over.
///
/// # Errors
/// When the store cannot be written.
pub async fn renew_leases(app: &App) -> Result<(), retouch_store::Error> {
    // In this order: what is opened meanwhile is not missed below.
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

/// Gives signs of life for ever.
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
