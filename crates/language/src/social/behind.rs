//! What follows a preposition or a conjunction and changes nothing: reasons, purposes, comparisons, goals.

use super::motion::animates;
use super::scene::is_plain;
use super::{
    Aside, Why, has, is_remark, is_unknown, likeness, outcome, statements, unfinished, wishes,
};
use crate::chart::{Chart, Edge};
use crate::lexicon::is_english;
use crate::token::Kind;
use crate::value::Category;
use strsim::osa_distance;

/// The most words of a purpose.
const PURPOSE_WORDS_MAX: usize = 8;
/// Words before a color.
const OF_COLORS: &[&str] =
    &["pure", "plain", "solid", "deep", "bright", "pale", "light", "dark", "soft"];
/// Words for sides of the image, which may be misspelled.
const SIDES: &[&str] = &["left", "right", "top", "bottom", "center", "middle", "clockwise"];
/// Words before "to" that wish for what follows it.
const WISHING: &[&str] = &["like", "want", "wants", "need", "needs", "love", "prefer", "wish"];

/// What the words from behind a preposition or conjunction to an end are, if they change nothing.
pub(super) fn behind(chart: &Chart<'_>, why: Why, from: usize, end: usize) -> Option<Aside> {
    let about_thing = why == Why::Reason && is_remark(chart, from, end) == Some(true);
    let given = match why {
        Why::Comparison => likeness::compares(chart, from, end)?,
        Why::Goal => {
            match outcome::given(chart, from, end).or_else(|| outcome::seen(chart, from, end)) {
                Some(given) => given,
                None => fits(chart, why, from, end).then_some("")?,
            }
        }
        _ => fits(chart, why, from, end).then_some("")?,
    };
    Some(Aside { about_thing, given, ..Aside::new(why) })
}

/// Whether the words from a preposition or conjunction on change nothing.
fn fits(chart: &Chart<'_>, why: Why, from: usize, end: usize) -> bool {
    match why {
        // "As needed" is a condition, "as it is too dark" a reason.
        Why::Reason if chart.tokens[from - 1].text == "as" => {
            is_remark(chart, from, end).is_some() && !animates(chart, Why::Remark, from, end)
        }
        // "Because of the lamp in my kitchen": a noun alone asks for nothing.
        Why::Reason
            if matches!(chart.tokens[from - 1].text.as_str(), "of" | "to")
                && (from..end).all(|at| is_plain(chart, at)) =>
        {
            true
        }
        Why::Reason => {
            !has(chart, from, end, Category::Thing) || is_remark(chart, from, end).is_some()
        }
        Why::Purpose => !unfinished(chart, end) && is_purpose(chart, from, end),
        // Behind "to" there is no subject: "dither to 4 levels".
        Why::Goal if chart.tokens[from].text != "nothing" && wishes::wishes(chart, from, end) => {
            false
        }
        Why::Goal => {
            let to = chart.tokens[from - 1].text == "to";
            // "I would like to have the picture in the style of an old master" asks for it.
            let wished = to && from > 1 && WISHING.contains(&chart.tokens[from - 2].text.as_str());
            if wished {
                return false;
            }
            // "I want it to look like a cartoon" asks for it.
            let alike = to && chart.tokens[from].text == "look";
            // "So it prints on black tees".
            let behind_on =
                |at: usize| chart.tokens[at - 1].text == "on" && describes(chart, at, end);
            // "So nothing is lost".
            let nothing = chart.tokens[from].text == "nothing";
            let plain = (nothing || !unfinished(chart, end))
                && (from..end).all(|at| !says_what(chart, at) || behind_on(at));
            !alike && plain && is_goal(chart, from, end)
                || !to && outcome::is_outcome(chart, from, end)
                || !to && outcome::enables(chart, from, end)
        }
        Why::Politeness | Why::Remark | Why::Comparison => true,
    }
}

/// Whether a word says what an edit should do: numbers, colors, texts, things that only a model can
/// find.
pub(super) fn says_what(chart: &Chart<'_>, at: usize) -> bool {
    matches!(chart.tokens[at].kind, Kind::Number(_) | Kind::Quoted(_) | Kind::Hex(_))
        || chart.at(at).iter().any(|edge| {
            matches!(
                edge.category,
                Category::Color
                    | Category::Thing
                    | Category::Model
                    | Category::Picture
                    | Category::Negation
                    | Category::Ratio
                    | Category::Size
                    | Category::Measure
                    | Category::File
            ) || edge.category == Category::Elsewhere && statements::is_of_file(edge)
        })
}

