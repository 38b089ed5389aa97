//! What must not change.

use super::{WORDS_MAX, ends};
use crate::chart::{Chart, Edge};
use crate::refuse::does;
use crate::value::{Category, Value};
use retouch_engine::operations::Part;
use retouch_engine::{Length, Place, Region, Step};

/// What changes the size of the image.
const SIZES: &[&str] = &["resize", "crop", "pad", "trim", "border"];
/// What only adds to the image: "write \"A\" and leave the photo alone".
const DRAWN: &[&str] = &["text", "watermark", "mark", "shape", "overlay"];
/// Words that name no edit: "don't touch the left half", "not in the left half".
const NAMELESS: &[&str] = &["touch", "change", "convert", "shift", "in", "scene"];
/// Operations that leave shadows, midtones and highlights as they are.
const TONELESS: &[&str] = &[
    "whites",
    "blacks",
    "color_tones",
    "sharpen",
    "denoise",
    "median",
    "grain",
    "rotate",
    "flip",
    "skew",
    "zoom",
    "round_corners",
    "shadow",
    "opacity",
    "cutout",
    "mask",
    "join",
    "tile",
    "qr_code",
    "grid_lines",
];
/// Tones that an instruction can ask to keep.
const KEPT_TONES: &[&str] = &["shadows", "midtones", "highlights"];
/// Verbs behind what stays the same: "the size stays".
const STAYS: &[&str] = &["stays", "stay", "remains", "remain", "untouched", "unchanged"];

/// What must not change.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Kept {
    /// The names of operations.
    pub(crate) names: Vec<&'static str>,
    /// A side of the image: "leave the left half alone".
    side: Option<Place>,
    /// Whether it must stay as it is ("hold the highlights"), and not only be spared one effect ("without
    /// blowing the highlights").
    holds: bool,
}

impl Kept {
    /// Whether steps change it.
    pub(crate) fn is_broken_by(&self, steps: &[Step], changes: fn(&Step, &str) -> bool) -> bool {
        let spares = |step: &Step| match step {
            Step::Within(within) => self.side.is_some_and(|side| is_beside(&within.region, side)),
            _ => false,
        };
        let drawn = |step: &Step| DRAWN.iter().any(|name| does(step, name));
        let all = self.names.iter().all(|name| NAMELESS.contains(name))
            && !steps.iter().all(spares)
            && !(self.side.is_none() && steps.iter().all(drawn));
        let sized = |step: &Step| SIZES.iter().any(|name| does(step, name));
        // "Lift the shadows, hold the highlights": most other edits change all tones.
        let apart = |step: &Step| {
            if let Step::SplitTone(split) = step {
                return !self.names.contains(&tone(split.tones));
            }
            let other = KEPT_TONES.iter().chain(TONELESS).any(|name| does(step, name));
            other || sized(step) || drawn(step)
        };
        let held = self.holds || self.names.iter().any(|name| NAMELESS.contains(name));
        let toned = held && self.names.iter().any(|name| KEPT_TONES.contains(name));
        all || toned && !steps.iter().all(apart)
            || self.names.iter().any(|name| {
                // "Cut off" is a crop, too.
                let name = if *name == "cut" { "crop" } else { name };
                steps.iter().any(|step| changes(step, name) || name == "size" && sized(step))
            })
    }
}

const fn tone(part: Part) -> &'static str {
    match part {
        Part::Shadows => "shadows",
        Part::Midtones => "midtones",
        Part::Highlights => "highlights",
    }
}

/// Whether a part of the image lies at the other side.
fn is_beside(region: &Region, side: Place) -> bool {
    let Region::Part { width, height, place } = region else { return false };
    let half = |length: &Length| matches!(length, Length::Percent(share) if *share <= 50.0);
    match (side, place) {
        (Place::Left, Place::Right | Place::TopRight | Place::BottomRight)
        | (Place::Right, Place::Left | Place::TopLeft | Place::BottomLeft) => half(width),
        (Place::Top, Place::Bottom | Place::BottomLeft | Place::BottomRight)
        | (Place::Bottom, Place::Top | Place::TopLeft | Place::TopRight) => half(height),
        _ => false,
    }
}

