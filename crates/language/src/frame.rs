//! Frames: what an edit may consist of, declared in `frames/*.tsv`.
//!
//! A row has five columns: the name of the frame, the slots it needs, the slots it may have, the
//! builder that makes steps of them (with a `*` if it is about all images), and an example, behind a
//! `!` if it is refused. A question has a sixth one: what is asked. A slot is written
//! `name=category:value|value@preposition,preposition`. The name can be left out if it is the
//! category. Without `@`, the slot takes no preposition; `-` in the list allows that too. A `*` at the
//! end allows several. `$name` stands for the slots of the row `let name`.

use crate::build::{self, Builder};
use crate::value::{Amount, Category, Value};
use retouch_engine::Color;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The files.
const FILES: &[&str] = &[
    include_str!("../frames/tone_and_color.tsv"),
    include_str!("../frames/geometry.tsv"),
    include_str!("../frames/drawing.tsv"),
    include_str!("../frames/several.tsv"),
    include_str!("../frames/questions.tsv"),
    include_str!("../frames/saving.tsv"),
    include_str!("../frames/making.tsv"),
    CAMERA,
];

/// The frames that only videos have: each needs a word that only their lexicon has.
const CAMERA: &str = include_str!("../frames/camera.tsv");

/// The most slots of a frame.
const SLOTS_MAX: usize = 32;

/// An edit with its slots.
pub(crate) struct Frame {
    pub(crate) slots: Vec<Slot>,
    pub(crate) builder: Builder,
    /// The slots that must be filled, as bits.
    pub(crate) needed: u32,
    /// Whether it needs a remark before, which says what "it" is.
    pub(crate) refers: bool,
    /// Whether it is about all images and not about the first one alone.
    pub(crate) several: bool,
    /// Whether it says what a camera does.
    pub(crate) films: bool,
    /// What to ask, if it says too little.
    pub(crate) question: &'static str,
}

/// What can be filled in.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) name: &'static str,
    pub(crate) category: Category,
    /// The values of words that fit; all if there are none.
    values: Vec<&'static str>,
    /// The prepositions that may stand before it; an empty one stands for none.
    prepositions: Vec<&'static str>,
    pub(crate) many: bool,
}

/// One row of a file, for tests and documentation.
#[derive(Debug, Clone, Copy)]
pub struct FrameRow {
    /// The name of the frame.
    pub name: &'static str,
    /// An instruction that it reads, or refuses if there is a `!` before it or a question.
    pub example: &'static str,
    /// Whether the instruction is one for a video.
    pub is_of_video: bool,
    /// What it asks.
    pub question: &'static str,
}

/// All frames, loaded once.
pub(crate) fn frames() -> &'static [Frame] {
    static FRAMES: LazyLock<Vec<Frame>> = LazyLock::new(load);
    &FRAMES
}

/// The rows of all frames.
pub fn frame_rows() -> impl Iterator<Item = FrameRow> {
    let rows =
        FILES.iter().flat_map(|file| lines(file).map(move |columns| (*file == CAMERA, columns)));
    rows.filter(|(_, columns)| !columns[0].starts_with("let ")).map(|(is_of_video, columns)| {
        FrameRow {
            name: columns[0],
            example: columns.get(4).copied().unwrap_or_default(),
            is_of_video,
            question: columns.get(5).copied().unwrap_or_default(),
        }
    })
}

