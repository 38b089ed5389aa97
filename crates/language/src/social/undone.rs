//! What is not wanted after all.

use super::ends;
use super::kept::kept_word;
use crate::chart::Chart;
use crate::value::Category;

/// What is not wanted after all, and what is still wanted: names of operations.
#[derive(Debug, Clone, PartialEq, Default, Hash)]
pub(crate) struct Undone {
    pub(crate) names: Vec<&'static str>,
    pub(crate) left: Vec<&'static str>,
}

/// "Actually, leave out the border", "no wait, scrap the border, just the shadow".
pub(crate) fn undone(chart: &Chart<'_>, at: usize) -> Vec<(usize, Undone)> {
    let mut found = Vec::new();
    for start in behind_correction(chart, at) {
        let negations = chart.at(start).iter().filter(|edge| edge.category == Category::Negation);
        for negation in negations.filter(|edge| edge.value.word() != "keep") {
            for (end, names) in named(chart, negation.end) {
                let undone = Undone { names, left: Vec::new() };
                for (end, left) in left(chart, end) {
                    found.push((end, Undone { left, ..undone.clone() }));
                }
                found.push((end, undone));
            }
        }
    }
    found
}

/// The positions behind words of correction: "oh no, on second thoughts".
fn behind_correction(chart: &Chart<'_>, at: usize) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut next = vec![at];
    while let Some(at) = next.pop() {
        for edge in chart.at(at).iter().filter(|edge| edge.category == Category::Correction) {
            let comma = chart.tokens.get(edge.end).is_some_and(|token| token.text == ",");
            let start = edge.end + usize::from(comma);
            if !starts.contains(&start) {
                starts.push(start);
                next.push(start);
            }
        }
    }
    starts
}

/// "Just the shadow", behind what is not wanted.
fn left(chart: &Chart<'_>, at: usize) -> Vec<(usize, Vec<&'static str>)> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let start = at + usize::from(word(at) == ",");
    if matches!(word(start), "just" | "only") { named(chart, start + 1) } else { Vec::new() }
}

/// The names from a position on, with the ends up to which they may be meant.
fn named(chart: &Chart<'_>, from: usize) -> Vec<(usize, Vec<&'static str>)> {
    let (mut names, mut next, mut found) = (Vec::new(), from, Vec::new());
    while let Some(word) =
        kept_word(chart, next).filter(|word| !word.same && chart.tokens[next].text != ",")
    {
        names.extend(word.name);
        next = word.end;
        if !names.is_empty() && ends(chart, next - 1).contains(&next) {
            found.push((next, names.clone()));
        }
    }
    found
}
