//! Instructions in many manners of speech: what they must mean, and what must be refused.

use retouch_engine::{Context, RefusalKind, Step};
use retouch_language::read;

/// Instruction, a tab-free bar, and the plan in plain words.
const UNDERSTOOD: &str = include_str!("understanding/understood.txt");
/// Class of the refusal, the words quoted, and the instruction.
const REFUSED: &str = include_str!("understanding/refused.txt");

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split(" | ").collect())
}

fn context() -> Context {
    Context { inputs: 2, ..Context::default() }
}

#[test]
fn instructions_mean_what_they_say() {
    let mut wrong = Vec::new();
    for row in rows(UNDERSTOOD) {
        let [instruction, wanted] = row.as_slice() else {
            panic!("a row needs two columns: {row:?}")
        };
        let got = match read(instruction, &context()) {
            Ok(plan) => plan.render(),
            Err(refusal) => format!("refused: {refusal} [{:?} {:?}]", refusal.kind, refusal.words),
        };
        if got != *wanted {
            wrong.push(format!("{instruction}\n  wanted: {wanted}\n  got:    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_not_wholly_understood_is_refused_with_its_words() {
    let mut wrong = Vec::new();
    for row in rows(REFUSED) {
        let [kind, words, instruction] = row.as_slice() else {
            panic!("a row needs three columns: {row:?}")
        };
        let got = match read(instruction, &context()) {
            Ok(plan) => format!("accepted: {}", plan.render()),
            Err(refusal) => {
                let kind = serde_json::to_value(refusal.kind).unwrap_or_default();
                let quoted: String = instruction
                    .chars()
                    .skip(refusal.span[0])
                    .take(refusal.span[1] - refusal.span[0])
                    .collect();
                assert_eq!(
                    quoted, refusal.words,
                    "the span of {instruction:?} does not quote its words"
                );
                format!("{} | {}", kind.as_str().unwrap_or_default(), refusal.words)
            }
        };
        if got != format!("{kind} | {words}") {
            wrong.push(format!("{instruction}\n  wanted: {kind} | {words}\n  got:    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn one_picture_may_be_named_by_what_it_shows_and_one_of_several_may_not() {
    for instruction in [
        "brighten the interior shot",
        "brighten the photo of my grandparents",
        "brighten the picture of us",
    ] {
        let words = |inputs| {
            let context = Context { inputs, ..Context::default() };
            read(instruction, &context).map(|plan| plan.render()).ok()
        };
        assert_eq!(words(1).as_deref(), Some("increase the brightness by 20%"), "{instruction}");
        assert_eq!(words(2), None, "{instruction}");
    }
}

#[test]
fn a_refusal_names_the_nearest_that_can_be_done() {
    for (instruction, nearest) in [
        ("brighten the sky", None),
        ("make it brighter and remove the dog", Some("increase the brightness by 20%")),
        ("make it brighter, sdfsdf and rotate 90 degrees", Some("increase the brightness by 20%")),
        ("blurify", None),
        ("crop to a square, but not so much off the wobbly end", None),
        ("resize to 800x600, in a wobbly way", None),
        ("A stripe on the left, 38 px wide, remove the dog", None),
        ("the red border needs to be removed", None),
        ("remove the dog", None),
        ("whiten the teeth", None),
    ] {
        let refusal = read(instruction, &context()).unwrap_err();
        assert_eq!(refusal.nearest.as_deref(), nearest, "{instruction}: {refusal}");
        if let Some(words) = &refusal.nearest {
            assert!(refusal.message.contains(words), "{instruction}: {refusal}");
        }
    }
    for row in rows(REFUSED) {
        let refusal = read(row[2], &context()).unwrap_err();
        let done = refusal.nearest.is_none_or(|nearest| read(&nearest, &context()).is_ok());
        assert!(done, "{row:?}");
    }
}

#[test]
fn every_example_of_the_table_of_operations_is_read_as_that_operation() {
    for entry in retouch_engine::capabilities() {
        for example in entry.examples {
            let plan =
                read(example, &context()).unwrap_or_else(|refusal| panic!("{example}: {refusal}"));
            let names: Vec<&str> = plan.steps.iter().map(|step| step.capability().name).collect();
            assert_eq!(names, [entry.name], "{example}");
        }
    }
}

#[test]
fn lines_of_a_list_are_an_edit_each() {
    let wanted = "increase the brightness by 20%, then sharpen by 100%";
    for list in [
        "1. Brighten it\n2. Sharpen it",
        "1) brighten it\n2) sharpen it",
        "- brighter\n- sharper",
        "* brighter\n* sharper",
        "• brighter\n• sharper",
        "brighten it\nsharpen it",
        "Step 1: brighten it. Step 2: sharpen it.",
    ] {
        let plan = read(list, &context()).unwrap_or_else(|refusal| panic!("{list:?}: {refusal}"));
        assert_eq!(plan.render(), wanted, "{list:?}");
    }
}

#[test]
fn texts_that_look_alike_and_share_a_place_are_lines() {
    for (instruction, place) in [
        ("add the title \"Hello\" and the subtitle \"World\"", "center"),
        ("write \"Hello\" at the top and \"World\" at the top", "top"),
        ("Write \"Hello\" in white. Write \"World\" in white.", "center"),
        ("add the text \"Hello\" at the bottom and add the caption \"World\"", "bottom"),
    ] {
        let plan = read(instruction, &context()).unwrap_or_else(|refusal| panic!("{refusal}"));
        let wanted =
            format!("add the text \"Hello\nWorld\" in white at the {place} with a size of 6%");
        assert_eq!(plan.render(), wanted, "{instruction}");
        assert_eq!(read(&wanted, &context()).map(|again| again.steps), Ok(plan.steps));
    }
}

#[test]
fn one_picture_cannot_be_joined() {
    let refusal = read("put them side by side", &Context::default()).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::MissingDetail);
}

#[test]
fn the_requests_own_fields_become_the_last_steps() {
    let ratio = |width, height| Some(retouch_engine::AspectRatio::Ratio { width, height });
    let cut = Context { aspect: ratio(16, 9), ..Context::default() };
    assert_eq!(
        read("sepia", &cut).unwrap().render(),
        "apply sepia, then crop to the ratio 16:9 at the center"
    );
    assert_eq!(
        read("pad by 10px with red", &cut).unwrap().render(),
        "pad by 10 pixels with red, then pad to 16:9 with red at the center"
    );
    let sized = Context { size: Some((640, 480)), ..Context::default() };
    let plan = read("sepia", &sized).unwrap();
    assert_eq!(plan.render(), "apply sepia, then resize to fill 640x480 pixels");
    assert!(plan.assumed.iter().any(|line| line.contains("640x480")));
    let three = Context { inputs: 3, ..Context::default() };
    assert_eq!(read("sepia", &three).unwrap().unused_inputs, [1, 2]);
}

#[test]
fn what_comes_first_may_come_after_another_edit() {
    let words = "crop to a square first, but before that rotate it left";
    let plan = read(words, &Context::default()).unwrap();
    assert!(matches!(plan.steps[..], [Step::Rotate(_), Step::Crop(_)]), "{:?}", plan.steps);
}