/// "for my pfp", "for the website", "for the ocean view": not "for the sky", not "for the shadows".
fn is_purpose(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let edits = [Category::Band, Category::Quality, Category::Op, Category::Region];
    let image = (from..from + 2).any(|at| {
        chart.at(at).iter().any(|edge| {
            let whole = edge.category == Category::Image && edge.end == end;
            // "For a linkedin profile picture" is another image.
            whole && edge.value.word() != "described"
        })
    });
    let named = (from..end).all(|at| {
        !says_what(chart, at) || describes(chart, at, end) || is_numbered(chart, from, at)
    });
    let owned = chart.at(from).iter().any(|edge| edge.category == Category::Possessive);
    let edits = edits.iter().any(|category| has(chart, from, end, *category));
    named && end - from <= PURPOSE_WORDS_MAX && (owned || !image && !edits)
}

/// Whether a thing or a color only tells more about the noun behind it: "the ocean view".
fn describes(chart: &Chart<'_>, at: usize, end: usize) -> bool {
    let edges = chart.at(at).iter().filter(|edge| edge.end == at + 1);
    let noun = edges.map(|edge| edge.category).any(|category| {
        matches!(category, Category::Thing | Category::Color | Category::Elsewhere)
    });
    let measured = chart.at(at).iter().any(|edge| {
        matches!(edge.category, Category::Picture | Category::Negation | Category::File)
    });
    noun && !measured && at + 1 < end && is_named(chart, at + 1)
}

/// Whether a word names something that no edit has a use for: "view", "card".
fn is_named(chart: &Chart<'_>, at: usize) -> bool {
    let label = |edge: &Edge| edge.category == Category::Label && edge.value.word() != "area";
    let noun = |edge: &Edge| matches!(edge.category, Category::Noun | Category::Agent);
    // "View" is also a verb.
    let views = |edge: &Edge| edge.category == Category::Verb && edge.value.word() == "show";
    chart.at(at).iter().any(views)
        || is_unknown(chart, at)
        || chart.at(at).iter().any(|edge| label(edge) || noun(edge))
}

/// "Year 4", "room 12": a number behind a name.
fn is_numbered(chart: &Chart<'_>, from: usize, at: usize) -> bool {
    let unit = chart.at(at + 1).iter().any(|edge| edge.category == Category::Unit);
    matches!(chart.tokens[at].kind, Kind::Number(_))
        && !unit
        && at > from
        && is_unknown(chart, at - 1)
}

/// "so nothing gets cut off": who wants it, or the image, is the subject.
fn is_goal(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let subject = chart.at(from).iter().any(|edge| {
        matches!(edge.category, Category::Subject | Category::Image | Category::Possessive)
    });
    let noun = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Filler
                | Category::Possessive
                | Category::Noun
                | Category::Image
                | Category::Place
        )
    };
    // "To pure wgite" has a typing error in its color.
    let verb =
        chart.tokens.get(from).is_some_and(|token| {
            token.kind == Kind::Word && !OF_COLORS.contains(&token.text.as_str())
        }) && !chart.at(from).iter().any(noun);
    let to = from.checked_sub(1).is_some_and(|at| chart.tokens[at].text == "to");
    let edits = [
        Category::Op,
        Category::Act,
        Category::Push,
        Category::Direction,
        Category::Quality,
        Category::Band,
    ];
    // "So nothing gets cut off" names what must not happen.
    let nothing = chart.tokens.get(from).is_some_and(|token| token.text == "nothing");
    nothing
        || (subject || to && verb) && !edits.iter().any(|category| has(chart, from, end, *category))
}

/// Whether a goal that excludes something has a word that is no English, "so that no coners remain", or
/// its only word may be a side: "turn it 90 to lrft".
pub(super) fn is_misspelled(chart: &Chart<'_>, [start, end]: [usize; 2]) -> bool {
    let excludes = has(chart, start, end, Category::Negation);
    let side = |word: &str| SIDES.iter().any(|side| osa_distance(word, side) == 1);
    (start..end).any(|at| {
        let word = &chart.tokens[at].text;
        let alone = end - start == 1 && side(word);
        (excludes || alone) && chart.is_unknown(at) && !is_english(word)
    })
}
