//! How many calls a vendor gets at once, the accounts in turn, and none while it is known not to take any.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use retouch_core::{AccountId, Entropy};
use tokio::time::Instant;

use crate::provider::Health;
use crate::routes::spread_ms;
use crate::turns::{NoRoom, Room, Turn, Turns};

/// Troubles in a row after which a vendor is left alone for a while.
const TROUBLES_MAX: u32 = 5;
/// How long a vendor is left alone at first, in milliseconds; it doubles with every failed probe.
const REST_MS: u64 = 5_000;
/// How long a vendor is left alone at most, in milliseconds.
const REST_MS_MAX: u64 = 300_000;
/// How long a vendor that is left alone may take to answer a probe, in milliseconds: as long as
/// the other calls are kept away meanwhile, so that the edit whose call probes can still go to
/// another route.
pub(super) const PROBE_MS_MAX: u64 = REST_MS;

/// What part of the waiting calls one account may have: one in so many.
const ACCOUNT_PARTS: usize = 4;

/// How many calls may be under way, and how many may wait for their turn.
#[derive(Clone, Copy, Debug)]
pub struct GateLimits {
    /// Calls under way at once.
    pub concurrent_max: usize,
    /// Calls that wait; one account has a quarter of them at most, and at least one.
    pub queue_max: usize,
    /// How long a call waits for its turn, in milliseconds; then another route is better.
    pub wait_ms_max: u64,
}

/// The way to one vendor.
pub struct Gate {
    turns: Turns,
    room: Room,
    wait_ms_max: u64,
    state: Mutex<State>,
    entropy: Arc<dyn Entropy>,
}

/// Why a call got no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTurn {
    /// As many calls wait as may.
    #[error(transparent)]
    Full(#[from] NoRoom),
    /// Its turn did not come in time.
    #[error("no turn within {0} ms")]
    Late(u64),
}

/// What the vendor's past says about a call now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Call.
    Go,
    /// Ask first with a call that costs nothing; the others wait for what comes of it.
    Probe,
    /// Do not call for so long, in milliseconds.
    Wait(u64),
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Troubles since the vendor last worked.
    troubles: u32,
    /// Rests in a row.
    rests: u32,
    /// Until when it is left alone, because of its troubles.
    resting_until: Option<Instant>,
    /// Until when it has asked to be left alone.
    throttled_until: Option<Instant>,
}

impl Gate {
    /// A gate that lets through what `limits` allow; `entropy` spreads the ends of its rests.
    pub fn new(limits: GateLimits, entropy: Arc<dyn Entropy>) -> Self {
        Self {
            turns: Turns::new(limits.concurrent_max),
            room: Room {
                all_max: limits.queue_max,
                per_account_max: limits.queue_max.div_ceil(ACCOUNT_PARTS),
            },
            wait_ms_max: limits.wait_ms_max,
            state: Mutex::default(),
            entropy,
        }
    }

    /// Waits for a turn. When a call ends, the next turn goes to the account that has waited longest for
    /// one, so that many calls of one account do not delay another account's only call.
    ///
    /// # Errors
    /// Immediately when as many calls wait as may, of all accounts or of this one; later when the turn
    /// does not come in time.
    pub async fn enter(&self, account: &AccountId) -> Result<Turn, NoTurn> {
        let turn = self.turns.take(account, self.room);
        let turn = tokio::time::timeout(Duration::from_millis(self.wait_ms_max), turn).await;
        Ok(turn.map_err(|_elapsed| NoTurn::Late(self.wait_ms_max))??)
    }

    /// What the vendor's past says.
    pub fn advice(&self) -> Advice {
        let now = Instant::now();
        let mut state = self.lock();
        if let Some(ms) = state.throttled_until.and_then(|until| left_ms(until, now)) {
            return Advice::Wait(ms);
        }
        match state.resting_until {
            None => Advice::Go,
            Some(until) => match left_ms(until, now) {
                Some(ms) => Advice::Wait(ms),
                None => {
                    // Whoever comes first probes; for those behind it the rest goes on meanwhile.
                    state.resting_until = Some(now + Duration::from_millis(REST_MS));
                    Advice::Probe
                }
            },
        }
    }

    /// What the vendor's past says, without asking it and without changing anything.
    pub fn health(&self) -> Health {
        let now = Instant::now();
        let state = *self.lock();
        let left = |until: Option<Instant>| until.and_then(|until| left_ms(until, now));
        match (left(state.throttled_until), left(state.resting_until), state.troubles) {
            (Some(ms), ..) => Health::Throttled(ms),
            (None, Some(ms), _) => Health::Resting(ms),
            (None, None, 0) => Health::Well,
            (None, None, troubles) => Health::Troubled(troubles),
        }
    }

    /// The vendor has worked, or has answered like one that does.
    pub fn worked(&self) {
        let mut state = self.lock();
        *state = State { throttled_until: state.throttled_until, ..State::default() };
    }

    /// The probe was answered well: calls go through again, and the next trouble ends that.
    pub fn revived(&self) {
        let mut state = self.lock();
        state.resting_until = None;
        state.troubles = TROUBLES_MAX - 1;
    }

    /// The vendor has failed, or could not be reached; the answer says whether it is left alone
    /// from now on.
    pub fn troubled(&self) -> bool {
        let mut state = self.lock();
        state.troubles += 1;
        if state.troubles < TROUBLES_MAX {
            return false;
        }
        let rest_ms = (REST_MS << state.rests.min(10)).min(REST_MS_MAX);
        let rest_ms = spread_ms(rest_ms, self.entropy.as_ref());
        state.resting_until = Some(Instant::now() + Duration::from_millis(rest_ms));
        state.rests += 1;
        true
    }

    /// The vendor has asked to be left alone for `ms` milliseconds.
    pub fn throttled(&self, ms: u64) {
        let until = Instant::now() + Duration::from_millis(ms.min(REST_MS_MAX));
        let mut state = self.lock();
        state.throttled_until = state.throttled_until.max(Some(until));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // A panic elsewhere cannot leave these few numbers half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Milliseconds until `until`, rounded up; none where it has passed.
fn left_ms(until: Instant, now: Instant) -> Option<u64> {
    let left = until.checked_duration_since(now).filter(|left| !left.is_zero())?;
    Some(u64::try_from(left.as_micros().div_ceil(1_000)).unwrap_or(u64::MAX))
}
