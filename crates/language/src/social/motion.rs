//! In a video, words around camera moves may ask for motion inside the image, which no camera makes.

use super::{Why, finite, has, is_unknown};
use crate::chart::{Chart, Edge};
use crate::value::Category;

/// Whether words around camera moves may describe what should move inside the image: "while she
/// looks around", "so the flag waves".
pub(super) fn animates(chart: &Chart<'_>, why: Why, from: usize, end: usize) -> bool {
    const SPEAKERS: &[&str] = &["i", "we", "im", "ive", "weve", "id"];
    const IMAGES: &[&str] = &["it", "its", "this", "that", "thats"];
    let text = |at: usize| chart.tokens[at].text.as_str();
    let speaks = SPEAKERS.contains(&text(from));
    if !chart.lexicon.films() || why == Why::Politeness {
        return false;
    }
    let subject = |at: usize| chart.at(at).iter().any(|edge| edge.category == Category::Subject);
    let other = |at: usize| {
        subject(at) && !SPEAKERS.contains(&text(at)) && !IMAGES.contains(&text(at))
            || matches!(text(at), "her" | "him" | "his" | "them" | "their")
    };
    let unknown = |at: usize| is_unknown(chart, at);
    let moving = |at: usize| {
        let verb = |edge: &Edge| matches!(edge.category, Category::Thing | Category::Verb);
        text(at).ends_with("ing") && (unknown(at) || chart.at(at).iter().any(verb))
    };
    let camera = |at: usize| {
        const MOVES: &[&str] = &["zoom", "pan", "tilt", "roll", "fade", "hold"];
        chart.at(at).iter().any(|edge| {
            let verb = edge.value.word().split(' ').next().unwrap_or_default();
            edge.category == Category::Verb && MOVES.contains(&verb)
        })
    };
    let any = |wanted: &dyn Fn(usize) -> bool| (from..end).any(wanted);
    let timed = |at: usize| chart.at(at).iter().any(|edge| edge.value.word() == "seconds");
    // What is behind a comma may be an edit with a typing error.
    if any(&|at| text(at) == ",") || any(&timed) {
        return true;
    }
    match why {
        Why::Politeness | Why::Reason => false,
        Why::Purpose => any(&|at| text(at) == "to") || any(&camera),
        Why::Comparison => any(&subject) || any(&moving) || has(chart, from, end, Category::Finite),
        Why::Goal => any(&other) || any(&unknown) || any(&camera),
        Why::Remark => {
            let Some((verb, edge)) = finite(chart, from, end) else { return false };
            let looks = text(verb).starts_with("look")
                && chart.at(edge.end).iter().any(|edge| {
                    matches!(edge.category, Category::Preposition | Category::Place | Category::Way)
                        && edge.value.word() != "like"
                });
            match edge.value.word() {
                _ if speaks => false,
                "was" => false,
                "is" => other(from) || looks || any(&moving),
                _ => true,
            }
        }
    }
}
