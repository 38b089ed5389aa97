//! Wishes, which are never mere remarks.

use super::has;
use super::statements::asks;
use crate::chart::Chart;
use crate::value::{Category, Unit};

/// Verbs that say what somebody wants.
const WISHES: &[&str] = &[
    "needs",
    "need",
    "wants",
    "want",
    "should",
    "must",
    "shall",
    "ought",
    "gotta",
    "wanna",
    "hafta",
    "hope",
    "hoping",
    "imagine",
    "imagining",
    "envision",
    "envisioning",
    "suggest",
    "recommend",
    "propose",
    "desire",
    "dreaming",
    "wishing",
];
/// Who may have to do something that changes nothing: "we need to print it".
const SPEAKERS: &[&str] = &["i", "we", "you", "they", "he", "she", "people", "who"];

/// Whether words say what is wanted: "it wants making positive", "the photo needs to have 500 pixels".
/// "We need to print it" does not.
pub(super) fn wishes(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    // "The text goes at the top".
    let placed = [Category::Place, Category::Spot, Category::Region, Category::Sides];
    let placed = placed.iter().any(|category| has(chart, from, end, *category));
    let wanted = |at: usize| {
        // "They asked for a hat", "they asked for it".
        let asked = matches!(word(at), "ask" | "asks" | "asked")
            && word(at + 1) == "for"
            && !matches!(word(at + 2), "it" | "this" | "them");
        // "I'd love it to look like a cartoon", not "we love this photo".
        let loves = matches!(word(at), "love" | "like" | "prefer")
            && at > from
            && matches!(word(at - 1), "id" | "wed" | "would");
        let lies = placed && matches!(word(at), "goes" | "go" | "sits" | "stays" | "moves");
        // "It has gone orange" tells what happened.
        let before = if at > from { word(at - 1) } else { "" };
        let gone = word(at) == "gone" && matches!(before, "has" | "have" | "had")
            // "It won't take my file".
            || matches!(before, "wont" | "cant" | "doesnt" | "dont");
        let removes = !gone
            && chart
                .at(at)
                .iter()
                .any(|edge| edge.category == Category::Verb && edge.value.word() == "remove");
        if asked || loves || lies || removes || commands(chart, from, at) {
            return true;
        }
        let has_to = matches!(word(at), "has" | "have") && word(at + 1) == "to";
        let speaks = at > from && SPEAKERS.contains(&word(at - 1));
        let does = chart.at(at + 2).iter().any(|edge| edge.category == Category::Finite);
        let harmless = speaks && word(at + 1) == "to" && does && !asks(chart, at + 1, end);
        (has_to || WISHES.contains(&word(at))) && !harmless
    };
    (from..end).any(wanted) || measures(chart, from, end)
}

/// "My son is in the middle so just trim it": a command behind a statement.
fn commands(chart: &Chart<'_>, from: usize, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| *before >= from);
    let joins = before.is_some_and(|before| {
        matches!(chart.tokens[before].text.as_str(), "so" | "just" | "then" | "please")
    });
    let states = chart.at(at).iter().any(|edge| edge.category == Category::Finite);
    joins && !states && chart.lexicon.is_verb(&chart.tokens[at].text)
}

/// Whether words say a size: "35 x 45 mm", "500 px".
fn measures(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let sized = |at: usize| {
        chart.at(at).iter().filter(|edge| edge.end <= end).any(|edge| {
            let unit = edge.value.amount().map(|amount| amount.unit);
            edge.category == Category::Amount
                && unit.is_some_and(|unit| matches!(unit, Unit::Pixels | Unit::Megapixels))
        })
    };
    has(chart, from, end, Category::Size) || (from..end).any(sized)
}
