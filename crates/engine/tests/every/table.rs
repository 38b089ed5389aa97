//! Every operation, by the examples of its entry in the table, so that none can be forgotten.

use retouch_engine::{
    AnyPicture, Capability, Context, Edited, ExecuteError, Picture, Plan, Sample, Step,
    capabilities, execute_any, makings,
};
use retouch_language::read;

/// Width and height in pixels.
pub(crate) type Size = (u32, u32);

/// An example, what it belongs to, and its plan.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) example: &'static str,
    pub(crate) plan: Plan,
}

impl Case {
    /// Does the plan to as many copies of a picture as it wants; `None` where it is refused for
    /// what the pixels are.
    pub(crate) fn done(&self, pictures: &[AnyPicture]) -> Option<Edited> {
        let pictures = if makes(&self.plan) { Vec::new() } else { pictures.to_vec() };
        match execute_any(&self.plan, pictures) {
            Ok(edited) => Some(edited),
            Err(ExecuteError::Refused(_)) => None,
            Err(error) => panic!("{}: {error}", self.example),
        }
    }
}

/// Pictures that every example may work on.
pub(crate) const INPUTS: usize = 2;

pub(crate) fn makes(plan: &Plan) -> bool {
    let makings: Vec<&str> = makings().iter().map(|entry| entry.name).collect();
    plan.steps.first().is_some_and(|step| makings.contains(&step.capability().name))
}

/// The examples of all operations that pictures of a size are large enough for; of each operation
/// there is at least one.
pub(crate) fn cases(size: Size) -> Vec<Case> {
    let edits = capabilities().iter().flat_map(|entry| of(entry, &[size; INPUTS]));
    edits.chain(makings().iter().flat_map(|entry| of(entry, &[]))).collect()
}

/// The first of those of every operation.
pub(crate) fn firsts(size: Size) -> Vec<Case> {
    let mut cases = cases(size);
    cases.dedup_by_key(|case| case.name);
    cases
}

fn of(entry: &'static Capability, inputs: &[Size]) -> Vec<Case> {
    let context = Context { inputs: inputs.len(), ..Context::default() };
    let cases: Vec<Case> = entry
        .examples
        .iter()
        .filter_map(|example| {
            let plan = read(example, &context).ok()?;
            let named = plan.steps.iter().any(|step: &Step| step.capability().name == entry.name);
            (named && plan.result_size(inputs).is_ok()).then_some(Case {
                name: entry.name,
                example,
                plan,
            })
        })
        .collect();
    assert!(!cases.is_empty(), "no example of {} is read as that and fits", entry.name);
    cases
}

/// Numbers that look like chance and are the same every time.
pub(crate) fn chances() -> impl FnMut() -> u16 {
    let mut state = 0x1234_5678_9abc_def0_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    }
}

/// A plain frame around noise, so that what measures margins and backgrounds finds some. Pixels
/// that are clear have the color given; `alpha` makes the alpha of a place out of a chance.
pub(crate) fn framed<S: Sample>(
    size: Size,
    clear: [u8; 3],
    alpha: impl Fn((u32, u32), u16) -> u16,
) -> Picture<S> {
    let mut chance = chances();
    let mut samples = Vec::with_capacity(size.0 as usize * size.1 as usize * 4);
    for y in 0..size.1 {
        for x in 0..size.0 {
            let inside = (20..size.0 - 20).contains(&x) && (20..size.1 - 20).contains(&y);
            let own = [chance(), chance(), chance()];
            let color = if inside { own } else { [0xe0e0; 3] };
            let alpha = S::of_sixteen(alpha((x, y), chance()));
            let color =
                if alpha == S::default() { clear.map(S::of) } else { color.map(S::of_sixteen) };
            samples.extend(color.into_iter().chain([alpha]));
        }
    }
    Picture::from_rgba(size.0, size.1, samples).unwrap()
}

/// The same without any transparency.
pub(crate) fn opaque<S: Sample>(size: Size) -> Picture<S> {
    framed(size, [0; 3], |_, _| u16::MAX)
}
