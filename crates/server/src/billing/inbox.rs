//! The inbox of what a vendor of payments tells.

use retouch_core::Timestamp;
use retouch_core::billing::Facts;
use retouch_providers::payments::PaymentError;
use retouch_providers::payments::stripe::{self, Event};
use retouch_store::{Error, EventRecord, NewEvent, Notice, Received, Settled};
use thiserror::Error as ThisError;

use super::{Payments, tend_customers};
use crate::app::App;

/// How long an event waits after settling it has failed once, in milliseconds; twice as long after
/// each further failure.
const RETRY_MS: i64 = 30_000;
/// The longest such wait, in milliseconds: an hour.
const RETRY_MS_MAX: i64 = 3_600_000;
/// How far before the newest known event missed ones are looked for, in milliseconds: three days,
/// for which Stripe goes on trying.
const LOOK_BACK_MS: i64 = 3 * 24 * 3_600_000;

/// Why something could not be asked of the vendor, or not be written down.
#[derive(Debug, ThisError)]
pub enum PaymentTrouble {
    /// The vendor does not say.
    #[error(transparent)]
    Payment(#[from] PaymentError),
    /// It cannot be written down.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Puts what Stripe has told into the inbox. It is on disk when this answers.
///
/// # Errors
/// Faults of the store.
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

/// Settles what is in the inbox and due; how many events came to an end.
///
/// # Errors
/// Faults of the store; what the vendor does not answer waits in the inbox.
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
        tend_customers(app).await?;
    }
    Ok(settled)
}

/// Books `facts` that somebody asked for without an event.
///
/// # Errors
/// Faults of the store.
pub(super) async fn book(app: &App, facts: Facts) -> Result<(), Error> {
    match app.store.settle_facts(facts).await {
        Ok(settled) => tell(&settled),
        // Its event has come meanwhile.
        Err(Error::SeenBefore) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Asks Stripe for events that its webhook has not brought; how many there were.
///
/// # Errors
/// [`PaymentTrouble`].
pub async fn catch_up(app: &App) -> Result<usize, PaymentTrouble> {
    let Some(payments) = &app.payments else { return Ok(0) };
    let newest = app.store.newest_event().await?.unwrap_or_else(|| app.clock.now());
    let events = payments.stripe.events_since(newest.plus_ms(-LOOK_BACK_MS)).await?;
    let mut missed = 0;
    // The oldest first: should this be interrupted, the next time begins where it ended.
    for event in events.into_iter().rev() {
        missed += usize::from(hear(app, payments, event).await? == Received::New);
    }
    Ok(missed)
}

/// Settles one event; none where that has to wait.
async fn settle(
    app: &App,
    payments: &Payments,
    record: &EventRecord,
) -> Result<Option<Settled>, Error> {
    let event = &record.event;
    let seen_at = app.clock.now();
    let why = match payments.stripe.look((&event.kind, &event.object), seen_at).await {
        Ok(facts) => match app.store.settle_event(&event.id, facts).await {
            Ok(settled) => {
                tell(&settled);
                return Ok(Some(settled));
            }
            Err(error @ (Error::Busy { .. } | Error::Closed)) => return Err(error),
            // Whatever is wrong with one event must not keep the others from theirs.
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    };
    tracing::warn!(event = event.id, why, "could not process a payment event yet");
    app.store.postpone_event(&event.id, why, later(seen_at, record.attempts)).await?;
    Ok(None)
}

/// Tells the operator what somebody has to see to.
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
