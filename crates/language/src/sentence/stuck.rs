//! How far reading came.

use super::follow::commands;
use super::{Meaning, Part};
use crate::chart::{Chart, Edge};
use crate::value::Category;
use retouch_engine::Refusal;

/// Words that tell how or where an edit before them is meant.
const LIMITING: &[&str] = &[
    "except", "unless", "if", "when", "instead", "rather", "only", "cannot", "never", "other",
    "rest",
];

/// How far reading came.
pub(crate) struct Stuck {
    /// The best reading up to the position that no part leads on from.
    pub(crate) parts: Vec<Part>,
    /// That position.
    pub(crate) at: usize,
    /// Edits from there that are understood but can't be done, with their tokens.
    pub(crate) refused: Vec<([usize; 2], Refusal)>,
}

impl Stuck {
    /// Whether what is not understood is a command of its own, so that the edits before it mean the
    /// same without it. In "the red border needs to be removed", nothing separates them, and the border
    /// alone would be the opposite; in "crop it to 3:2, but not the top", the rest tells how.
    pub(crate) fn is_apart(&self, chart: &Chart<'_>) -> bool {
        let is = |at: usize, category| chart.at(at).iter().any(|edge| edge.category == category);
        let end = self.parts.last().map_or(self.at, |part| part.tokens[1]);
        let joined = (end..self.at).any(|at| is(at, Category::Joint));
        let limits = (self.at..chart.tokens.len()).any(|at| {
            let limits = LIMITING.contains(&chart.tokens[at].text.as_str());
            let forbids =
                |edge: &Edge| edge.category == Category::Negation && edge.value.word() != "undo";
            limits || chart.at(at).iter().any(forbids) || is(at, Category::Correction)
        });
        // "A stripe on the left, 38 px wide" makes nothing 38 pixels wide.
        let commanded = self.parts.iter().all(|part| {
            let start = part.tokens[0];
            !matches!(part.meaning, Meaning::Edit { .. })
                || commands(chart, start)
                || is(start, Category::Op)
                || is(start, Category::Look)
        });
        let next = self.at + 1;
        let alone = next == chart.tokens.len() || is(next, Category::Joint);
        let unknown = chart.is_unknown(self.at) && (alone || is(next, Category::Image));
        joined && commanded && (unknown || commands(chart, self.at)) && !limits
    }
}
