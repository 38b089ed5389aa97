//! How long reading takes, for instructions that people write and for the worst that anybody can.
//!
//! Run with `cargo run --release -p retouch-language --example reading_time`.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use retouch_engine::Context;
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_engine::video::VideoContext;
use retouch_language::{read, read_video, rows};
use std::time::{Duration, Instant};

const UNDERSTOOD: &str = include_str!("../../engine/tests/understanding/understood.txt");
const VIDEOS: &str = include_str!("../tests/videos/read.txt");
/// Further words between two repeated phrases.
const BETWEEN: &[&str] =
    &["", ", ", " and ", " it ", " the ", " 10 ", " 10% ", " red ", " at ", " is ", ". "];
const SHOWN: usize = 12;

fn main() {
    let instructions = UNDERSTOOD.lines().filter_map(|line| Some(line.split_once(" | ")?.0));
    print_slowest(image, instructions, rows().map(|row| row.phrase));
    let instructions = VIDEOS.lines().filter_map(|line| Some(line.split_once(" | ")?.0));
    let phrases = rows().filter(|row| row.is_of_video()).map(|row| row.phrase);
    print_slowest(video, instructions, phrases);
}

fn image(words: &str) {
    let _ = read(words, &Context { inputs: 2, ..Context::default() });
}

fn video(words: &str) {
    let _ = read_video(words, &VideoContext { inputs: 1, ..VideoContext::default() });
}

fn print_slowest<'a>(
    read: fn(&str),
    instructions: impl Iterator<Item = &'a str>,
    phrases: impl Iterator<Item = &'a str>,
) {
    let time = |words: &str| {
        let start = Instant::now();
        read(words);
        start.elapsed()
    };
    let mut usual: Vec<(Duration, &str)> = instructions.map(|words| (time(words), words)).collect();
    usual.sort_unstable();
    println!("usual: median {:?}, slowest {:?}", usual[usual.len() / 2].0, usual.last());
    let mut worst: Vec<(Duration, String)> = Vec::new();
    for phrase in phrases {
        for between in BETWEEN {
            let words = repeated(&[phrase, between].concat(), INSTRUCTION_CHARS_MAX);
            worst.push((time(&words), [phrase, between].concat()));
        }
    }
    worst.sort_unstable();
    for (_, unit) in worst.iter().rev().take(SHOWN) {
        let took = [1, 2, 4].map(|part| time(&repeated(unit, INSTRUCTION_CHARS_MAX * part / 4)));
        println!("{unit:?} repeated to a quarter, half and all of the length: {took:?}");
    }
}

fn repeated(unit: &str, chars: usize) -> String {
    unit.chars().chain([' ']).cycle().take(chars).collect()
}
