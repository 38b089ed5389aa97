//! Stripe: checkout, the customer portal, and the current state of subscriptions and invoices.
//!
//! A small client for the dozen calls that are needed. The API version is pinned, so responses have
//! the same format whatever the account's settings.

mod checkout;
mod customer;
mod portal;
mod read;
mod state;

use retouch_core::catalogue::Plan;
use serde::de::DeserializeOwned;
use url::Url;
use url::form_urlencoded::Serializer;

use super::PaymentError;
use crate::client::{
    Answer, Auth, Body, Call, Client, ClientError, ClientLimits, Endpoint, Key, TransportError,
};

pub use checkout::{Checkout, Item};
pub use read::Event;
pub use state::{EVENTS, concerns};

/// The version of Stripe's API.
pub const VERSION: &str = "2025-03-31.basil";
/// Largest response, in bytes. Stripe's are a few kilobytes.
const ANSWER_BYTES_MAX: usize = 4 << 20;
/// Time limit for connecting, in milliseconds.
const CONNECT_MS_MAX: u64 = 5_000;
/// Longest pause in the middle of a response, in milliseconds.
const IDLE_MS_MAX: u64 = 10_000;
/// How many times a call is tried before its failure is reported. The second attempt has the same
/// `Idempotency-Key`, so nothing is created twice.
const ATTEMPTS_MAX: usize = 2;
/// Maximum length of a Stripe error code that is passed on, in bytes.
const WORD_BYTES_MAX: usize = 80;

/// The operator's Stripe account.
pub struct Stripe {
    client: Client,
    prices: Vec<(String, Plan)>,
}

/// What a Stripe client needs.
pub struct StripeParts {
    /// The address of Stripe's API.
    pub base_url: Url,
    /// The secret key.
    pub key: Key,
    /// The prices of plans.
    pub prices: Vec<(String, Plan)>,
    /// Time limit for a response, in milliseconds.
    pub answer_ms_max: u64,
}

/// A session of the customer portal.
pub struct Portal<'a> {
    /// The customer's ID at Stripe.
    pub customer: &'a str,
    /// Where to go afterward.
    pub return_url: &'a str,
    /// The portal's configuration. `None`: the account's default.
    pub configuration: Option<&'a str>,
    /// A change of plan to confirm in the portal: the subscription and the new price.
    pub change: Option<(&'a str, &'a str)>,
}

impl Stripe {
    /// A client for the account in `parts`.
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
        let endpoint = Endpoint { base: parts.base_url, key: Some(parts.key) };
        Ok(Self { client: Client::new(endpoint, Auth::Bearer, limits)?, prices: parts.prices })
    }

    /// The price at which `plan` is sold, if any.
    pub fn price_of(&self, plan: &str) -> Option<&str> {
        let sold = self.prices.iter().find(|(_, it)| it.id == plan);
        sold.map(|(price, _)| price.as_str())
    }

    /// All prices, each with its plan.
    pub fn prices(&self) -> impl Iterator<Item = (&str, &Plan)> {
        self.prices.iter().map(|(price, plan)| (price.as_str(), plan))
    }

    /// Describes a price, such as `9.90 usd a month`. The call costs nothing.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn describe_price(&self, price: &str) -> Result<String, PaymentError> {
        let row: read::PriceRow = self.get(&path("prices", price)?).await?;
        Ok(row.description())
    }

    /// Creates a session of the customer portal and returns its address.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn open_portal(
        &self,
        portal: &Portal<'_>,
        once: &str,
    ) -> Result<String, PaymentError> {
        const CHANGE: &str = "flow_data[subscription_update_confirm]";
        let mut fields = vec![("customer", portal.customer), ("return_url", portal.return_url)];
        fields.extend(portal.configuration.map(|it| ("configuration", it)));
        let item;
        let names =
            ["[subscription]", "[items][0][id]", "[items][0][price]", "[items][0][quantity]"];
        let names = names.map(|name| format!("{CHANGE}{name}"));
        if let Some((subscription, price)) = portal.change {
            let path = path("subscriptions", subscription)?;
            item = self.get::<read::SubscriptionRow>(&path).await?.item()?;
            fields.push(("flow_data[type]", "subscription_update_confirm"));
            let values = [subscription, &item, price, "1"];
            fields.extend(names.iter().map(String::as_str).zip(values));
        }
        let page: read::Page = self.post("/v1/billing_portal/sessions", &fields, once).await?;
        page.url.ok_or_else(|| PaymentError::Unexpected("a portal session without a URL".into()))
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        once: &str,
    ) -> Result<T, PaymentError> {
        let call = Call::post(path, Body::Fields(form(fields)));
        // Without a key, the call may safely be made any number of times.
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
            if attempts < ATTEMPTS_MAX && is_transient(&answer) {
                attempts += 1;
                continue;
            }
            let answer = answer?;
            if !answer.status.is_success() {
                return Err(error_of(&answer));
            }
            return serde_json::from_slice(&answer.body)
                .map_err(|error| PaymentError::Unexpected(error.to_string()));
        }
    }
}

/// The error in a response. Stripe's message is left out, because it may quote what a person has
/// typed.
fn error_of(answer: &Answer) -> PaymentError {
    let body: read::ErrorBody = serde_json::from_slice(&answer.body).unwrap_or_default();
    let error = body.error;
    let status = answer.status.as_u16();
    let words = [error.kind, error.code.clone(), error.param].into_iter().flatten();
    let words: Vec<String> = words.filter(|word| is_plain(word)).collect();
    let summary = format!("{status} {}", words.join(" ")).trim_end().to_owned();
    match status {
        404 => PaymentError::Missing,
        // An object that the call refers to does not exist.
        400 if error.code.as_deref() == Some("resource_missing") => PaymentError::Missing,
        409 | 429 | 500.. => PaymentError::Unavailable(summary),
        _ => PaymentError::Refused(summary),
    }
}

/// Whether a word is one of Stripe's codes and not someone's text.
fn is_plain(word: &str) -> bool {
    let its = |byte: u8| byte.is_ascii_alphanumeric() || b"_[].".contains(&byte);
    word.len() <= WORD_BYTES_MAX && word.bytes().all(its)
}

/// `fields` as a form body.
fn form(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Whether repeating the same call immediately may succeed.
fn is_transient(answer: &Result<Answer, TransportError>) -> bool {
    answer.as_ref().map_or(true, |answer| answer.status.is_server_error())
}

/// The path of the object `id`, which comes from outside and is therefore checked.
fn path(list: &str, id: &str) -> Result<String, PaymentError> {
    let plain = !id.is_empty() && id.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    if plain { Ok(format!("/v1/{list}/{id}")) } else { Err(PaymentError::Missing) }
}
