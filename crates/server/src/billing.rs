//! Plans: the months of those that the operator gave, and what is paid for.
//!
//! What a vendor of payments tells goes into the inbox and is answered; then it is settled here,
//! one thing after the other: the thing that it is about is looked at as it is now, and what that
//! asks for is booked in one transaction with the event's end.

mod inbox;
mod pay;

use retouch_providers::payments::stripe::Stripe;
use retouch_store::DueGranted;
use tokio::sync::Notify;

use crate::app::App;

pub use inbox::{CatchUpError, catch_up, hear, settle_inbox};
pub(crate) use pay::configured;
pub use pay::{check_out, come_back, open_portal};

/// Who takes money for plans.
pub struct Payments {
    /// The operator's account at Stripe.
    pub stripe: Stripe,
    news: Notify,
}

impl Payments {
    /// Payments by `stripe`.
    pub fn new(stripe: Stripe) -> Self {
        Self { stripe, news: Notify::new() }
    }

    /// Waits until something has come into the inbox.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

/// Grants the months that have begun, of every plan that the operator gave; how many.
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
                tracing::warn!(waiting, "plans wait for their month: is each in the catalogue?");
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
