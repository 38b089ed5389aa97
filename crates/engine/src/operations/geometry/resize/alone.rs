//! Sizes without a verb such as "resize": "make it 800 pixels wide", "800x600 please".

use super::Limit;
use super::limited::SHORT;
use super::resize_words::FILLS;
use crate::instruction::{Clause, Unit};

pub(super) const LONG: &[&str] = &[
    "longest side",
    "longest edge",
    "long side",
    "long edge",
    "longer side",
    "longer edge",
    "largest side",
    "on the longest side",
    "on the long edge",
    "on either side",
    "either side",
    "on any side",
    "in either direction",
    "in any direction",
    "on the longest edge",
    "on the long side",
    "on its longest side",
    "largest edge",
    "largest dimension",
    "longest dimension",
    "larger side",
];
/// The minimum for both sides of a size without a unit. Smaller numbers may be an aspect ratio, or
/// inches.
const SIDE_MIN: f64 = 32.0;
/// Words of other operations that have a size.
const OTHERS: &[&str] = &[
    "border", "frame", "blur", "crop", "cropped", "pad", "padded", "padding", "text", "trim",
    "cut", "box", "area", "region", "at",
];

/// Whether the size can only be meant for the image.
pub(super) fn is_meant(clause: &mut Clause<'_>, limit: Limit) -> bool {
    fits_alone(clause)
        || side_alone(clause)
        || limit_alone(clause, limit)
        || dimensions_alone(clause)
}

/// Recognizes "800x600 please" or "a 640x480 version": a size and nothing else.
fn dimensions_alone(clause: &Clause<'_>) -> bool {
    let mut trial = clause.clone();
    let unit = trial.has(&["px", "pixels", "pixel"]);
    let Some((width, height)) = trial.dimensions() else { return false };
    trial.take(&["px", "pixels"]);
    let large = width.min(height) >= SIDE_MIN;
    (unit || large) && !clause.has(OTHERS) && trial.leftover().is_none()
}

/// Recognizes "make it at most 1000x1000". Without another verb, a size that is a limit can only
/// mean a resize.
fn limit_alone(clause: &Clause<'_>, limit: Limit) -> bool {
    let other = ["border", "frame", "blur", "crop", "cropped", "pad", "text", "trim", "cut"];
    let sized = clause.clone().dimensions().is_some()
        || clause.has(LONG)
        || clause.has(SHORT)
        || clause.has(&["megapixels", "mp", "px", "pixels"]);
    limit != Limit::Exactly && sized && !clause.has(&other)
}

/// Recognizes "make it 800 pixels wide" or "set the width to 800".
fn side_alone(clause: &mut Clause<'_>) -> bool {
    let other = [
        "border", "frame", "blur", "crop", "cropped", "pad", "padding", "text", "trim", "keep",
        "cut",
    ];
    let sides = ["wide", "high", "tall", "width", "height"];
    let limits = ["wider", "taller", "higher"];
    let limited = clause.has(&limits) && !clause.has(&["%", "percent", "x", "times"]);
    let named = clause.has(&sides) || clause.has(LONG) || clause.has(SHORT);
    if !(named || limited) || clause.has(&other) {
        return false;
    }
    clause.take(&["set"]);
    true
}

/// Recognizes "fit it within 800x600" without another verb.
fn fits_alone(clause: &Clause<'_>) -> bool {
    let fills = clause.has(FILLS) && clause.clone().dimensions().is_some();
    (fills || clause.has(&["fit", "fits"])) && !clause.has(&["crop", "pad", "padded", "padding"])
}

/// Recognizes "reduce the size by 25%", "set the size to 50%", "size: 300x300" or "change the
/// resolution to 800x600".
pub(super) fn size_alone(clause: &Clause<'_>) -> bool {
    let others = [
        "text", "border", "blur", "radius", "crop", "pad", "font", "canvas", "block", "blocks",
        "dot", "dots", "with", "a size",
    ];
    let verbs = ["change", "set", "reduce", "increase", "decrease", "to"];
    let sized = clause.clone().dimensions().is_some();
    clause.has(&["size", "dimensions", "resolution"])
        && !clause.has(&others)
        && (sized || clause.has(&verbs) || clause.has(&["%", "percent"]))
}

/// Recognizes "reduce it to 2 megapixels" or "reduce to half", if it refers to the image and not to
/// one of its properties.
pub(super) fn reduced(clause: &mut Clause<'_>) -> bool {
    let mut trial = clause.clone();
    let verbs = ["reduce", "reduced", "get", "bring", "take"];
    let megapixels = trial.has(&["megapixels", "megapixel", "mp", "mpx"]);
    // "the light is too bright, reduce it to 80%" means something else.
    let picture = trial.has(&["picture", "image", "photo", "photograph", "pic"]);
    let percent = trial.clone().quantity().is_some_and(|said| said.unit == Unit::Percent);
    let reduces = trial.head(&["reduce", "reduced"]).is_some() && (picture || !percent);
    let lowers = megapixels && trial.take(&["down"]).is_some() && trial.take(&verbs).is_some();
    if !trial.has(&["to"]) || !(reduces || lowers) {
        return false;
    }
    *clause = trial;
    true
}
