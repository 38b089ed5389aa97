//! What the parts of an instruction do, in the order in which they are done.

use super::{Meaning, Part, Scope};
use crate::build::{Edit, Take};
use crate::refuse::does;
use crate::social::Undone;
use retouch_engine::operations::{Limit, Only, Resize, Text};
use retouch_engine::{Saving, Step};

/// Whether two readings mean the same.
pub(super) fn same(one: &[Part], other: &[Part]) -> bool {
    steps(one) == steps(other) && takes(one) == takes(other) && savings(one) == savings(other)
}

/// How the result is saved, as often as that is said.
fn savings(parts: &[Part]) -> Vec<Saving> {
    let saving = |part: &Part| match &part.meaning {
        Meaning::Edit { edit, .. } => edit.saving,
        _ => None,
    };
    parts.iter().filter_map(saving).collect()
}

/// What the camera does, in the order in which it does it.
fn takes(parts: &[Part]) -> Vec<&Take> {
    let edits = ordered(parts).into_iter().filter_map(|part| match &part.meaning {
        Meaning::Edit { edit, .. } => Some(&edit.takes),
        _ => None,
    });
    edits.flatten().collect()
}

/// All steps of the edits, in the order in which they are done.
pub(crate) fn steps(parts: &[Part]) -> Vec<Step> {
    let mut steps = Vec::new();
    let used: Vec<Option<usize>> = edits(parts).flat_map(|edit| &edit.steps).map(other).collect();
    let joined = edits(parts).any(joins);
    for part in ordered(parts) {
        match &part.meaning {
            Meaning::Edit { edit, scope: Scope::One(number), .. }
                if joined || used.contains(&Some(*number)) =>
            {
                steps.extend(edit.steps.iter().map(|step| only(*number, step)));
            }
            Meaning::Edit { edit, scope: Scope::First, .. } if joined => {
                steps.extend(edit.steps.iter().map(|step| only(1, step)));
            }
            Meaning::Edit { edit, apart: true, .. } => steps.extend(edit.steps.iter().cloned()),
            Meaning::Edit { edit, .. } => {
                edit.steps.iter().for_each(|step| push(&mut steps, step.clone()));
            }
            _ => {}
        }
    }
    steps
}

fn edits(parts: &[Part]) -> impl Iterator<Item = &Edit> {
    parts.iter().filter_map(|part| match &part.meaning {
        Meaning::Edit { edit, .. } => Some(edit),
        _ => None,
    })
}

fn joins(edit: &Edit) -> bool {
    edit.steps.iter().any(|step| matches!(step, Step::Join(_)))
}

/// The number of another image that a step puts on or into the first one.
pub(crate) const fn other(step: &Step) -> Option<usize> {
    match step {
        Step::Overlay(overlay) => Some(overlay.picture),
        Step::Blend(blend) => Some(blend.picture),
        Step::Mask(mask) => Some(mask.picture),
        _ => None,
    }
}

fn only(picture: usize, step: &Step) -> Step {
    Only { picture, step: Box::new(step.clone()) }.into()
}

/// Adds a step. Texts that look alike and share a place become lines of one text, and a width and a
/// height become one size.
fn push(steps: &mut Vec<Step>, step: Step) {
    let joined = match (steps.last(), &step) {
        (Some(Step::Text(above)), Step::Text(below)) if above.at.is_none() => {
            let lines = format!("{}\n{}", above.text, below.text);
            let alike = Text { text: below.text.clone(), ..above.clone() } == *below;
            alike.then(|| Text { text: lines, ..above.clone() }.into())
        }
        (Some(Step::Resize(one)), Step::Resize(other)) => both_sides(one, other).map(Step::from),
        _ => None,
    };
    match (joined, steps.last_mut()) {
        (Some(joined), Some(last)) => *last = joined,
        _ => steps.push(step),
    }
}

