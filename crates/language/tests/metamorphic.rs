//! Other words for the same wish give the same plan, and a typing error never gives another one.

mod metamorphic {
    pub(super) mod corpus;
    pub(super) mod errors;
    pub(super) mod random;
    pub(super) mod rewordings;
}

use metamorphic::corpus::{Known, known};
use metamorphic::errors::misspelled;
use metamorphic::random::Random;
use metamorphic::rewordings::{REWORDINGS, joined};
use retouch_engine::Context;
use retouch_language::read;

const REWORDINGS_COUNT: usize = 3_000;
const ERRORS_COUNT: usize = 1_000;
const DETAILS_COUNT: usize = 1_500;
/// Of the instructions with a typing error.
const REFUSED_PERCENT_MAX: usize = 15;

#[test]
fn rewordings_have_the_same_plan() {
    let known = known();
    let mut random = Random::new(21);
    let (mut count, mut wrong) = (0, Vec::new());
    while count < REWORDINGS_COUNT {
        let one = &known[random.below(known.len())];
        let reword = REWORDINGS[random.below(REWORDINGS.len())];
        if let Some(reworded) = reword(one, &mut random) {
            count += 1;
            wrong.extend(other_plan(&reworded, one));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn independent_instructions_are_done_in_the_order_in_which_they_are_said() {
    let simple: Vec<Known> = known().into_iter().filter(Known::is_simple).collect();
    let mut random = Random::new(22);
    let mut wrong = Vec::new();
    for _ in 0..REWORDINGS_COUNT / 6 {
        let [one, other] = [0, 1].map(|_| &simple[random.below(simple.len())]);
        for pair in [[one, other], [other, one]] {
            if let Some(both) = joined(pair, &mut random) {
                wrong.extend(other_plan(&both.words, &both));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_typing_error_gives_no_other_plan() {
    let known = known();
    let mut random = Random::new(23);
    let (mut count, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    while count < ERRORS_COUNT {
        let one = &known[random.below(known.len())];
        let Some(typed) = misspelled(one, &mut random) else { continue };
        count += 1;
        match read(&typed, &one.context) {
            Ok(plan) if plan.steps == one.steps => {}
            Ok(plan) => wrong.push(format!("{typed} => {}", plan.render())),
            Err(_) => refused.push(typed),
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    let most = ERRORS_COUNT * REFUSED_PERCENT_MAX / 100;
    assert!(refused.len() <= most, "{} of {count} refused:\n{}", refused.len(), refused.join("\n"));
}

/// A number that an edit has no use for must stop it, or be reported as ignored.
#[test]
fn no_number_is_left_out() {
    const DETAILS: [&str; 9] = [
        " at 13%",
        " by 13%",
        ", 13%",
        " with an opacity of 13%",
        " with a tolerance of 13%",
        " with a radius of 7px",
        " with a size of 7px",
        " with a width of 7px",
        " with a margin of 7px",
    ];
    let known = known();
    let mut random = Random::new(24);
    let mut wrong = Vec::new();
    for _ in 0..DETAILS_COUNT {
        let one = &known[random.below(known.len())];
        let detail = DETAILS[random.below(DETAILS.len())];
        let words = format!("{}{detail}", one.words.trim_end_matches(['.', '!', ' ']));
        let Ok(plan) = read(&words, &one.context) else { continue };
        let said = detail.trim_matches([' ', ',']);
        let mut ignored = plan.understood.iter().filter(|part| part.step.is_none());
        if plan.steps == one.steps && !ignored.any(|part| part.words.contains(said)) {
            wrong.push(format!("{words} => {}", plan.render()));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What once gave another plan.
#[test]
fn a_typing_error_in_a_color_does_not_lose_it() {
    let context = Context { inputs: 1, ..Context::default() };
    for (typed, plan) in [
        (
            "change the plain grey background to pure wgite",
            "replace the gray background with white",
        ),
        ("for my passport: wjite border 10px", "add a white border of 10px"),
    ] {
        let found = read(typed, &context).map(|plan| plan.render());
        assert_eq!(found.as_deref(), Ok(plan), "{typed}");
    }
}

/// What a rewording means instead, if that is not the same.
fn other_plan(reworded: &str, one: &Known) -> Option<String> {
    match read(reworded, &one.context) {
        Ok(plan) if plan.steps == one.steps => None,
        Ok(plan) => Some(format!("{reworded:?} => {}", plan.render())),
        Err(refusal) => Some(format!("{reworded:?} => refused: {refusal}")),
    }
}
