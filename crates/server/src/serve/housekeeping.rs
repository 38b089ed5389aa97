//! Background tasks that run until shutdown: they settle edits that were left open, delete files that
//! are no longer needed, grant monthly credits, process payments, send emails and events, and remove old rows.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::webhooks::deliver::keep_delivering;
use crate::{billing, edits, mail, uploads};

/// How often to remove obsolete rows, such as expired sessions and old idempotency keys.
const PRUNE_EVERY_MS: u64 = 10 * 60 * 1000;

/// How often to remove the counts of callers whose rate limits have reset.
const FORGET_EVERY_MS: u64 = 60_000;

/// How often to look for stored files that belong to no edit.
const ORPHANS_EVERY_MS: u64 = 24 * 3_600_000;

/// How often to look for expired results.
const EXPIRE_EVERY_MS: u64 = 3_600_000;

/// How often to remove expired uploads.
const UPLOADS_EVERY_MS: u64 = 5 * 60 * 1000;

/// How often to check for payment events if no new one is reported.
const INBOX_EVERY_MS: u64 = 10_000;

/// How often to check for emails that another process has queued or that are due for a retry.
const EMAILS_EVERY_MS: u64 = 10_000;

/// How often to look whether administrators changed settings on another node.
const REFRESH_EVERY_MS: u64 = 5_000;

/// How often to look whether another node has ended an edit whose events a caller watches.
const WATCH_EVERY_MS: u64 = 1_000;

/// How often to measure the figures of the day for the dashboard.
const MEASURE_EVERY_MS: u64 = 10 * 60_000;

/// How often to ask the database server for its time.
const TIME_EVERY_MS: u64 = 60_000;

/// Starts the tasks. Each ends when `ending` is canceled.
pub(super) fn start(app: &Arc<App>, ending: &CancellationToken) {
    let settings = &app.settings.edits;
    every(app, ending, settings.sweep_every_ms, sweep);
    // Separate from the sweep of edits, which frees credits, because deleting files can take long.
    every(app, ending, settings.sweep_every_ms, sweep_files);
    every(app, ending, ORPHANS_EVERY_MS, sweep_orphans);
    every(app, ending, EXPIRE_EVERY_MS, expire);
    every(app, ending, PRUNE_EVERY_MS, prune);
    every(app, ending, UPLOADS_EVERY_MS, sweep_uploads);
    every(app, ending, FORGET_EVERY_MS, forget_counts);
    every(app, ending, REFRESH_EVERY_MS, refresh);
    every(app, ending, MEASURE_EVERY_MS, measure);
    every(app, ending, WATCH_EVERY_MS, notice_ended);
    every(app, ending, TIME_EVERY_MS, set_clock_right);
    every(app, ending, app.settings.billing.sweep_every_ms, months);
    payments(app, ending);
    send_emails(app, ending);
    deliver_events(app, ending);
}

/// Processes payment events as soon as they arrive, and regularly asks for events that were missed.
fn payments(app: &Arc<App>, ending: &CancellationToken) {
    let Some(stripe) = &app.settings.billing.stripe else { return };
    every(app, ending, stripe.catch_up_every_ms, catch_up);
    every(app, ending, stripe.catch_up_every_ms, sync_customers);
    let (app, ending) = (Arc::clone(app), ending.clone());
    let tasks = app.tasks.clone();
    tasks.spawn(async move {
        loop {
            settle(&app).await;
            let Some(payments) = &app.payments else { return };
            tokio::select! {
                () = ending.cancelled() => return,
                () = payments.news() => {}
                () = payments.changes() => sync_customers(Arc::clone(&app)).await,
                () = tokio::time::sleep(Duration::from_millis(INBOX_EVERY_MS)) => {}
            }
        }
    });
}

/// Sends emails as soon as they are queued.
fn send_emails(app: &Arc<App>, ending: &CancellationToken) {
    let (app, ending) = (Arc::clone(app), ending.clone());
    let tasks = app.tasks.clone();
    tasks.spawn(async move {
        loop {
            let Some(mail) = &app.mail else { return };
            if let Err(error) = mail::send_due(&app).await {
                tracing::error!(%error, "could not send emails");
            }
            tokio::select! {
                () = ending.cancelled() => return,
                () = mail.news() => {}
                () = tokio::time::sleep(Duration::from_millis(EMAILS_EVERY_MS)) => {}
            }
        }
    });
}

/// Sends events to webhooks as soon as they are due.
fn deliver_events(app: &Arc<App>, ending: &CancellationToken) {
    let (app, ending) = (Arc::clone(app), ending.clone());
    let tasks = app.tasks.clone();
    tasks.spawn(async move { keep_delivering(&app, &ending).await });
}

async fn settle(app: &App) {
    if let Err(error) = billing::settle_inbox(app).await {
        tracing::error!(%error, "could not process payment events");
    }
}

/// Updates Stripe after customers changed their email address or deleted their account, if that
/// failed before.
async fn sync_customers(app: Arc<App>) {
    if let Err(error) = billing::sync_customers(&app).await {
        tracing::error!(%error, "could not look for customers to update in Stripe");
    }
}

async fn catch_up(app: Arc<App>) {
    match billing::catch_up(&app).await {
        Ok(0) => {}
        Ok(missed) => tracing::warn!(missed, "fetched payment events that the webhook missed"),
        Err(error) => tracing::error!(%error, "could not ask Stripe for missed payment events"),
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
        Err(error) => tracing::error!(%error, "could not look for open edits"),
    }
}

async fn sweep_files(app: Arc<App>) {
    edits::sweep_files(&app).await;
}

async fn sweep_orphans(app: Arc<App>) {
    edits::sweep_orphans(&app).await;
}

async fn sweep_uploads(app: Arc<App>) {
    uploads::sweep(&app).await;
}

async fn expire(app: Arc<App>) {
    edits::expire(&app).await;
}

async fn months(app: Arc<App>) {
    if let Err(error) = billing::grant_months(&app).await {
        tracing::error!(%error, "could not grant the monthly credits of plans");
    }
}

async fn refresh(app: Arc<App>) {
    if let Err(error) = app.refresh().await {
        tracing::error!(%error, "could not read the settings of the admin pages");
    }
}

async fn notice_ended(app: Arc<App>) {
    if let Err(error) = edits::notice_ended(&app).await {
        tracing::error!(%error, "could not look for ended edits");
    }
}

async fn measure(app: Arc<App>) {
    if let Err(error) = app.measure().await {
        tracing::error!(%error, "could not measure the figures of the day");
    }
}

async fn set_clock_right(app: Arc<App>) {
    if let Err(error) = app.store.set_clock_right().await {
        tracing::error!(%error, "could not read the time of the database server");
    }
}

async fn prune(app: Arc<App>) {
    if let Err(error) = app.store.prune().await {
        tracing::error!(%error, "could not remove old rows");
    }
}

async fn forget_counts(app: Arc<App>) {
    if let Err(error) = app.store.forget_counts().await {
        tracing::error!(%error, "could not remove old rate limit counts");
    }
}