/// What must not change: "don't touch the colors", "without cropping", "keep the contrast as it is", "the
/// size stays".
pub(crate) fn kept(chart: &Chart<'_>, at: usize) -> Vec<(usize, Kept)> {
    let mut found = stays(chart, at);
    let negations = chart.at(at).iter().filter(|edge| edge.category == Category::Negation);
    let negations = negations.filter(|edge| edge.value.word() != "undo");
    let negations = negations.map(|edge| (edge.end, edge.value.word() == "keep"));
    let held = holds_tone(chart, at).then_some((at + 1, true));
    for (behind, keeps) in negations.chain(held) {
        let (mut next, mut same, mut plain) = (behind, !keeps, true);
        let mut kept = Kept { holds: keeps, ..Kept::default() };
        // "Don't crop, rotate or flip it": only "or" tells that what follows a comma belongs to it.
        let mut list = true;
        // "Without cropping and fill the sides": what follows "and" is an edit.
        let commands = |at: usize| {
            let next = chart.tokens.get(at + 1).map_or("", |token| token.text.as_str());
            chart.tokens[behind - 1].text == "without"
                && chart.tokens[at].text == "and"
                && chart.lexicon.is_verb(next)
                && !next.ends_with("ing")
        };
        while let Some(step) =
            kept_word(chart, next).filter(|_| next < at + WORDS_MAX && !commands(next))
        {
            same |= step.same;
            plain &= step.is_quality || step.name.is_none();
            kept.names.extend(step.name);
            kept.side = kept.side.or(step.side);
            list = match chart.tokens[next].text.as_str() {
                "," => false,
                "or" => true,
                _ => list,
            };
            next = step.end;
            if let Some(end) = cut_off(chart, next, &kept.names).filter(|_| !keeps) {
                found.push((end, kept.clone()));
            }
            // "Keep the colors" says the same as "keep the colors as they are", "keep the top" does not.
            let names = &kept.names;
            let complete = if names.is_empty() { keeps && same } else { same || plain };
            // "No color" takes the colors away.
            let lost = matches!(chart.tokens[at].text.as_str(), "no" | "without")
                && next == at + 2
                && *names == ["colors"];
            if complete && list && !lost && ends(chart, next - 1).contains(&next) {
                found.push((next, kept.clone()));
            }
        }
    }
    found
}

/// "Hold the highlights", as photographers say.
fn holds_tone(chart: &Chart<'_>, at: usize) -> bool {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let behind = at + 1 + usize::from(word(at + 1) == "the");
    matches!(word(at), "hold" | "protect") && chart.at(behind).iter().any(is_tone)
}

fn is_tone(edge: &Edge) -> bool {
    edge.category == Category::Band && KEPT_TONES.contains(&edge.value.word())
}

/// The end of what must not be cut off: "don't cut off the shoes".
fn cut_off(chart: &Chart<'_>, from: usize, names: &[&str]) -> Option<usize> {
    let plain = |at: &usize| {
        let object = |edge: &Edge| {
            matches!(
                edge.category,
                Category::Thing | Category::Possessive | Category::Filler | Category::Preposition
            )
        };
        chart.is_unknown(*at) || chart.at(*at).iter().any(object)
    };
    let end = (from..chart.tokens.len()).find(|at| !plain(at)).unwrap_or(chart.tokens.len());
    let whole = end > from && ends(chart, end - 1).contains(&end);
    (matches!(names, ["crop" | "cut"]) && whole).then_some(end)
}

