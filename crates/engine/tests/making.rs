//! Pictures out of nothing but words: what is understood, what is refused, and the pixels.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod pixels;
mod plans;

use retouch_engine::{AspectRatio, Context, Picture, execute};
use retouch_language::read;

const UNDERSTOOD: &str = include_str!("making/understood.txt");
const REFUSED: &str = include_str!("making/refused.txt");

fn nothing() -> Context {
    Context { inputs: 0, ..Context::default() }
}

fn made(instruction: &str) -> Picture {
    let plan =
        read(instruction, &nothing()).unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    let edited =
        execute(&plan, Vec::new()).unwrap_or_else(|error| panic!("{instruction}: {error}"));
    edited.picture
}

fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(" | ").unwrap_or_else(|| panic!("{line} has no bar")))
}

#[test]
fn descriptions_mean_what_they_say() {
    let mut wrong = Vec::new();
    for (instruction, wanted) in rows(UNDERSTOOD) {
        let got = match read(instruction, &nothing()) {
            Ok(plan) => plan.render(),
            Err(refusal) => format!("refused: {refusal} [{:?} {:?}]", refusal.kind, refusal.words),
        };
        if got != wanted {
            wrong.push(format!("{instruction}\n  wanted: {wanted}\n  got:    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_rest_is_refused_with_its_words() {
    let mut wrong = Vec::new();
    for (kind, instruction) in rows(REFUSED) {
        let got = match read(instruction, &nothing()) {
            Ok(plan) => format!("accepted: {}", plan.render()),
            Err(refusal) => {
                let [from, to] = refusal.span;
                let quoted: String = instruction.chars().skip(from).take(to - from).collect();
                assert_eq!(quoted, refusal.words, "{instruction}");
                serde_json::to_value(refusal.kind).unwrap().as_str().unwrap_or_default().to_owned()
            }
        };
        if got != kind {
            wrong.push(format!("{instruction}\n  wanted: {kind}\n  got:    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_example_of_the_table_is_read() {
    for entry in retouch_engine::makings() {
        for example in entry.examples {
            let ground = if entry.name == "make" { "" } else { "a plain white picture, then " };
            let plan = read(&format!("{ground}{example}"), &nothing())
                .unwrap_or_else(|refusal| panic!("{example}: {refusal}"));
            let last = plan.steps.last().unwrap().capability().name;
            assert_eq!(last, entry.name, "{example}");
        }
    }
}

#[test]
fn the_request_says_the_size_where_the_words_do_not() {
    let size = |context: Context| {
        read("a plain blue picture", &context).unwrap().result_size(&[]).unwrap()
    };
    assert_eq!(size(nothing()), (1024, 1024));
    assert_eq!(size(Context { size: Some((640, 480)), ..nothing() }), (640, 480));
    let wide = Some(AspectRatio::Ratio { width: 16, height: 9 });
    assert_eq!(size(Context { aspect: wide, ..nothing() }), (1360, 765));
    let context = Context { size: Some((640, 480)), ..nothing() };
    assert!(read("a plain blue picture of 512x512 pixels", &context).is_err());
    assert!(read("a plain blue picture, then resize to half", &context).is_ok());
}

#[test]
fn with_a_picture_nothing_is_made() {
    for instruction in ["a plain blue picture", "a checkerboard", "a red circle in the center"] {
        assert!(read(instruction, &Context::default()).is_err(), "{instruction}");
    }
}
