//! The inbox of events from the payment provider.

use retouch_core::Timestamp;
use retouch_core::billing::Facts;
use retouch_outbound::payments::PaymentError;
use retouch_outbound::payments::stripe::{self, Event};
use retouch_store::{Error, EventRecord, NewEvent, Notice, Received, Settled};
use thiserror::Error as ThisError;

use super::{Payments, sync_customers};
use crate::app::App;

/// The delay before an event is retried after the first failure, in milliseconds. It doubles with
/// each further failure.
const RETRY_MS: i64 = 30_000;
/// The maximum delay, in milliseconds: an hour.
const RETRY_MS_MAX: i64 = 3_600_000;
/// How far back from the newest known event to look for missed ones, in milliseconds: three days,
/// which is how long Stripe retries.
const LOOK_BACK_MS: i64 = 3 * 24 * 3_600_000;

/// Why a payment could not be read from the provider or recorded.
#[derive(Debug, ThisError)]
pub enum PaymentTrouble {
    /// The payment provider failed.
    #[error(transparent)]
    Payment(#[from] PaymentError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Puts an event from Stripe into the inbox. It is durable when this returns.
///
/// # Errors
/// Errors of the store.
pub async fn hear(app: &App, payments: &Payments, event: Event) -> Result<Received, Error> {
    if !stripe::concerns(&event.kind) {
        return Ok(Received::Known);
    }
    let Event { id, kind, object, created_at } = event;
    let received = app.store.receive_event(NewEvent { id, kind, object, created_at }).await?;
    if received == Received::New {
        payments.news.notify_one();
    }
    Ok(received)
}

/// Settles all due events in the inbox and returns how many were completed.
///
/// # Errors
/// Errors of the store. If the payment provider fails, events stay in the inbox.
pub async fn settle_inbox(app: &App) -> Result<usize, Error> {
    let Some(payments) = &app.payments else { return Ok(0) };
    let (mut settled, mut somebody_left) = (0, false);
    loop {
        let open = app.store.list_open_events().await?;
        if open.is_empty() {
            break;
        }
        for record in open {
            let done = settle(app, payments, &record).await?;
            settled += usize::from(done.is_some());
            somebody_left |= done.is_some_and(|it| it.notice == Notice::AccountDeleted);
        }
    }
    if somebody_left {
        sync_customers(app).await?;
    }
    Ok(settled)
}

/// Books `facts` that were read from the provider without an event.
///
/// # Errors
/// Errors of the store.
pub(super) async fn book(app: &App, facts: Facts) -> Result<(), Error> {
    match app.store.settle_facts(facts).await {
        Ok(settled) => tell(&settled),
        // Its event has been settled in the meantime.
        Err(Error::SeenBefore) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Asks Stripe for events that its webhook did not deliver, and returns how many there were.
///
/// # Errors
/// [`PaymentTrouble`].
pub async fn catch_up(app: &App) -> Result<usize, PaymentTrouble> {
    let Some(payments) = &app.payments else { return Ok(0) };
    let newest = app.store.newest_event().await?.unwrap_or_else(|| app.clock.now());
    let events = payments.stripe.events_since(newest.plus_ms(-LOOK_BACK_MS)).await?;
    let mut missed = 0;
    // Oldest first: if this is interrupted, the next call continues where it stopped.
    for event in events.into_iter().rev() {
        missed += usize::from(hear(app, payments, event).await? == Received::New);
    }
    Ok(missed)
}

/// Settles one event; none if it has to wait.
async fn settle(
    app: &App,
    payments: &Payments,
    record: &EventRecord,
) -> Result<Option<Settled>, Error> {
    let event = &record.event;
    let seen_at = app.clock.now();
    let why = match payments.stripe.state_of((&event.kind, &event.object), seen_at).await {
        Ok(facts) => match app.store.settle_event(&event.id, facts).await {
            Ok(settled) => {
                tell(&settled);
                return Ok(Some(settled));
            }
            Err(error @ (Error::Busy { .. } | Error::Closed)) => return Err(error),
            // A problem with one event must not block the others.
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    };
    tracing::warn!(event = event.id, why, "could not process a payment event yet");
    app.store.postpone_event(&event.id, why, later(seen_at, record.attempts)).await?;
    Ok(None)
}

/// Logs what the operator has to act on.
fn tell(settled: &Settled) {
    if settled.notice == Notice::PaidTwice {
        let account = settled.account.as_ref().map(ToString::to_string).unwrap_or_default();
        let outcome = &settled.outcome;
        tracing::error!(account, outcome, "an account is charged for two plans");
    }
    if settled.notice == Notice::Paused {
        let account = settled.account.as_ref().map(ToString::to_string).unwrap_or_default();
        let outcome = &settled.outcome;
        tracing::error!(account, outcome, "an account is paused until an administrator reviews it");
    }
}

fn later(now: Timestamp, attempts: u32) -> Timestamp {
    let doubled = 1_i64.checked_shl(attempts.min(20)).unwrap_or(i64::MAX);
    now.plus_ms(RETRY_MS.saturating_mul(doubled).min(RETRY_MS_MAX))
}
