//! Stripe: checkout, the customer portal, and how things are.
//!
//! Written by hand for the dozen calls that are made. The version of the interface is pinned, so
//! that Stripe answers in the same form however the account is set.

mod customer;
mod look;
mod portal;
mod read;

use retouch_core::catalogue::Plan;
use serde::de::DeserializeOwned;
use url::Url;
use url::form_urlencoded::Serializer;

use super::PaymentError;
use crate::upstream::{
    Answer, Auth, Body, Call, Client, ClientError, ClientLimits, Door, Key, TransportError,
};

pub use look::{EVENTS, concerns};
pub use read::Event;

/// The version of the interface that is spoken.
pub const VERSION: &str = "2025-03-31.basil";
/// Largest answer, in bytes; Stripe's are a few kilobytes.
const ANSWER_BYTES_MAX: usize = 4 << 20;
/// Milliseconds for one connection.
const CONNECT_MS_MAX: u64 = 5_000;
/// Milliseconds between two pieces of an answer.
const IDLE_MS_MAX: u64 = 10_000;
/// How often a call is made before its failure is told. A second attempt has the same
/// `Idempotency-Key`, so that nothing is made twice.
const ATTEMPTS_MAX: usize = 2;
/// Most bytes of one of Stripe's terms for a trouble.
const WORD_BYTES_MAX: usize = 80;

/// The operator's account at Stripe.
pub struct Stripe {
    client: Client,
    prices: Vec<(String, Plan)>,
}

/// What a client of Stripe is made from.
pub struct StripeParts {
    /// Where Stripe is.
    pub base_url: Url,
    /// The secret key.
    pub key: Key,
    /// The prices that are charged for plans.
    pub prices: Vec<(String, Plan)>,
    /// How long an answer may take, in milliseconds.
    pub answer_ms_max: u64,
}

/// A checkout to open.
pub struct Checkout<'a> {
    /// Who pays: Stripe's name.
    pub customer: &'a str,
    /// The price.
    pub price: &'a str,
    /// Our name for who pays; Stripe shows it to the operator.
    pub reference: &'a str,
    /// Where to go when it is paid.
    pub success_url: &'a str,
    /// Where to go when it is not.
    pub cancel_url: &'a str,
}

/// A visit to the customer portal.
pub struct Portal<'a> {
    /// Who visits: Stripe's name.
    pub customer: &'a str,
    /// Where to go afterwards.
    pub return_url: &'a str,
    /// The portal's configuration; none: the account's default.
    pub configuration: Option<&'a str>,
    /// A change of plan to confirm there: the subscription, and the new price.
    pub change: Option<(&'a str, &'a str)>,
}

