//! Comparisons, and words for a mood: "like an old mac", "spotify vibes".

use super::behind::says_what;
use super::{Aside, Why, has, is_stop, unfinished};
use crate::chart::{Chart, Edge};
use crate::token::Kind;
use crate::value::Category;

/// The most words of a comparison, and of the words before a mood.
const WORDS_MAX: usize = 8;
const ADJECTIVES_MAX: usize = 3;
/// Words for a mood, and for a way to look that only some edits have.
const MOODS: &[&str] = &["vibes", "vibe", "mode", "energy", "feel", "feeling", "thing"];
const STYLES: &[&str] = &["style", "look", "effect", "aesthetic"];
/// Operations with a look of their own, which a comparison may describe.
pub(crate) const LOOKS: &str = "posterize pixelate halftone dither motion_blur hue threshold duotone \
    emboss sketch glow vignette sepia grain polaroid edges split_tone fade grayscale invert colorize \
    solarize soft_focus color_tones keep_color";

/// Units of lengths, which are no comparison. A film is of 35 mm.
pub(super) const LENGTHS: &[&str] = &[
    "cm",
    "centimeter",
    "centimeters",
    "centimetre",
    "centimetres",
    "inch",
    "inches",
    "px",
    "pixel",
    "pixels",
    "percent",
    "%",
];

/// What a comparison needs to be one: nothing, or an edit with a look of its own. "Darken it like a
/// cartoon" would be a wish.
pub(super) fn compares(chart: &Chart<'_>, from: usize, end: usize) -> Option<&'static str> {
    let looks = from.checked_sub(2).is_some_and(|at| chart.tokens[at].text == "look");
    let described = |at: usize| {
        let thing = |edge: &Edge| {
            edge.category == Category::Thing && !is_style(edge) || edge.category == Category::Color
        };
        chart.at(at).iter().any(thing) && matches!(chart.tokens[at].kind, Kind::Word)
    };
    // "Vintage and like lots of grain" asks for it.
    let asks = (from..end).any(|at| {
        chart.at(at).iter().any(|edge| edge.category == Category::Op && edge.end <= end)
            && !chart.at(at).iter().any(|edge| edge.category == Category::Thing)
    });
    // "Like on old prints, about a centimeter", "like the bottom left quarter" say how much or where.
    let measures = has(chart, from, end, Category::Strip)
        || (from..end).any(|at| LENGTHS.contains(&chart.tokens[at].text.as_str()));
    // "Black and white but like moody, dark shadows" asks for them, too.
    if asks || measures || has(chart, from, end, Category::Band) {
        return None;
    }
    let plain = (from..end).all(|at| !says_what(chart, at));
    let known = plain || (from..end).all(|at| !says_what(chart, at) || described(at));
    let named = has(chart, from, end, Category::Picture) || has(chart, from, end, Category::Model);
    // "Like my camera does".
    let does = matches!(chart.tokens[end - 1].text.as_str(), "does" | "do" | "did" | "has");
    let unfinished = !does && unfinished(chart, end);
    if looks || !known || named || unfinished || end - from > WORDS_MAX {
        return None;
    }
    Some(if plain && end - from <= 5 { "" } else { LOOKS })
}

/// Whether a thing is a way to paint or draw: "cartoon".
fn is_style(edge: &Edge) -> bool {
    edge.category == Category::Thing && edge.value.word() == "style"
}

/// "Super fast vibes", "alien mode", "old Mac style": words for a mood between signs.
pub(super) fn moods(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let signs = |at: usize| {
        chart.tokens.get(at).is_none_or(|token| {
            token.text == "," || is_stop(&token.text) || token.kind == Kind::Sign
        })
    };
    let wanted =
        |at: usize| matches!(chart.tokens[at].text.as_str(), "want" | "gimme" | "need" | "like");
    let begins = at > 0 && (signs(at - 1) || wanted(at - 1));
    let mood = (at + 1..chart.tokens.len().min(at + ADJECTIVES_MAX + 1)).find(|at| {
        let text = chart.tokens[*at].text.as_str();
        MOODS.contains(&text) || STYLES.contains(&text)
    });
    let Some(mood) = mood.filter(|mood| begins && signs(mood + 1)) else { return Vec::new() };
    let noun = chart.tokens[mood].text.as_str();
    let style = noun == "thing" || STYLES.contains(&noun);
    // "The usual listing look" is nothing more.
    let usual = chart.tokens[at].text == "the" && chart.tokens[at + 1].text == "usual";
    let plain = (at..mood).all(|at| {
        let edits = |edge: &Edge| {
            matches!(
                edge.category,
                Category::Op
                    | Category::Act
                    | Category::Band
                    | Category::Color
                    | Category::Look
                    | Category::Negation
                    | Category::Model
            ) || edge.category == Category::Thing && (style || is_style(edge))
        };
        chart.tokens[at].kind == Kind::Word && !chart.at(at).iter().any(edits)
    });
    // "Old Mac style" compares, "a painter's style" is a wish.
    let dated = matches!(chart.tokens[at].text.as_str(), "old" | "retro" | "classic" | "that");
    let plain = plain && (!style || usual || dated);
    let given = if usual { "" } else { LOOKS };
    let aside = Aside { given, ..Aside::new(Why::Comparison) };
    if plain { vec![(mood + 1, aside)] } else { Vec::new() }
}
