//! Parses and renders the words for a mark.

use super::{Form, Mark};
use crate::coordinates::Coordinates;
use crate::instruction::{Clause, Quantity, Unit, phrases};
use crate::length::Length;
use crate::operations::draw::text::{opacity, opacity_words};
use crate::{Color, Refusal};

pub(super) const DETAILS: &[&str] = &[
    "draw",
    "paint",
    "filled",
    "solid",
    "from",
    "between",
    "around",
    "radius",
    "diameter",
    "thin",
    "thick",
    "outline",
    "outlined",
    "hollow",
    "empty",
    "pointing",
    "area",
    "region",
    "wide",
    "width",
    "mark",
    "place",
    "opacity",
    "transparent",
    "transparency",
    "coordinates",
    "point",
    "rectangular",
    "centered",
    "position",
    "starting",
    "ending",
    "px",
    "semi",
    "half",
    "highlight",
];
const LINES: &[&str] = &["straight line", "line"];
const ARROWS: &[&str] = &["arrow"];
const BOXES: &[&str] = &["bounding box", "box", "rectangle", "rectangular box", "frame"];
const OVALS: &[&str] = &["oval", "ellipse"];
const CIRCLES: &[&str] = &["circle", "ring"];
/// Words that show that a circle is meant as an outline.
const LINED: &[&str] = &["thin", "thick", "wide", "width", "line"];
/// Words that fill an area, and the color that they fill it with.
const REDACTS: [(&[&str], Color); 2] = [
    (&["black out", "blackout", "redact", "cover up"], Color::BLACK),
    (&["white out"], Color::WHITE),
];
pub(super) const HEADS: &[&str] =
    phrases!(LINES, ARROWS, BOXES, OVALS, CIRCLES, REDACTS[0].0, REDACTS[1].0);
/// Line widths in percent of the shorter side: thin, normal, thick.
const THIN_PERCENT: f64 = 0.3;
const PLAIN_PERCENT: f64 = 1.0;
const THICK_PERCENT: f64 = 2.5;

pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Mark>, Refusal> {
    for (words, color) in REDACTS {
        if clause.head(words).is_some() {
            return redacted(clause, color).map(Some);
        }
    }
    let lists = [ARROWS, LINES, BOXES, OVALS, CIRCLES];
    let Some(kind) = lists.iter().position(|list| clause.has(list)) else { return Ok(None) };
    // Without coordinates, or a place to start and one to end, the word belongs to another
    // operation.
    let Some(form) = form(clause, kind)? else { return Ok(None) };
    clause.head(lists[kind]);
    clause.take_all(&["draw", "paint", "place", "mark", "pointing"]);
    let filled = clause.take(&["filled in", "filled", "solid"]).is_some();
    let hollow = clause.take(&["outlined", "outline", "hollow", "empty"]).is_some();
    if filled && (hollow || kind < 2) {
        return Err(Refusal::contradiction("ask for either a filled form or an outline"));
    }
    let opacity_percent = opacity(clause, false)?;
    // Like the shape, a circle is filled by default, but a line around something is not.
    let solid = kind == 4 && !hollow && !clause.has(LINED) && !encircles(clause);
    let solid = solid && clause.clone().quantity().is_none();
    let line = if filled || solid { None } else { Some(width(clause)?) };
    let color = clause.color().unwrap_or_else(|| {
        clause.assumed.push("the mark is red".to_owned());
        Color { rgba: [255, 0, 0, 255] }
    });
    if solid && !filled {
        clause
            .assumed
            .push("the circle is filled; say \"outline\" to draw only its outline".to_owned());
    } else if !filled && !hollow && kind >= 2 {
        clause.assumed.push("only its outline is drawn; say \"filled\" to fill it".to_owned());
    }
    Ok(Some(Mark { form, color, line, opacity_percent }))
}

/// Whether the instruction says that the circle goes around something.
fn encircles(clause: &Clause<'_>) -> bool {
    let words = ["around", "ring"];
    clause.tokens().iter().any(|token| words.contains(&token.word()))
}

/// Renders a mark as words that parse back to it.
pub(super) fn words_of(mark: &Mark) -> String {
    let (name, place) = match mark.form {
        Form::Line { from, to } => ("line", between(from, to)),
        Form::Arrow { from, to } => ("arrow", between(from, to)),
        Form::Box { from, to } => ("box", between(from, to)),
        Form::Ellipse { from, to } => ("ellipse", between(from, to)),
        Form::Circle { center, radius } => {
            ("circle", format!("around {center} with a radius of {radius}"))
        }
    };
    let (color, opacity) = (mark.color, opacity_words(mark.opacity_percent));
    match mark.line {
        Some(line) => format!("draw a {color} {name} of {line} {place}{opacity}"),
        None => format!("draw a filled {color} {name} {place}{opacity}"),
    }
}

