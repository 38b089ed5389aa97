//! Limits on API calls: calls that charge (by account, API key and client address), calls of an
//! account that fail without a charge, and calls that read.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;

use retouch_core::catalogue::Plan;
use retouch_core::{AccountId, KeyId, Rate};
use retouch_store::{Counted, Limit, Store, Whose};
use thiserror::Error;

use super::whose::{address_key, half_hash};
use crate::config::Settings;

/// The caller.
#[derive(Clone, Copy, Debug)]
pub struct Calling<'a> {
    /// The account that pays.
    pub account: &'a AccountId,
    /// Its plan, if it has one.
    pub plan: Option<&'a str>,
    /// The account's own limit on charging calls per minute, if it has one; 0 for no limit.
    pub own_per_minute: Option<u32>,
    /// The API key; none for a session.
    pub key: Option<&'a KeyId>,
    /// The client address.
    pub address: Option<IpAddr>,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Calls that charge, of an account.
    Account,
    /// Calls that charge, of an API key.
    Key,
    /// Calls that charge, of a client address.
    Address,
    /// Calls of an account that failed without a charge.
    Failures,
    /// Calls that read, of an account.
    Reads,
    /// Calls that read, of a client address.
    ReadsOfAddress,
}

impl Counts {
    /// The name of the limit in headers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Key => "key",
            Self::Address => "address",
            Self::Failures => "failures",
            Self::Reads | Self::ReadsOfAddress => "reads",
        }
    }
}

/// What is left of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What the limit counts.
    pub of: Counts,
    /// The maximum number of calls in the window, in a burst or spread out.
    pub calls_max: u32,
    /// The window, in seconds.
    pub window_s: u64,
    /// How many calls may be made right now.
    pub left: u32,
    /// When the full number is available again, in seconds from now, rounded up.
    pub full_in_s: u64,
}

