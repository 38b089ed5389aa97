//! What must not change.

use super::{WORDS_MAX, ends};
use crate::chart::Chart;
use crate::value::Category;

/// What must not change: "don't touch the colors", "without cropping", "keep the contrast as it is".
pub(crate) fn kept(chart: &Chart<'_>, at: usize) -> Vec<(usize, Vec<&'static str>)> {
    let mut found = Vec::new();
    let negations = chart.at(at).iter().filter(|edge| edge.category == Category::Negation);
    for edge in negations.filter(|edge| edge.value.word() != "undo") {
        let keeps = edge.value.word() == "keep";
        let (mut names, mut next, mut same, mut plain) = (Vec::new(), edge.end, !keeps, true);
        // "Don't crop, rotate or flip it": only "or" tells that what follows a comma belongs to it.
        let mut list = true;
        while let Some(step) = kept_word(chart, next).filter(|_| next < at + WORDS_MAX) {
            same |= step.same;
            plain &= step.is_quality || step.name.is_none();
            names.extend(step.name);
            list = match chart.tokens[next].text.as_str() {
                "," => false,
                "or" => true,
                _ => list,
            };
            next = step.end;
            // "Keep the colors" says the same as "keep the colors as they are", "keep the top" does not.
            let complete = if names.is_empty() { keeps && same } else { same || plain };
            // "No color" takes the colors away.
            let lost = chart.tokens[at].text == "no" && next == at + 2 && names == ["colors"];
            if complete && list && !lost && ends(chart, next - 1).contains(&next) {
                found.push((next, names.clone()));
            }
        }
    }
    found
}

pub(super) struct KeptWord {
    pub(super) end: usize,
    pub(super) name: Option<&'static str>,
    pub(super) same: bool,
    is_quality: bool,
}

/// One phrase behind "don't" or "keep".
pub(super) fn kept_word(chart: &Chart<'_>, at: usize) -> Option<KeptWord> {
    let colors = chart.tokens.get(at)?.text.starts_with("color");
    let edges = chart.at(at).iter();
    let rated = edges.filter_map(|edge| {
        let is_quality = edge.category == Category::Quality;
        let name = match edge.category {
            Category::Quality | Category::Marker if colors => Some("colors"),
            Category::Op | Category::Quality => edge.value.uses().first().map(|used| used.name),
            Category::Marker if edge.value.word() == "except" => return None,
            Category::Band | Category::Marker | Category::Verb => Some(edge.value.word()),
            // What is kept of one image of several says nothing about the result.
            Category::Image if edge.value.picture().is_some() || edge.value.word() == "first" => {
                return None;
            }
            Category::Filler
            | Category::Image
            | Category::Turn
            | Category::Place
            | Category::Axis
            | Category::Degree => None,
            Category::Joint if matches!(edge.value.word(), "or" | "and") => None,
            Category::Joint if chart.tokens[at].text == "," => None,
            _ => return None,
        };
        let same = matches!(name, Some("same"));
        let name = name.filter(|name| *name != "same");
        Some(KeptWord { end: edge.end, name, same, is_quality })
    });
    // "The color" has several meanings.
    let rating = |word: &KeptWord| {
        (word.end, word.is_quality, word.name == Some("colors"), word.name.is_some())
    };
    rated.max_by_key(rating)
}
