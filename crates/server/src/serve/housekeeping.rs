//! What the service does by itself until it is asked to end: settles what was left open, removes the
//! files of what was deleted, forgets what may be forgotten.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::{billing, edits, mail};

/// How often rows are removed that are of no use any more, such as expired sessions and old keys.
const PRUNE_EVERY_MS: u64 = 10 * 60 * 1000;

/// How often it is forgotten who has called and may call as often as ever.
const FORGET_EVERY_MS: u64 = 60_000;

/// How often stored files are looked for that no edit has.
const ORPHANS_EVERY_MS: u64 = 24 * 3_600_000;

/// How often results are looked for that have become too old.
const EXPIRE_EVERY_MS: u64 = 3_600_000;

/// How often the inbox of payments is looked at when there is no news.
const INBOX_EVERY_MS: u64 = 10_000;

/// How often letters are looked for that another process has written, or that are due again.
const LETTERS_EVERY_MS: u64 = 10_000;

/// How often the database's server is asked what time it is.
const TIME_EVERY_MS: u64 = 60_000;

/// Starts the tasks; each ends when `ending` is cancelled.
pub(super) fn start(app: &Arc<App>, ending: &CancellationToken) {
    let settings = &app.settings.edits;
    every(app, ending, settings.sweep_every_ms, sweep);
    // Apart from the sweep of edits: credits are held there, and removing files may take long.
    every(app, ending, settings.sweep_every_ms, sweep_files);
    every(app, ending, ORPHANS_EVERY_MS, sweep_orphans);
    every(app, ending, EXPIRE_EVERY_MS, expire);
    every(app, ending, PRUNE_EVERY_MS, prune);
    every(app, ending, FORGET_EVERY_MS, forget_counts);
    every(app, ending, TIME_EVERY_MS, set_clock_right);
    every(app, ending, app.settings.billing.sweep_every_ms, months);
    payments(app, ending);
    letters(app, ending);
}

/// Settles what the vendor of payments tells, as soon as it is told, and asks for what it may have
/// told in vain.
fn payments(app: &Arc<App>, ending: &CancellationToken) {
    let Some(stripe) = &app.settings.billing.stripe else { return };
    every(app, ending, stripe.catch_up_every_ms, catch_up);
    every(app, ending, stripe.catch_up_every_ms, tend);
    let (app, ending) = (Arc::clone(app), ending.clone());
    let tasks = app.tasks.clone();
    tasks.spawn(async move {
        loop {
            settle(&app).await;
            let Some(payments) = &app.payments else { return };
            tokio::select! {
                () = ending.cancelled() => return,
                () = payments.news() => {}
                () = payments.changes() => tend(Arc::clone(&app)).await,
                () = tokio::time::sleep(Duration::from_millis(INBOX_EVERY_MS)) => {}
            }
        }
    });
}

/// Sends letters, as soon as they are written.
fn letters(app: &Arc<App>, ending: &CancellationToken) {
    let (app, ending) = (Arc::clone(app), ending.clone());
    let tasks = app.tasks.clone();
    tasks.spawn(async move {
        loop {
            let Some(mail) = &app.mail else { return };
            if let Err(error) = mail::send_due(&app).await {
                tracing::error!(%error, "letters could not be sent");
            }
            tokio::select! {
                () = ending.cancelled() => return,
                () = mail.news() => {}
                () = tokio::time::sleep(Duration::from_millis(LETTERS_EVERY_MS)) => {}
            }
        }
    });
}

async fn settle(app: &App) {
    if let Err(error) = billing::settle_inbox(app).await {
        tracing::error!(%error, "the inbox of payments could not be settled");
    }
}

/// Tells Stripe of those who moved and those who left, should it not have been told at once.
async fn tend(app: Arc<App>) {
    if let Err(error) = billing::tend_customers(&app).await {
        tracing::error!(%error, "customers who have changed could not be looked for");
    }
}

async fn catch_up(app: Arc<App>) {
    match billing::catch_up(&app).await {
        Ok(0) => {}
        Ok(missed) => tracing::warn!(missed, "events of payments had not been told"),
        Err(error) => tracing::error!(%error, "missed events of payments could not be asked for"),
    }
}

fn every<F>(app: &Arc<App>, ending: &CancellationToken, every_ms: u64, work: fn(Arc<App>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let (app, ending) = (Arc::clone(app), ending.clone());
    let tasks = app.tasks.clone();
    tasks.spawn(async move {
        let mut ticks = tokio::time::interval(Duration::from_millis(every_ms));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = ending.cancelled() => return,
                _ = ticks.tick() => work(Arc::clone(&app)).await,
            }
        }
    });
}

async fn sweep(app: Arc<App>) {
    match edits::sweep(&app, Instant::now()).await {
        Ok(0) => {}
        Ok(settled) => tracing::warn!(settled, "settled edits that were left open"),
        Err(error) => tracing::error!(%error, "open edits could not be looked for"),
    }
}

async fn sweep_files(app: Arc<App>) {
    edits::sweep_files(&app).await;
}

async fn sweep_orphans(app: Arc<App>) {
    edits::sweep_orphans(&app).await;
}

async fn expire(app: Arc<App>) {
    edits::expire(&app).await;
}

async fn months(app: Arc<App>) {
    if let Err(error) = billing::grant_months(&app).await {
        tracing::error!(%error, "the months of plans could not be granted");
    }
}

async fn set_clock_right(app: Arc<App>) {
    if let Err(error) = app.store.set_clock_right().await {
        tracing::error!(%error, "the server of the database did not say what time it is");
    }
}

async fn prune(app: Arc<App>) {
    if let Err(error) = app.store.prune().await {
        tracing::error!(%error, "old rows could not be removed");
    }
}

async fn forget_counts(app: Arc<App>) {
    if let Err(error) = app.store.forget_counts().await {
        tracing::error!(%error, "who called long ago could not be forgotten");
    }
}
