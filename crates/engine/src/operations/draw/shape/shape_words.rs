//! Parses and renders the words for a shape.

use super::{Outline, Shape};
use crate::instruction::{Clause, Quantity, Unit, phrases};
use crate::length::Length;
use crate::{Color, Place, Refusal};

pub(super) const DETAILS: &[&str] = &[
    "draw",
    "paint",
    "place",
    "size",
    "diameter",
    "width",
    "wide",
    "small",
    "large",
    "big",
    "huge",
    "tiny",
    "medium",
    "filled",
    "solid",
    "five pointed",
    "round",
    "sized",
    "overlay",
    "insert",
];
const WORDS: [(&[&str], Outline); 8] = [
    (&["circle", "disc", "disk", "round circle"], Outline::Circle),
    (&["ellipse", "oval"], Outline::Ellipse),
    (&["square"], Outline::Square),
    (&["rectangle"], Outline::Rectangle),
    (&["triangle"], Outline::Triangle),
    (&["diamond", "rhombus"], Outline::Diamond),
    (&["star", "five pointed star"], Outline::Star),
    (&["ring"], Outline::Ring),
];
pub(super) const HEADS: &[&str] = phrases!(
    WORDS[0].0, WORDS[1].0, WORDS[2].0, WORDS[3].0, WORDS[4].0, WORDS[5].0, WORDS[6].0, WORDS[7].0,
);
/// Verbs for drawing something.
const VERBS: &[&str] = &["draw", "paint", "add", "put", "place", "overlay", "insert"];
/// Words that refer to the image when they follow one of these verbs.
const MOVED: &[&str] =
    &["it", "this", "that", "them", "the", "my", "everything", "picture", "image", "photo"];
/// Sizes in percent of the shorter side.
const SIZES: [(&[&str], f64); 5] = [
    (&["tiny", "very small"], 10.0),
    (&["small"], 25.0),
    (&["medium"], 50.0),
    (&["huge", "very large", "very big"], 90.0),
    (&["large", "big"], 75.0),
];

/// Parses a shape on an uploaded image, where a verb has to show that something is drawn.
pub(super) fn drawn(clause: &mut Clause<'_>) -> Result<Option<Shape>, Refusal> {
    let Some((_, at, _)) = clause.find(VERBS) else { return Ok(None) };
    // For example, "put it on a white square" moves the image.
    let moved = clause.tokens().get(at + 1).is_some_and(|next| MOVED.contains(&next.word()));
    clause.mark(at, 1);
    if moved || !WORDS.iter().any(|(words, _)| clause.has(words)) {
        return Ok(None);
    }
    let shape = read(clause)?;
    if shape.is_some() {
        clause.assumed.push("the shape is filled".to_owned());
    }
    Ok(shape)
}

/// A shape to be drawn on what is there.
pub(in crate::operations) fn read(clause: &mut Clause<'_>) -> Result<Option<Shape>, Refusal> {
    let Some((words, shape)) = WORDS.iter().find(|(words, _)| clause.has(words)) else {
        return Ok(None);
    };
    clause.head(words);
    clause.take_all(&["draw", "paint", "place", "filled", "solid"]);
    let Some(color) = clause.color() else {
        return Err(Refusal::missing("name the color of the shape"));
    };
    let size = size(clause)?;
    let place = clause.place().unwrap_or(Place::Center);
    Ok(Some(Shape { shape: *shape, color, place, size }))
}

/// A shape together with the plain image that it stands on; a square or rectangle of which
/// nothing more is said is the image itself.
pub(in crate::operations) fn on_ground(
    clause: &mut Clause<'_>,
) -> Result<Option<(Color, Shape)>, Refusal> {
    if !WORDS.iter().any(|(words, _)| clause.has(words)) {
        return Ok(None);
    }
    let mut trial = clause.clone();
    let ground = trial.ground();
    let whole = trial.has(&["square", "rectangle"]) && ground.is_none();
    if whole && trial.clone().place().is_none() {
        return Ok(None);
    }
    let Some(shape) = read(&mut trial)? else { return Ok(None) };
    let ground = match ground {
        Some(ground) => ground,
        None => trial.other_than(&[shape.color]),
    };
    *clause = trial;
    Ok(Some((ground, shape)))
}

fn size(clause: &mut Clause<'_>) -> Result<Length, Refusal> {
    let placed = clause.clone().place().is_some();
    if !placed && let Some(radius) = clause.quantity_of(&["radius"]) {
        return measured(Quantity { value: radius.value * 2.0, ..radius });
    }
    clause.take(&["size", "diameter", "width", "sized"]);
    if let Some(amount) = clause.quantity() {
        clause.take(&["wide"]);
        return measured(amount);
    }
    let found = SIZES.iter().find(|(words, _)| clause.has(words));
    let percent = found.map_or(50.0, |(words, percent)| {
        clause.take(words);
        *percent
    });
    clause.assumed.push(format!("the width of the shape is {percent}% of the shorter side"));
    Ok(Length::Percent(percent))
}

fn measured(amount: Quantity) -> Result<Length, Refusal> {
    match amount.unit {
        Unit::Percent => Ok(Length::Percent(amount.value)),
        Unit::Pixels | Unit::None => Ok(Length::Pixels(amount.value)),
        _ => Err(Refusal::missing("give the size of the shape in pixels or percent")),
    }
}
