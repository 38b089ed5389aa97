//! The operator's daily spending limits for providers.

use async_trait::async_trait;
use retouch_core::Timestamp;
use retouch_core::catalogue::MicroDollars;
use retouch_providers::ProviderError;
use retouch_providers::routes::Budget;

use crate::app::App;

const DAY_MS: i64 = 24 * 3_600_000;
/// The delay before retrying a call whose cost could not be recorded, in milliseconds.
const RETRY_MS: u64 = 2_000;

/// The limits of the providers, counted in the store.
pub(super) struct DailyLimits<'a>(pub(super) &'a App);

impl<'a> DailyLimits<'a> {
    /// The limits, if any provider has one.
    pub(super) fn of(app: &'a App) -> Option<Self> {
        let live = app.live();
        let limited = live.providers.values().any(|one| one.usd_per_day_max.is_some());
        limited.then_some(Self(app))
    }
}

#[async_trait]
impl Budget for DailyLimits<'_> {
    async fn reserve(
        &self,
        provider: &str,
        cost: MicroDollars,
    ) -> Result<Option<Timestamp>, ProviderError> {
        let Self(app) = self;
        let limit = app.live().usd_per_day_max(provider);
        let Some(limit) = limit else { return Ok(None) };
        match app.store.reserve_spending(provider, cost, limit).await {
            Ok(Some(day)) => Ok(Some(day)),
            Ok(None) => Err(ProviderError::LimitReached { retry_ms: until_tomorrow_ms(app) }),
            Err(error) => {
                let reason = format!("its cost could not be reserved: {error}");
                Err(ProviderError::NotAccepted { reason, retry_ms: Some(RETRY_MS) })
            }
        }
    }

    async fn give_back(&self, provider: &str, day: Timestamp, cost: MicroDollars) {
        let given = self.0.store.give_back_spending(provider, day, cost).await;
        if let Err(error) = given {
            tracing::error!(%error, provider, "could not return unspent money to the daily limit");
        }
    }
}

fn until_tomorrow_ms(app: &App) -> u64 {
    let left = DAY_MS - app.clock.now().0.rem_euclid(DAY_MS);
    u64::try_from(left).unwrap_or_default()
}
