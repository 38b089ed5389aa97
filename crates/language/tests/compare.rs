//! Compares this reader with the one in the engine, on the sets of instructions.
//!
//! Run with `cargo test --test compare -- --nocapture --ignored`.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use retouch_engine::{Context, RefusalKind, Step};
use std::time::Instant;

const BUILDING: &str = include_str!("../../engine/corpus/building.txt");
const SCORING: &str = include_str!("../../engine/corpus/scoring.txt");
const SEALED: &str = include_str!("../../engine/corpus/sealed.txt");
const UNDERSTOOD: &str = include_str!("../../engine/tests/understanding/understood.txt");
const MAKING: &str = include_str!("../../engine/tests/making/understood.txt");
const NOT_MADE: &str = include_str!("../../engine/tests/making/refused.txt");
const REFUSED: &str = include_str!("../../engine/tests/understanding/refused.txt");

struct Row<'a> {
    instruction: &'a str,
    context: Context,
    /// The expected steps, or the class and the words of the refusal.
    expected: Result<Vec<Step>, (RefusalKind, &'a str)>,
}

fn corpus(set: &str) -> Vec<Row<'_>> {
    let mut inputs = 1;
    let mut rows = Vec::new();
    for line in set.lines().map(str::trim) {
        if let Some(count) = line.strip_prefix("@ pictures ") {
            inputs = count.parse().unwrap_or(1);
        } else if !line.is_empty() && !line.starts_with('#') {
            let columns: Vec<&str> = line.split(" | ").collect();
            let context = Context { inputs, ..Context::default() };
            let expected = match columns.as_slice() {
                [_, plan] => Ok(steps(plan, &context)),
                [_, class, words, ..] => Err((class_of(class.trim_start_matches("! ")), *words)),
                _ => continue,
            };
            rows.push(Row { instruction: columns[0], context, expected });
        }
    }
    rows
}

fn table(set: &str, refused: bool) -> Vec<Row<'_>> {
    let lines = set.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let context = Context { inputs: 2, ..Context::default() };
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split(" | ").collect();
            let (instruction, expected) = if refused {
                (columns[2], Err((class_of(columns[0]), columns[1])))
            } else {
                (columns[0], Ok(steps(columns[1], &context)))
            };
            Row { instruction, context: context.clone(), expected }
        })
        .collect()
}

/// What is created without an image.
fn making() -> Vec<Row<'static>> {
    let context = Context { inputs: 0, ..Context::default() };
    let lines = |set: &'static str| {
        set.lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .filter_map(|line| line.split_once(" | "))
    };
    let made = lines(MAKING).map(|(instruction, plan)| (instruction, Ok(steps(plan, &context))));
    let not = lines(NOT_MADE).map(|(class, instruction)| (instruction, Err((class_of(class), ""))));
    made.chain(not)
        .map(|(instruction, expected)| Row { instruction, context: context.clone(), expected })
        .collect()
}

fn class_of(name: &str) -> RefusalKind {
    serde_json::from_value(name.into()).unwrap_or(RefusalKind::NotUnderstood)
}

fn steps(words: &str, context: &Context) -> Vec<Step> {
    retouch_engine::read(words, context).map(|plan| plan.steps).unwrap_or_default()
}

#[derive(Default)]
struct Score {
    exact: usize,
    wrong: usize,
    refused: usize,
    accepted: usize,
    class: usize,
    quoted: usize,
    due: usize,
    undue: usize,
}

type Reader = fn(&str, &Context) -> Result<retouch_engine::Plan, retouch_engine::Refusal>;

