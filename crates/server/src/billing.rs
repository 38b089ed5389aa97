//! Plans: the months of those that the operator gave, and what is paid for.
//!
//! What a vendor of payments tells goes into the inbox and is answered; then it is settled here,
//! one thing after the other: the thing that it is about is looked at as it is now, and what that
//! asks for is booked in one transaction with the event's end.

mod inbox;
mod pay;
mod tend;
mod turn;

use retouch_core::AccountId;
use retouch_providers::payments::stripe::Stripe;
use retouch_store::DueGranted;
use tokio::sync::{Mutex, MutexGuard, Notify};

use crate::app::App;

pub use inbox::{PaymentTrouble, catch_up, hear, settle_inbox};
pub(crate) use pay::configured;
pub use pay::{check_out, come_back, end_paid, open_portal};
pub use tend::tend_customers;

/// Accounts share this many turns, so that few wait for each other and memory stays small.
const TURNS: usize = 64;

/// Who takes money for plans.
pub struct Payments {
    /// The operator's account at Stripe.
    pub stripe: Stripe,
    news: Notify,
    changes: Notify,
    turns: [Mutex<()>; TURNS],
}

impl Payments {
    /// Payments by `stripe`.
    pub fn new(stripe: Stripe) -> Self {
        let turns = std::array::from_fn(|_| Mutex::new(()));
        Self { stripe, news: Notify::new(), changes: Notify::new(), turns }
    }

    /// Has the inbox looked at.
    pub fn wake(&self) {
        self.news.notify_one();
    }

    /// Waits until this process opens no other checkout of this account, and keeps others waiting.
    async fn turn(&self, account: &AccountId) -> MutexGuard<'_, ()> {
        let sum = account.as_str().bytes().map(usize::from).sum::<usize>();
        let [first, ..] = &self.turns;
        self.turns.get(sum % TURNS).unwrap_or(first).lock().await
    }

    /// Waits until a customer has moved or left.
    pub async fn changes(&self) {
        self.changes.notified().await;
    }

    /// Waits until something has come into the inbox.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

/// Has Stripe told soon of a customer who has moved or left.
pub(crate) fn tell_soon(app: &App) {
    if let Some(payments) = &app.payments {
        payments.changes.notify_one();
    }
}

/// Looks at the configuration of the customer portal. Where Stripe does not answer, the start goes on:
/// it must not depend on Stripe.
///
/// # Errors
/// What in it can be abused.
pub async fn check_portal(app: &App) -> Result<(), String> {
    let Some(payments) = &app.payments else { return Ok(()) };
    let settings = app.settings.billing.stripe.as_ref();
    let configuration = settings.and_then(|it| it.portal_configuration.as_deref());
    match payments.stripe.portal_problems(configuration).await {
        Ok(problems) if problems.is_empty() => Ok(()),
        Ok(problems) => Err(problems.join("; ")),
        Err(error) => {
            tracing::error!(%error, "could not check the customer portal configuration");
            Ok(())
        }
    }
}

/// Grants the months that have begun, of every plan that the operator gave; how many grants there
/// were.
///
/// # Errors
/// Faults of the store.
pub async fn grant_months(app: &App) -> Result<usize, retouch_store::Error> {
    let mut grants = 0;
    loop {
        let done = grant_once(app).await?;
        grants += done.grants;
        if done.moved == 0 {
            if done.waiting > 0 {
                let waiting = done.waiting;
                tracing::warn!(
                    waiting,
                    "cannot grant monthly credits: check that each plan is in the catalogue"
                );
            }
            return Ok(grants);
        }
    }
}

/// Goes once through all that is due.
async fn grant_once(app: &App) -> Result<DueGranted, retouch_store::Error> {
    let mut all = DueGranted::default();
    loop {
        let done = app.store.grant_due(&app.catalogue.plans, all.next).await?;
        all = DueGranted {
            grants: all.grants + done.grants,
            moved: all.moved + done.moved,
            ended: all.ended + done.ended,
            waiting: all.waiting + done.waiting,
            next: done.next,
        };
        if all.next.is_none() {
            return Ok(all);
        }
    }
}
