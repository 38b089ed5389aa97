//! How well instructions are understood: the rates over the sets of `crates/language/corpus`, printed
//! also where the marks are met (`./test understanding`).

mod rows;
mod score;

use retouch_engine::Context;
use score::Score;

/// The half that the grammar is built with.
const BUILDING: &str = include_str!("../../language/corpus/building.txt");
/// The half that only scores.
const SCORING: &str = include_str!("../../language/corpus/scoring.txt");
/// The set whose misses are not shown, so that nobody mends by them: what a stranger meets.
const SEALED: &str = include_str!("../../language/corpus/sealed.txt");

/// The mark for exact plans, of what must be done in the scoring half.
const EXACT_PERCENT_MIN: f64 = 95.0;
/// The mark for plans made of what must be refused, over all sets.
const FALSE_ACCEPT_PERCENT_MAX: f64 = 0.5;
/// The mark for another plan than the expected one, of what must be done, over all sets.
const WRONG_PLAN_PERCENT_MAX: f64 = 0.5;
/// What strangers wrote who knew only what the editor can do, with what they wanted in words. Open, and not
/// a measure: everybody may read it and work with it.
const STRANGERS: &str = include_str!("../../language/corpus/strangers.jsonl");
/// How many of what the strangers wanted done gets a plan, and how many of their unclear wishes.
const READ_MIN: usize = 410;
const GUESSED_MAX: usize = 5;
/// A half has at least this many instructions, the sealed set this many, and all together this many that
/// must be refused.
const ROWS_MIN: (usize, usize, usize) = (240, 120, 100);

#[test]
fn the_marks_are_met() {
    let (building, scoring, sealed) = (Score::of(BUILDING), Score::of(SCORING), Score::of(SEALED));
    let all = building.clone() + scoring.clone() + sealed.clone();
    let columns =
        [("building", &building), ("scoring", &scoring), ("sealed", &sealed), ("all", &all)];
    println!("{}", score::table(columns));
    println!("building, not as expected:\n{}", building.misses.join("\n"));
    println!("scoring, not as expected:\n{}", scoring.misses.join("\n"));
    let exact = scoring.exact.percent();
    assert!(exact >= EXACT_PERCENT_MIN, "{exact} % exact plans in the scoring half");
    let (accepted, wrong) = (all.false_accepts.percent(), all.wrong_plan.percent());
    assert!(accepted <= FALSE_ACCEPT_PERCENT_MAX, "{accepted} % of what must be refused");
    assert!(wrong <= WRONG_PLAN_PERCENT_MAX, "{wrong} % other plans than expected");
}

#[test]
fn the_sets_are_large_and_share_no_instruction() {
    let sets = [BUILDING, SCORING, SEALED].map(rows::read_set);
    let [building, scoring, sealed] = sets.each_ref().map(Vec::len);
    // A set that has been read is empty until somebody writes the next one.
    assert!(building.min(scoring) >= ROWS_MIN.0 && (sealed == 0 || sealed >= ROWS_MIN.1));
    let refused = sets.iter().flatten().filter(|row| row.must_be_refused()).count();
    assert!(refused >= ROWS_MIN.2, "{refused}");
    let mut instructions: Vec<String> =
        sets.iter().flatten().map(|row| row.instruction.to_lowercase()).collect();
    instructions.sort();
    let twice: Vec<_> =
        instructions.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn strangers_are_not_misunderstood_and_read_no_less_than_before() {
    let (mut read, mut guessed, mut accepted) = (0, 0, Vec::new());
    for line in STRANGERS.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let inputs = usize::try_from(row["images"].as_u64().unwrap()).unwrap();
        let instruction = row["instruction"].as_str().unwrap();
        if retouch_language::read(instruction, &Context { inputs, ..Context::default() }).is_err() {
            continue;
        }
        match row["verdict"].as_str().unwrap() {
            "OK" => read += 1,
            "ASK" => guessed += 1,
            _ => accepted.push(instruction.to_owned()),
        }
    }
    println!("strangers: {read} read, {guessed} guessed");
    assert!(accepted.is_empty(), "planned although it can't be done: {accepted:#?}");
    assert!(read >= READ_MIN && guessed <= GUESSED_MAX, "{read} read, {guessed} guessed");
}
