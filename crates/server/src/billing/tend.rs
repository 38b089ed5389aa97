//! What Stripe has to be told of customers: another address, and that somebody has left.

use retouch_providers::payments::PaymentError;
use retouch_providers::payments::stripe::Stripe;
use retouch_store::{CustomerTask, Error};

use super::inbox::PaymentTrouble;
use crate::app::App;

/// How long after an account's deletion its customer is looked at again, in milliseconds: fourteen
/// days, which the slowest ways to pay may take.
const LATE_MS: i64 = 14 * 24 * 3_600_000;
/// How long before an account's deletion something may have been paid that nobody here had heard of
/// then, in milliseconds: three days, for which Stripe goes on telling.
const UNHEARD_MS: i64 = 3 * 24 * 3_600_000;

/// Tells Stripe what it has to know of customers: an address that has changed; and of accounts that
/// are deleted, that nothing may be charged any more. What they paid and got nothing for goes back.
/// How many customers were dealt with; what fails is tried again the next time.
///
/// # Errors
/// Faults of the store.
pub async fn tend_customers(app: &App) -> Result<usize, Error> {
    let Some(payments) = &app.payments else { return Ok(0) };
    let since = app.clock.now().plus_ms(-LATE_MS);
    let (mut done, mut after) = (0, String::new());
    loop {
        let tasks = app.store.list_customer_tasks(since, &after).await?;
        let Some(last) = tasks.last() else { return Ok(done) };
        after.clone_from(&last.customer);
        for task in &tasks {
            match tend(app, &payments.stripe, task).await {
                Ok(()) => done += 1,
                Err(PaymentTrouble::Store(error @ (Error::Busy { .. } | Error::Closed))) => {
                    return Err(error);
                }
                Err(error) => {
                    let customer = &task.customer;
                    tracing::warn!(customer, %error, "could not update a Stripe customer; will retry");
                }
            }
        }
    }
}

async fn tend(app: &App, stripe: &Stripe, task: &CustomerTask) -> Result<(), PaymentTrouble> {
    let Some(deleted_at) = task.deleted_at else {
        match stripe.change_address(&task.customer, &task.email).await {
            // Whoever pays next finds that the customer is gone.
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
        let Some(invoice) = facts.invoice.filter(|invoice| invoice.paid) else { continue };
        if !app.store.has_granted(&task.account, &invoice.id).await? {
            stripe.refund(&charge).await?;
            let account = &task.account;
            tracing::warn!(%account, charge, "refunded a payment of a deleted account");
        }
    }
    Ok(app.store.lose_customer(&task.account, &task.customer).await?)
}

/// Sees to it that a customer cannot be charged any more.
async fn close(stripe: &Stripe, customer: &str) -> Result<(), PaymentError> {
    match stripe.close_checkouts(customer).await {
        Ok(_) | Err(PaymentError::Missing) => {}
        Err(error) => return Err(error),
    }
    stripe.delete_customer(customer).await
}
