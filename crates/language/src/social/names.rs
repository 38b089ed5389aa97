//! Names behind a greeting or a farewell.

use super::{Aside, Why, is_stop};
use crate::chart::Chart;
use crate::token::Kind;
use crate::value::Category;

/// The most words of a name.
const NAMES_MAX: usize = 3;

/// Names behind a greeting or a farewell: "Hi Sam,", "Kind regards, Jonas Weber".
pub(super) fn names(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let unknown = |at: usize| {
        chart.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
            && chart.at(at).is_empty()
    };
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
    let signs = capitals > 0 && end == chart.tokens.len() && (0..at).any(|at| said(at, "farewell"));
    let comma =
        chart.tokens.get(end).is_some_and(|token| token.text == "," || is_stop(&token.text));
    let greeted = comma && at > 0 && said(at - 1, "greeting");
    if (1..=NAMES_MAX).contains(&(end - at)) && (signs || greeted) {
        let why = Why::Politeness;
        return vec![(end, Aside { why, about_thing: false, complains: false, about: None })];
    }
    Vec::new()
}