impl Stripe {
    /// A client of the account that `parts` name.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(parts: StripeParts) -> Result<Self, ClientError> {
        let limits = ClientLimits {
            connect_ms_max: CONNECT_MS_MAX,
            answer_ms_max: parts.answer_ms_max,
            idle_ms_max: IDLE_MS_MAX,
            answer_bytes_max: ANSWER_BYTES_MAX,
        };
        let door = Door { base: parts.base_url, key: Some(parts.key) };
        Ok(Self { client: Client::new(door, Auth::Bearer, limits)?, prices: parts.prices })
    }

    /// The price at which `plan` is sold, if it is.
    pub fn price_of(&self, plan: &str) -> Option<&str> {
        let sold = self.prices.iter().find(|(_, it)| it.id == plan);
        sold.map(|(price, _)| price.as_str())
    }

    /// The prices that are charged, each with its plan.
    pub fn prices(&self) -> impl Iterator<Item = (&str, &Plan)> {
        self.prices.iter().map(|(price, plan)| (price.as_str(), plan))
    }

    /// Says what a price charges, such as `9.90 usd a month`; asking costs nothing.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn say_price(&self, price: &str) -> Result<String, PaymentError> {
        let row: read::PriceRow = self.get(&path("prices", price)?).await?;
        Ok(row.said())
    }

    /// Opens a checkout; the address where it is paid.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn open_checkout(
        &self,
        asked: &Checkout<'_>,
        once: &str,
    ) -> Result<String, PaymentError> {
        let fields = [
            ("mode", "subscription"),
            ("customer", asked.customer),
            ("client_reference_id", asked.reference),
            ("line_items[0][price]", asked.price),
            ("line_items[0][quantity]", "1"),
            ("subscription_data[metadata][account]", asked.reference),
            ("success_url", asked.success_url),
            ("cancel_url", asked.cancel_url),
        ];
        let made: read::Page = self.post("/v1/checkout/sessions", &fields, once).await?;
        made.url.ok_or_else(|| PaymentError::Unexpected("a checkout without an address".into()))
    }

    /// Opens the customer portal; its address.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn open_portal(
        &self,
        asked: &Portal<'_>,
        once: &str,
    ) -> Result<String, PaymentError> {
        const CHANGE: &str = "flow_data[subscription_update_confirm]";
        let mut fields = vec![("customer", asked.customer), ("return_url", asked.return_url)];
        fields.extend(asked.configuration.map(|it| ("configuration", it)));
        let item;
        let names =
            ["[subscription]", "[items][0][id]", "[items][0][price]", "[items][0][quantity]"];
        let names = names.map(|name| format!("{CHANGE}{name}"));
        if let Some((subscription, price)) = asked.change {
            let path = path("subscriptions", subscription)?;
            item = self.get::<read::SubscriptionRow>(&path).await?.item()?;
            fields.push(("flow_data[type]", "subscription_update_confirm"));
            let values = [subscription, &item, price, "1"];
            fields.extend(names.iter().map(String::as_str).zip(values));
        }
        let made: read::Page = self.post("/v1/billing_portal/sessions", &fields, once).await?;
        made.url.ok_or_else(|| PaymentError::Unexpected("a portal without an address".into()))
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        once: &str,
    ) -> Result<T, PaymentError> {
        let call = Call::post(path, Body::Fields(form(fields)));
        // Without a name the call may be made any number of times.
        let call = if once.is_empty() { call } else { call.with_header("idempotency-key", once) };
        self.send(&call).await
    }

    async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, PaymentError> {
        self.send(&Call::delete(path)).await
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, PaymentError> {
        self.send(&Call::get(path)).await
    }

    async fn send<T: DeserializeOwned>(&self, call: &Call) -> Result<T, PaymentError> {
        let call = call.clone().with_header("stripe-version", VERSION);
        let mut attempts = 1;
        loop {
            let answer = self.client.send(&call, true).await;
            if attempts < ATTEMPTS_MAX && may_pass(&answer) {
                attempts += 1;
                continue;
            }
            let answer = answer?;
            if !answer.status.is_success() {
                return Err(trouble(&answer));
            }
            return serde_json::from_slice(&answer.body)
                .map_err(|error| PaymentError::Unexpected(error.to_string()));
        }
    }
}

/// What an answer tells of. Stripe's sentence is left out: it may quote what a person has typed.
fn trouble(answer: &Answer) -> PaymentError {
    let said: read::Trouble = serde_json::from_slice(&answer.body).unwrap_or_default();
    let said = said.error;
    let status = answer.status.as_u16();
    let words = [said.kind, said.code.clone(), said.param].into_iter().flatten();
    let words: Vec<String> = words.filter(|word| is_plain(word)).collect();
    let told = format!("{status} {}", words.join(" ")).trim_end().to_owned();
    match status {
        404 => PaymentError::Missing,
        // Something that is only named in the call is missing.
        400 if said.code.as_deref() == Some("resource_missing") => PaymentError::Missing,
        409 | 429 | 500.. => PaymentError::Unavailable(told),
        _ => PaymentError::Refused(told),
    }
}

/// Whether a word is one of Stripe's own terms and not somebody's text.
fn is_plain(word: &str) -> bool {
    let its = |byte: u8| byte.is_ascii_alphanumeric() || b"_[].".contains(&byte);
    word.len() <= WORD_BYTES_MAX && word.bytes().all(its)
}

/// `fields` as the body of a form.
fn form(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Whether the same call may have another answer at once.
fn may_pass(answer: &Result<Answer, TransportError>) -> bool {
    answer.as_ref().map_or(true, |answer| answer.status.is_server_error())
}

/// The path of the thing `id`; its name comes from outside.
fn path(list: &str, id: &str) -> Result<String, PaymentError> {
    let plain = !id.is_empty() && id.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    if plain { Ok(format!("/v1/{list}/{id}")) } else { Err(PaymentError::Missing) }
}
