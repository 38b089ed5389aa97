//! Checkouts: of a plan, which is paid every month, and of a pack of credits, which is paid once.

use retouch_core::Credits;
use retouch_core::billing::{Facts, Pack, Payment};

use super::super::PaymentError;
use super::read::{IntentRow, Page, Rows, SessionRow};
use super::{Stripe, path};

/// The metadata that says how many credits a checkout sells. Only we can set it.
pub(super) const CREDITS: &str = "retouch_credits";

/// A checkout session to create.
pub struct Checkout<'a> {
    /// The customer's ID at Stripe.
    pub customer: &'a str,
    /// What is sold.
    pub item: Item<'a>,
    /// Our ID of the customer, which Stripe shows to the operator.
    pub reference: &'a str,
    /// Where to go after payment.
    pub success_url: &'a str,
    /// Where to go if the customer cancels.
    pub cancel_url: &'a str,
}

/// What a checkout sells.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A plan: the ID of its price.
    Plan(&'a str),
    /// A pack of credits.
    Pack {
        /// Its name.
        name: &'a str,
        /// How many credits it has.
        credits: Credits,
        /// Its price in US cents.
        cents: u64,
    },
}

impl Item<'_> {
    /// The fields of the checkout that say what is sold.
    fn fields(&self, reference: &str) -> Vec<(&'static str, String)> {
        match *self {
            Self::Plan(price) => vec![
                ("mode", "subscription".to_owned()),
                ("line_items[0][price]", price.to_owned()),
                ("subscription_data[metadata][account]", reference.to_owned()),
            ],
            Self::Pack { name, credits, cents } => vec![
                ("mode", "payment".to_owned()),
                ("line_items[0][price_data][currency]", "usd".to_owned()),
                ("line_items[0][price_data][unit_amount]", cents.to_string()),
                ("line_items[0][price_data][product_data][name]", name.to_owned()),
                ("metadata[retouch_credits]", credits.get().to_string()),
                ("payment_intent_data[metadata][account]", reference.to_owned()),
            ],
        }
    }
}

impl Stripe {
    /// Creates a checkout session and returns its address. The customer can enter a promotion code
    /// there, if the operator has created one at Stripe.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn open_checkout(
        &self,
        checkout: &Checkout<'_>,
        once: &str,
    ) -> Result<String, PaymentError> {
        let item = checkout.item.fields(checkout.reference);
        let mut fields = vec![
            ("customer", checkout.customer),
            ("client_reference_id", checkout.reference),
            ("line_items[0][quantity]", "1"),
            ("allow_promotion_codes", "true"),
            ("success_url", checkout.success_url),
            ("cancel_url", checkout.cancel_url),
        ];
        fields.extend(item.iter().map(|(name, value)| (*name, value.as_str())));
        let page: Page = self.post("/v1/checkout/sessions", &fields, once).await?;
        page.url.ok_or_else(|| PaymentError::Unexpected("a checkout session without a URL".into()))
    }

    /// The state of the pack that a checkout sold, if it sold one.
    pub(super) async fn about_pack(&self, session: SessionRow) -> Result<Facts, PaymentError> {
        let mut facts = Facts { customer: session.customer.clone(), ..Facts::default() };
        let Some(credits) = session.credits() else { return Ok(facts) };
        let mut payment = Payment::default();
        let paid = session.is_paid();
        if let Some(intent) = session.payment_intent.as_deref().filter(|_| paid) {
            let path = path("payment_intents", intent)? + "?expand[]=latest_charge";
            let charge = self.get::<IntentRow>(&path).await?.latest_charge;
            let nothing = || PaymentError::Unexpected(format!("{intent} is paid without a charge"));
            payment = self.charged(&charge.ok_or_else(nothing)?, &mut facts.alarms).await?;
        }
        facts.pack = Some(Pack { id: session.id, credits, paid, payment });
        Ok(facts)
    }

    /// The state of the pack that was paid with a payment intent, if one was.
    pub(super) async fn about_pack_paid_by(
        &self,
        intent: &str,
    ) -> Result<Option<Facts>, PaymentError> {
        let query = format!("payment_intent={intent}&limit=1");
        let found: Rows<SessionRow> = self.get(&format!("/v1/checkout/sessions?{query}")).await?;
        match found.data.into_iter().next() {
            Some(session) => self.about_pack(session).await.map(Some),
            None => Ok(None),
        }
    }
}