fn score(rows: &[Row<'_>], read: Reader, mut miss: impl FnMut(String)) -> Score {
    let mut score = Score::default();
    for row in rows {
        let got = read(row.instruction, &row.context);
        match (&row.expected, got) {
            (Ok(steps), Ok(plan)) if plan.steps == *steps => score.exact += 1,
            (Ok(_), Ok(plan)) => {
                score.wrong += 1;
                miss(format!("1 WRONG     {} => {}", row.instruction, plan.render()));
            }
            (Ok(_), Err(refusal)) => {
                score.refused += 1;
                miss(format!(
                    "3 refused   {} => {:?} {:?}",
                    row.instruction, refusal.kind, refusal.words
                ));
            }
            (Err(_), Ok(plan)) => {
                score.accepted += 1;
                miss(format!("2 ACCEPTED  {} => {}", row.instruction, plan.render()));
            }
            (Err((kind, words)), Err(refusal)) => {
                let quoted = refusal.words.to_lowercase().contains(&words.to_lowercase());
                score.class += usize::from(refusal.kind == *kind);
                score.quoted += usize::from(quoted);
                if refusal.kind != *kind || !quoted {
                    miss(format!(
                        "4 otherwise {} => {:?} {:?}",
                        row.instruction, refusal.kind, refusal.words
                    ));
                }
            }
        }
        match row.expected {
            Ok(_) => score.due += 1,
            Err(_) => score.undue += 1,
        }
    }
    score
}

fn print(name: &str, which: &str, score: &Score) {
    println!(
        "{name:<11} {which:<4} exact {:>5}/{:<5} wrong {:>3} refused {:>4} | \
         accepted {:>3}/{:<4} class {:>4} quoted {:>4}",
        score.exact,
        score.due,
        score.wrong,
        score.refused,
        score.accepted,
        score.undue,
        score.class,
        score.quoted
    );
}

/// What the old reader reads, a line each, and the new one reads otherwise or not.
fn differences(lines: &str) {
    let mut counts = [0; 3];
    for line in lines.lines() {
        let context = |inputs| Context { inputs, ..Context::default() };
        let old = |inputs| retouch_engine::read(line, &context(inputs)).ok();
        let Some((inputs, old)) = [1, 2, 4, 0].into_iter().find_map(|n| Some((n, old(n)?))) else {
            continue;
        };
        match retouch_language::read(line, &context(inputs)) {
            Ok(new) if new.steps == old.steps => counts[0] += 1,
            Ok(new) => {
                counts[1] += 1;
                println!("OTHER\t{line}\t{}\t{}", old.render(), new.render());
            }
            Err(refusal) => {
                counts[2] += 1;
                println!("NO\t{line}\t{:?}\t{}", refusal.kind, refusal.words);
            }
        }
    }
    println!("same, other, refused: {counts:?}");
}

#[test]
#[ignore = "slow: reads all sets with both readers and prints the differences"]
fn compare() {
    if let Ok(file) = std::env::var("TRYFILE") {
        for line in std::fs::read_to_string(file).unwrap_or_default().lines() {
            let read =
                |inputs| retouch_language::read(line, &Context { inputs, ..Context::default() });
            let found = [1, 2, 4].into_iter().find_map(|inputs| read(inputs).ok());
            match found {
                Some(plan) => println!("OK\t{line}\t{}", plan.render()),
                None => println!(
                    "NO\t{line}\t{:?}",
                    read(1).map(|_| ()).map_err(|error| (error.kind, error.words))
                ),
            }
        }
        return;
    }
    if let Ok(file) = std::env::var("OLDFILE") {
        return differences(&std::fs::read_to_string(file).unwrap_or_default());
    }
    if let Ok(lines) = std::env::var("TRY") {
        for line in lines.split('|') {
            match retouch_language::read(line, &Context::default()) {
                Ok(plan) => println!("{line} => {} {:?}", plan.render(), plan.understood),
                Err(refusal) => println!("{line} => {refusal:?}"),
            }
        }
        return;
    }
    let shows = std::env::var("SHOW").unwrap_or_default();
    let sets = [
        ("building", corpus(BUILDING), true),
        ("understood", table(UNDERSTOOD, false), true),
        ("refused", table(REFUSED, true), true),
        ("making", making(), true),
        ("scoring", corpus(SCORING), false),
        ("sealed", corpus(SEALED), false),
    ];
    let mut misses = Vec::new();
    for (name, rows, shown) in &sets {
        if *name == "sealed" && !shows.contains("sealed") {
            continue;
        }
        print(name, "old", &score(rows, retouch_engine::read, |_| ()));
        let start = Instant::now();
        let new = score(rows, retouch_language::read, |line| {
            if *shown {
                misses.push(format!("{name:<10} {line}"));
            }
        });
        let micros = start.elapsed().as_micros() / rows.len() as u128;
        print(name, "new", &new);
        println!("            {micros} microseconds each");
    }
    if !shows.is_empty() {
        misses.sort_by_key(|line| line[11..].to_owned());
        println!("{}", misses.join("\n"));
    }
}

#[test]
#[ignore = "slow: reads a file of instructions for videos with both readers and prints the differences"]
fn compare_videos() {
    use retouch_engine::video::VideoContext;
    let Ok(file) = std::env::var("TRYFILE") else { return };
    let inputs = std::env::var("INPUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    let context = VideoContext { inputs, ..VideoContext::default() };
    let show = |read: Result<retouch_engine::video::VideoPlan, retouch_engine::Refusal>| match read
    {
        Ok(plan) => plan.render().replace("a 5 second video at 30 frames per second: ", ""),
        Err(refusal) => format!("! {:?} {:?} {}", refusal.kind, refusal.words, refusal.message),
    };
    for line in std::fs::read_to_string(file).unwrap_or_default().lines() {
        let old = show(retouch_engine::video::read_video(line, &context));
        let start = Instant::now();
        let new = show(retouch_language::read_video(line, &context));
        let micros = start.elapsed().as_micros();
        let mark = if old == new { "=" } else { "#" };
        println!("{mark} {line}  [{micros} us]\n    old {old:.110}\n    new {new:.200}");
    }
}
