//! The configuration of the customer portal: the changes that customers can make themselves.

use serde_json::{Value, json};

use super::errors::Error;
use super::fields::Fields;
use super::shapes::list;
use super::state::{PORTAL, State};

/// The default configuration. Customers can change plans: upgrades take effect immediately,
/// downgrades at the end of the period.
pub(super) fn configuration() -> Value {
    json!({
        "id": PORTAL,
        "object": "billing_portal.configuration",
        "active": true,
        "application": null,
        "business_profile": {
            "headline": null, "privacy_policy_url": null, "terms_of_service_url": null,
        },
        "created": 0,
        "default_return_url": null,
        "features": {
            "customer_update": { "allowed_updates": [], "enabled": false },
            "invoice_history": { "enabled": true },
            "payment_method_update": { "enabled": true },
            "subscription_cancel": {
                "cancellation_reason": { "enabled": false, "options": [] },
                "enabled": true,
                "mode": "at_period_end",
                "proration_behavior": "none",
            },
            "subscription_update": {
                "billing_cycle_anchor": null,
                "default_allowed_updates": ["price"],
                "enabled": true,
                "proration_behavior": "always_invoice",
                "schedule_at_period_end": { "conditions": [{ "type": "decreasing_item_amount" }] },
                "trial_update_behavior": "end_trial",
            },
        },
        "is_default": true,
        "livemode": false,
        "login_page": { "enabled": false, "url": null },
        "metadata": {},
        "updated": 0,
    })
}

/// All configurations, of which there is one.
pub(super) fn all(state: &State, fields: &mut Fields) -> Result<Value, Error> {
    fields.whole("limit")?;
    fields.flag("active")?;
    let is_wanted = fields.flag("is_default")?.unwrap_or(true);
    let found = state.objects.get(PORTAL).filter(|_| is_wanted).cloned();
    Ok(list("/v1/billing_portal/configurations", &Vec::from_iter(found)))
}

/// Changes the configuration.
pub(super) fn change(state: &mut State, id: &str, mut fields: Fields) -> Result<Value, Error> {
    const UPDATE: &str = "features[subscription_update]";
    const CANCEL: &str = "features[subscription_cancel]";
    state.find("billing_portal.configuration", id)?;
    let mut changed = Vec::new();
    for (feature, short) in [(UPDATE, "subscription_update"), (CANCEL, "subscription_cancel")] {
        if let Some(enabled) = fields.flag(&format!("{feature}[enabled]"))? {
            changed.push((short, "enabled", json!(enabled)));
        }
        let behaviors = ["none", "create_prorations", "always_invoice"];
        let name = format!("{feature}[proration_behavior]");
        if let Some(behavior) = fields.one_of(&name, &behaviors)? {
            changed.push((short, "proration_behavior", json!(behavior)));
        }
    }
    let modes = ["immediately", "at_period_end"];
    if let Some(mode) = fields.one_of(&format!("{CANCEL}[mode]"), &modes)? {
        changed.push(("subscription_cancel", "mode", json!(mode)));
    }
    let updates = fields.below(&format!("{UPDATE}[default_allowed_updates]"));
    if !updates.is_empty() {
        let updates: Vec<String> = updates.into_values().collect();
        changed.push(("subscription_update", "default_allowed_updates", json!(updates)));
    }
    // An empty list is sent as an empty string.
    if let Some(none) = fields.take(&format!("{UPDATE}[schedule_at_period_end][conditions]")) {
        if !none.is_empty() {
            return Err(Error::param("parameter_invalid", "conditions", "Invalid array"));
        }
        changed.push((
            "subscription_update",
            "schedule_at_period_end",
            json!({ "conditions": [] }),
        ));
    }
    fields.end()?;
    state.edit(id, |it| {
        for (feature, name, value) in changed {
            it["features"][feature][name] = value;
        }
    });
    state.find("billing_portal.configuration", id).cloned()
}
