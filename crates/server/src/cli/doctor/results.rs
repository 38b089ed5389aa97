//! How long results are kept.

use retouch_core::catalogue::{Catalogue, Retention};

use crate::config::Settings;

/// For accounts without a plan, and for each plan.
pub(super) fn look(settings: &Settings) -> Result<String, String> {
    settings.catalogue.load().map(|catalogue| told(&catalogue)).map_err(|error| error.to_string())
}

fn told(catalogue: &Catalogue) -> String {
    let retention = catalogue.retention();
    if retention.is_unlimited() {
        return "kept as long as their generations".to_owned();
    }
    let mut parts = vec![format!("kept {} without a plan", how_long(&retention, None))];
    let plans = catalogue.plans.iter().map(|plan| plan.id.as_str());
    parts.extend(plans.map(|plan| format!("{} with {plan}", how_long(&retention, Some(plan)))));
    parts.join(", ")
}

fn how_long(retention: &Retention, plan: Option<&str>) -> String {
    match retention.kept_days(plan) {
        Some(days) => format!("{days} days"),
        None => "as long as their generations".to_owned(),
    }
}
