//! Counts in memory: those of a single process, or of the callers that the shared counts have
//! refused.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use retouch_core::Timestamp;
use retouch_core::rate::Taken;

use super::{Limit, Whose};

/// How many callers one limit remembers; at about 50 bytes each, a few megabytes.
const REMEMBERED_MAX: usize = 50_000;
/// The share of them that is forgotten at once when there are too many. Those closest to their full
/// allowance go first, so that many new callers cannot erase what is known about one who calls too
/// often.
const FORGOTTEN_SHARE: usize = 4;

/// The counts, by the names of limits. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(Arc<Mutex<HashMap<&'static str, HashMap<Whose, Taken>>>>);

/// The count of a caller that was refused elsewhere.
pub(crate) struct Refused {
    pub(crate) limit: Limit,
    pub(crate) whose: Whose,
    pub(crate) taken: Taken,
}

impl Memory {
    /// Counts a call. Returns whether it is allowed, and the new count.
    pub(crate) fn count(&self, limit: Limit, whose: Whose, now: Timestamp) -> (bool, Taken) {
        // A panic cannot leave the data half changed.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(limit.name).or_default();
        let before = known.get(&whose).copied();
        let taken = before.unwrap_or_default();
        let Some(after) = limit.rate.take(taken, now) else { return (false, taken) };
        if before.is_none() && known.len() >= REMEMBERED_MAX {
            make_room(known, now);
        }
        known.insert(whose, after);
        (true, after)
    }

    /// Undoes one count.
    pub(crate) fn give_back(&self, limit: Limit, whose: Whose) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = all.get_mut(limit.name).and_then(|known| known.get_mut(&whose));
        if let Some(taken) = taken {
            taken.full_at_ns = taken.full_at_ns.saturating_sub(limit.rate.share_ns());
        }
    }

    /// The count of a caller, if it is known to be over the limit.
    pub(crate) fn find_refused(&self, limit: Limit, whose: Whose, now: Timestamp) -> Option<Taken> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = all.get(limit.name)?.get(&whose).copied()?;
        limit.rate.take(taken, now).is_none().then_some(taken)
    }

    /// Remembers the count of a caller that was refused elsewhere.
    pub(crate) fn refuse(&self, refused: &Refused, now: Timestamp) {
        let Refused { limit, whose, taken } = *refused;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(limit.name).or_default();
        if known.len() >= REMEMBERED_MAX {
            make_room(known, now);
        }
        known.insert(whose, taken);
    }

    /// Forgets counts that no longer matter. Returns how many.
    pub(crate) fn forget(&self, now: Timestamp) -> usize {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.values_mut().map(|known| forget_past(known, now)).sum()
    }
}

fn forget_past(known: &mut HashMap<Whose, Taken>, now: Timestamp) -> usize {
    let before = known.len();
    known.retain(|_, taken| !taken.is_past(now));
    before - known.len()
}

/// Forgets counts that no longer matter and, if that is not enough, the callers with the lowest
/// counts.
fn make_room(known: &mut HashMap<Whose, Taken>, now: Timestamp) {
    let enough = known.len() / FORGOTTEN_SHARE;
    let mut rest = enough.saturating_sub(forget_past(known, now));
    if rest == 0 {
        return;
    }
    let mut all: Vec<Taken> = known.values().copied().collect();
    let (_, &mut most, _) = all.select_nth_unstable(rest.min(known.len()) - 1);
    known.retain(|_, taken| {
        let goes = rest > 0 && *taken <= most;
        rest -= usize::from(goes);
        !goes
    });
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use retouch_core::{Rate, Timestamp};

    use super::{Limit, Memory, REMEMBERED_MAX};

    fn whose(number: usize) -> [u8; 16] {
        (number as u128).to_be_bytes()
    }

    #[test]
    fn many_strangers_fill_no_memory_keep_nobody_out_and_do_not_hide_who_came_too_often() {
        let memory = Memory::default();
        let limit = Limit { name: "visits", rate: Rate::per_hour(NonZeroU32::new(3).unwrap()) };
        let now = Timestamp(1_795_132_800_000);
        let often = whose(0);
        assert!((0..3).all(|_| memory.count(limit, often, now).0));
        let mut strangers = 1..2 * REMEMBERED_MAX;
        assert!(strangers.all(|number| memory.count(limit, whose(number), now).0));
        assert!(!memory.count(limit, often, now).0, "it is still known");
        let held = memory.0.lock().unwrap().get("visits").unwrap().len();
        assert!((REMEMBERED_MAX / 2..=REMEMBERED_MAX).contains(&held), "{held} are remembered");
        assert_eq!(memory.forget(now.plus_ms(1_200_000)), held - 1, "those who came once are past");
        assert_eq!(memory.forget(now.plus_ms(3_600_000)), 1);
    }
}