fn both_sides(one: &Resize, other: &Resize) -> Option<Resize> {
    match (one, other) {
        (
            Resize::Width { width, limit: Limit::Exactly },
            Resize::Height { height, limit: Limit::Exactly },
        )
        | (
            Resize::Height { height, limit: Limit::Exactly },
            Resize::Width { width, limit: Limit::Exactly },
        ) => Some(Resize::Exact { width: *width, height: *height }),
        _ => None,
    }
}

/// The parts in the order in which they are done. What is done to one image or to each comes before
/// they are combined: "stack them, but make the last one black and white".
pub(crate) fn ordered(parts: &[Part]) -> Vec<&Part> {
    let mut all = said(parts);
    let combines = |part: &&Part| match &part.meaning {
        Meaning::Edit { edit, .. } => {
            joins(edit) || edit.steps.iter().any(|step| other(step).is_some())
        }
        _ => false,
    };
    if let Some(at) = all.iter().position(combines) {
        let apart = |part: &&Part| {
            matches!(
                part.meaning,
                Meaning::Edit { scope: Scope::Each | Scope::One(_) | Scope::First, .. }
            )
        };
        let (early, late): (Vec<_>, Vec<_>) = all.split_off(at).into_iter().partition(apart);
        all.extend(early.into_iter().chain(late));
    }
    all
}

/// The parts in the order that the words give: "before cropping, sharpen" sharpens first.
fn said(parts: &[Part]) -> Vec<&Part> {
    let is_edit = |part: &&Part| matches!(part.meaning, Meaning::Edit { .. });
    // "Crop it first, …" moves nothing: it is the first edit anyway.
    let moves = |at: &usize| match parts[*at].meaning {
        Meaning::Order("first") => parts[..*at].iter().filter(is_edit).count() > 1,
        Meaning::Order(_) => true,
        _ => false,
    };
    let Some(at) = (0..parts.len()).find(moves) else { return parts.iter().collect() };
    let Meaning::Order(word) = parts[at].meaning else { return parts.iter().collect() };
    let (before, behind) = (&parts[..at], &parts[at + 1..]);
    let leads = !before.iter().any(|part| is_edit(&part));
    // The edit right behind the word is the one that it orders.
    let next = behind.iter().position(|part| is_edit(&part)).map_or(0, |at| at + 1);
    let (moved, rest) = behind.split_at(next);
    match (word, leads) {
        // "A, and B first".
        ("first", _) => {
            let last = before.iter().rposition(|part| is_edit(&part)).unwrap_or(0);
            let (others, last) = before.split_at(last);
            last.iter().chain(others).chain(behind).collect()
        }
        // "before A, B" and "B before A": B comes first.
        ("before", _) => before.iter().chain(rest).chain(moved).collect(),
        // "after A, B".
        (_, true) => before.iter().chain(moved).chain(rest).collect(),
        // "B after A".
        _ => moved.iter().chain(before).chain(rest).collect(),
    }
}

/// The parts without what is not wanted after all. `None` if nothing before it is meant.
pub(super) fn without_undone(mut parts: Vec<Part>) -> Option<Vec<Part>> {
    for at in 0..parts.len() {
        let Meaning::Undone(undone) = parts[at].meaning.clone() else { continue };
        for name in undone.names {
            let meant = parts[..at].iter().rposition(|part| match &part.meaning {
                Meaning::Edit { edit, .. } => {
                    let all = edit.steps.iter().all(|step| does(step, name));
                    all && !edit.steps.is_empty() && edit.takes.is_empty()
                }
                _ => false,
            })?;
            parts[meant].meaning = Meaning::Undone(Undone::default());
        }
        let done = |name: &&str| {
            parts.iter().any(|part| match &part.meaning {
                Meaning::Edit { edit, .. } => edit.steps.iter().any(|step| does(step, name)),
                _ => false,
            })
        };
        if !undone.left.iter().all(done) {
            return None;
        }
    }
    Some(parts)
}
