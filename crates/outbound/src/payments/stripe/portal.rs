//! Checks whether the configuration of the customer portal can be abused.

use serde::Deserialize;

use super::super::PaymentError;
use super::read::Rows;
use super::{Stripe, path};

#[derive(Deserialize)]
struct ConfigurationRow {
    features: FeaturesRow,
}

#[derive(Deserialize)]
struct FeaturesRow {
    subscription_cancel: CancelRow,
    subscription_update: UpdateRow,
}

#[derive(Deserialize)]
struct CancelRow {
    enabled: bool,
    mode: String,
    proration_behavior: String,
}

#[derive(Deserialize)]
struct UpdateRow {
    enabled: bool,
    #[serde(default)]
    default_allowed_updates: Vec<String>,
    proration_behavior: String,
    schedule_at_period_end: Option<ScheduleRow>,
}

#[derive(Deserialize)]
struct ScheduleRow {
    #[serde(default)]
    conditions: Vec<ConditionRow>,
}

#[derive(Deserialize)]
struct ConditionRow {
    #[serde(rename = "type")]
    kind: String,
}

impl Stripe {
    /// The settings in the portal's configuration that refund credits already spent, or sell plans
    /// more than once. Empty if there are none. Without an ID, the account's default configuration
    /// is checked.
    ///
    /// # Errors
    /// [`PaymentError`]; [`PaymentError::Missing`] when there is no such configuration.
    pub async fn portal_problems(
        &self,
        configuration: Option<&str>,
    ) -> Result<Vec<&'static str>, PaymentError> {
        const DEFAULT: &str = "/v1/billing_portal/configurations?is_default=true&limit=1";
        let row: ConfigurationRow = match configuration {
            Some(id) => self.get(&path("billing_portal/configurations", id)?).await?,
            None => {
                let all: Rows<ConfigurationRow> = self.get(DEFAULT).await?;
                all.data.into_iter().next().ok_or(PaymentError::Missing)?
            }
        };
        Ok(row.features.problems())
    }
}

impl FeaturesRow {
    fn problems(&self) -> Vec<&'static str> {
        let (cancel, update) = (&self.subscription_cancel, &self.subscription_update);
        let pays_back = |behavior: &str| behavior != "none";
        let waits = update.schedule_at_period_end.as_ref().is_some_and(|schedule| {
            schedule.conditions.iter().any(|condition| condition.kind == "decreasing_item_amount")
        });
        let quantity = update.default_allowed_updates.iter().any(|kind| kind == "quantity");
        let problems = [
            (
                update.enabled && pays_back(&update.proration_behavior) && !waits,
                "downgrades take effect immediately; schedule them for the end of the billing period",
            ),
            (update.enabled && quantity, "customers can change quantities; turn that off"),
            (
                cancel.enabled
                    && cancel.mode == "immediately"
                    && pays_back(&cancel.proration_behavior),
                "immediate cancellations refund money; cancel at the end of the billing period",
            ),
        ];
        problems.into_iter().filter_map(|(is_there, what)| is_there.then_some(what)).collect()
    }
}
