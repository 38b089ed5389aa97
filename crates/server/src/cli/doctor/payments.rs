//! Whether Stripe is reachable, accepts the key, charges what the plans cost, and has a safe
//! customer portal.

use retouch_outbound::payments::stripe::Stripe;

use super::{Finding, finding};
use crate::app;
use crate::config::Settings;

/// Reads each price and the portal's configuration from Stripe, if payments are configured.
pub(super) fn ask(settings: &Settings) -> Vec<Finding> {
    let Some(stripe) = &settings.billing.stripe else { return Vec::new() };
    let made = settings.catalogue.load().map_err(|error| error.to_string());
    let made = made.and_then(|it| app::stripe(stripe, &it).map_err(|error| error.to_string()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match (made, runtime) {
        (Ok(it), Ok(runtime)) => runtime.block_on(all(&it, stripe.portal_configuration.as_deref())),
        (Err(problem), _) => vec![finding("stripe", Err(problem))],
        (_, Err(error)) => vec![finding("stripe", Err(error.to_string()))],
    }
}

async fn all(stripe: &Stripe, portal: Option<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (price, plan) in stripe.prices() {
        let expected = format!("{} usd a month", plan.price_usd);
        let result = match stripe.describe_price(price).await {
            Ok(said) if said == expected => Ok(said),
            Ok(said) => Err(format!("{price} costs {said}; the catalogue says {expected}")),
            Err(error) => Err(format!("{price}: {error}")),
        };
        findings.push(finding(&format!("stripe {}", plan.id), result));
    }
    let result = match stripe.portal_problems(portal).await {
        Ok(problems) if problems.is_empty() => Ok("safely configured".to_owned()),
        Ok(problems) => {
            Err(format!("the customer portal has unsafe settings: {}", problems.join("; ")))
        }
        Err(error) => Err(format!("cannot read the customer portal configuration: {error}")),
    };
    findings.push(finding("stripe portal", result));
    findings
}
