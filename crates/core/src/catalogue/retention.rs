//! How long results are kept.

use std::collections::BTreeMap;

use super::{Catalogue, CatalogueError};

const DAY_MS: i64 = 24 * 3_600_000;
/// The longest limit, in days: a hundred years.
const DAYS_MAX: u32 = 36_500;

/// How long the stored result of a generation is kept, by the plan of its account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    without_plan_days: Option<u32>,
    plans_days: BTreeMap<String, Option<u32>>,
}

impl Catalogue {
    /// How long results are kept.
    pub fn retention(&self) -> Retention {
        let plans = self.plans.iter().map(|plan| (plan.id.clone(), plan.results_kept_days));
        Retention { without_plan_days: self.results_kept_days, plans_days: plans.collect() }
    }
}

impl Retention {
    /// The same, but with this number of days for accounts without a plan.
    #[must_use]
    pub fn without_plan(self, days: Option<u32>) -> Self {
        Self { without_plan_days: days, ..self }
    }

    /// Whether results are never deleted because of their age.
    pub fn is_unlimited(&self) -> bool {
        self.without_plan_days.is_none() && self.plans_days.values().all(Option::is_none)
    }

    /// How many days an account with these plans keeps a result. The most generous plan decides.
    /// None means as long as its generation. Plans that are no longer in the catalogue count as
    /// unlimited, because deleted results can't be restored.
    pub fn kept_days<'a>(&self, plans: impl IntoIterator<Item = &'a str>) -> Option<u32> {
        let known = |plan| self.plans_days.get(plan).copied().flatten();
        let mut plans = plans.into_iter().map(known);
        match plans.next() {
            None => self.without_plan_days,
            // `None` means no limit, but `Option` would order it first.
            Some(first) => plans.fold(first, |most, days| Some(most?.max(days?))),
        }
    }

    /// The same as [`Self::kept_days`], in milliseconds.
    pub fn kept_ms<'a>(&self, plans: impl IntoIterator<Item = &'a str>) -> Option<i64> {
        self.kept_days(plans).map(|days| i64::from(days) * DAY_MS)
    }
}

/// Checks the limits. The minimum is one day, so that a call can still be repeated with its
/// `Idempotency-Key`.
pub(super) fn check(catalogue: &Catalogue) -> Result<(), CatalogueError> {
    let of_plans = catalogue.plans.iter().map(|plan| (plan.id.as_str(), plan.results_kept_days));
    for (whose, days) in of_plans.chain([("without a plan", catalogue.results_kept_days)]) {
        if let Some(days) = days
            && !(1..=DAYS_MAX).contains(&days)
        {
            let message = format!("{whose}: results_kept_days is {days}; expected 1 to {DAYS_MAX}");
            return Err(CatalogueError::Content(message));
        }
    }
    Ok(())
}
