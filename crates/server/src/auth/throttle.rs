//! Who has tried too often: attempts to sign in are counted for each account and for each client
//! address, sign-ups for each client address, letters for each recipient and each client address.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock, Reference};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use retouch_core::{AccountId, Email};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::config::Settings;

/// Accounts or addresses that one limit remembers; at some hundred bytes each, a few megabytes.
/// Beyond it everybody waits, so that many addresses cannot fill the memory.
const REMEMBERED_MAX: usize = 50_000;
/// After so many checks, those who have not tried lately are forgotten.
const CHECKS_BETWEEN_SWEEPS: usize = 4096;
/// When too many are remembered, they are looked through no more often than this.
const ROOM_EVERY: Duration = Duration::from_secs(1);
/// How long a caller waits when too many are remembered, in seconds.
const FULL_WAIT_S: u64 = 5;

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
    callers: Option<Limit<C>>,
    accounts: Limit<C>,
    addresses: Limit<C>,
    sign_ups: Limit<C>,
    payments: Limit<C>,
    letters_to: Limit<C>,
    letters_from: Limit<C>,
    links: Limit<C>,
}

impl Throttles {
    /// The limits that the operator has set, by the machine's steady clock.
    pub fn new(settings: &Settings) -> Self {
        Self::with_clock(settings, &DefaultClock::default())
    }
}

impl<C: Clock + Clone> Throttles<C> {
    /// The same, by another clock.
    pub fn with_clock(settings: &Settings, clock: &C) -> Self {
        let minute = |attempts| Quota::per_minute(at_least_one(attempts));
        let calls = settings.edits.calls_per_minute_per_account;
        let callers = NonZeroU32::new(calls).map(Quota::per_minute);
        let visits = minute(settings.billing.visits_per_minute_per_account);
        let settings = &settings.auth;
        let hour = |times| Quota::per_hour(at_least_one(times));
        Self {
            callers: callers.map(|quota| Limit::new(quota, clock)),
            accounts: Limit::new(minute(settings.sign_in_attempts_per_minute_per_account), clock),
            addresses: Limit::new(minute(settings.sign_in_attempts_per_minute_per_address), clock),
            sign_ups: Limit::new(hour(settings.sign_up_per_hour_per_address), clock),
            payments: Limit::new(visits, clock),
            letters_to: Limit::new(hour(settings.letters_per_hour_per_email), clock),
            letters_from: Limit::new(hour(settings.letters_per_hour_per_address), clock),
            links: Limit::new(minute(settings.links_per_minute_per_address), clock),
        }
    }

    /// Counts a call of `account` that charges.
    ///
    /// # Errors
    /// When the account has made as many as it may.
    pub fn call(&self, account: &AccountId) -> Result<(), Throttled> {
        self.callers.as_ref().map_or(Ok(()), |limit| limit.check(half_hash(account.as_str())))
    }

    /// Counts a visit of `account` to the vendor of payments, who is called for it several times.
    ///
    /// # Errors
    /// When the account has made as many as it may.
    pub fn payment(&self, account: &AccountId) -> Result<(), Throttled> {
        self.payments.check(half_hash(account.as_str()))
    }

    /// Counts an attempt to sign in as `email` from `address`, whether the account is there or
    /// not and the password right or not.
    ///
    /// # Errors
    /// When the account or the address has had its attempts.
    pub fn sign_in(&self, email: &Email, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.addresses.check(address_key(address))?;
        self.accounts.check(half_hash(email.key()))
    }

    /// Counts an attempt to sign in from `address` of which nobody can tell yet whose account is
    /// meant.
    ///
    /// # Errors
    /// When the address has had its attempts.
    pub fn sign_in_from(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.addresses.check(address_key(address))
    }

    /// Counts a sign-up from `address`.
    ///
    /// # Errors
    /// When the address has had its share.
    pub fn sign_up(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.sign_ups.check(address_key(address))
    }

    /// Counts a letter to `email` that `address` asks for, whether anybody has the e-mail address
    /// or not.
    ///
    /// # Errors
    /// When the one has been sent, or the other has asked for, as many as may be.
    pub fn letter(&self, email: &Email, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.letters_from.check(address_key(address))?;
        self.letters_to.check(half_hash(email.key()))
    }

    /// Counts a link out of a letter that `address` tries.
    ///
    /// # Errors
    /// When the address has tried as many as it may.
    pub fn link(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.links.check(address_key(address))
    }
}

/// Whom a limit counts; as long as an IPv6 address.
type Key = [u8; 16];

struct Limit<C: Clock> {
    limiter: RateLimiter<Key, DashMapStateStore<Key>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    checks: AtomicUsize,
    room_made_at: Mutex<C::Instant>,
}

impl<C: Clock + Clone> Limit<C> {
    fn new(quota: Quota, clock: &C) -> Self {
        let limiter = RateLimiter::dashmap_with_clock(quota, clock.clone());
        let room_made_at = Mutex::new(clock.now());
        Self { limiter, clock: clock.clone(), checks: AtomicUsize::new(1), room_made_at }
    }

    fn check(&self, key: Key) -> Result<(), Throttled> {
        if self.checks.fetch_add(1, Ordering::Relaxed).is_multiple_of(CHECKS_BETWEEN_SWEEPS) {
            self.limiter.retain_recent();
        }
        if self.limiter.len() >= REMEMBERED_MAX && !self.makes_room() {
            return Err(Throttled { wait_s: FULL_WAIT_S });
        }
        self.limiter.check_key(&key).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            Throttled { wait_s: whole_seconds(wait) }
        })
    }

    /// Forgets those who have not tried lately, unless that was done just now; whether there is
    /// room afterwards.
    fn makes_room(&self) -> bool {
        let now = self.clock.now();
        // A panic elsewhere cannot leave a moment half written.
        let mut made_at = self.room_made_at.lock().unwrap_or_else(PoisonError::into_inner);
        if now.duration_since(*made_at) < ROOM_EVERY.into() {
            return false;
        }
        *made_at = now;
        self.limiter.retain_recent();
        self.limiter.len() < REMEMBERED_MAX
    }
}

fn at_least_one(attempts: u32) -> NonZeroU32 {
    NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN)
}

fn whole_seconds(wait: Duration) -> u64 {
    let begun = u64::from(wait.subsec_nanos() > 0);
    (wait.as_secs() + begun).max(1)
}

/// One client: an IPv4 address, or the half of an IPv6 address that its network has, since the
/// other half is the client's to choose. Callers without an address share one key.
fn address_key(address: Option<IpAddr>) -> Key {
    match address.map(|address| address.to_canonical()) {
        None => [0; 16],
        Some(IpAddr::V4(address)) => address.to_ipv6_mapped().octets(),
        Some(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).octets(),
    }
}

/// One account: half a hash of its name, so that a long address takes no more memory.
fn half_hash(name: &str) -> Key {
    let hash: [u8; 32] = Sha256::digest(name).into();
    *hash.first_chunk().unwrap_or(&[0; 16])
}
