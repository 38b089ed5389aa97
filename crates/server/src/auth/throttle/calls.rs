//! Limits on the calls that charge: of an account, of an API key and of a client address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::Quota;
use governor::clock::Clock;
use retouch_core::catalogue::Plan;
use retouch_core::{AccountId, KeyId};
use thiserror::Error;

use super::limit::{Key, Limit, address_key, half_hash};
use crate::config::EditSettings;

/// The window that the limits are given for, in seconds.
const WINDOW_S: u64 = 60;

/// Who makes a call.
#[derive(Clone, Copy, Debug)]
pub struct Calling<'a> {
    /// Who pays.
    pub account: &'a AccountId,
    /// Their plan, if they have one.
    pub plan: Option<&'a str>,
    /// By which API key; none for somebody signed in.
    pub key: Option<&'a KeyId>,
    /// From where.
    pub address: Option<IpAddr>,
}

/// What is left of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Whom the limit counts: `address`, `key` or `account`.
    pub of: &'static str,
    /// Calls in the window, in one go or spread.
    pub calls_max: u32,
    /// The window, in seconds.
    pub window_s: u64,
    /// Calls that may be made at once now.
    pub left: u32,
    /// When all of them may be made again, in seconds from now, rounded up.
    pub full_in_s: u64,
}

/// Somebody has called too often.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{calls_max} calls in a minute are allowed for one {of}; try again in {wait_s} s")]
pub struct TooManyCalls {
    /// Whose limit it is: `address`, `key` or `account`.
    pub of: &'static str,
    /// Calls in a minute.
    pub calls_max: u32,
    /// When the next one will be taken, in seconds from now, at least 1.
    pub wait_s: u64,
    /// What is left of every limit that was asked, this one last.
    pub allowances: Vec<Allowance>,
}

/// The limits that are set.
pub(super) struct Calls<C: Clock> {
    addresses: Option<Counted<C>>,
    keys: Option<Counted<C>>,
    accounts: Option<Counted<C>>,
    /// Those of plans that have their own; none where a plan has no limit. Whoever changes to such a
    /// plan begins anew.
    plans: HashMap<String, Option<Counted<C>>>,
}

/// A limit, and how it is told.
struct Counted<C: Clock> {
    of: &'static str,
    calls_max: NonZeroU32,
    limit: Limit<C>,
}

impl<C: Clock + Clone> Calls<C> {
    pub(super) fn new(settings: &EditSettings, plans: &[Plan], clock: &C) -> Self {
        let counted = |of, calls| {
            NonZeroU32::new(calls).map(|calls_max| Counted {
                of,
                calls_max,
                limit: Limit::new(Quota::per_minute(calls_max), clock),
            })
        };
        Self {
            addresses: counted("address", settings.calls_per_minute_per_address),
            keys: counted("key", settings.calls_per_minute_per_key),
            accounts: counted("account", settings.calls_per_minute_per_account),
            plans: plans
                .iter()
                .filter_map(|it| Some((it.id.clone(), counted("account", it.calls_per_minute?))))
                .collect(),
        }
    }

    /// The limit on the account.
    fn of_account(&self, calling: &Calling<'_>) -> Option<&Counted<C>> {
        let own = calling.plan.and_then(|plan| self.plans.get(plan));
        own.unwrap_or(&self.accounts).as_ref()
    }

    /// Asks the narrowest first, so that a key that is over its limit takes nothing from the others
    /// of its account.
    pub(super) fn count(&self, calling: &Calling<'_>) -> Result<Vec<Allowance>, TooManyCalls> {
        let address = self.addresses.as_ref().map(|it| (it, address_key(calling.address)));
        let key = self.keys.as_ref().zip(calling.key);
        let key = key.map(|(it, key)| (it, half_hash(key.as_str())));
        let account = self.of_account(calling);
        let account = account.map(|it| (it, half_hash(calling.account.as_str())));
        let mut allowances = Vec::new();
        for (counted, whose) in [key, account, address].into_iter().flatten() {
            counted.count(whose, &mut allowances)?;
        }
        Ok(allowances)
    }
}

impl<C: Clock + Clone> Counted<C> {
    fn count(&self, whose: Key, allowances: &mut Vec<Allowance>) -> Result<(), TooManyCalls> {
        let (of, calls_max) = (self.of, self.calls_max.get());
        match self.limit.check(whose) {
            Ok(left) => {
                allowances.push(self.allowance(left));
                Ok(())
            }
            Err(throttled) => {
                allowances.push(self.allowance(0));
                let allowances = std::mem::take(allowances);
                Err(TooManyCalls { of, calls_max, wait_s: throttled.wait_s, allowances })
            }
        }
    }

    /// One call comes back each `WINDOW_S / calls_max` seconds.
    fn allowance(&self, left: u32) -> Allowance {
        let calls_max = self.calls_max.get();
        let used = u64::from(calls_max.saturating_sub(left));
        let full_in_s = (used * WINDOW_S).div_ceil(u64::from(calls_max));
        Allowance { of: self.of, calls_max, window_s: WINDOW_S, left, full_in_s }
    }
}