fn between(from: Coordinates, to: Coordinates) -> String {
    format!("from {from} to {to}")
}

/// The form and its position, or `None` if the clause has no position.
fn form(clause: &mut Clause<'_>, kind: usize) -> Result<Option<Form>, Refusal> {
    if kind == 4 {
        return circle(clause);
    }
    // A frame or a box without coordinates is not a mark.
    let ends = if kind < 2 { corners(clause, true) } else { corners(clause, false) };
    Ok(ends.map(|(from, to)| match kind {
        0 => Form::Arrow { from, to },
        1 => Form::Line { from, to },
        2 => Form::Box { from, to },
        _ => Form::Ellipse { from, to },
    }))
}

fn circle(clause: &mut Clause<'_>) -> Result<Option<Form>, Refusal> {
    let mut trial = clause.clone();
    let radius = trial.quantity_of(&["radius"]).map(measured).transpose()?;
    let across = trial.quantity_of(&["diameter"]).map(measured).transpose()?;
    let words = ["around", "at", "in", "centered at", "on"];
    let numbers = trial.coordinates_after(&words);
    let center = numbers.or_else(|| radius.and_then(|_| trial.place_after(&words)));
    let Some(center) = center else { return Ok(None) };
    trial.take(&["centered"]);
    let half = |length: Length| match length {
        Length::Pixels(px) => Length::Pixels(px / 2.0),
        Length::Percent(percent) => Length::Percent(percent / 2.0),
    };
    let Some(radius) = radius.or(across.map(half)) else {
        // Take the words that are understood, so that this error is reported instead of a vaguer
        // one.
        trial.take_all(&["draw", "circle", "ring"]);
        let _ = trial.color();
        *clause = trial;
        return Err(Refusal::missing("give the radius of the circle: \"with a radius of 40px\""));
    };
    *clause = trial;
    Ok(Some(Form::Circle { center, radius }))
}

/// Parses two corners or ends ("from 10,10 to 50,60"), or a size and a corner.
fn corners(clause: &mut Clause<'_>, named: bool) -> Option<(Coordinates, Coordinates)> {
    let mut trial = clause.clone();
    let ends = match named {
        true => trial
            .place_after(&["from", "between"])
            .zip(trial.place_after(&["to", "and", "towards"])),
        false => trial
            .coordinates_after(&["from", "between", "area", "region"])
            .zip(trial.coordinates_after(&["to", "and"])),
    };
    if let Some(ends) = ends {
        *clause = trial;
        return Some(ends);
    }
    let mut trial = clause.clone();
    let (width, height) = trial.dimensions().filter(|_| !named)?;
    let from = trial.coordinates_after(&["at", "from"])?;
    let (Length::Pixels(x), Length::Pixels(y)) = (from.x, from.y) else { return None };
    *clause = trial;
    let to = Coordinates { x: Length::Pixels(x + width), y: Length::Pixels(y + height) };
    Some((from, to))
}

fn redacted(clause: &mut Clause<'_>, color: Color) -> Result<Mark, Refusal> {
    let Some((from, to)) = corners(clause, false) else {
        return Err(Refusal::missing("give two corners of the area: \"from 10,10 to 200,60\""));
    };
    clause.take_all(&["area", "region", "rectangle", "box", "from"]);
    Ok(Mark { form: Form::Box { from, to }, color, line: None, opacity_percent: 100.0 })
}

fn width(clause: &mut Clause<'_>) -> Result<Length, Refusal> {
    let said = clause.quantity_of(&["wide", "width", "thick"]).or_else(|| clause.quantity());
    if let Some(amount) = said {
        return measured(amount);
    }
    let percent = match clause.take(&["thin", "thick"]) {
        Some(0) => THIN_PERCENT,
        Some(_) => THICK_PERCENT,
        None => PLAIN_PERCENT,
    };
    clause.assumed.push(format!("the line width is {percent}% of the shorter side"));
    Ok(Length::Percent(percent))
}

fn measured(amount: Quantity) -> Result<Length, Refusal> {
    match amount.unit {
        Unit::Percent if !amount.signed => Ok(Length::Percent(amount.value)),
        Unit::Pixels | Unit::None if !amount.signed => Ok(Length::Pixels(amount.value)),
        _ => Err(Refusal::missing("give the measurements in pixels or percent")),
    }
}
