//! What may follow an edit.

use super::Meaning;
use super::way::Way;
use crate::chart::{Chart, Edge, is_article};
use crate::token::Kind;
use crate::value::{Category, Value};
use retouch_engine::Context;

/// Whether another edit may begin at a position although no word or sign is between: only a command
/// does that.
pub(super) fn follows(chart: &Chart<'_>, at: usize, context: &Context) -> bool {
    let commands = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Verb
                | Category::Push
                | Category::Direction
                | Category::Act
                | Category::Quality
        )
    };
    chart.at(at).iter().any(commands)
        || context.inputs == 0 && says(chart, at)
        || is_setting(chart, at)
        || is_saving(chart, at)
        || chart.lexicon.is_verb(&chart.tokens[at].text)
}

/// Whether a command begins at a position: a verb, whether an edit knows it or not, maybe behind words
/// that change nothing.
pub(super) fn commands(chart: &Chart<'_>, at: usize) -> bool {
    let skipped = |edge: &&Edge| {
        matches!(edge.category, Category::Filler | Category::Opening | Category::Social)
    };
    let command = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Verb | Category::Push | Category::Direction | Category::Act | Category::Model
        )
    };
    let verb = chart.tokens.get(at).is_some_and(|token| chart.lexicon.is_verb(&token.text));
    let behind = chart.at(at).iter().filter(skipped).map(|edge| edge.end).max();
    verb || chart.at(at).iter().any(command) || behind.is_some_and(|end| commands(chart, end))
}

/// Whether the text of an image that is made follows: "a blue slide saying …".
fn says(chart: &Chart<'_>, at: usize) -> bool {
    chart.tokens[at].says_text() || chart.at(at).iter().any(|edge| edge.value.word() == "says")
}

/// Whether a range of tones with a signed amount follows another amount: "shadows +30 highlights -40".
fn is_setting(chart: &Chart<'_>, at: usize) -> bool {
    let signed = |value: &Value| value.amount().is_some_and(|amount| amount.signed);
    let amount = |at: usize| chart.at(at).iter().any(|edge| signed(&edge.value));
    let behind = at.checked_sub(1).is_some_and(|before| {
        let token = &chart.tokens[before];
        matches!(token.kind, Kind::Number(_)) || token.text == "%"
    });
    behind && chart.at(at).iter().any(|edge| edge.category == Category::Band && amount(edge.end))
}

/// Whether what follows says how the result is saved: "crop to a square as jpg", "blur it export as png".
pub(super) fn is_saving(chart: &Chart<'_>, at: usize) -> bool {
    let of_file = |at: usize| chart.at(at).iter().find(|edge| edge.category == Category::File);
    // "500x500 png", "800 px jpg".
    let measured = at.checked_sub(1).is_some_and(|before| {
        let token = &chart.tokens[before];
        matches!(token.kind, Kind::Number(_)) || matches!(token.text.as_str(), "px" | "pixels")
    });
    let format = |edge: &Edge| matches!(edge.value.word(), "jpeg" | "png" | "webp");
    if measured && of_file(at).is_some_and(format) {
        return true;
    }
    chart.tokens[at].text == "as" && of_file(at + 1).is_some()
        || of_file(at).is_some_and(|edge| edge.value.word() == "save")
}

/// "Reduce the noise and grain": what follows "and" without a verb of its own shares the verb before,
/// and is no edit of its own if that verb takes away.
pub(super) fn shares_verb(chart: &Chart<'_>, way: &Way, at: usize) -> bool {
    let mut before = chart.tokens[..at].iter().rev().map(|token| token.text.as_str());
    let and = before.find(|word| !is_article(word)) == Some("and");
    let Some(last) = way.parts.as_ref().map(|link| &link.part).filter(|_| and) else {
        return false;
    };
    let takes_away = |edge: &Edge| match edge.category {
        Category::Direction => matches!(edge.value.word(), "-" | "down"),
        Category::Verb => edge.value.word() == "remove",
        _ => false,
    };
    let own = chart.at(at).iter().any(|edge| {
        matches!(
            edge.category,
            Category::Verb | Category::Push | Category::Direction | Category::Act
        ) || edge.category == Category::Op && edge.value.uses().iter().any(|used| used.sign != 0.0)
    });
    matches!(last.meaning, Meaning::Edit { .. })
        && chart.at(last.tokens[0]).iter().any(takes_away)
        && !own
        && !chart.lexicon.is_verb(&chart.tokens[at].text)
}
