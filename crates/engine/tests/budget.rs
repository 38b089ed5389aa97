//! The work of reading one instruction is limited, and ordinary instructions take little of it.

use retouch_engine::limits::{COMPARISONS_MAX, INSTRUCTION_CHARS_MAX};
use retouch_engine::video::{VideoContext, read_video};
use retouch_engine::{Context, RefusalKind, comparisons};
use retouch_language::read;

const UNDERSTOOD: &str = include_str!("understanding/understood.txt");

/// How many comparisons it takes to read `words` for an image or a video, whichever takes more.
fn most_comparisons(words: &str) -> u64 {
    let image = |inputs| {
        let context = Context { inputs, ..Context::default() };
        comparisons(|| drop(read(words, &context)))
    };
    let video = |inputs| {
        let context = VideoContext { inputs, ..VideoContext::default() };
        comparisons(|| drop(read_video(words, &context)))
    };
    [image(0), image(1), image(3), video(0), video(1)].into_iter().max().unwrap_or_default()
}

#[test]
fn ordinary_instructions_take_a_small_part_of_it() {
    let lines = UNDERSTOOD.lines().map(|line| line.split(" | ").next().unwrap_or_default());
    for words in lines.filter(|words| !words.starts_with('#')).step_by(5) {
        let comparisons = most_comparisons(words);
        assert!(comparisons < COMPARISONS_MAX / 4, "{comparisons} for {words}");
    }
}

#[test]
fn instructions_that_would_take_longest_are_stopped_and_the_next_one_is_not() {
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
    let mut stopped = 0;
    for unit in units {
        let words = unit.repeat(INSTRUCTION_CHARS_MAX / unit.chars().count());
        let spent = most_comparisons(&words);
        println!("{spent} for {unit:?}");
        assert!(spent <= COMPARISONS_MAX, "{spent} for {unit:?}");
        if let Err(refusal) = read(&words, &Context::default())
            && refusal.message.contains("too complicated")
        {
            assert_eq!(refusal.kind, RefusalKind::NotUnderstood);
            stopped += 1;
        }
        assert!(read("brighten", &Context::default()).is_ok());
    }
    assert!(stopped > 0);
}