/// A caller has reached a limit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the limit is {calls_max} calls a minute ({of:?}); try again in {wait_s} s")]
pub struct TooManyCalls {
    /// Which limit was reached.
    pub of: Counts,
    /// Calls allowed per minute.
    pub calls_max: u32,
    /// When the next one will be accepted, in seconds from now, at least 1.
    pub wait_s: u64,
    /// What is left of each limit that was checked, this one last.
    pub allowances: Vec<Allowance>,
}

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallRefused {
    /// There were too many calls.
    #[error(transparent)]
    TooMany(TooManyCalls),
    /// The call could not be counted.
    #[error(transparent)]
    Store(#[from] retouch_store::Error),
}

/// The configured limits.
pub(super) struct Calls {
    addresses: Option<Counting>,
    keys: Option<Counting>,
    accounts: OfAccounts,
    failures: OfAccounts,
    reads: OfAccounts,
    reads_of_addresses: Option<Counting>,
}

/// A limit and its kind.
#[derive(Clone, Copy)]
struct Counting {
    of: Counts,
    limit: Limit,
}

/// A limit that plans may override.
struct OfAccounts {
    usual: Option<Counting>,
    /// Limits of plans that have their own; none if a plan is unlimited. After a change of plan,
    /// the used share of the minute carries over.
    plans: HashMap<String, Option<Counting>>,
}

impl Calls {
    pub(super) fn new(settings: &Settings, plans: &[Plan]) -> Self {
        let (edits, server) = (&settings.edits, &settings.server);
        let key = Kind { of: Counts::Key, name: "call_key" };
        let address = Kind { of: Counts::Address, name: "call_address" };
        let failures = Kind { of: Counts::Failures, name: "failure_account" };
        let reads = Kind { of: Counts::Reads, name: "read_account" };
        let unknown = Kind { of: Counts::ReadsOfAddress, name: "read_address" };
        Self {
            addresses: address.counting(edits.calls_per_minute_per_address),
            keys: key.counting(edits.calls_per_minute_per_key),
            accounts: ACCOUNT
                .of_accounts(edits.calls_per_minute_per_account, plans, |it| it.calls_per_minute),
            failures: failures.of_accounts(edits.failures_per_minute_per_account, plans, |it| {
                it.failures_per_minute
            }),
            reads: reads
                .of_accounts(server.reads_per_minute_per_account, plans, |it| it.reads_per_minute),
            reads_of_addresses: unknown.counting(server.reads_per_minute_per_address),
        }
    }

    /// Checks the narrowest limit first, so that a key over its limit uses up nothing of its
    /// account's limit.
    pub(super) async fn count(
        &self,
        store: &Store,
        calling: &Calling<'_>,
    ) -> Result<Vec<Allowance>, CallRefused> {
        let own = half_hash(calling.account.as_str());
        if let Some(failures) = self.failures.of(calling.plan)
            && let Some(counted) = store.find_refused(failures.limit, own)
        {
            return Err(CallRefused::TooMany(failures.refused(&counted, Vec::new())));
        }
        let address = self.addresses.map(|it| (it, address_key(calling.address)));
        let key = self.keys.zip(calling.key);
        let key = key.map(|(it, key)| (it, half_hash(key.as_str())));
        let account = match calling.own_per_minute {
            Some(calls) => ACCOUNT.counting(calls),
            None => self.accounts.of(calling.plan),
        };
        let account = account.map(|it| (it, own));
        let mut allowances = Vec::new();
        for (counting, whose) in [key, account, address].into_iter().flatten() {
            let counted = store.count(counting.limit, whose).await?;
            if !counted.may_come {
                return Err(CallRefused::TooMany(counting.refused(&counted, allowances)));
            }
            allowances.push(counting.allowance(&counted));
        }
        Ok(allowances)
    }

    /// Counts a call that failed without a charge, and returns what is left of the limit.
    pub(super) async fn failed(
        &self,
        store: &Store,
        account: &AccountId,
        plan: Option<&str>,
    ) -> Result<Option<Allowance>, retouch_store::Error> {
        let Some(counting) = self.failures.of(plan) else { return Ok(None) };
        let counted = store.count(counting.limit, half_hash(account.as_str())).await?;
        Ok(Some(counting.allowance(&counted)))
    }

    /// Counts a call that reads, and returns what is left of the limit if there is one.
    pub(super) fn read(
        &self,
        store: &Store,
        reading: &Reading<'_>,
    ) -> Result<Option<Allowance>, TooManyCalls> {
        let (counting, whose) = match reading {
            Reading::Account(account, plan) => (self.reads.of(*plan), half_hash(account.as_str())),
            Reading::Address(address) => (self.reads_of_addresses, address_key(*address)),
        };
        counting.map(|counting| counting.count_here(store, whose)).transpose()
    }
}

/// The caller of a call that reads.
#[derive(Clone, Copy, Debug)]
pub enum Reading<'a> {
    /// An account, with its plan.
    Account(&'a AccountId, Option<&'a str>),
    /// A client address without an account.
    Address(Option<IpAddr>),
}

/// What a limit counts, and its name in the store.
#[derive(Clone, Copy)]
struct Kind {
    of: Counts,
    name: &'static str,
}

/// Calls that charge, by account.
const ACCOUNT: Kind = Kind { of: Counts::Account, name: "call_account" };

impl Kind {
    fn counting(self, calls: u32) -> Option<Counting> {
        let rate = Rate::per_minute(NonZeroU32::new(calls)?);
        Some(Counting { of: self.of, limit: Limit { name: self.name, rate } })
    }

    fn of_accounts(self, usual: u32, plans: &[Plan], own: fn(&Plan) -> Option<u32>) -> OfAccounts {
        let plans = plans.iter().filter_map(|it| Some((it.id.clone(), self.counting(own(it)?))));
        OfAccounts { usual: self.counting(usual), plans: plans.collect() }
    }
}

impl OfAccounts {
    /// The limit on an account with this plan.
    fn of(&self, plan: Option<&str>) -> Option<Counting> {
        *plan.and_then(|plan| self.plans.get(plan)).unwrap_or(&self.usual)
    }
}

impl Counting {
    fn count_here(&self, store: &Store, whose: Whose) -> Result<Allowance, TooManyCalls> {
        let counted = store.count_here(self.limit, whose);
        if counted.may_come {
            return Ok(self.allowance(&counted));
        }
        Err(self.refused(&counted, Vec::new()))
    }

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

    fn refused(&self, counted: &Counted, mut allowances: Vec<Allowance>) -> TooManyCalls {
        allowances.push(self.allowance(counted));
        let (calls_max, wait_s) = (self.limit.rate.times_max.get(), counted.wait_s);
        TooManyCalls { of: self.of, calls_max, wait_s, allowances }
    }
}
