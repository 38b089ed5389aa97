//! How a resize is said.

use super::Resize;
use crate::Refusal;
use crate::instruction::{Clause, Direction, Quantity, Unit, whole_pixels};

const RESIZES: &[&str] = &[
    "resize",
    "resized",
    "resizing",
    "re size",
    "rescale",
    "scale",
    "scaled",
    "scaling",
    "downscale",
    "upscale",
    "downsize",
    "size it",
    "stretch",
    "stretched",
];
const GROWS: &[&str] =
    &["enlarge", "enlarged", "bigger", "larger", "upsize", "scale up", "scale it up", "magnify"];
const SHRINKS: &[&str] =
    &["shrink", "shrunk", "smaller", "scale down", "scale it down", "shrink down"];
const SIZES: &[&str] = &["size", "dimensions", "width and height", "resolution"];
const FITS: &[&str] = &["fit", "fits", "fitting", "fit inside", "fit within", "fit into"];
const FILLS: &[&str] = &["fill", "cover", "fills"];
const WIDE: &[&str] = &["pixels wide", "wide", "in width", "width", "across"];
const HIGH: &[&str] = &["pixels high", "pixels tall", "high", "tall", "in height", "height"];
const LONG: &[&str] = &[
    "longest side",
    "longest edge",
    "long side",
    "long edge",
    "longer side",
    "longer edge",
    "largest side",
    "on the longest side",
    "on the long edge",
];
const KEEPS_SHAPE: &[&str] = &[
    "keep the aspect ratio",
    "keeping the aspect ratio",
    "keep aspect ratio",
    "keeping aspect ratio",
    "keep proportions",
    "keeping proportions",
    "keep the proportions",
    "keeping the proportions",
    "proportionally",
    "preserving aspect ratio",
    "preserve aspect ratio",
    "maintain aspect ratio",
    "maintaining aspect ratio",
    "preserving the aspect ratio",
    "maintaining the aspect ratio",
    "without distortion",
    "without stretching",
    "without distorting",
    "keep the same aspect ratio",
    "in proportion",
    "maintain the aspect ratio",
];

pub(super) const HEADS: &[&str] = &[
    "resize",
    "resized",
    "resizing",
    "rescale",
    "scale",
    "scaled",
    "scaling",
    "downscale",
    "upscale",
    "downsize",
    "stretch",
    "stretched",
    "enlarge",
    "enlarged",
    "bigger",
    "larger",
    "upsize",
    "magnify",
    "shrink",
    "shrunk",
    "smaller",
    "fit",
    "re size",
];
pub(super) const DETAILS: &[&str] = &[
    "size",
    "dimensions",
    "width",
    "height",
    "resolution",
    "fit",
    "fits",
    "fitting",
    "inside",
    "within",
    "into",
    "fill",
    "fills",
    "cover",
    "wide",
    "high",
    "tall",
    "across",
    "longest",
    "long",
    "longer",
    "largest",
    "side",
    "edge",
    "keep",
    "keeping",
    "aspect",
    "ratio",
    "proportions",
    "proportionally",
    "preserving",
    "preserve",
    "maintain",
    "maintaining",
    "distortion",
    "without",
    "stretching",
    "distorting",
    "exactly",
    "original",
    "down",
    "up",
    "twice",
    "double",
    "half",
    "as",
    "big",
    "large",
    "proportion",
    "same",
    "box",
    "doubled",
    "halve",
    "triple",
];

/// Reads every form of a resize.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Resize>, Refusal> {
    if let Some(percent) = multiple(clause) {
        return Ok(Some(Resize::Percent { percent }));
    }
    let mut grows = clause.head(GROWS).is_some();
    let mut shrinks = !grows && clause.head(SHRINKS).is_some();
    let named = grows || shrinks || clause.head(RESIZES).is_some();
    if !named && size_alone(clause) {
        let direction = clause.direction();
        grows = direction == Some(Direction::Up);
        shrinks = direction == Some(Direction::Down);
    } else if !named && !fits_alone(clause) && !side_alone(clause) {
        return Ok(None);
    }
    clause.take(SIZES);
    let keeps_shape = clause.take(KEEPS_SHAPE).is_some();
    if let Some(size) = clause.dimensions() {
        return boxed(clause, size, keeps_shape).map(Some);
    }
    if clause.has(LONG) {
        return longest(clause).map(Some);
    }
    let scales = clause.tokens().iter().any(|token| token.word() == "scale");
    let by = clause.has(&["by"]);
    let quantity = clause.quantity().ok_or_else(missing)?;
    match quantity.unit {
        Unit::Percent | Unit::Times => {
            relative(quantity, (grows, shrinks), by && !scales).map(Some)
        }
        Unit::Pixels | Unit::None => one_side(clause, quantity).map(Some),
        Unit::Degrees => Err(missing()),
    }
}

fn missing() -> Refusal {
    Refusal::missing(
        "say the new size: \"resize to 800x600\", \"resize to 800 pixels wide\" or \"resize to 50%\"",
    )
}

/// "make it 800 pixels wide", "set the width to 800".
fn side_alone(clause: &mut Clause<'_>) -> bool {
    let other = [
        "border", "frame", "blur", "crop", "cropped", "pad", "padding", "text", "trim", "keep",
        "cut",
    ];
    let sides = ["wide", "high", "tall", "width", "height"];
    if !clause.has(&sides) || clause.has(&other) {
        return false;
    }
    clause.take(&["set"]);
    true
}

