//! How well instructions are understood: the rates over both halves of `bench/understanding`,
//! printed also where the marks are met (`./test understanding`).

mod rows;
mod score;

use score::Score;

/// The half that the grammar is built with.
const BUILDING: &str = include_str!("../../../../bench/understanding/building.txt");
/// The half that only scores.
const SCORING: &str = include_str!("../../../../bench/understanding/scoring.txt");

/// A half has at least this many instructions, and both together this many that must be refused.
const ROWS_MIN: (usize, usize) = (240, 100);

#[test]
fn the_marks_are_met() {
    let (building, scoring) = (Score::of(BUILDING), Score::of(SCORING));
    let both = building.clone() + scoring.clone();
    println!("{}", score::table([("building", &building), ("scoring", &scoring), ("both", &both)]));
    println!("building, not as expected:\n{}", building.misses.join("\n"));
    println!("scoring, not as expected:\n{}", scoring.misses.join("\n"));
}

#[test]
fn both_halves_are_large_and_share_no_instruction() {
    let halves = [rows::read_half(BUILDING), rows::read_half(SCORING)];
    assert!(halves.iter().all(|half| half.len() >= ROWS_MIN.0));
    let refused = halves.iter().flatten().filter(|row| row.must_be_refused()).count();
    assert!(refused >= ROWS_MIN.1, "{refused}");
    let mut instructions: Vec<String> =
        halves.iter().flatten().map(|row| row.instruction.to_lowercase()).collect();
    instructions.sort();
    let twice: Vec<_> =
        instructions.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
