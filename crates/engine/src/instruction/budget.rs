//! How much work reading one instruction may be, counted in comparisons and not in time: the same
//! words take the same work on any machine, so that they have the same answer.

use std::cell::Cell;

use crate::limits::COMPARISONS_MAX;
use crate::{Refusal, RefusalKind};

/// What the distance between two spellings costs.
pub(super) const SPELLING: u64 = 24;
/// What looking a color up by its name costs.
pub(super) const COLOR: u64 = 8;

thread_local! {
    /// Comparisons that are left to the instruction that this thread reads; none while it reads none.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Does `reading` of an instruction with a budget, which is that of the whole where it is only a part.
pub(super) fn within<T>(
    instruction: &str,
    reading: impl FnOnce() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    if LEFT.get().is_some() {
        return reading();
    }
    LEFT.set(Some(COMPARISONS_MAX));
    let _end = End;
    let read = reading();
    if is_spent() && read.is_ok() { Err(refusal(instruction)) } else { read }
}

/// How many comparisons `reading` of one instruction takes: its work, which is the same on any machine.
pub fn comparisons(reading: impl FnOnce()) -> u64 {
    LEFT.set(Some(COMPARISONS_MAX));
    let _end = End;
    reading();
    COMPARISONS_MAX - LEFT.get().unwrap_or_default()
}

/// The budget ends with the reading, also where that panics.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        LEFT.set(None);
    }
}

/// Takes the work of so many comparisons from the budget; false where it is not there, and nothing
/// should be compared.
pub(super) fn spend(comparisons: u64) -> bool {
    let Some(left) = LEFT.get() else { return true };
    let rest = left.saturating_sub(comparisons);
    LEFT.set(Some(rest));
    rest > 0
}

/// Whether nothing is left. What was read since means nothing: words may have been passed over.
pub(super) fn is_spent() -> bool {
    LEFT.get() == Some(0)
}

/// The refusal of an instruction that takes more work than there is time for.
pub(super) fn refusal(instruction: &str) -> Refusal {
    let message = "the instruction is too complicated, so nothing was changed; use fewer words";
    Refusal::new(RefusalKind::NotUnderstood, message)
        .quoting(instruction, [0, instruction.chars().count()])
}
