//! How plans are paid for.

use retouch_core::Credits;
use url::Url;

use super::Secret;
use super::duration::{HOUR_MS, SECOND_MS};
use super::network::{is_in_the_clear, web_address};
use super::packs::{self, PackSettings};
use super::reader::Reader;

/// The upper limit for how often something is done and for timeouts, in milliseconds.
const WAIT_MS_MAX: u64 = 100 * HOUR_MS;

/// The section `[billing]`.
#[derive(Clone, Debug)]
pub struct BillingSettings {
    /// Administrators who grant more credits than this at a time are asked to confirm.
    pub grant_asks_above: Credits,
    /// How often the monthly credits of plans are granted, in milliseconds.
    pub sweep_every_ms: u64,
    /// Visits to the payment provider's pages per minute and account.
    pub visits_per_minute_per_account: u32,
    /// The packs of credits that are sold.
    pub packs: Vec<PackSettings>,
    /// Stripe, if the operator has configured it.
    pub stripe: Option<StripeSettings>,
}

/// The operator's Stripe account.
#[derive(Clone, Debug)]
pub struct StripeSettings {
    /// The secret API key.
    pub secret_key: Secret,
    /// The signing secrets of the webhook; several during a rotation.
    pub webhook_secrets: Vec<Secret>,
    /// Pairs of a plan's ID and a Stripe price. The first price of a plan is sold.
    pub prices: Vec<(String, String)>,
    /// The configuration of the customer portal; the account's default if none.
    pub portal_configuration: Option<String>,
    /// The address of the Stripe API.
    pub base_url: Url,
    /// How often to ask for missed events, in milliseconds.
    pub catch_up_every_ms: u64,
    /// Time limit for an API call, in milliseconds.
    pub answer_ms_max: u64,
}

impl BillingSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let sweep_every_ms = reader.duration("billing.sweep_every", 100..=WAIT_MS_MAX);
        let visits_per_minute_per_account =
            reader.number("billing.visits_per_minute_per_account", 1..=1_000_000);
        let asks_above = reader.number("billing.grant_asks_above", 0..=Credits::MAX.get());
        let grant_asks_above = Credits::new(asks_above).unwrap_or(Credits::MAX);
        let packs = packs::read(reader);
        let stripe = StripeSettings::read(reader);
        Self { grant_asks_above, sweep_every_ms, visits_per_minute_per_account, packs, stripe }
    }
}

impl StripeSettings {
    /// The settings, if there is a key. The other required settings must then be present.
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        const KEY: &str = "billing.stripe_secret_key";
        let base_url = reader.required("billing.stripe_base_url", web_address);
        let catch_up_every_ms =
            reader.duration("billing.stripe_catch_up_every", SECOND_MS..=WAIT_MS_MAX);
        let answer_ms_max = reader.duration("billing.stripe_answer_time_max", 1..=WAIT_MS_MAX);
        let prices = reader.list("billing.stripe_prices", price);
        let portal = reader.optional("billing.stripe_portal_configuration", portal);
        let secret_key = reader.secret(KEY)?;
        if !secret_key.fits_a_header() {
            reader.refuse(KEY, "expected a key on one line, without spaces");
        }
        let webhook_secrets = webhook_secrets(reader);
        if webhook_secrets.is_empty() {
            let missing = "missing: needed to verify webhooks from Stripe";
            reader.refuse_because("billing.stripe_webhook_secret", missing, KEY);
        }
        if base_url.as_ref().is_some_and(is_in_the_clear) {
            let message =
                "the secret key would be sent unencrypted to another machine; use https://";
            reader.refuse("billing.stripe_base_url", message);
        }
        if prices.is_empty() {
            let missing = "missing: set the Stripe price of each plan, as PLAN=PRICE";
            reader.refuse_because("billing.stripe_prices", missing, KEY);
        }
        Some(Self {
            secret_key,
            webhook_secrets,
            prices,
            portal_configuration: portal,
            base_url: base_url?,
            catch_up_every_ms,
            answer_ms_max,
        })
    }
}

fn webhook_secrets(reader: &Reader<'_>) -> Vec<Secret> {
    let all = reader.secret("billing.stripe_webhook_secret");
    let each = all.iter().flat_map(|all| all.reveal().split(',')).map(str::trim);
    each.filter(|one| !one.is_empty()).map(Secret::new).collect()
}

fn price(text: &str) -> Result<(String, String), String> {
    let both = text.split_once('=').map(|(plan, price)| (plan.trim(), price.trim()));
    match both {
        Some((plan, price)) if !plan.is_empty() && is_name(price) => {
            Ok((plan.to_owned(), price.to_owned()))
        }
        _ => Err("expected a plan and a price such as basic=price_1Abc".to_owned()),
    }
}

fn portal(text: &str) -> Result<String, String> {
    let right = text.starts_with("bpc_") && is_name(text);
    if right { Ok(text.to_owned()) } else { Err("expected an ID such as bpc_1Abc".to_owned()) }
}

/// Whether `text` can be an ID from Stripe.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
