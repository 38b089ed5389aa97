//! Customers, with their subscriptions, open checkouts and charges.

use retouch_core::Timestamp;
use retouch_core::billing::{Facts, Subscription};
use serde::Deserialize;

use super::super::PaymentError;
use super::read::{ChargeRow, Named, Rows, SubscriptionRow};
use super::{Stripe, path};

/// Rows per page. A customer with more subscriptions, open checkouts or recent charges is handled
/// again at the next run.
const ROWS: u32 = 100;

/// The fields of a customer that may have been deleted.
#[derive(Deserialize)]
struct CustomerRow {
    #[serde(default)]
    deleted: bool,
}

impl Stripe {
    /// Creates a customer and returns its Stripe ID. `once` is the idempotency key.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn create_customer(
        &self,
        (account, email): (&str, &str),
        once: &str,
    ) -> Result<String, PaymentError> {
        let fields = [("email", email), ("metadata[account]", account)];
        let customer: Named = self.post("/v1/customers", &fields, once).await?;
        Ok(customer.id)
    }

    /// Changes a customer's email address, which receives the receipts.
    ///
    /// # Errors
    /// [`PaymentError::Missing`] when the customer was deleted or never existed.
    pub async fn change_email(&self, customer: &str, email: &str) -> Result<(), PaymentError> {
        let path = path("customers", customer)?;
        // Setting the same address again has no effect, so no idempotency key is needed.
        self.post::<Named>(&path, &[("email", email)], "").await.map(drop)
    }

    /// Whether Stripe has this customer. It does not if the customer was deleted there, or if the
    /// key belongs to another account or to test mode.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn has_customer(&self, customer: &str) -> Result<bool, PaymentError> {
        match self.get::<CustomerRow>(&path("customers", customer)?).await {
            Ok(row) => Ok(!row.deleted),
            Err(PaymentError::Missing) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Deletes a customer, which immediately ends all its subscriptions. Deleting it again has no
    /// effect.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn delete_customer(&self, customer: &str) -> Result<(), PaymentError> {
        match self.delete::<Named>(&path("customers", customer)?).await {
            Ok(_) | Err(PaymentError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The subscriptions that a customer is charged for, each with its latest invoice, as they are
    /// at `seen_at`.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn live_subscriptions(
        &self,
        customer: &str,
        seen_at: Timestamp,
    ) -> Result<Vec<Facts>, PaymentError> {
        let query = format!("customer={customer}&limit={ROWS}&expand[]=data.schedule");
        let rows: Rows<SubscriptionRow> = self.get(&format!("/v1/subscriptions?{query}")).await?;
        let mut live = Vec::new();
        for row in &rows.data {
            let mut facts = self.subscription_state(row)?;
            if !facts.subscription.as_ref().is_some_and(Subscription::is_live) {
                continue;
            }
            // Skip subscriptions to other products of the operator.
            if let Some(id) =
                row.latest_invoice.as_deref().filter(|_| facts.unknown_price.is_none())
            {
                facts = self.about(None, Some(id)).await?;
            }
            live.push(Facts { seen_at, customer: Some(customer.to_owned()), ..facts });
        }
        Ok(live)
    }

    /// Closes a customer's open checkouts, so that they can no longer be paid. Returns how many
    /// there were.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn close_checkouts(&self, customer: &str) -> Result<usize, PaymentError> {
        let query = format!("customer={customer}&status=open&limit={ROWS}");
        let open: Rows<Named> = self.get(&format!("/v1/checkout/sessions?{query}")).await?;
        for session in &open.data {
            let path = path("checkout/sessions", &session.id)? + "/expire";
            match self.post::<Named>(&path, &[], "").await {
                // It has just been paid, so there is a subscription now.
                Ok(_) | Err(PaymentError::Refused(_) | PaymentError::Missing) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(open.data.len())
    }

    /// What a customer has paid since `since` and has not been refunded: each charge with what it
    /// paid for.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn paid_since(
        &self,
        customer: &str,
        since: Timestamp,
    ) -> Result<Vec<(String, Facts)>, PaymentError> {
        let from = since.0.div_euclid(1_000);
        let query = format!("customer={customer}&created[gte]={from}&limit={ROWS}");
        let charges: Rows<ChargeRow> = self.get(&format!("/v1/charges?{query}")).await?;
        let mut found = Vec::new();
        for charge in charges.data {
            // Disputed charges are returned by the bank.
            if charge.paid && !charge.disputed && charge.amount_refunded < charge.amount {
                found.push((charge.id.clone(), self.about_charge(charge).await?));
            }
        }
        Ok(found)
    }

    /// Refunds the rest of a charge, once.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn refund(&self, charge: &str) -> Result<(), PaymentError> {
        let once = format!("refund-{charge}");
        self.post::<Named>("/v1/refunds", &[("charge", charge)], &once).await.map(drop)
    }

    /// Ends a subscription, immediately or at the end of the paid month. Nothing is refunded.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn end_subscription(&self, id: &str, at_once: bool) -> Result<(), PaymentError> {
        let path = path("subscriptions", id)?;
        let ended = if at_once {
            self.delete::<Named>(&path).await
        } else {
            self.post::<Named>(&path, &[("cancel_at_period_end", "true")], "").await
        };
        match ended {
            // The subscription has already ended.
            Ok(_) | Err(PaymentError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
