//! The fields of Stripe's responses, and their conversion to our types.

use std::collections::BTreeMap;

use retouch_core::billing::{Source, Status, Subscription};
use retouch_core::{Credits, Timestamp};
use serde::Deserialize;

use super::super::PaymentError;
use super::checkout::CREDITS;

/// An event: what happened to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Stripe's ID of the event.
    pub id: String,
    /// The type, such as `invoice.paid`.
    pub kind: String,
    /// Stripe's ID of the object that the event is about.
    pub object: String,
    /// When it happened.
    pub created_at: Timestamp,
}

#[derive(Deserialize)]
pub(super) struct EventRow {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    created: i64,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: Named,
}

/// Any object with an ID.
#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) id: String,
}

/// A Stripe page to send the user to.
#[derive(Deserialize)]
pub(super) struct Page {
    pub(super) url: Option<String>,
}

/// A list.
#[derive(Deserialize)]
pub(super) struct Rows<T> {
    pub(super) data: Vec<T>,
    #[serde(default)]
    pub(super) has_more: bool,
}

#[derive(Default, Deserialize)]
pub(super) struct ErrorBody {
    #[serde(default)]
    pub(super) error: ErrorRow,
}

#[derive(Default, Deserialize)]
pub(super) struct ErrorRow {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) code: Option<String>,
    pub(super) param: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionRow {
    pub(super) id: String,
    pub(super) customer: Option<String>,
    pub(super) subscription: Option<String>,
    pub(super) invoice: Option<String>,
    pub(super) payment_intent: Option<String>,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    payment_status: String,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
}

#[derive(Deserialize)]
pub(super) struct SubscriptionRow {
    id: String,
    pub(super) customer: String,
    status: String,
    billing_cycle_anchor: i64,
    cancel_at: Option<i64>,
    #[serde(default)]
    cancel_at_period_end: bool,
    ended_at: Option<i64>,
    pub(super) latest_invoice: Option<String>,
    items: Rows<ItemRow>,
    schedule: Option<ScheduleRow>,
}

#[derive(Deserialize)]
struct ItemRow {
    id: String,
    price: Named,
    current_period_end: i64,
}

/// The scheduled changes of a subscription.
#[derive(Deserialize)]
struct ScheduleRow {
    phases: Vec<PhaseRow>,
}

#[derive(Deserialize)]
struct PhaseRow {
    start_date: i64,
    items: Vec<PhaseItemRow>,
}

#[derive(Deserialize)]
struct PhaseItemRow {
    price: String,
}

#[derive(Deserialize)]
pub(super) struct InvoiceRow {
    pub(super) id: String,
    pub(super) customer: String,
    status: Option<String>,
    parent: Option<ParentRow>,
    pub(super) lines: Rows<LineRow>,
    pub(super) payments: Option<Rows<InvoicePaymentRow>>,
    total: i64,
    #[serde(default)]
    starting_balance: i64,
    #[serde(default)]
    pub(super) post_payment_credit_notes_amount: i64,
    created: i64,
    status_transitions: Option<TransitionsRow>,
}

#[derive(Deserialize)]
struct TransitionsRow {
    finalized_at: Option<i64>,
}

#[derive(Deserialize)]
struct ParentRow {
    subscription_details: Option<DetailsRow>,
}

