//! Metrics about the end of routes and the spending at providers.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use retouch_store::Spending;

/// A route with an end date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteEnd {
    /// The model.
    pub model: String,
    /// The provider.
    pub provider: String,
    /// The provider's name for the model.
    pub provider_model: String,
    /// Whole days until the route ends; 0 if it has ended.
    pub days_left: i64,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct EndLabels {
    model: String,
    provider: String,
    provider_model: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ProviderLabels {
    provider: String,
}

/// The metrics about routes.
#[derive(Debug)]
pub(super) struct RouteNumbers {
    days_left: Family<EndLabels, Gauge>,
    spent: Family<ProviderLabels, Gauge>,
}

impl RouteNumbers {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let numbers = Self { days_left: Family::default(), spent: Family::default() };
        let help = "Days until a configured route ends";
        registry.register("route_days_left", help, numbers.days_left.clone());
        let help = "Spending today (UTC) at providers with usd_per_day_max, in millionths of a \
                    US dollar";
        registry.register("provider_spent_today_micro_usd", help, numbers.spent.clone());
        numbers
    }

    /// Records when routes end.
    pub(super) fn end(&self, ends: &[RouteEnd]) {
        for end in ends {
            let RouteEnd { model, provider, provider_model, days_left } = end.clone();
            let labels = EndLabels { model, provider, provider_model };
            self.days_left.get_or_create(&labels).set(days_left);
        }
    }

    /// Records what was spent today.
    pub(super) fn spent(&self, spending: &[Spending]) {
        // Remove yesterday's values.
        self.spent.clear();
        for one in spending {
            let labels = ProviderLabels { provider: one.provider.clone() };
            let micros = i64::try_from(one.spent.0).unwrap_or(i64::MAX);
            self.spent.get_or_create(&labels).set(micros);
        }
    }
}
