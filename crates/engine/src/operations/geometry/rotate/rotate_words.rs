//! Parses and renders the words for a rotation.

use super::{Corners, Rotate};
use crate::instruction::{Clause, Unit};
use crate::{Color, Refusal};

const LEFT: &[&str] = &[
    "counter clockwise",
    "counterclockwise",
    "anti clockwise",
    "ccw",
    "to the left",
    "left",
    "leftwards",
    "to left",
    "leftward",
    "towards the left",
    "in a counterclockwise direction",
];
const RIGHT: &[&str] = &[
    "clockwise",
    "cw",
    "to the right",
    "right",
    "rightwards",
    "to right",
    "rightward",
    "towards the right",
];
pub(super) const HEADS: &[&str] = &[
    "rotate",
    "rotated",
    "rotating",
    "rotation",
    "rotates",
    "spin",
    "straighten",
    "tilt",
    "tilted",
    "upside down",
    "spun",
    "level",
];
const STRAIGHTENS: &[&str] = &["straighten", "level"];

pub(super) const DETAILS: &[&str] = &[
    "turn",
    "turned",
    "turning",
    "quarter turn",
    "half turn",
    "around",
    "round",
    "corners",
    "background",
    "filled",
    "fill",
    "direction",
    "angle",
    "counter clockwise",
    "counterclockwise",
    "anti clockwise",
    "ccw",
    "leftwards",
    "leftward",
    "towards",
    "clockwise",
    "cw",
    "rightwards",
    "rightward",
    "keeping the size",
    "keep the size",
    "same size",
    "cropping the corners",
    "crop the corners",
    "crop to fill",
    "bare corners",
    "empty corners",
    "black corners",
    "no corners",
    "without corners",
    "cut off the corners",
    "cutting off the corners",
    "level",
    "horizon",
];
pub(super) const KEEPS: &[&str] = &[
    "keeping the same size",
    "keep the same size",
    "keeping the size",
    "keep the size",
    "keeping its size",
    "keep its size",
    "same size",
    "keeping the original size",
    "keep the original size",
    "without changing the size",
    "keeping the dimensions",
    "keep the dimensions",
    "keep the canvas size",
    "keeping the canvas size",
];
const CUTS: &[&str] = &[
    "cropping the corners",
    "crop the corners",
    "cropping away the corners",
    "crop away the corners",
    "cropping off the corners",
    "crop off the corners",
    "cut off the corners",
    "cutting off the corners",
    "crop to fill",
    "cropping to fill",
    "cropped to fill",
    "crop out the corners",
    "crop out the empty corners",
    "crop the empty corners",
    "cropping the empty corners",
    "crop away the empty corners",
    "crop out the black corners",
    "no corners",
    "no empty corners",
    "no black corners",
    "no bare corners",
    "without corners",
    "without empty corners",
    "without black corners",
    "without bare corners",
    "without the corners",
];

/// Parses any wording of a rotation.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Rotate>, Refusal> {
    let turns = clause.has(&["turn", "turned", "turning"])
        && (clause.has(&["°", "degrees", "degree", "deg", "half turn", "quarter turn"])
            || clause.has(LEFT)
            || clause.has(RIGHT));
    if !clause.has(HEADS) && !turns && !bare(clause) {
        return Ok(None);
    }
    let corners = corners(clause)?;
    let straightens = clause.has(STRAIGHTENS);
    let upside_down = clause.head(&["upside down"]).is_some();
    clause.head(HEADS);
    if straightens {
        clause.take(&["horizon"]);
    }
    let turn = clause.take(&["quarter turn", "half turn"]);
    clause.take(&["turn", "turned", "turning"]);
    clause.take(&["around", "round"]);
    let way = way(clause);
    clause.take(&["in direction", "direction"]);
    let degrees = match (clause.quantity(), turn, upside_down) {
        (None, None, true) if way.is_none() => 180.0,
        (None, Some(1), false) => 180.0,
        (None, Some(_), false) => signed(clause, 90.0, way)?,
        (None, None, false) if way.is_some() && !straightens => {
            clause.assumed.push("a turn without an angle is 90 degrees".to_owned());
            signed(clause, 90.0, way)?
        }
        (Some(quantity), None, false) if !quantity.to && is_angle(quantity.unit) => {
            signed(clause, quantity.value, way)?
        }
        _ if straightens => {
            return Err(Refusal::missing(
                "say how many degrees and which way, because this editor does not detect the \
                 horizon: \"straighten by 2 degrees clockwise\"",
            ));
        }
        _ => {
            return Err(Refusal::missing(
                "say how many degrees and which way: \"rotate 90 degrees clockwise\"",
            ));
        }
    };
    let background = background(clause);
    let corners = match corners {
        Corners::Grow if straightens && background == Color::TRANSPARENT => {
            clause.assumed.push("straightening crops the empty corners".to_owned());
            Corners::Cut
        }
        other => other,
    };
    Ok(Some(Rotate { degrees, background, corners }))
}

/// Whether the clause says "90 degrees to the right" without a verb.
fn bare(clause: &Clause<'_>) -> bool {
    let angle = clause.has(&["°", "degrees", "degree", "deg"]);
    angle && (clause.has(LEFT) || clause.has(RIGHT)) && !clause.has(&["hue", "text", "shadow"])
}

/// Renders the rotation as words that parse back to the same rotation.
pub(super) fn words_of(step: &Rotate) -> String {
    let way = if step.degrees < 0.0 { "counterclockwise" } else { "clockwise" };
    let turn = format!("rotate {} degrees {way}", step.degrees.abs());
    let turn = match step.corners {
        Corners::Grow => turn,
        Corners::Keep => format!("{turn} keeping the size"),
        Corners::Cut => format!("{turn} cropping the corners"),
    };
    if step.background == Color::TRANSPARENT {
        return turn;
    }
    format!("{turn} with a {} background", step.background)
}

fn corners(clause: &mut Clause<'_>) -> Result<Corners, Refusal> {
    match (clause.take(KEEPS).is_some(), clause.take(CUTS).is_some()) {
        (false, false) => Ok(Corners::Grow),
        (true, false) => Ok(Corners::Keep),
        (false, true) => Ok(Corners::Cut),
        _ => Err(Refusal::contradiction(
            "say either to keep the size or to crop the corners, not \
             both",
        )),
    }
}

/// Returns -1 for left and 1 for right.
fn way(clause: &mut Clause<'_>) -> Option<f64> {
    if clause.take(LEFT).is_some() {
        return Some(-1.0);
    }
    clause.take(RIGHT).map(|_| 1.0)
}

fn is_angle(unit: Unit) -> bool {
    matches!(unit, Unit::Degrees | Unit::None)
}

/// Applies the direction to the angle. Clockwise is assumed if there is none and it matters.
fn signed(clause: &mut Clause<'_>, degrees: f64, way: Option<f64>) -> Result<f64, Refusal> {
    match way {
        Some(_) if degrees < 0.0 => {
            Err(Refusal::contradiction("use either a negative angle or a direction, not both"))
        }
        Some(way) => Ok(degrees * way),
        None => {
            if degrees % 180.0 != 0.0 {
                clause.assumed.push("positive angles are clockwise".to_owned());
            }
            Ok(degrees)
        }
    }
}

fn background(clause: &mut Clause<'_>) -> Color {
    let color = clause.color();
    if color.is_some() {
        clause.take_all(&["background", "corners", "filled", "fill"]);
    }
    color.unwrap_or(Color::TRANSPARENT)
}
