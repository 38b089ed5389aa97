//! Instructions that are understood, with what they mean.

use retouch_engine::{Context, Step};
use retouch_language::read;

const BUILDING: &str = include_str!("../../corpus/building.txt");
const UNDERSTOOD: &str = include_str!("../../../engine/tests/understanding/understood.txt");

/// Operations with nothing that a pronoun behind them could stand for.
const PLAIN: &[&str] = &[
    "brightness",
    "contrast",
    "exposure",
    "saturation",
    "vibrance",
    "warmth",
    "clarity",
    "shadows",
    "midtones",
    "highlights",
    "grayscale",
    "sepia",
    "invert",
    "fade",
    "tint",
    "posterize",
    "blur",
    "sharpen",
    "denoise",
    "grain",
    "glow",
    "vignette",
    "pixelate",
    "emboss",
    "sketch",
    "rotate",
    "flip",
    "crop",
    "resize",
];

/// An instruction that is understood.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) words: String,
    pub(crate) context: Context,
    pub(crate) steps: Vec<Step>,
}

impl Known {
    /// Whether all words may be written otherwise, because no text is quoted or written.
    pub(crate) fn is_free(&self) -> bool {
        let writes = |step: &Step| match step {
            Step::Text(_) | Step::Watermark(_) | Step::QrCode(_) => true,
            Step::Join(join) => !join.captions.is_empty(),
            _ => false,
        };
        !self.words.contains(['"', '“', '‘', '„', '«']) && !self.steps.iter().any(writes)
    }

    /// Whether it is one short edit that says nothing about others.
    pub(crate) fn is_simple(&self) -> bool {
        let restricts =
            |word| matches!(word, "without" | "w/o" | "keep" | "keeping" | "no" | "not");
        let plain = |step: &Step| PLAIN.contains(&step.capability().name);
        self.is_free()
            && self.steps.len() == 1
            && self.steps.iter().all(plain)
            && self.words.split(' ').count() <= 6
            && !self.words.split(' ').any(restricts)
            && !self.words.contains([',', '.', '!', '?', ':', ';', '\n', '\'', '-'])
    }
}

/// All instructions of the two sets that are understood.
pub(crate) fn known() -> Vec<Known> {
    let mut inputs = 1;
    let mut rows: Vec<(&str, usize)> = Vec::new();
    for line in BUILDING.lines().map(str::trim) {
        if let Some(count) = line.strip_prefix("@ pictures ") {
            inputs = count.parse().unwrap_or(1);
        } else if let Some((instruction, expected)) = line.split_once(" | ")
            && !expected.starts_with('!')
        {
            rows.push((instruction, inputs));
        }
    }
    let understood = UNDERSTOOD.lines().filter(|line| !line.starts_with('#'));
    rows.extend(understood.filter_map(|line| Some((line.split_once(" | ")?.0, 2))));
    let read = rows.into_iter().filter_map(|(words, inputs)| {
        let context = Context { inputs, ..Context::default() };
        let steps = read(words, &context).ok()?.steps;
        Some(Known { words: words.to_owned(), context, steps })
    });
    read.collect()
}
