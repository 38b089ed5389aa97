//! Limits the concurrent calls to a provider, serves accounts in turns, and pauses a provider that
//! keeps failing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use retouch_core::{AccountId, Entropy};
use tokio::time::Instant;

use crate::provider::Health;
use crate::routes::spread_ms;
use crate::turns::{NoRoom, Room, Turn, Turns};

/// Failures in a row after which a provider is paused.
const TROUBLES_MAX: u32 = 5;
/// Length of the first pause, in milliseconds. It doubles with every failed health check.
const REST_MS: u64 = 5_000;
/// Longest pause, in milliseconds.
const REST_MS_MAX: u64 = 300_000;
/// How long a paused provider may take to answer a health check, in milliseconds. The provider
/// stays paused for other calls during this time, so that the call that makes the check can still
/// use another route.
pub(super) const PROBE_MS_MAX: u64 = REST_MS;

/// One account may hold at most one in this many of the places in the queue.
const ACCOUNT_PARTS: usize = 4;

/// Limits on concurrent and waiting calls.
#[derive(Clone, Copy, Debug)]
pub struct GateLimits {
    /// Maximum number of concurrent calls.
    pub concurrent_max: usize,
    /// Maximum number of waiting calls. One account may have a quarter of them, but at least one.
    pub queue_max: usize,
    /// How long a call waits for its turn, in milliseconds. After that, another route is the better
    /// choice.
    pub wait_ms_max: u64,
}

/// The gate in front of one provider.
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
    /// No more calls may wait.
    #[error(transparent)]
    Full(#[from] NoRoom),
    /// The call's turn did not come in time.
    #[error("no free slot within {0} ms")]
    Late(u64),
}

/// What to do with a call now, judging by the provider's recent calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Make the call.
    Go,
    /// Make a health check first. Other calls wait for its outcome.
    Probe,
    /// Make no calls for this many milliseconds.
    Wait(u64),
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Failures since the last success.
    troubles: u32,
    /// Pauses in a row.
    rests: u32,
    /// The end of the pause after failures.
    resting_until: Option<Instant>,
    /// The end of the pause that the provider asked for.
    throttled_until: Option<Instant>,
}

impl Gate {
    /// A gate with these limits. `entropy` randomizes the length of pauses.
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

    /// Waits for a turn. When a call ends, the account that has waited longest gets the next turn,
    /// so many calls of one account do not delay another account's only call.
    ///
    /// # Errors
    /// Immediately, when no more calls may wait, of all accounts or of this one. Later, when the
    /// turn does not come in time.
    pub async fn enter(&self, account: &AccountId) -> Result<Turn, NoTurn> {
        let turn = self.turns.take(account, self.room);
        let turn = tokio::time::timeout(Duration::from_millis(self.wait_ms_max), turn).await;
        Ok(turn.map_err(|_elapsed| NoTurn::Late(self.wait_ms_max))??)
    }

    /// How many calls wait for a turn.
    pub fn waiting(&self) -> usize {
        self.turns.waiting()
    }

    /// What to do with a call now.
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
                    // The first caller makes the health check. For others, the pause continues in
                    // the meantime.
                    state.resting_until = Some(now + Duration::from_millis(REST_MS));
                    Advice::Probe
                }
            },
        }
    }

    /// The provider's state, without any side effects.
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

    /// Notes that the provider worked, or responded as a working one does.
    pub fn worked(&self) {
        let mut state = self.lock();
        *state = State { throttled_until: state.throttled_until, ..State::default() };
    }

    /// Notes a successful health check: calls go through again, but the next failure starts another
    /// pause.
    pub fn revived(&self) {
        let mut state = self.lock();
        state.resting_until = None;
        state.troubles = TROUBLES_MAX - 1;
    }

    /// Notes that the provider failed or could not be reached. Returns whether this starts a pause.
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

    /// Notes that the provider asked for a pause of `ms` milliseconds.
    pub fn throttled(&self, ms: u64) {
        let until = Instant::now() + Duration::from_millis(ms.min(REST_MS_MAX));
        let mut state = self.lock();
        state.throttled_until = state.throttled_until.max(Some(until));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // A panic elsewhere cannot leave these numbers in an inconsistent state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Milliseconds until `until`, rounded up. `None` if it has passed.
fn left_ms(until: Instant, now: Instant) -> Option<u64> {
    let left = until.checked_duration_since(now).filter(|left| !left.is_zero())?;
    Some(u64::try_from(left.as_micros().div_ceil(1_000)).unwrap_or(u64::MAX))
}
