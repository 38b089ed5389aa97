//! Finds models that are sold below cost.

use std::fmt;

use super::{Catalogue, MicroDollars, Model, Route, Tier};
use crate::{Credits, Kind};

/// A call that costs the operator more than its price brings in under the cheapest plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The model.
    pub model: String,
    /// The provider with that cost.
    pub provider: String,
    /// The provider's name for the model.
    pub provider_model: String,
    /// The properties of the call.
    pub tier: Tier,
    /// The price of the call.
    pub credits: Credits,
    /// The revenue from that price.
    pub worth: MicroDollars,
    /// What the provider charges, with the maximum number of input images.
    pub cost: MicroDollars,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, provider, provider_model, tier, credits, worth, cost } = self;
        write!(
            f,
            "{model} is sold below cost: {tier} costs up to ${cost} at {provider} \
             ({provider_model}), and its {credits} credits bring in ${worth} in the plan where \
             credits are cheapest"
        )
    }
}

impl Catalogue {
    /// The revenue from `credits` in the plan with the lowest price per credit, rounded down. None
    /// if no credits are sold.
    pub fn worth(&self, credits: Credits) -> Option<MicroDollars> {
        let credits = u64::try_from(credits.get()).ok()?;
        let prices = self.plans.iter().filter_map(|plan| {
            let month: MicroDollars = plan.price_usd.parse().ok()?;
            let of_month = u64::try_from(plan.credits_per_month.get()).ok()?;
            month.0.checked_mul(credits)?.checked_div(of_month)
        });
        prices.min().map(MicroDollars)
    }

    /// All tiers of all models whose cost on one of their routes is higher than the revenue.
    pub fn losses(&self) -> Vec<Loss> {
        let mut losses = Vec::new();
        for model in &self.models {
            for route in &model.routes {
                losses.extend(self.losses_of(model, route));
            }
        }
        losses
    }

    fn losses_of(&self, model: &Model, route: &Route) -> Vec<Loss> {
        let takes_inputs =
            model.kinds.iter().any(|kind| *kind != Kind::TextToImage && route.does(*kind));
        let inputs = if takes_inputs { model.max_input_images } else { 0 };
        let lost = |(tier, credits): (Tier, Credits)| {
            let (worth, cost) = (self.worth(credits)?, route.cost(model, tier, inputs)?);
            (cost > worth).then(|| Loss {
                model: model.id.clone(),
                provider: route.provider.clone(),
                provider_model: route.model.clone(),
                tier,
                credits,
                worth,
                cost,
            })
        };
        model.offers().into_iter().filter_map(lost).collect()
    }
}
