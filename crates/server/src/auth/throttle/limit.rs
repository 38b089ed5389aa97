//! One limit: how often each of many may come, remembered in bounded memory.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, Reference};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use sha2::{Digest, Sha256};

use super::Throttled;

/// Accounts or addresses that one limit remembers; at some hundred bytes each, a few megabytes.
/// Beyond it everybody waits, so that many addresses cannot fill the memory.
const REMEMBERED_MAX: usize = 50_000;
/// After so many checks, those who have not tried lately are forgotten.
const CHECKS_BETWEEN_SWEEPS: usize = 4096;
/// When too many are remembered, they are looked through no more often than this.
const ROOM_EVERY: Duration = Duration::from_secs(1);
/// How long a caller waits when too many are remembered, in seconds.
const FULL_WAIT_S: u64 = 5;

/// Whom a limit counts; as long as an IPv6 address.
pub type Key = [u8; 16];

/// How often each of many may come.
pub(super) struct Limit<C: Clock> {
    limiter: RateLimiter<Key, DashMapStateStore<Key>, C, StateInformationMiddleware>,
    clock: C,
    checks: AtomicUsize,
    room_made_at: Mutex<C::Instant>,
}

impl<C: Clock + Clone> Limit<C> {
    pub(super) fn new(quota: Quota, clock: &C) -> Self {
        let limiter = RateLimiter::dashmap_with_clock(quota, clock.clone())
            .with_middleware::<StateInformationMiddleware>();
        let room_made_at = Mutex::new(clock.now());
        Self { limiter, clock: clock.clone(), checks: AtomicUsize::new(1), room_made_at }
    }

    /// Counts one who comes; how many more times they may come at once.
    pub(super) fn check(&self, key: Key) -> Result<u32, Throttled> {
        if self.checks.fetch_add(1, Ordering::Relaxed).is_multiple_of(CHECKS_BETWEEN_SWEEPS) {
            self.limiter.retain_recent();
        }
        if self.limiter.len() >= REMEMBERED_MAX && !self.makes_room() {
            return Err(Throttled { wait_s: FULL_WAIT_S });
        }
        match self.limiter.check_key(&key) {
            Ok(state) => Ok(state.remaining_burst_capacity()),
            Err(until) => {
                let wait = until.wait_time_from(self.clock.now());
                Err(Throttled { wait_s: whole_seconds(wait) })
            }
        }
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

/// `wait` in whole seconds, rounded up, at least one.
fn whole_seconds(wait: Duration) -> u64 {
    let begun = u64::from(wait.subsec_nanos() > 0);
    (wait.as_secs() + begun).max(1)
}

/// One client: an IPv4 address, or the half of an IPv6 address that its network has, since the
/// other half is the client's to choose. Callers without an address share one key.
pub(crate) fn address_key(address: Option<IpAddr>) -> Key {
    match address.map(|address| address.to_canonical()) {
        None => [0; 16],
        Some(IpAddr::V4(address)) => address.to_ipv6_mapped().octets(),
        Some(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).octets(),
    }
}

/// One account: half a hash of its name, so that a long address takes no more memory.
pub(super) fn half_hash(name: &str) -> Key {
    let hash: [u8; 32] = Sha256::digest(name).into();
    *hash.first_chunk().unwrap_or(&[0; 16])
}
