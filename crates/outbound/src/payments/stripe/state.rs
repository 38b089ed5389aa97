//! Reads the current state from Stripe. The content of an event is never used; the object that it
//! is about is fetched instead.

use retouch_core::Timestamp;
use retouch_core::billing::{Alarm, Facts, Invoice, Line, Payment, Period};
use retouch_core::catalogue::Plan;

use super::super::PaymentError;
use super::read::{
    AboutChargeRow, ChargeRow, DisputeRow, EventRow, IntentRow, InvoicePaymentRow, InvoiceRow,
    LineRow, PriceRow, RefundRow, Rows, SessionRow, SubscriptionRow, seconds,
};
use super::{Event, Stripe, path};

/// The events that are about plans. A webhook needs no others.
pub const EVENTS: [&str; 14] = [
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "invoice.paid",
    "invoice.payment_failed",
    "charge.refunded",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
    "refund.updated",
    "refund.failed",
    "radar.early_fraud_warning.created",
];

/// Maximum number of pages to read in one go.
const PAGES_MAX: usize = 20;
/// The path of an invoice's first 100 lines, which is more than an invoice for a plan ever has.
const LINES_PAGE: &str = "/lines?limit=100";

/// Whether an event is about plans.
pub fn concerns(kind: &str) -> bool {
    EVENTS.contains(&kind)
}

