//! Plans: monthly credits for plans that the operator assigned, and plans paid through Stripe.
//!
//! Events from the payment provider are stored in the inbox and acknowledged. They are then settled
//! here one at a time: the current state of the object that the event is about is read from the
//! provider, and the resulting changes are booked in the transaction that completes the event.

mod inbox;
mod pay;
mod sync;
mod turn;

use retouch_core::AccountId;
use retouch_outbound::payments::stripe::Stripe;
use retouch_store::DueGranted;
use tokio::sync::{Mutex, MutexGuard, Notify};

use crate::app::App;

pub use inbox::{PaymentTrouble, catch_up, hear, settle_inbox};
pub(crate) use pay::configured;
pub use pay::{check_out, check_out_pack, come_back, end_paid, open_portal, packs};
pub use sync::sync_customers;

/// The number of locks that accounts share: enough that few accounts wait for each other, and few
/// enough to keep memory small.
const TURNS: usize = 64;

/// The connection to the payment provider.
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

    /// Wakes the task that processes the inbox.
    pub fn wake(&self) {
        self.news.notify_one();
    }

    /// Waits until this process opens no other checkout for this account, and makes later ones
    /// wait.
    async fn turn(&self, account: &AccountId) -> MutexGuard<'_, ()> {
        let sum = account.as_str().bytes().map(usize::from).sum::<usize>();
        let [first, ..] = &self.turns;
        self.turns.get(sum % TURNS).unwrap_or(first).lock().await
    }

    /// Waits until a customer has changed their address or deleted their account.
    pub async fn changes(&self) {
        self.changes.notified().await;
    }

    /// Waits until an event has arrived in the inbox.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

/// Wakes the task that tells Stripe about changed addresses and deleted accounts.
pub(crate) fn tell_soon(app: &App) {
    if let Some(payments) = &app.payments {
        payments.changes.notify_one();
    }
}

/// Checks the configuration of the customer portal. If Stripe does not respond, startup continues,
/// because it must not depend on Stripe.
///
/// # Errors
/// Settings of the portal that customers could abuse.
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

/// Grants the credits of every month that has begun, for all plans that the operator assigned, and
/// returns the number of grants.
///
/// # Errors
/// Errors of the store.
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

/// Makes one pass over everything that is due.
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
