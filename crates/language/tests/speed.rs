//! How long reading takes, for instructions that people write and for the worst that anybody can.
//!
//! Run with `cargo test --release --test speed -- --ignored --nocapture`.

use retouch_engine::Context;
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_language::{read, rows};
use std::time::{Duration, Instant};

const UNDERSTOOD: &str = include_str!("../../engine/tests/understanding/understood.txt");
/// Further words between two repeated phrases.
const BETWEEN: &[&str] =
    &["", ", ", " and ", " it ", " the ", " 10 ", " 10% ", " red ", " at ", " is ", ". "];
const SHOWN: usize = 12;

#[test]
#[ignore = "slow: reads thousands of long instructions and prints the slowest"]
fn reading_takes_time_that_grows_with_the_length_alone() {
    let context = Context { inputs: 2, ..Context::default() };
    let instructions = UNDERSTOOD.lines().filter_map(|line| Some(line.split_once(" | ")?.0));
    let mut usual: Vec<(Duration, &str)> =
        instructions.map(|words| (time(words, &context), words)).collect();
    usual.sort_unstable();
    println!("usual: median {:?}, slowest {:?}", usual[usual.len() / 2].0, usual.last());
    let mut worst: Vec<(Duration, String)> = Vec::new();
    for row in rows() {
        for between in BETWEEN {
            let words = repeated(&[row.phrase, between].concat(), INSTRUCTION_CHARS_MAX);
            worst.push((time(&words, &context), [row.phrase, between].concat()));
        }
    }
    worst.sort_unstable();
    for (_, unit) in worst.iter().rev().take(SHOWN) {
        let took =
            [1, 2, 4].map(|part| time(&repeated(unit, INSTRUCTION_CHARS_MAX * part / 4), &context));
        println!("{unit:?} repeated to a quarter, half and all of the length: {took:?}");
    }
}

fn repeated(unit: &str, chars: usize) -> String {
    unit.chars().chain([' ']).cycle().take(chars).collect()
}

fn time(words: &str, context: &Context) -> Duration {
    let start = Instant::now();
    let _ = read(words, context);
    start.elapsed()
}