impl Stripe {
    /// The current state of the `object` of an event of this `kind`, and of what belongs to it.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn state_of(
        &self,
        (kind, object): (&str, &str),
        seen_at: Timestamp,
    ) -> Result<Facts, PaymentError> {
        let found = match kind.split('.').collect::<Vec<_>>()[..] {
            ["checkout", ..] => return self.state_of_checkout(object, seen_at).await,
            ["customer", "subscription", _] => self.about(Some(object), None).await,
            ["invoice", _] => self.about(None, Some(object)).await,
            ["charge", "dispute", _] => {
                let dispute: DisputeRow = self.get(&path("disputes", object)?).await?;
                self.about_charge(self.find_charge(&dispute.charge).await?).await
            }
            ["refund", _] => {
                let refund: AboutChargeRow = self.get(&path("refunds", object)?).await?;
                self.about_named_charge(refund.charge).await
            }
            ["radar", "early_fraud_warning", _] => self.about_warning(object).await,
            ["charge", _] => self.about_charge(self.find_charge(object).await?).await,
            _ => Ok(Facts::default()),
        };
        found.map(|facts| Facts { seen_at, ..facts })
    }

    /// The current state of what a checkout created.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn state_of_checkout(
        &self,
        id: &str,
        seen_at: Timestamp,
    ) -> Result<Facts, PaymentError> {
        let session: SessionRow = self.get(&path("checkout/sessions", id)?).await?;
        let facts = match session.credits() {
            Some(_) => self.about_pack(session).await?,
            None => self.about(session.subscription.as_deref(), session.invoice.as_deref()).await?,
        };
        Ok(Facts { seen_at, ..facts })
    }

    /// The events since `since` that are about plans, newest first.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn events_since(&self, since: Timestamp) -> Result<Vec<Event>, PaymentError> {
        let kinds: String = EVENTS.iter().map(|kind| format!("&types[]={kind}")).collect();
        let from = since.0.div_euclid(1_000);
        let base = format!("/v1/events?limit=100&created[gte]={from}{kinds}");
        let mut events: Vec<Event> = Vec::new();
        for _ in 0..PAGES_MAX {
            let after = events.last().map(|last| format!("&starting_after={}", last.id));
            let page: Rows<EventRow> =
                self.get(&(base.clone() + &after.unwrap_or_default())).await?;
            events.extend(page.data.into_iter().map(Event::from));
            if !page.has_more {
                break;
            }
        }
        Ok(events)
    }

    /// The state of a subscription and an invoice. For an invoice, also of its subscription.
    pub(super) async fn about(
        &self,
        subscription: Option<&str>,
        invoice: Option<&str>,
    ) -> Result<Facts, PaymentError> {
        let mut facts = Facts::default();
        let mut subscription = subscription.map(str::to_owned);
        if let Some(id) = invoice {
            let row: InvoiceRow = self.get(&(path("invoices", id)? + "?expand[]=payments")).await?;
            facts.customer = Some(row.customer.clone());
            if row.had_balance() {
                facts.given_back = self.given_back(&row.customer).await?;
            }
            if let Some(id) = row.subscription().map(str::to_owned) {
                facts.invoice = Some(self.invoice(row, &id, &mut facts.alarms).await?);
                subscription = Some(id);
            }
        }
        if let Some(id) = subscription {
            let path = path("subscriptions", &id)? + "?expand[]=schedule";
            let row: SubscriptionRow = self.get(&path).await?;
            let state = self.subscription_state(&row)?;
            facts.subscription = state.subscription;
            facts.unknown_price = state.unknown_price;
            facts.customer = Some(row.customer);
        }
        Ok(facts)
    }

    /// The state of a subscription only.
    pub(super) fn subscription_state(&self, row: &SubscriptionRow) -> Result<Facts, PaymentError> {
        let plan = |price: &str| Some(self.plan(price)?.id.clone());
        let (subscription, unknown_price) = row.subscription(plan)?;
        Ok(Facts { subscription: Some(subscription), unknown_price, ..Facts::default() })
    }

    async fn find_charge(&self, id: &str) -> Result<ChargeRow, PaymentError> {
        self.get(&path("charges", id)?).await
    }

    /// The state of what a charge paid for.
    pub(super) async fn about_charge(&self, charge: ChargeRow) -> Result<Facts, PaymentError> {
        let nothing = Facts { customer: charge.customer.clone(), ..Facts::default() };
        let Some(intent) = charge.payment_intent else { return Ok(nothing) };
        let query = format!("payment[type]=payment_intent&payment[payment_intent]={intent}");
        let paid: Rows<InvoicePaymentRow> =
            self.get(&format!("/v1/invoice_payments?{query}")).await?;
        match paid.data.first() {
            Some(paid) => self.about(None, Some(&paid.invoice)).await,
            None => Ok(self.about_pack_paid_by(&intent).await?.unwrap_or(nothing)),
        }
    }

    async fn about_named_charge(&self, id: Option<String>) -> Result<Facts, PaymentError> {
        match id {
            Some(id) => self.about_charge(self.find_charge(&id).await?).await,
            None => Ok(Facts::default()),
        }
    }

    /// The state of what a card issuer's fraud warning is about.
    async fn about_warning(&self, id: &str) -> Result<Facts, PaymentError> {
        let path = path("radar/early_fraud_warnings", id)?;
        let warning: AboutChargeRow = self.get(&path).await?;
        let mut facts = self.about_named_charge(warning.charge).await?;
        facts.alarms.push(Alarm::FraudWarning(warning.id));
        Ok(facts)
    }

    /// The invoices that credited money to a customer.
    async fn given_back(&self, customer: &str) -> Result<Vec<Invoice>, PaymentError> {
        let base = format!("/v1/invoices?customer={customer}&limit=100");
        let mut after: Option<String> = None;
        let mut found = Vec::new();
        for _ in 0..PAGES_MAX {
            let from = after.take().map(|id| format!("&starting_after={id}"));
            let page: Rows<InvoiceRow> =
                self.get(&(base.clone() + &from.unwrap_or_default())).await?;
            after = page.data.last().map(|row| row.id.clone());
            for row in page.data.into_iter().filter(InvoiceRow::gives_back) {
                let its = row.subscription().unwrap_or_default().to_owned();
                found.push(self.invoice(row, &its, &mut Vec::new()).await?);
            }
            if !page.has_more {
                return Ok(found);
            }
        }
        Err(PaymentError::Unexpected(format!("{customer} has too many invoices to read")))
    }

    async fn invoice(
        &self,
        row: InvoiceRow,
        subscription: &str,
        alarms: &mut Vec<Alarm>,
    ) -> Result<Invoice, PaymentError> {
        let (paid, finalized_at) = (row.is_paid(), row.finalized_at());
        let rows = match row.lines {
            first if !first.has_more => first.data,
            _ => self.get::<Rows<LineRow>>(&(path("invoices", &row.id)? + LINES_PAGE)).await?.data,
        };
        let (mut lines, mut unknown_price) = (Vec::new(), None);
        for row in rows {
            let price = row.price().filter(|_| row.amount != 0);
            let unknown = price.filter(|price| self.plan(price).is_none()).map(str::to_owned);
            unknown_price = unknown_price.or(unknown);
            lines.extend(self.line(&row).await?);
        }
        let mut payments = Vec::new();
        for part in row.payments.map(|rows| rows.data).unwrap_or_default() {
            payments.extend(self.payment(&part, alarms).await?);
        }
        let (id, credited) = (row.id, row.post_payment_credit_notes_amount);
        let subscription = subscription.to_owned();
        Ok(Invoice {
            id,
            subscription,
            finalized_at,
            paid,
            lines,
            unknown_price,
            payments,
            credited,
        })
    }

    /// A line that charges one of our prices.
    async fn line(&self, row: &LineRow) -> Result<Option<Line>, PaymentError> {
        let Some((id, plan)) = row.price().and_then(|id| Some((id, self.plan(id)?))) else {
            return Ok(None);
        };
        let price: PriceRow = self.get(&path("prices", id)?).await?;
        let unit = price.unit_amount.filter(|amount| *amount > 0);
        match unit {
            Some(unit) if price.currency == row.currency => Ok(Some(Line {
                plan: plan.clone(),
                amount: row.amount,
                discount: row.discount(),
                is_month: row.is_month(),
                price: unit,
                period: Period { from: seconds(row.period.start), to: seconds(row.period.end) },
            })),
            // With another currency, the share of the price cannot be computed.
            _ => Err(PaymentError::Unexpected(format!(
                "an invoice line in {} for the price {id}, which is {:?} {}",
                row.currency, price.unit_amount, price.currency
            ))),
        }
    }

    async fn payment(
        &self,
        row: &InvoicePaymentRow,
        alarms: &mut Vec<Alarm>,
    ) -> Result<Option<Payment>, PaymentError> {
        if row.status != "paid" {
            return Ok(None);
        }
        let charge = match (&row.payment.payment_intent, &row.payment.charge) {
            (Some(id), _) => {
                let path = path("payment_intents", id)? + "?expand[]=latest_charge";
                self.get::<IntentRow>(&path).await?.latest_charge
            }
            (None, Some(id)) => Some(self.find_charge(id).await?),
            (None, None) => None,
        };
        match charge {
            Some(charge) => self.charged(&charge, alarms).await.map(Some),
            None => Ok(None),
        }
    }

    /// What a charge brought, and how much of it went back or is disputed.
    pub(super) async fn charged(
        &self,
        charge: &ChargeRow,
        alarms: &mut Vec<Alarm>,
    ) -> Result<Payment, PaymentError> {
        let mut disputed = 0_i64;
        if charge.disputed {
            let disputes: Rows<DisputeRow> =
                self.get(&format!("/v1/disputes?limit=100&charge={}", charge.id)).await?;
            for dispute in disputes.data.iter().filter(|dispute| dispute.claimed() > 0) {
                disputed = disputed.saturating_add(dispute.claimed());
                alarms.push(Alarm::Dispute(dispute.id.clone()));
            }
        }
        let refunded = self.refunded(charge).await?;
        Ok(Payment { amount: charge.amount, refunded, disputed })
    }

    /// How much of a charge was refunded. The charge may still count a refund that failed.
    async fn refunded(&self, charge: &ChargeRow) -> Result<i64, PaymentError> {
        if charge.amount_refunded == 0 {
            return Ok(0);
        }
        let refunds: Rows<RefundRow> =
            self.get(&format!("/v1/refunds?limit=100&charge={}", charge.id)).await?;
        let held = refunds.data.iter().map(RefundRow::refunded).fold(0, i64::saturating_add);
        Ok(if refunds.has_more { charge.amount_refunded } else { held.min(charge.amount_refunded) })
    }

    fn plan(&self, price: &str) -> Option<&Plan> {
        self.prices.iter().find(|(id, _)| id == price).map(|(_, plan)| plan)
    }
}
