//! The lexicon: every word and phrase that the reader knows, one a row of `lexicon/*.tsv`.
//!
//! A row has four columns: the phrase, its category, its value, and an instruction that uses it. A
//! `~` behind the category marks a regular verb, whose other forms are added ("crop" also brings
//! "crops", "cropped" and "cropping").

use crate::passes::spelling::{self, Spelling};
use crate::token::{self, Kind};
use crate::value::Category;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The files, by name.
const FILES: &[(&str, &str)] = &[
    ("amounts", include_str!("../lexicon/amounts.tsv")),
    ("places", include_str!("../lexicon/places.tsv")),
    ("colors", include_str!("../lexicon/colors.tsv")),
    ("edits", include_str!("../lexicon/edits.tsv")),
    ("effects", include_str!("../lexicon/effects.tsv")),
    ("sizes", include_str!("../lexicon/sizes.tsv")),
    ("pieces", include_str!("../lexicon/pieces.tsv")),
    ("grammar", include_str!("../lexicon/grammar.tsv")),
    ("social", include_str!("../lexicon/social.tsv")),
    ("foreign", include_str!("../lexicon/foreign.tsv")),
    ("things", include_str!("../lexicon/things.tsv")),
    (CAMERA, include_str!("../lexicon/camera.tsv")),
];

/// The file of words that only videos have.
const CAMERA: &str = "camera";

/// Words from the SCOWL lists, which are never taken for typing errors.
const ENGLISH: &str = include_str!("../words/english.txt");

/// One row.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The file, for messages.
    pub file: &'static str,
    /// The words.
    pub phrase: &'static str,
    /// The category, with a `~` for regular verbs.
    pub category: &'static str,
    /// What it means within its category.
    pub value: &'static str,
    /// An instruction that needs the row.
    pub example: &'static str,
}

impl Row {
    /// Whether only instructions for videos use it.
    #[must_use]
    pub fn is_of_video(&self) -> bool {
        self.file == CAMERA
    }
}

/// A phrase, cut into words.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) words: Vec<String>,
    pub(crate) category: Category,
    pub(crate) value: &'static str,
}

/// All phrases by their first word.
pub(crate) struct Lexicon {
    entries: HashMap<String, Vec<Entry>>,
    words: HashSet<String>,
    /// Their spellings by the length in bytes.
    by_length: HashMap<usize, Vec<Spelling>>,
    verbs: HashSet<String>,
    /// Whether it is for videos.
    films: bool,
}

/// All rows, in the order of the files.
pub fn rows() -> impl Iterator<Item = Row> {
    FILES.iter().flat_map(|(file, text)| {
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
            let mut columns = line.split('\t');
            let mut next = || columns.next().unwrap_or_default();
            Row { file, phrase: next(), category: next(), value: next(), example: next() }
        })
    })
}

/// The lexicon of edits, loaded once.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::load(false));
    &LEXICON
}

/// The lexicon of edits and camera moves, loaded once.
pub(crate) fn film_lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::load(true));
    &LEXICON
}

/// Whether `word` is English, so that it is no typing error.
pub(crate) fn is_english(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ENGLISH.lines().collect());
    WORDS.contains(word)
}

impl Lexicon {
    fn load(films: bool) -> Self {
        let mut lexicon = Self {
            entries: HashMap::new(),
            words: HashSet::new(),
            by_length: HashMap::new(),
            verbs: HashSet::new(),
            films,
        };
        // "Out" has a meaning for a camera, so it is not left out, and "zoom in" is what it does.
        let moves: HashSet<&str> = match films {
            true => rows().filter(Row::is_of_video).map(|row| row.phrase).collect(),
            false => HashSet::new(),
        };
        let kept = |row: &Row| match row.is_of_video() {
            true => films,
            false if row.category == "filler" || row.value.starts_with("still ") => {
                !moves.contains(row.phrase)
            }
            false => true,
        };
        for row in rows().filter(kept) {
            let (category, verb) = match row.category.strip_suffix('~') {
                Some(category) => (category, true),
                None => (row.category, false),
            };
            // A test checks that every row has a category that exists.
            let Ok(category) = category.parse() else { continue };
            let words = words_of(row.phrase);
            if verb {
                lexicon.verbs.extend(words.first().cloned());
            }
            let forms = if verb { inflected(&words) } else { vec![words] };
            for words in forms {
                lexicon.add(Entry { words, category, value: row.value });
            }
        }
        lexicon.by_length = spelling::by_length(lexicon.words.iter().map(String::as_str));
        lexicon
    }

    fn add(&mut self, entry: Entry) {
        // Words of other languages are known, but nothing is corrected to them.
        if entry.category != Category::Foreign {
            self.words.extend(entry.words.iter().cloned());
        }
        let Some(first) = entry.words.first() else { return };
        self.entries.entry(first.clone()).or_default().push(entry);
    }

    /// The phrases that begin with a word.
    pub(crate) fn beginning_with(&self, word: &str) -> &[Entry] {
        self.entries.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether a phrase contains the word.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Whether a word is a verb that may command: "sharpen", not "sharper".
    pub(crate) fn is_verb(&self, word: &str) -> bool {
        self.verbs.contains(word)
    }

    /// The spellings of words that have a length in bytes.
    pub(crate) fn of_length(&self, length: usize) -> &[Spelling] {
        self.by_length.get(&length).map_or(&[], Vec::as_slice)
    }

    /// Whether it is for videos.
    pub(crate) const fn films(&self) -> bool {
        self.films
    }
}

/// The words of a phrase, cut as an instruction is.
fn words_of(phrase: &str) -> Vec<String> {
    let tokens = token::cut(phrase);
    tokens
        .into_iter()
        .filter(|token| token.kind != Kind::Quoted(String::new()))
        .map(|token| token.text)
        .collect()
}

/// A verb phrase in all forms of its first word.
fn inflected(words: &[String]) -> Vec<Vec<String>> {
    let Some((verb, rest)) = words.split_first() else { return Vec::new() };
    let forms =
        [verb.clone(), third_person(verb), with_ending(verb, "ed"), with_ending(verb, "ing")];
    forms.into_iter().map(|form| [&[form], rest].concat()).collect()
}

fn third_person(verb: &str) -> String {
    let hissing = ["s", "x", "z", "ch", "sh"].iter().any(|end| verb.ends_with(end));
    format!("{verb}{}", if hissing { "es" } else { "s" })
}

fn with_ending(verb: &str, ending: &str) -> String {
    let vowel = |c: char| "aeiou".contains(c);
    let last: Vec<char> = verb.chars().rev().take(3).collect();
    let vowels = verb.chars().filter(|c| vowel(*c)).count();
    match last.as_slice() {
        ['e', 'e', ..] => format!("{verb}{}", ending.trim_start_matches('e')),
        ['e', ..] => format!("{}{ending}", &verb[..verb.len() - 1]),
        ['y', before, ..] if ending == "ed" && !vowel(*before) => {
            format!("{}ied", &verb[..verb.len() - 1])
        }
        // "crop", "cropping"; "lighten" has two vowels and "show" ends in a half vowel.
        [last, middle, first]
            if vowels == 1
                && vowel(*middle)
                && !vowel(*first)
                && !vowel(*last)
                && !"wxy".contains(*last) =>
        {
            format!("{verb}{last}{ending}")
        }
        _ => format!("{verb}{ending}"),
    }
}
