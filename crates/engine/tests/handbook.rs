//! Generates docs/editing-by-words.md from the engine's tables, with an image for every operation.
//! A test does this instead of the program: operators need no generator, and the same code checks
//! that the document is up to date.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod chapters;
mod operation;
mod page;
mod sheet;
mod shown;

use chapters::{CHAPTERS, Entry};
use retouch_engine::{Picture, capabilities, makings};
use std::collections::BTreeSet;
use std::path::Path;

/// Set this environment variable to regenerate the handbook and its images.
const WRITE: &str = "RETOUCH_WRITE_DOCS";
const HOW: &str =
    "to regenerate it, run RETOUCH_WRITE_DOCS=1 cargo test -p retouch-engine-tests handbook";

fn entries() -> impl Iterator<Item = &'static Entry> {
    CHAPTERS.iter().flat_map(|chapter| chapter.entries)
}

#[test]
fn every_operation_has_its_place_in_the_handbook_once() {
    let mut placed: Vec<&str> = entries().map(|entry| entry.name).collect();
    let mut known: Vec<&str> =
        capabilities().iter().chain(makings()).map(|capability| capability.name).collect();
    placed.sort_unstable();
    known.sort_unstable();
    assert_eq!(placed, known);
}

#[test]
fn every_picture_shows_what_its_title_says() {
    for entry in entries() {
        let plan = shown::plan(entry.shown, entry.inputs.len());
        let done = plan.steps.last().unwrap().capability().name;
        assert_eq!(done, entry.name, "{}", entry.shown);
    }
}

#[test]
fn the_handbook_is_what_the_tables_say() {
    let path = shown::documents().join("editing-by-words.md");
    let page = page::document();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap();
    let differs = kept.lines().zip(page.lines()).find(|(kept, made)| kept != made);
    assert!(kept == page, "the first difference is {differs:#?}; {HOW}");
}

#[test]
fn every_picture_of_the_handbook_is_what_its_example_makes() {
    let made = pictures();
    let folder = shown::documents().join("editing-by-words");
    if std::env::var_os(WRITE).is_some() {
        write(&folder, &made);
    }
    let kept: BTreeSet<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let wanted: BTreeSet<String> = made.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(kept, wanted, "{HOW}");
    for (name, bytes) in &made {
        let kept = std::fs::read(folder.join(name)).unwrap();
        let apart = apart(&shown::decoded(&kept), &shown::decoded(bytes));
        assert!(apart <= LEVELS_APART_MAX, "{name} differs by {apart} levels; {HOW}");
    }
}

/// The mean difference between processors that is allowed, in levels. It is far below a visible
/// change.
const LEVELS_APART_MAX: f64 = 0.05;

fn apart(one: &Picture, other: &Picture) -> f64 {
    if one.size() != other.size() {
        return f64::INFINITY;
    }
    let pairs = one.pixels().iter().zip(other.pixels());
    let sum: u64 = pairs.map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
    sum as f64 / one.pixels().len() as f64
}

/// All files in the handbook's folder.
fn pictures() -> Vec<(String, Vec<u8>)> {
    let examples: Vec<(&Entry, Picture)> =
        entries().map(|entry| (entry, shown::shown(entry))).collect();
    let named = |name: &str, picture: &Picture| (format!("{name}.jpg"), shown::jpeg(picture));
    let mut pictures = vec![
        named("original", &shown::original()),
        named("contact-sheet", &sheet::sheet(&examples)),
    ];
    pictures.extend(examples.iter().map(|(entry, picture)| named(entry.name, picture)));
    pictures
}

fn write(folder: &Path, pictures: &[(String, Vec<u8>)]) {
    if folder.exists() {
        std::fs::remove_dir_all(folder).unwrap();
    }
    std::fs::create_dir_all(folder).unwrap();
    for (name, bytes) in pictures {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}
