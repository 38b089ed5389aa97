//! Texts of numbers and single letters: dates, years behind "the year", the letter of a panel.

use super::super::Chart;
use super::{is_text_noun, names, touching};
use crate::token::{Kind, Token};
use crate::value::Category;

/// The end of the letter of a panel: "(a)".
pub(super) fn panel(tokens: &[Token], start: usize) -> Option<usize> {
    let [open, letter, close] = tokens.get(start..start + 3)? else { return None };
    let glued = open.touches(letter) && letter.touches(close) && close.text == ")";
    let sign = glued && letter.kind == Kind::Word && letter.text.chars().count() == 1;
    // "(c) Ann Lee" is protected.
    let named = if letter.text == "c" { names(tokens, start + 3) } else { 0 };
    sign.then_some(start + 3 + named)
}

/// The end of a date, which has two signs, or of a number that is called a text: "the date 2024-05",
/// "phone number 555-0142".
pub(super) fn number(chart: &Chart<'_>, start: usize) -> Option<usize> {
    let tokens = chart.tokens;
    if !matches!(tokens[start].kind, Kind::Number(_)) {
        return None;
    }
    let mut end = touching(tokens, start);
    let clock =
        tokens.get(end).is_some_and(|sign| sign.text == ":" && tokens[end - 1].touches(sign));
    let minutes = tokens.get(end + 1).is_some_and(|next| matches!(next.kind, Kind::Number(_)));
    if clock && minutes && tokens[end].touches(&tokens[end + 1]) {
        end += 2;
    }
    let written: String = tokens[start..end].iter().map(|token| token.written.as_str()).collect();
    let parts: Vec<&str> = written.split(['/', '-', '.', ':']).collect();
    let digits = parts.iter().all(|part| part.chars().all(|c| c.is_ascii_digit()));
    let date =
        parts.len() == 3 && digits && parts.iter().all(|part| matches!(part.len(), 1 | 2 | 4));
    let named = start.checked_sub(1).is_some_and(|at| is_text_noun(chart, &tokens[at].text));
    // "Text 24 px" has a size.
    let measured = chart
        .at(end)
        .iter()
        .any(|edge| matches!(edge.category, Category::Unit | Category::Label | Category::Part))
        || tokens.get(end).is_some_and(|next| matches!(next.text.as_str(), "x" | "," | "%"));
    (date || named && digits && !measured).then_some(end)
}