/// "The size stays", "midtones untouched".
fn stays(chart: &Chart<'_>, at: usize) -> Vec<(usize, Kept)> {
    let (mut kept, mut next) = (Kept { holds: true, ..Kept::default() }, at);
    let stays =
        |at: usize| chart.tokens.get(at).is_some_and(|token| STAYS.contains(&token.text.as_str()));
    let named = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Quality
                | Category::Band
                | Category::Marker
                | Category::Label
                | Category::Region
                | Category::Place
                | Category::Filler
                | Category::Image
        )
    };
    let is_noun = |at: usize| chart.at(at).iter().any(named) && chart.tokens[at].text != ",";
    while let Some(word) =
        kept_word(chart, next).filter(|word| !word.same && next < at + 5 && is_noun(next))
    {
        kept.names.extend(word.name);
        kept.side = kept.side.or(word.side);
        next = word.end;
        let named = !kept.names.is_empty() || kept.side.is_some();
        if named && is_good(chart, next) {
            let end = next + 2 + usize::from(chart.tokens[next + 1].text == "already");
            return vec![(end, kept)];
        }
        if named && stays(next) {
            let behind = next + 1;
            let end = kept_word(chart, behind).filter(|word| word.same).map_or(behind, |it| it.end);
            if ends(chart, end - 1).contains(&end) {
                return vec![(end, kept)];
            }
        }
    }
    Vec::new()
}

/// "Is already good".
fn is_good(chart: &Chart<'_>, at: usize) -> bool {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let behind = at + 1 + usize::from(word(at + 1) == "already");
    matches!(word(at), "is" | "are")
        && matches!(word(behind), "good" | "fine" | "ok" | "okay" | "perfect" | "great")
        && ends(chart, behind).contains(&(behind + 1))
}

pub(super) struct KeptWord {
    pub(super) end: usize,
    pub(super) name: Option<&'static str>,
    pub(super) same: bool,
    is_quality: bool,
    side: Option<Place>,
}

/// One phrase behind "don't" or "keep".
pub(super) fn kept_word(chart: &Chart<'_>, at: usize) -> Option<KeptWord> {
    let colors = chart.tokens.get(at)?.text.starts_with("color");
    let edges = chart.at(at).iter();
    let rated = edges.filter_map(|edge| {
        // "Keep the reds" takes the color from all else; "keep the highlights" asks for nothing.
        let is_quality = edge.category == Category::Quality || is_tone(edge);
        let name = match edge.category {
            Category::Quality | Category::Marker if colors => Some("colors"),
            Category::Op | Category::Quality => edge.value.uses().first().map(|used| used.name),
            Category::Marker if edge.value.word() == "except" => return None,
            Category::Band | Category::Marker | Category::Verb => Some(edge.value.word()),
            Category::Label if edge.value.word().ends_with("point") => Some("levels point"),
            Category::Region if side(edge).is_none() => return None,
            // "The upper one".
            Category::Numeral if chart.tokens[at].text == "one" => None,
            // What is kept of one image of several says nothing about the result.
            Category::Image if edge.value.picture().is_some() || edge.value.word() == "first" => {
                return None;
            }
            Category::Filler
            | Category::Image
            | Category::Noun
            | Category::Turn
            | Category::Place
            | Category::Region
            | Category::Axis
            | Category::Degree => None,
            Category::Joint if matches!(edge.value.word(), "or" | "and") => None,
            Category::Joint if chart.tokens[at].text == "," => None,
            _ => return None,
        };
        let same = matches!(name, Some("same"));
        let name = name.filter(|name| *name != "same");
        Some(KeptWord { end: edge.end, name, same, is_quality, side: side(edge) })
    });
    // "The color" has several meanings.
    let rating = |word: &KeptWord| {
        let named = word.name.is_some();
        (word.end, word.is_quality, word.name == Some("colors"), named, word.side.is_some())
    };
    rated.max_by_key(rating)
}

/// The side of the image that a phrase names: "left", "the left half".
fn side(edge: &Edge) -> Option<Place> {
    let place = match &edge.value {
        Value::Place(place) | Value::Region(Region::Part { place, .. }) => *place,
        _ => return None,
    };
    let sides = [Place::Left, Place::Right, Place::Top, Place::Bottom];
    sides.contains(&place).then_some(place)
}