/// "fit it within 800x600" without another verb.
fn fits_alone(clause: &Clause<'_>) -> bool {
    clause.has(&["fit", "fits"]) && !clause.has(&["crop", "pad", "padded", "padding"])
}

/// "reduce the size by 25%", "set the size to 50%".
fn size_alone(clause: &Clause<'_>) -> bool {
    let others = ["text", "border", "blur", "radius", "crop", "pad"];
    clause.has(&["size", "dimensions"])
        && !clause.has(&others)
        && clause.has(&["change", "set", "reduce", "increase", "decrease", "to"])
}

/// "half the size", "twice as big".
fn multiple(clause: &mut Clause<'_>) -> Option<f64> {
    const DOUBLE: &[&str] = &[
        "double the size",
        "twice the size",
        "twice as big",
        "twice as large",
        "double its size",
        "double size",
        "twice its size",
        "double the resolution",
        "twice the resolution",
        "double the dimensions",
        "double in size",
        "twice the original size",
    ];
    const HALF: &[&str] = &[
        "half the size",
        "half size",
        "halve the size",
        "half its size",
        "half as big",
        "half as large",
        "half the resolution",
        "half the dimensions",
        "half the original size",
        "halve the dimensions",
        "halve the resolution",
        "half of its size",
        "half of the size",
    ];
    let percent = if clause.head(DOUBLE).is_some() {
        200.0
    } else if clause.head(HALF).is_some() {
        50.0
    } else {
        return None;
    };
    let verb = if percent > 100.0 { GROWS } else { SHRINKS };
    clause.take(verb);
    clause.take(RESIZES);
    clause.take(KEEPS_SHAPE);
    clause.assumed.push(format!("both sides become {percent}%"));
    Some(percent)
}

fn boxed(clause: &mut Clause<'_>, size: (f64, f64), keeps_shape: bool) -> Result<Resize, Refusal> {
    let outside = || {
        Refusal::out_of_range(format!(
            "sides can be whole pixels from 1 to 16384, not {}x{}",
            size.0, size.1
        ))
    };
    let (width, height) = whole_pixels(size.0).zip(whole_pixels(size.1)).ok_or_else(outside)?;
    let fits = clause.take(FITS).is_some();
    clause.take(&["inside", "within", "into"]);
    clause.take(&["box"]);
    let fills = clause.take(FILLS).is_some();
    let exactly = clause.take(&["exactly"]).is_some();
    match (fits || keeps_shape, fills) {
        (false, true) => Ok(Resize::Fill { width, height }),
        (true, false) if !exactly => Ok(Resize::Fit { width, height }),
        (false, false) => {
            if !exactly {
                clause.assumed.push(format!(
                    "both sides become exactly {width}x{height} pixels, whatever the shape was"
                ));
            }
            Ok(Resize::Exact { width, height })
        }
        _ => Err(Refusal::contradiction("say either \"fit within\" or \"fill\"")),
    }
}

fn longest(clause: &mut Clause<'_>) -> Result<Resize, Refusal> {
    clause.take(LONG);
    let quantity = clause.quantity().ok_or_else(missing)?;
    let side = pixels(quantity)?;
    Ok(Resize::Fit { width: side, height: side })
}

/// A factor or percentage, with or without a verb that says which way.
fn relative(quantity: Quantity, ways: (bool, bool), by: bool) -> Result<Resize, Refusal> {
    let Quantity { value, unit, to, signed } = quantity;
    if signed {
        return Err(missing());
    }
    let target = if unit == Unit::Times { value * 100.0 } else { value };
    let percent = match ways {
        (false, false) if by && unit == Unit::Percent && value != 50.0 => {
            return Err(Refusal::missing(format!(
                "say \"resize to {value}%\", or \"enlarge\" or \"shrink by {value}%\""
            )));
        }
        (false, false) => target,
        (true, _) if unit == Unit::Percent && !to => 100.0 + value,
        (_, true) if unit == Unit::Percent && !to => 100.0 - value,
        (true, _) if target > 100.0 => target,
        (_, true) if target < 100.0 => target,
        (_, true) if unit == Unit::Times && value > 1.0 => 100.0 / value,
        _ => return Err(Refusal::contradiction("the verb and the number ask for opposite sizes")),
    };
    Ok(Resize::Percent { percent })
}

fn one_side(clause: &mut Clause<'_>, quantity: Quantity) -> Result<Resize, Refusal> {
    let side = pixels(quantity)?;
    let wide = clause.take(WIDE).is_some();
    let high = clause.take(HIGH).is_some();
    match (wide, high) {
        (true, false) => Ok(Resize::Width { width: side }),
        (false, true) => Ok(Resize::Height { height: side }),
        (false, false) if quantity.unit == Unit::Pixels => {
            clause.assumed.push(format!("{side} pixels is the width"));
            Ok(Resize::Width { width: side })
        }
        _ => Err(missing()),
    }
}

fn pixels(quantity: Quantity) -> Result<u32, Refusal> {
    whole_pixels(quantity.value).ok_or_else(|| {
        Refusal::out_of_range(format!(
            "a side can be whole pixels from 1 to 16384, not {}",
            quantity.value
        ))
    })
}
