//! The limits of an account: its own, or else those of its plan, or else those of the settings.

use retouch_core::AccountId;
use retouch_core::catalogue::Plan;

use super::App;

/// The limits of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountLimits {
    /// Calls that charge per minute; none if unlimited.
    pub calls_per_minute: Option<u32>,
    /// Image edits that may run at the same time.
    pub edits_at_once_max: usize,
    /// Videos that may run at the same time.
    pub videos_at_once_max: usize,
    /// Calls whose images are fetched at the same time; further ones wait.
    pub fetches_at_once_max: usize,
}

impl App {
    /// The limits of an account with the plan of this id. A plan that is no longer in the catalogue
    /// has no limits of its own.
    pub fn limits(&self, account: &AccountId, plan: Option<&str>) -> AccountLimits {
        let usual = self.limits_with(plan.and_then(|id| self.catalogue.find_plan(id)));
        let live = self.live();
        let Some(own) = live.limits.get(account) else { return usual };
        let many = |own: Option<u32>, usual| own.map_or(usual, |own| own as usize);
        AccountLimits {
            calls_per_minute: match own.calls_per_minute {
                Some(calls) => Some(calls).filter(|calls| *calls > 0),
                None => usual.calls_per_minute,
            },
            edits_at_once_max: many(own.edits_at_once_max, usual.edits_at_once_max),
            videos_at_once_max: many(own.videos_at_once_max, usual.videos_at_once_max),
            ..usual
        }
    }

    /// The charging calls per minute of this account, if it has a limit of its own; 0 for no limit.
    pub fn own_calls_per_minute(&self, account: &AccountId) -> Option<u32> {
        self.live().limits.get(account)?.calls_per_minute
    }

    /// The limits of an account with this plan.
    pub fn limits_with(&self, plan: Option<&Plan>) -> AccountLimits {
        let edits = &self.settings.edits;
        let own = |limit: fn(&Plan) -> Option<u32>| plan.and_then(limit);
        let many = |own: Option<u32>, usual| own.map_or(usual, |own| own as usize);
        let calls = own(|it| it.calls_per_minute).unwrap_or(edits.calls_per_minute_per_account);
        let fetch = &self.settings.fetch;
        AccountLimits {
            calls_per_minute: Some(calls).filter(|calls| *calls > 0),
            edits_at_once_max: many(own(|it| it.edits_at_once_max), edits.per_account_max),
            fetches_at_once_max: match plan {
                Some(_) => fetch.concurrent_max,
                None => fetch.concurrent_without_plan_max,
            },
            videos_at_once_max: many(own(|it| it.videos_at_once_max), edits.videos_per_account_max),
        }
    }
}
