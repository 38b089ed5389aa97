//! Who has tried too often: attempts to sign in are counted for each account and for each client
//! address, sign-ups for each client address, letters for each recipient and each client address.

mod calls;
mod limit;

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::Quota;
use governor::clock::{Clock, DefaultClock};
use retouch_core::catalogue::Plan;
use retouch_core::{AccountId, Email};
use thiserror::Error;

use self::calls::Calls;
pub use self::calls::{Allowance, Calling, TooManyCalls};
pub use self::limit::Key as AddressKey;
pub(crate) use self::limit::address_key;
use self::limit::{Limit, half_hash};
use crate::config::Settings;

/// Somebody has tried too often.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("too many attempts; try again in {wait_s} s")]
pub struct Throttled {
    /// When the next attempt will be heard, in seconds from now, at least 1.
    pub wait_s: u64,
}

/// The limits on signing in, signing up, letters and their links, calls that charge and visits to
/// where plans are paid.
pub struct Throttles<C: Clock = DefaultClock> {
    calls: Calls<C>,
    accounts: Limit<C>,
    addresses: Limit<C>,
    sign_ups: Limit<C>,
    payments: Limit<C>,
    letters_to: Limit<C>,
    letters_from: Limit<C>,
    links: Limit<C>,
}

impl Throttles {
    /// The limits that the operator has set, for everybody and for plans, by the machine's steady clock.
    pub fn new(settings: &Settings, plans: &[Plan]) -> Self {
        Self::with_clock(settings, plans, &DefaultClock::default())
    }
}

impl<C: Clock + Clone> Throttles<C> {
    /// The same, by another clock.
    pub fn with_clock(settings: &Settings, plans: &[Plan], clock: &C) -> Self {
        let minute = |attempts| Quota::per_minute(at_least_one(attempts));
        let calls = Calls::new(&settings.edits, plans, clock);
        let visits = minute(settings.billing.visits_per_minute_per_account);
        let settings = &settings.auth;
        let hour = |times| Quota::per_hour(at_least_one(times));
        Self {
            calls,
            accounts: Limit::new(minute(settings.sign_in_attempts_per_minute_per_account), clock),
            addresses: Limit::new(minute(settings.sign_in_attempts_per_minute_per_address), clock),
            sign_ups: Limit::new(hour(settings.sign_up_per_hour_per_address), clock),
            payments: Limit::new(visits, clock),
            letters_to: Limit::new(hour(settings.letters_per_hour_per_email), clock),
            letters_from: Limit::new(hour(settings.letters_per_hour_per_address), clock),
            links: Limit::new(minute(settings.links_per_minute_per_address), clock),
        }
    }

    /// Counts a call that charges; what is left of each limit on them that is set.
    ///
    /// # Errors
    /// When the address, the key or the account has made as many as it may.
    pub fn call(&self, calling: &Calling<'_>) -> Result<Vec<Allowance>, TooManyCalls> {
        self.calls.count(calling)
    }

    /// Counts a visit of `account` to the vendor of payments, who is called for it several times.
    ///
    /// # Errors
    /// When the account has made as many as it may.
    pub fn payment(&self, account: &AccountId) -> Result<(), Throttled> {
        self.payments.check(half_hash(account.as_str())).map(drop)
    }

    /// Counts an attempt to sign in as `email` from `address`, whether the account is there or
    /// not and the password right or not.
    ///
    /// # Errors
    /// When the account or the address has had its attempts.
    pub fn sign_in(&self, email: &Email, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.addresses.check(address_key(address))?;
        self.accounts.check(half_hash(email.key())).map(drop)
    }

    /// Counts an attempt to sign in from `address` of which nobody can tell yet whose account is
    /// meant.
    ///
    /// # Errors
    /// When the address has had its attempts.
    pub fn sign_in_from(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.addresses.check(address_key(address)).map(drop)
    }

    /// Counts a sign-up from `address`.
    ///
    /// # Errors
    /// When the address has had its share.
    pub fn sign_up(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.sign_ups.check(address_key(address)).map(drop)
    }

    /// Counts a letter to `email` that `address` asks for, whether anybody has the e-mail address
    /// or not.
    ///
    /// # Errors
    /// When the one has been sent, or the other has asked for, as many as may be.
    pub fn letter(&self, email: &Email, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.letters_from.check(address_key(address))?;
        self.letters_to.check(half_hash(email.key())).map(drop)
    }

    /// Counts a link out of a letter that `address` tries.
    ///
    /// # Errors
    /// When the address has tried as many as it may.
    pub fn link(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.links.check(address_key(address)).map(drop)
    }
}

fn at_least_one(attempts: u32) -> NonZeroU32 {
    NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN)
}