#[derive(Deserialize)]
struct DetailsRow {
    subscription: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct LineRow {
    pub(super) amount: i64,
    pub(super) currency: String,
    pub(super) period: PeriodRow,
    pricing: Option<PricingRow>,
    #[serde(default)]
    discount_amounts: Vec<DiscountRow>,
    parent: Option<LineParentRow>,
}

#[derive(Deserialize)]
struct DiscountRow {
    amount: i64,
}

#[derive(Deserialize)]
struct LineParentRow {
    subscription_item_details: Option<LineDetailsRow>,
}

#[derive(Deserialize)]
struct LineDetailsRow {
    proration: bool,
}

#[derive(Deserialize)]
pub(super) struct PeriodRow {
    pub(super) start: i64,
    pub(super) end: i64,
}

#[derive(Deserialize)]
struct PricingRow {
    price_details: Option<PriceDetailsRow>,
}

#[derive(Deserialize)]
struct PriceDetailsRow {
    price: String,
}

/// A payment toward an invoice.
#[derive(Deserialize)]
pub(super) struct InvoicePaymentRow {
    pub(super) invoice: String,
    pub(super) status: String,
    pub(super) payment: PaymentRow,
}

#[derive(Deserialize)]
pub(super) struct PaymentRow {
    pub(super) payment_intent: Option<String>,
    pub(super) charge: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct IntentRow {
    pub(super) latest_charge: Option<ChargeRow>,
}

#[derive(Deserialize)]
pub(super) struct ChargeRow {
    pub(super) id: String,
    pub(super) amount: i64,
    pub(super) amount_refunded: i64,
    pub(super) disputed: bool,
    pub(super) customer: Option<String>,
    #[serde(default)]
    pub(super) paid: bool,
    pub(super) payment_intent: Option<String>,
}

/// A refund or a fraud warning: the charge that it is about.
#[derive(Deserialize)]
pub(super) struct AboutChargeRow {
    pub(super) id: String,
    pub(super) charge: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct RefundRow {
    amount: i64,
    status: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct DisputeRow {
    pub(super) id: String,
    pub(super) charge: String,
    amount: i64,
    status: String,
}

#[derive(Deserialize)]
pub(super) struct PriceRow {
    pub(super) currency: String,
    pub(super) unit_amount: Option<i64>,
    recurring: Option<RecurringRow>,
}

#[derive(Deserialize)]
struct RecurringRow {
    interval: String,
    #[serde(default)]
    interval_count: u32,
}

impl Event {
    /// Parses the body of a webhook.
    ///
    /// # Errors
    /// [`PaymentError::Unexpected`].
    pub fn read(body: &[u8]) -> Result<Self, PaymentError> {
        let row: EventRow = serde_json::from_slice(body)
            .map_err(|error| PaymentError::Unexpected(error.to_string()))?;
        Ok(row.into())
    }
}

impl From<EventRow> for Event {
    fn from(row: EventRow) -> Self {
        let created_at = seconds(row.created);
        Self { id: row.id, kind: row.kind, object: row.data.object.id, created_at }
    }
}

impl SubscriptionRow {
    /// Stripe's ID of the subscription's item.
    pub(super) fn item(&self) -> Result<String, PaymentError> {
        self.first().map(|item| item.id.clone())
    }

    /// The subscription. `plan` maps a price to its plan. If the price has no plan, the price takes
    /// the place of the plan, and is also returned as the second value.
    pub(super) fn subscription(
        &self,
        plan: impl Fn(&str) -> Option<String>,
    ) -> Result<(Subscription, Option<String>), PaymentError> {
        let item = self.first()?;
        let price = &item.price.id;
        let (now, unknown) =
            plan(price).map_or_else(|| (price.clone(), Some(price.clone())), |now| (now, None));
        let end = item.current_period_end;
        let phases = self.schedule.iter().flat_map(|schedule| &schedule.phases);
        let next = phases.filter(|phase| phase.start_date >= end).min_by_key(|it| it.start_date);
        let next = next.and_then(|phase| plan(&phase.items.first()?.price));
        let at_end = self.cancel_at_period_end.then_some(end);
        let subscription = Subscription {
            id: self.id.clone(),
            source: Source::Stripe,
            next_plan: next.filter(|next| *next != now),
            plan: now,
            status: status(&self.status)?,
            anchor: seconds(self.billing_cycle_anchor),
            periods: 0,
            paid_until: seconds(end),
            cancel_at: self.ended_at.or(self.cancel_at).or(at_end).map(seconds),
        };
        Ok((subscription, unknown))
    }

    fn first(&self) -> Result<&ItemRow, PaymentError> {
        let missing = || PaymentError::Unexpected("a subscription without items".into());
        self.items.data.first().ok_or_else(missing)
    }
}

impl InvoiceRow {
    /// The subscription that the invoice is for, if any.
    pub(super) fn subscription(&self) -> Option<&str> {
        self.parent.as_ref()?.subscription_details.as_ref()?.subscription.as_deref()
    }

    /// When the invoice was finalized.
    pub(super) fn finalized_at(&self) -> Timestamp {
        let finalized_at = self.status_transitions.as_ref().and_then(|it| it.finalized_at);
        seconds(finalized_at.unwrap_or(self.created))
    }

    /// Whether the customer had a credit balance at Stripe when the invoice was finalized. Stripe
    /// uses that balance first.
    pub(super) fn had_balance(&self) -> bool {
        self.starting_balance < 0
    }

    /// Whether the invoice credits money to the customer.
    pub(super) fn gives_back(&self) -> bool {
        self.total < 0
    }

    /// Whether the invoice is fully paid.
    pub(super) fn is_paid(&self) -> bool {
        self.status.as_deref() == Some("paid")
    }
}

impl LineRow {
    /// The price that the line charges, if any.
    pub(super) fn price(&self) -> Option<&str> {
        Some(self.pricing.as_ref()?.price_details.as_ref()?.price.as_str())
    }

    /// The sum of the discounts.
    pub(super) fn discount(&self) -> i64 {
        self.discount_amounts.iter().map(|row| row.amount).fold(0, i64::saturating_add)
    }

    /// Whether the line is for a whole month and not for a change during one.
    pub(super) fn is_month(&self) -> bool {
        let details = self.parent.as_ref().and_then(|it| it.subscription_item_details.as_ref());
        details.is_some_and(|details| !details.proration)
    }
}

impl PriceRow {
    /// What the line charges, in words.
    pub(super) fn description(&self) -> String {
        let amount = match self.unit_amount {
            Some(cents) => format!("{}.{:02}", cents / 100, cents % 100),
            None => "something".to_owned(),
        };
        let every = match &self.recurring {
            None => "once".to_owned(),
            Some(it) if it.interval_count > 1 => {
                format!("every {} {}s", it.interval_count, it.interval)
            }
            Some(it) => format!("a {}", it.interval),
        };
        format!("{amount} {} {every}", self.currency)
    }
}

impl SessionRow {
    /// How many credits the checkout sells. `None` unless it is one of our packs.
    pub(super) fn credits(&self) -> Option<Credits> {
        let credits = self.metadata.get(CREDITS).filter(|_| self.mode == "payment")?;
        Credits::new(credits.parse().ok()?)
    }

    /// Whether the money has arrived, or a discount left nothing to pay.
    pub(super) fn is_paid(&self) -> bool {
        matches!(self.payment_status.as_str(), "paid" | "no_payment_required")
    }
}

impl RefundRow {
    /// The amount of the refund. Zero if it failed or was canceled.
    pub(super) fn refunded(&self) -> i64 {
        match self.status.as_deref() {
            Some("failed" | "canceled") => 0,
            _ => self.amount,
        }
    }
}

impl DisputeRow {
    /// The disputed amount that the payer's bank has taken or may keep. Inquiries take nothing.
    pub(super) fn claimed(&self) -> i64 {
        match self.status.as_str() {
            "needs_response" | "under_review" | "lost" => self.amount,
            _ => 0,
        }
    }
}

/// Converts Stripe's times, which are whole seconds since 1970.
pub(super) fn seconds(since_1970: i64) -> Timestamp {
    Timestamp(since_1970.saturating_mul(1_000))
}

fn status(name: &str) -> Result<Status, PaymentError> {
    match name {
        "active" | "trialing" => Ok(Status::Active),
        "past_due" | "unpaid" | "paused" => Ok(Status::PastDue),
        "incomplete" => Ok(Status::Incomplete),
        "canceled" | "incomplete_expired" => Ok(Status::Ended),
        other => Err(PaymentError::Unexpected(format!(
            "a subscription with the unknown status {other:?}"
        ))),
    }
}
