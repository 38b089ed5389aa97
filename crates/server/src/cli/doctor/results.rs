//! How long results are kept under each plan.

use retouch_core::catalogue::{Catalogue, Retention};

use crate::config::Settings;

/// The retention for accounts without a plan and for each plan.
pub(super) fn look(settings: &Settings) -> Result<String, String> {
    settings
        .catalogue
        .load()
        .map(|catalogue| summary(&catalogue))
        .map_err(|error| error.to_string())
}

fn summary(catalogue: &Catalogue) -> String {
    let retention = catalogue.retention();
    if retention.is_unlimited() {
        return "kept until deleted".to_owned();
    }
    let plans = catalogue.plans.iter().map(|plan| plan.id.as_str());
    let plans = plans.map(|plan| format!("{plan}: {}", how_long(&retention, Some(plan))));
    let plans: Vec<String> = plans.collect();
    format!("kept {} ({})", how_long(&retention, None), plans.join(", "))
}

fn how_long(retention: &Retention, plan: Option<&str>) -> String {
    match retention.kept_days(plan) {
        Some(days) => format!("{days} days"),
        None => "until deleted".to_owned(),
    }
}
