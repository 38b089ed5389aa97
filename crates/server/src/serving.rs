//! Which providers serve a model if these are configured, at what cost and margin.

use std::collections::BTreeMap;

use retouch_core::Timestamp;
use retouch_core::catalogue::{Catalogue, MicroDollars, Model, Route};
use retouch_providers::built_in;
use serde_json::{Value, json};

use crate::config::ProviderSettings;
use crate::metrics::RouteEnd;

/// The configured providers, by name.
type Configured = BTreeMap<String, ProviderSettings>;

/// Prices are rounded down to this many millionths of a dollar, a hundredth of a cent.
const SHOWN_MICROS: u64 = 100;

/// The providers, cost and margin of `model`, as table cells.
pub(crate) fn cells(model: &Model, providers: &Configured, catalogue: &Catalogue) -> [String; 3] {
    let names = names(model, providers).join(", ");
    let Some(first) = configured(model, providers).next() else {
        return [names, "-".to_owned(), "-".to_owned()];
    };
    let [cost, margin] = cost_and_margin(first, model, catalogue);
    [names, cost, margin]
}

/// The cost and margin of a result of `route`, as text.
pub(crate) fn cost_and_margin(route: &Route, model: &Model, catalogue: &Catalogue) -> [String; 2] {
    let cost = route.cost_usd.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost}"));
    let margin = margin(route, model, catalogue);
    let margin = margin.map_or_else(|| "unknown".to_owned(), |margin| margin.to_string());
    [cost, margin]
}

/// The providers of `model`, in fallback order.
pub(crate) fn names(model: &Model, providers: &Configured) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for route in configured(model, providers) {
        if !names.contains(&route.provider) {
            names.push(route.provider.clone());
        }
    }
    let is_served = |kind| configured(model, providers).any(|route| route.does(kind));
    if !model.kinds.iter().all(|kind| is_served(*kind)) {
        names.push(built_in::NAME.to_owned());
    }
    names
}

/// All routes of `model`, whether configured or not.
pub(crate) fn routes(model: &Model, providers: &Configured, catalogue: &Catalogue) -> Vec<Value> {
    let value = |route: &Route| {
        json!({
            "provider": route.provider, "model": route.model,
            "kinds": if route.kinds.is_empty() { &model.kinds } else { &route.kinds },
            "configured": is_configured(route, providers),
            "cost_usd": route.cost_usd, "ends": route.ends,
            "margin_usd": margin(route, model, catalogue).map(|margin| margin.dollars()),
        })
    };
    model.routes.iter().map(value).collect()
}

/// What remains of the price of one result after its cost.
#[derive(Clone, Copy, Debug)]
struct Margin {
    price: MicroDollars,
    cost: MicroDollars,
}

impl Margin {
    fn dollars(self) -> String {
        let sign = if self.cost > self.price { "-" } else { "" };
        format!("{sign}{}", MicroDollars(self.price.0.abs_diff(self.cost.0)))
    }
}

impl std::fmt::Display for Margin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dollars = self.dollars();
        let sign = if dollars.starts_with('-') { "-" } else { "" };
        let percent = self.price.0.abs_diff(self.cost.0) * 100 / self.price.0.max(1);
        write!(out, "{sign}${} ({sign}{percent} %)", dollars.trim_start_matches('-'))
    }
}

/// The margin of `route` at the base price of `model`, if the cost is known and credits are sold.
fn margin(route: &Route, model: &Model, catalogue: &Catalogue) -> Option<Margin> {
    let cost = route.cost_usd?;
    let price = catalogue.worth(model.credits)?.0 / SHOWN_MICROS * SHOWN_MICROS;
    Some(Margin { price: MicroDollars(price), cost })
}

fn configured<'a>(model: &'a Model, providers: &'a Configured) -> impl Iterator<Item = &'a Route> {
    model.routes.iter().filter(|route| is_configured(route, providers))
}

/// Whether the provider of `route` is configured.
pub(crate) fn is_configured(route: &Route, providers: &Configured) -> bool {
    providers.contains_key(&route.provider)
}

/// The configured routes that have an end date.
pub(crate) fn ends(catalogue: &Catalogue, providers: &Configured, now: Timestamp) -> Vec<RouteEnd> {
    let mut ends = Vec::new();
    for model in &catalogue.models {
        for route in configured(model, providers) {
            let Some(day) = route.ends else { continue };
            ends.push(RouteEnd {
                model: model.id.clone(),
                provider: route.provider.clone(),
                provider_model: route.model.clone(),
                days_left: day.days_left(now),
            });
        }
    }
    ends
}

/// Warnings for the operator: configured routes that end soon, calls that are sold below cost, and
/// spending limits that do not work because a cost is unknown.
pub(crate) fn concerns(
    catalogue: &Catalogue,
    providers: &Configured,
    now: Timestamp,
) -> Vec<String> {
    let mut concerns: Vec<String> =
        ends(catalogue, providers, now).iter().filter_map(in_words).collect();
    concerns.extend(catalogue.losses().iter().map(ToString::to_string));
    for model in &catalogue.models {
        for route in configured(model, providers).filter(|route| route.cost_usd.is_none()) {
            let (id, provider) = (&model.id, &route.provider);
            let limit = providers.get(provider).and_then(|one| one.usd_per_day_max);
            if limit.is_some() {
                concerns.push(format!(
                    "the route of {id} to {provider} has no cost_usd, so its calls do not count \
                     toward usd_per_day_max"
                ));
            }
        }
    }
    concerns
}

/// A warning that a route ends soon or has ended; none if it lasts for more than two months.
pub(crate) fn in_words(end: &RouteEnd) -> Option<String> {
    /// How many days ahead to warn.
    const TOLD_DAYS: i64 = 60;
    /// How many days ahead the end is urgent.
    const URGENT_DAYS: i64 = 14;
    let RouteEnd { model, provider, provider_model, days_left } = end;
    let route = format!("the route of {model} to {provider_model} at {provider}");
    match *days_left {
        0 => Some(format!("{route} has ended and is skipped; replace it in the catalogue")),
        days @ 1..=URGENT_DAYS => {
            Some(format!("{route} ends in {days} days; replace it in the catalogue now"))
        }
        days @ ..=TOLD_DAYS => Some(format!("{route} ends in {days} days; plan its replacement")),
        _ => None,
    }
}
