//! Keeps Stripe's customers up to date: changed email addresses and deleted accounts.

use retouch_outbound::payments::PaymentError;
use retouch_outbound::payments::stripe::Stripe;
use retouch_store::{CustomerTask, Error};

use super::inbox::PaymentTrouble;
use crate::app::App;

/// How long after an account's deletion its customer is checked again, in milliseconds: fourteen
/// days, because the slowest payment methods may take that long.
const LATE_MS: i64 = 14 * 24 * 3_600_000;
/// How long before an account's deletion a payment may have been made whose event had not arrived,
/// in milliseconds: three days, which is how long Stripe retries.
const UNHEARD_MS: i64 = 3 * 24 * 3_600_000;

/// Updates changed email addresses at Stripe and deletes the customers of deleted accounts, so that
/// they are never charged again. Payments for which they received no credits are refunded. Returns
/// the number of customers that were processed; failures are retried the next time.
///
/// # Errors
/// Errors of the store.
pub async fn sync_customers(app: &App) -> Result<usize, Error> {
    let Some(payments) = &app.payments else { return Ok(0) };
    let since = app.clock.now().plus_ms(-LATE_MS);
    let (mut done, mut after) = (0, String::new());
    loop {
        let tasks = app.store.list_customer_tasks(since, &after).await?;
        let Some(last) = tasks.last() else { return Ok(done) };
        after.clone_from(&last.customer);
        for task in &tasks {
            match sync(app, &payments.stripe, task).await {
                Ok(()) => done += 1,
                Err(PaymentTrouble::Store(error @ (Error::Busy { .. } | Error::Closed))) => {
                    return Err(error);
                }
                Err(error) => {
                    let customer = &task.customer;
                    tracing::warn!(customer, %error, "could not update a Stripe customer yet");
                }
            }
        }
    }
}

async fn sync(app: &App, stripe: &Stripe, task: &CustomerTask) -> Result<(), PaymentTrouble> {
    let Some(deleted_at) = task.deleted_at else {
        match stripe.change_email(&task.customer, &task.email).await {
            // If the customer is gone, the next payment notices it.
            Ok(()) | Err(PaymentError::Missing) => {}
            Err(error) => return Err(error.into()),
        }
        return Ok(app.store.note_customer_email(task).await?);
    };
    close(stripe, &task.customer).await?;
    let since = deleted_at.plus_ms(-UNHEARD_MS);
    let paid = match stripe.paid_since(&task.customer, since).await {
        Err(PaymentError::Missing) => Vec::new(),
        paid => paid?,
    };
    for (charge, facts) in paid {
        let invoice = facts.invoice.filter(|invoice| invoice.paid).map(|invoice| invoice.id);
        let pack = facts.pack.filter(|pack| pack.paid).map(|pack| pack.id);
        let Some(paid) = invoice.or(pack) else { continue };
        if !app.store.has_granted(&task.account, &paid).await? {
            stripe.refund(&charge).await?;
            let account = &task.account;
            tracing::warn!(%account, charge, "refunded a payment of a deleted account");
        }
    }
    Ok(app.store.lose_customer(&task.account, &task.customer).await?)
}

/// Makes sure that a customer cannot be charged again.
async fn close(stripe: &Stripe, customer: &str) -> Result<(), PaymentError> {
    match stripe.close_checkouts(customer).await {
        Ok(_) | Err(PaymentError::Missing) => {}
        Err(error) => return Err(error),
    }
    stripe.delete_customer(customer).await
}
