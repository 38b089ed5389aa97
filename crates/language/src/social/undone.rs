//! What is not wanted after all.

use super::ends;
use super::kept::kept_word;
use crate::chart::Chart;
use crate::value::Category;

/// "Actually, leave out the border": the names of the edits that are not wanted after all.
pub(crate) fn undone(chart: &Chart<'_>, at: usize) -> Vec<(usize, Vec<&'static str>)> {
    let corrections = chart.at(at).iter().filter(|edge| edge.category == Category::Correction);
    let mut found = Vec::new();
    for edge in corrections {
        let comma = chart.tokens.get(edge.end).is_some_and(|token| token.text == ",");
        let start = edge.end + usize::from(comma);
        let negations = chart.at(start).iter().filter(|edge| edge.category == Category::Negation);
        for negation in negations.filter(|edge| edge.value.word() != "keep") {
            let (mut names, mut next) = (Vec::new(), negation.end);
            while let Some(word) =
                kept_word(chart, next).filter(|word| !word.same && chart.tokens[next].text != ",")
            {
                names.extend(word.name);
                next = word.end;
                if !names.is_empty() && ends(chart, next - 1).contains(&next) {
                    found.push((next, names.clone()));
                }
            }
        }
    }
    found
}
