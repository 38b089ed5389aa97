//! Names behind a greeting or a farewell, and excuses.

use super::scene::is_plain;
use super::statements::asks;
use super::wishes::wishes;
use super::{Aside, Why, ends, is_stop};
use crate::chart::Chart;
use crate::value::Category;

/// The most words of a name.
const NAMES_MAX: usize = 3;
/// The most words of an excuse.
const EXCUSE_WORDS_MAX: usize = 6;

/// Names behind a greeting or a farewell: "Hi Sam,", "Kind regards, Jonas Weber".
pub(super) fn names(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let unknown = |at: usize| chart.is_unknown(at);
    let is_name = |at: usize| unknown(at) && chart.tokens[at].is_capitalized;
    let capitals = (at..chart.tokens.len()).take_while(|at| is_name(*at)).count();
    // "hi sam," needs no capital letter.
    let end = at + capitals.max(usize::from(unknown(at)));
    let said = |at: usize, word: &str| {
        chart
            .at(at)
            .iter()
            .any(|edge| edge.category == Category::Social && edge.value.word() == word)
    };
    let closes = chart.tokens[end.min(chart.tokens.len())..].iter().all(|it| is_stop(&it.text));
    let signs = capitals > 0 && closes && (0..at).any(|at| said(at, "farewell"));
    let comma =
        chart.tokens.get(end).is_some_and(|token| token.text == "," || is_stop(&token.text));
    let greeted = comma && at > 0 && said(at - 1, "greeting");
    if (1..=NAMES_MAX).contains(&(end - at)) && (signs || greeted) {
        return vec![(end, Aside::new(Why::Politeness))];
    }
    Vec::new()
}

/// "Sorry typing one handed": what follows "sorry" without a comma.
pub(super) fn excuses(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let apologizes = at > 0 && matches!(chart.tokens[at - 1].text.as_str(), "sorry" | "apologies");
    if !apologizes || chart.lexicon.films() {
        return Vec::new();
    }
    let ends = ends(chart, at).into_iter().filter(|end| {
        end - at <= EXCUSE_WORDS_MAX
            && (at..*end).all(|at| is_plain(chart, at))
            && !asks(chart, at, *end)
            && !wishes(chart, at, *end)
    });
    ends.map(|end| (end, Aside::new(Why::Politeness))).collect()
}
