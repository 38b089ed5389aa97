//! Ways from the beginning to a position, each the last part of a longer one.

use super::{GLUED, Meaning, Next, Part};
use crate::build::Take;
use crate::chart::{Chart, is_article};
use crate::value::Value;
use retouch_engine::operations::Text;
use retouch_engine::{Color, Place, Step};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// The most readings that are kept of the words up to a position.
const READINGS_MAX: usize = 6;

/// A way from the beginning to a position.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) cost: u32,
    pub(super) parts: Option<Rc<Link>>,
    /// Whether something separates what follows.
    pub(super) joined: bool,
    /// How many edits of the image there are.
    pub(super) edits: u32,
    /// A number that tells the steps so far apart from others.
    pub(super) mark: u64,
}

/// The last part of a way, and all parts before it.
pub(super) struct Link {
    pub(super) part: Part,
    before: Option<Rc<Link>>,
}

/// A number for what a part changes, if it changes anything.
pub(super) fn mark(next: &Next) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    match next {
        Next::Part(Meaning::Edit { edit, .. }) => {
            format!("{:?}{:?}{:?}", edit.steps, edit.takes, edit.saving).hash(&mut hasher);
        }
        Next::Part(Meaning::Order(word)) => word.hash(&mut hasher),
        Next::Part(Meaning::Undone(names)) => names.hash(&mut hasher),
        _ => return None,
    }
    Some(hasher.finish())
}

pub(super) fn extended(way: &Way, tokens: [usize; 2], step: &Next, cost: u32) -> Way {
    let mut next = way.clone();
    next.cost += cost;
    let meaning = match step {
        Next::Part(meaning) => meaning,
        Next::Nothing => return next,
        Next::Joins => return Way { joined: true, ..next },
    };
    if let Meaning::Edit { edit, .. } = meaning {
        next.cost += if way.joined { 0 } else { GLUED };
        next.edits += u32::from(!edit.steps.is_empty());
    }
    next.joined = match meaning {
        // "A 5 second video of a slow zoom in".
        Meaning::Edit { edit, .. } => {
            edit.steps.is_empty() && !edit.takes.is_empty() && !edit.takes.iter().any(Take::is_seen)
        }
        meaning => !matches!(meaning, Meaning::Kept(_) | Meaning::Undone(_)),
    };
    let part = Part { tokens, meaning: meaning.clone() };
    next.parts = Some(Rc::new(Link { part, before: way.parts.clone() }));
    next
}

/// Keeps the best ways to a position that differ in what they mean.
pub(super) fn keep(ways: &mut Vec<Way>, way: Way) {
    let same = ways.iter().position(|other| other.joined == way.joined && other.mark == way.mark);
    match same {
        Some(at) if ways[at].cost > way.cost => ways[at] = way,
        Some(_) => {}
        None => ways.push(way),
    }
    ways.sort_by_key(|way| way.cost);
    ways.truncate(READINGS_MAX);
}

/// What the last part is about, if it is a remark.
pub(super) fn about(way: &Way) -> Option<Value> {
    match &way.parts.as_ref()?.part.meaning {
        Meaning::Aside(aside) => aside.about.clone(),
        _ => None,
    }
}

/// What the camera does in the last part that says so.
pub(super) fn take(way: &Way) -> Option<&Take> {
    match &way.parts.as_ref()?.part.meaning {
        Meaning::Edit { edit, .. } => edit.takes.iter().rfind(|take| take.is_seen()),
        _ => None,
    }
}

/// The text that the last part writes.
pub(super) fn written(way: &Way) -> Option<&Text> {
    match &way.parts.as_ref()?.part.meaning {
        Meaning::Edit { edit, .. } => match edit.steps.last() {
            Some(Step::Text(text)) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// The edge and the color of the gradient that the last part adds.
pub(super) fn gradient(way: &Way) -> Option<(Place, Color)> {
    let Meaning::Edit { edit, .. } = &way.parts.as_ref()?.part.meaning else { return None };
    match edit.steps.as_slice() {
        [Step::EdgeGradient(gradient)] => Some((gradient.place(), gradient.color)),
        _ => None,
    }
}

/// Whether the last part is a single word, and an article follows it.
pub(super) fn verb_alone(chart: &Chart<'_>, way: &Way, at: usize) -> bool {
    let Some(link) = &way.parts else { return false };
    let behind = link.part.tokens[0] + 1;
    let article = |at: usize| chart.tokens.get(at).is_some_and(|token| is_article(&token.text));
    article(behind) && (at == behind || at == behind + 1)
}

/// Whether a crop may only say what should stay: "brighten it, keep the top".
pub(super) fn spares(chart: &Chart<'_>, way: &Way, next: &Next, at: usize) -> bool {
    let crops = matches!(next, Next::Part(Meaning::Edit { edit, .. })
        if matches!(edit.steps.as_slice(), [Step::Crop(_)]));
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let only = matches!(word(at + 1), "only" | "just") || word(at.wrapping_sub(1)) == "then";
    crops && way.edits > 0 && word(at).starts_with("keep") && !only
}

/// Whether the last part waits for the edit that it orders.
pub(super) fn waits(way: &Way) -> bool {
    way.parts.as_ref().is_some_and(|link| {
        matches!(link.part.meaning, Meaning::Order("before" | "after" | "earlier"))
    })
}

/// Whether the last part is an edit.
pub(super) fn edited(way: &Way) -> bool {
    let last = way.parts.as_ref().map(|link| &link.part.meaning);
    matches!(last, Some(Meaning::Edit { .. }))
}

/// Whether an edit only changes the amount of a color: "fill it with red" paints.
pub(super) fn adds_color(next: &Next) -> bool {
    matches!(next, Next::Part(Meaning::Edit { edit, .. })
        if matches!(edit.steps.as_slice(), [Step::Channel(_)]))
}

/// Whether the last part draws something that "with" may describe.
pub(super) fn drew(way: &Way) -> bool {
    let last = way.parts.as_ref().map(|link| &link.part.meaning);
    matches!(last, Some(Meaning::Edit { edit, .. }) if matches!(
        edit.steps.last(),
        Some(
            Step::Border(_) | Step::Text(_) | Step::Watermark(_) | Step::Shadow(_) | Step::Mark(_)
                | Step::Shape(_) | Step::Pad(_) | Step::Polaroid(_) | Step::Overlay(_)
        )
    ))
}

pub(super) fn parts_of(way: &Way) -> Vec<Part> {
    let (mut parts, mut link) = (Vec::new(), way.parts.as_ref());
    while let Some(found) = link {
        parts.push(found.part.clone());
        link = found.before.as_ref();
    }
    parts.reverse();
    parts
}