fn lines(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    file.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

fn load() -> Vec<Frame> {
    let mut named = HashMap::new();
    let mut frames = Vec::new();
    let rows =
        FILES.iter().flat_map(|file| lines(file).map(move |columns| (*file == CAMERA, columns)));
    for (films, columns) in rows {
        match (columns[0].strip_prefix("let "), columns.as_slice()) {
            (Some(name), [_, slots, ..]) => {
                named.insert(name, *slots);
            }
            (None, [_, needs, may, builder, ..]) => {
                // A frame whose slots are not understood would leave them out, so it is left out itself.
                let Some(needs) = slots(needs, &named) else { continue };
                let Some(may) = slots(may, &named) else { continue };
                let needed = (1_u32 << needs.len()) - 1;
                let slots: Vec<_> = needs.into_iter().chain(may).collect();
                // A test checks that the rows are well formed.
                let refers = *builder == "again";
                let (builder, several) =
                    builder.strip_suffix('*').map_or((*builder, false), |builder| (builder, true));
                if let Some(builder) = build::named(builder)
                    && slots.len() <= SLOTS_MAX
                {
                    let question = columns.get(5).copied().unwrap_or_default();
                    frames.push(Frame { slots, builder, needed, refers, several, films, question });
                }
            }
            _ => {}
        }
    }
    frames
}

fn slots(column: &'static str, named: &HashMap<&str, &'static str>) -> Option<Vec<Slot>> {
    let mut all = Vec::new();
    for word in column.split(' ').filter(|word| !word.is_empty()) {
        match word.strip_prefix('$') {
            Some(name) => all.extend(slots(named.get(name)?, named)?),
            None => all.push(slot(word)?),
        }
    }
    Some(all)
}

fn slot(text: &'static str) -> Option<Slot> {
    let (text, many) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
    let (text, prepositions) = text.split_once('@').unwrap_or((text, "-"));
    let (name, filled_by) = text.split_once('=').unwrap_or(("", text));
    let (category, values) = filled_by.split_once(':').unwrap_or((filled_by, ""));
    let prepositions = prepositions.split(',').map(|word| word.trim_matches('-')).collect();
    let name = if name.is_empty() { category } else { name };
    // The names of operations have underscores of their own.
    let operation = matches!(category, "op" | "act" | "quality" | "trait");
    let values = values.split('|').filter(|value| !value.is_empty());
    let values = values.map(|value| if operation { value } else { spaced(value) }).collect();
    Some(Slot { name, category: category.parse().ok()?, values, prepositions, many })
}

/// A value with its spaces, which are written as underscores. It lives as long as the frames.
fn spaced(value: &'static str) -> &'static str {
    if value.contains('_') { Box::leak(value.replace('_', " ").into_boxed_str()) } else { value }
}

impl Slot {
    /// Whether an edge can fill it behind a preposition.
    pub(crate) fn takes(&self, category: Category, value: &Value, preposition: &str) -> bool {
        self.category == category
            && self.prepositions.contains(&preposition)
            && (self.values.is_empty() || self.values.contains(&value.word()))
    }

    /// Whether an edge of its category could fill it at all.
    pub(crate) fn could_take(&self, value: &Value) -> bool {
        self.values.is_empty() || self.values.contains(&value.word())
    }
}

/// The slots of a frame, filled.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filled<'a> {
    entries: Vec<Entry<'a>>,
}

/// The name of a slot, what fills it, and the preposition before it.
pub(crate) type Entry<'a> = (&'static str, &'a Value, &'static str);

impl<'a> Filled<'a> {
    pub(crate) fn push(&mut self, slot: &'static str, value: &'a Value, preposition: &'static str) {
        self.entries.push((slot, value, preposition));
    }

    pub(crate) fn new(entries: impl Iterator<Item = Entry<'a>>) -> Self {
        Self { entries: entries.collect() }
    }

    /// All filled slots, in the order of the words.
    pub(crate) fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// The value of a slot.
    pub(crate) fn get(&self, slot: &str) -> Option<&'a Value> {
        self.entries.iter().find(|(name, ..)| *name == slot).map(|(_, value, _)| *value)
    }

    /// Whether a slot is filled.
    pub(crate) fn has(&self, slot: &str) -> bool {
        self.get(slot).is_some()
    }

    /// All values of a slot that takes several.
    pub(crate) fn all(&self, slot: &str) -> impl Iterator<Item = &'a Value> {
        self.entries.iter().filter(move |(name, ..)| *name == slot).map(|(_, value, _)| *value)
    }

    /// Whether one slot is filled behind another one.
    pub(crate) fn is_behind(&self, slot: &str, other: &str) -> bool {
        let at = |slot: &str| self.entries.iter().position(|(name, ..)| *name == slot);
        at(slot) > at(other)
    }

    /// The word in a slot, or nothing.
    pub(crate) fn word(&self, slot: &str) -> &'static str {
        self.get(slot).map_or("", Value::word)
    }

    /// Whether one of several words is in a slot.
    pub(crate) fn says(&self, slot: &str, word: &str) -> bool {
        self.all(slot).any(|value| value.word() == word)
    }

    /// The preposition before a slot, or nothing.
    pub(crate) fn preposition(&self, slot: &str) -> &'static str {
        self.entries.iter().find(|(name, ..)| *name == slot).map_or("", |(.., word)| word)
    }

    /// The color and the width of a detail: "a thin black outline".
    pub(crate) fn detail(&self, name: &str) -> Option<(Option<Color>, Option<Amount>)> {
        // "A price tag, yellow box": the same detail twice, once with its color.
        let found = self.all("detail").filter_map(|value| match value {
            Value::Detail(found, color, width) if *found == name => Some((*color, *width)),
            _ => None,
        });
        found.reduce(|one, other| (one.0.or(other.0), one.1.or(other.1)))
    }

    /// The amount that measures something: "radius of 2px".
    pub(crate) fn measure(&self, slot: &str, label: &str) -> Option<Amount> {
        self.all(slot).find(|value| value.word() == label).and_then(Value::amount)
    }
}
