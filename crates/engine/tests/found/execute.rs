//! Plans from outside, as JSON, as words, or as words with changed numbers: refused before any
//! work, or done in the size and the memory that they said, to a picture that can be given back.

use crate::counting::peak_bytes;
use crate::input::{Input, perturbed};
use retouch_engine::codec::{self, Limits};
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_engine::{Context, ExecuteError, Picture, Plan, execute};
use retouch_language::read;

/// Plans that need more are admitted elsewhere; here they would only be slow.
const WORKING_BYTES_MAX: u64 = 1 << 22;
/// What does not grow with the picture: tables, a font's outlines, rows for each thread.
const FIXED_BYTES: u64 = 24 << 20;
/// Behind the sides and the number of pictures, bytes say which numbers are changed.
const CHANGES_FROM: usize = 3;

pub(crate) fn check(bytes: &[u8]) {
    let Some(input) = Input::of(bytes) else { return };
    let count = input.number(2, 4);
    let context = Context { inputs: count.into(), ..Context::default() };
    let Some(plan) = plan(&input, &context) else { return };
    reads_back(&plan, &context);
    let side = |at, number: u8| u32::from(input.number(at, 48) + 1 + number);
    let sizes: Vec<_> = (0..count).map(|number| (side(0, number), side(1, number))).collect();
    let Ok(admitted) = plan.working_bytes(&sizes) else { return };
    if admitted > WORKING_BYTES_MAX {
        return;
    }
    let pictures = sizes.iter().map(|size| noise(*size)).collect();
    let (edited, peak) = peak_bytes(|| execute(&plan, pictures));
    assert!(peak <= admitted + FIXED_BYTES, "{peak} bytes, {admitted} admitted: {plan:?}");
    match edited {
        Ok(edited) => {
            let (said, done) = (plan.result_size(&sizes), edited.picture.size());
            let said = said.expect("it was admitted");
            assert!(done.0 <= said.0 && done.1 <= said.1, "{done:?}, said {said:?}: {plan:?}");
            let png = codec::encode_png(&edited.picture).expect("memory takes everything");
            let again = codec::decode(&png, &Limits::default());
            assert!(again.is_ok_and(|again| again == edited.picture), "{plan:?}");
        }
        // What only the pixels show.
        Err(ExecuteError::Refused(_)) => {}
        Err(error) => panic!("{plan:?}: {error}"),
    }
}

/// The plan of an input, checked; none where it is refused.
fn plan(input: &Input<'_>, context: &Context) -> Option<Plan> {
    let value = serde_json::from_str(input.text).or_else(|_| {
        let plan = read(input.text, context).map_err(|_| ())?;
        serde_json::to_value(plan).map_err(|_| ())
    });
    let value = perturbed(value.ok()?, input.pairs(CHANGES_FROM));
    serde_json::from_value::<Plan>(value).ok()?.replay(context).ok()
}

/// A plan in its own words is the same plan.
fn reads_back(plan: &Plan, context: &Context) {
    let rendered = plan.render();
    if rendered.chars().count() <= INSTRUCTION_CHARS_MAX {
        let steps = read(&rendered, context).map(|again| again.steps);
        assert_eq!(steps.as_ref(), Ok(&plan.steps), "{rendered:?}");
    }
}

/// Pixels of every kind, with every kind of alpha.
fn noise((width, height): (u32, u32)) -> Picture {
    let mut state = 0x1234_5678_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let pixels = (0..width * height * 4).map(|_| next()).collect();
    Picture::from_rgba(width, height, pixels).expect("a lawful size")
}
