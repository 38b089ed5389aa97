//! Limits on the calls that charge: of an account, of an API key and of a client address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;

use retouch_core::catalogue::Plan;
use retouch_core::{AccountId, KeyId, Rate};
use retouch_store::{Counted, Limit, Store};
use thiserror::Error;

use super::whose::{address_key, half_hash};
use crate::config::EditSettings;

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

/// Why a call is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallRefused {
    /// There were too many before it.
    #[error(transparent)]
    TooMany(TooManyCalls),
    /// It could not be counted.
    #[error(transparent)]
    Store(#[from] retouch_store::Error),
}

/// The limits that are set.
pub(super) struct Calls {
    addresses: Option<Counting>,
    keys: Option<Counting>,
    accounts: Option<Counting>,
    /// Those of plans that have their own; none where a plan has no limit. What an account has made by
    /// one of them counts, as a share of the minute, for the next.
    plans: HashMap<String, Option<Counting>>,
}

/// A limit, and how it is told.
#[derive(Clone, Copy)]
struct Counting {
    of: &'static str,
    limit: Limit,
}

impl Calls {
    pub(super) fn new(settings: &EditSettings, plans: &[Plan]) -> Self {
        let counting = |(of, name), calls| {
            let calls_max = NonZeroU32::new(calls)?;
            Some(Counting { of, limit: Limit { name, rate: Rate::per_minute(calls_max) } })
        };
        let account = ("account", "call_account");
        Self {
            addresses: counting(("address", "call_address"), settings.calls_per_minute_per_address),
            keys: counting(("key", "call_key"), settings.calls_per_minute_per_key),
            accounts: counting(account, settings.calls_per_minute_per_account),
            plans: plans
                .iter()
                .filter_map(|it| Some((it.id.clone(), counting(account, it.calls_per_minute?))))
                .collect(),
        }
    }

    /// The limit on the account.
    fn of_account(&self, calling: &Calling<'_>) -> Option<Counting> {
        let own = calling.plan.and_then(|plan| self.plans.get(plan));
        *own.unwrap_or(&self.accounts)
    }

    /// Asks the narrowest first, so that a key that is over its limit takes nothing from the others
    /// of its account.
    pub(super) async fn count(
        &self,
        store: &Store,
        calling: &Calling<'_>,
    ) -> Result<Vec<Allowance>, CallRefused> {
        let address = self.addresses.map(|it| (it, address_key(calling.address)));
        let key = self.keys.zip(calling.key);
        let key = key.map(|(it, key)| (it, half_hash(key.as_str())));
        let account = self.of_account(calling);
        let account = account.map(|it| (it, half_hash(calling.account.as_str())));
        let mut allowances = Vec::new();
        for (counting, whose) in [key, account, address].into_iter().flatten() {
            let Counting { of, limit } = counting;
            let counted = store.count(limit, whose).await?;
            allowances.push(counting.allowance(&counted));
            if !counted.may_come {
                let (calls_max, wait_s) = (limit.rate.times_max.get(), counted.wait_s);
                let many = TooManyCalls { of, calls_max, wait_s, allowances };
                return Err(CallRefused::TooMany(many));
            }
        }
        Ok(allowances)
    }
}

impl Counting {
    fn allowance(&self, counted: &Counted) -> Allowance {
        let rate = self.limit.rate;
        Allowance {
            of: self.of,
            calls_max: rate.times_max.get(),
            window_s: u64::from(rate.window_s),
            left: counted.left,
            full_in_s: counted.full_in_s,
        }
    }
}
