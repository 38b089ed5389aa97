//! How much work reading one instruction may be, counted in comparisons and not in time: the same
//! words take the same work on any machine, so that they have the same answer.

use std::cell::Cell;

use crate::{Refusal, RefusalKind};

/// Most comparisons for one instruction: some 50 milliseconds.
const COMPARISONS_MAX: u64 = 3_000_000;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::read_video;
    use crate::limits::INSTRUCTION_CHARS_MAX;
    use crate::video::VideoContext;
    use crate::{Context, read};

    const UNDERSTOOD: &str = include_str!("../../tests/understanding/understood.txt");

    /// How many comparisons it takes to read `words` for an image and for a video.
    fn comparisons(words: &str) -> u64 {
        let read_for = |reading: &dyn Fn()| {
            LEFT.set(Some(COMPARISONS_MAX));
            let _end = End;
            reading();
            COMPARISONS_MAX - LEFT.get().unwrap_or_default()
        };
        let image = |inputs| {
            let context = Context { inputs, ..Context::default() };
            read_for(&|| drop(read(words, &context)))
        };
        let video = |inputs| {
            let context = VideoContext { inputs, ..VideoContext::default() };
            read_for(&|| drop(read_video(words, &context)))
        };
        [image(0), image(1), image(3), video(0), video(1)].into_iter().max().unwrap_or_default()
    }

    #[test]
    fn ordinary_instructions_take_a_small_part_of_the_budget() {
        let lines = UNDERSTOOD.lines().map(|line| line.split(" | ").next().unwrap_or_default());
        for words in lines.filter(|words| !words.starts_with('#')).step_by(5) {
            let comparisons = comparisons(words);
            assert!(comparisons < COMPARISONS_MAX / 4, "{comparisons} for {words}");
        }
    }

    #[test]
    fn instructions_that_would_take_longest_are_stopped() {
        let units = [
            "very ",
            "slightly ",
            "and ",
            "or, ",
            "not ",
            "x 1 ",
            "1:1 ",
            "\u{1f600}",
            "brighter ",
            "make it ",
            "don't crop, ",
            "red ",
            "light ",
            "\"a\" ",
            "for my website ",
            "too dark, ",
            "zzzzz ",
            "contrastt, ",
            "in 2 seconds ",
            "left ",
            "a dragon ",
            "a red circle, ",
            "zoom in, ",
        ];
        for unit in units {
            let words = unit.repeat(INSTRUCTION_CHARS_MAX / unit.chars().count());
            let spent = comparisons(&words);
            println!("{spent} for {unit:?}");
            assert!(spent <= COMPARISONS_MAX, "{spent} for {unit:?}");
        }
    }

    #[test]
    fn a_reading_that_is_stopped_is_refused_and_the_next_one_is_not() {
        let stopped = within("brighten", || {
            spend(COMPARISONS_MAX);
            read("brighten", &Context::default())
        });
        assert_eq!(stopped.map_err(|refusal| refusal.kind), Err(RefusalKind::NotUnderstood));
        assert!(read("brighten", &Context::default()).is_ok());
    }
}
