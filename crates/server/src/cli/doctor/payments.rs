//! Whether Stripe is there, knows the key, and charges what the plans cost.

use retouch_providers::payments::stripe::Stripe;

use super::{Finding, finding};
use crate::app;
use crate::config::Settings;

/// Asks for each price; nothing where nobody takes money.
pub(super) fn ask(settings: &Settings) -> Vec<Finding> {
    let Some(stripe) = &settings.billing.stripe else { return Vec::new() };
    let made = settings.catalogue.load().map_err(|error| error.to_string());
    let made = made.and_then(|it| app::stripe(stripe, &it).map_err(|error| error.to_string()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match (made, runtime) {
        (Ok(stripe), Ok(runtime)) => runtime.block_on(all(&stripe)),
        (Err(problem), _) => vec![finding("stripe", Err(problem))],
        (_, Err(error)) => vec![finding("stripe", Err(error.to_string()))],
    }
}

async fn all(stripe: &Stripe) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (price, plan) in stripe.prices() {
        let expected = format!("{} usd a month", plan.price_usd);
        let result = match stripe.say_price(price).await {
            Ok(said) if said == expected => Ok(said),
            Ok(said) => Err(format!("{price} is {said}; the catalogue says {expected}")),
            Err(error) => Err(format!("{price}: {error}")),
        };
        findings.push(finding(&format!("stripe {}", plan.id), result));
    }
    findings
}
