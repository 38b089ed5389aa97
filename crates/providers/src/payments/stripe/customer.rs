//! Customers, and what is going on with them: their subscriptions, open checkouts and charges.

use retouch_core::Timestamp;
use retouch_core::billing::{Facts, Subscription};
use serde::Deserialize;

use super::super::PaymentError;
use super::read::{ChargeRow, Named, Rows, SubscriptionRow};
use super::{Stripe, path};

/// Rows of one page; a customer with more subscriptions, open checkouts or late charges than this
/// is dealt with again at the next look.
const ROWS: u32 = 100;

/// What an answer says about a customer that may have been deleted.
#[derive(Deserialize)]
struct CustomerRow {
    #[serde(default)]
    deleted: bool,
}

impl Stripe {
    /// Makes a customer; Stripe's name for it. `once` is a name for this attempt.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn make_customer(
        &self,
        (account, email): (&str, &str),
        once: &str,
    ) -> Result<String, PaymentError> {
        let fields = [("email", email), ("metadata[account]", account)];
        let made: Named = self.post("/v1/customers", &fields, once).await?;
        Ok(made.id)
    }

    /// Gives a customer another address; receipts go there.
    ///
    /// # Errors
    /// [`PaymentError::Missing`] for a customer that is deleted or was never there.
    pub async fn change_address(&self, customer: &str, email: &str) -> Result<(), PaymentError> {
        let path = path("customers", customer)?;
        // The same address in the same words is the same call, however often it is made.
        self.post::<Named>(&path, &[("email", email)], "").await.map(drop)
    }

    /// Whether Stripe has this customer. It has not when somebody deleted it there, or when the
    /// key is another account's, or the test mode's.
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

    /// Deletes a customer, which ends all its subscriptions at once; one that is deleted stays so.
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
            let mut facts = self.stands(row)?;
            if !facts.subscription.as_ref().is_some_and(Subscription::is_live) {
                continue;
            }
            // What the operator sells beside plans is none of ours.
            if let Some(id) =
                row.latest_invoice.as_deref().filter(|_| facts.unknown_price.is_none())
            {
                facts = self.about(None, Some(id)).await?;
            }
            live.push(Facts { seen_at, customer: Some(customer.to_owned()), ..facts });
        }
        Ok(live)
    }

    /// Closes the checkouts that a customer has open, so that none of them can be paid any more;
    /// how many there were.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn close_checkouts(&self, customer: &str) -> Result<usize, PaymentError> {
        let query = format!("customer={customer}&status=open&limit={ROWS}");
        let open: Rows<Named> = self.get(&format!("/v1/checkout/sessions?{query}")).await?;
        for session in &open.data {
            let path = path("checkout/sessions", &session.id)? + "/expire";
            match self.post::<Named>(&path, &[], "").await {
                // Paid in this very moment: then there is a subscription.
                Ok(_) | Err(PaymentError::Refused(_) | PaymentError::Missing) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(open.data.len())
    }

    /// What a customer has paid since `since` and has not got back: each charge with what it paid
    /// for.
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
            // What is disputed goes back by the bank's way.
            if charge.paid && !charge.disputed && charge.amount_refunded < charge.amount {
                found.push((charge.id.clone(), self.about_charge(charge).await?));
            }
        }
        Ok(found)
    }

    /// Pays back what is left of a charge, once.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn refund(&self, charge: &str) -> Result<(), PaymentError> {
        let once = format!("refund-{charge}");
        self.post::<Named>("/v1/refunds", &[("charge", charge)], &once).await.map(drop)
    }

    /// Ends a subscription: with the month that is paid, or at once. Nothing is paid back.
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
            // What is over stays over.
            Ok(_) | Err(PaymentError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
