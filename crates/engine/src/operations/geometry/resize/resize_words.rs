//! Parses and renders the words for a resize.

use super::alone::{self, LONG};
use super::limited::{self, IGNORES_SHAPE, KEEPS_SHAPE, SHORT};
use super::{Limit, Resize, relative};
use crate::Refusal;
use crate::instruction::{Clause, Direction, Quantity, Unit, whole_pixels};

pub(super) const RESIZES: &[&str] = &[
    "resize",
    "resized",
    "resizing",
    "re size",
    "rescale",
    "scale",
    "scaled",
    "scaling",
    "rescaled",
    "resample",
    "size it",
    "stretch",
    "stretched",
    "squash",
    "squeeze",
];
pub(super) const GROWS: &[&str] = &[
    "enlarge",
    "enlarged",
    "bigger",
    "larger",
    "upsize",
    "scale up",
    "scale it up",
    "magnify",
    "upscale",
    "upsample",
    "enlargement",
    "increase in size",
];
pub(super) const SHRINKS: &[&str] = &[
    "shrink",
    "shrunk",
    "smaller",
    "scale down",
    "scale it down",
    "shrink down",
    "downscale",
    "downscaled",
    "downsize",
    "downsized",
    "downsample",
    "reduce in size",
    "downscaling",
];
pub(super) const SIZES: &[&str] = &["size", "dimensions", "width and height", "resolution"];
const FITS: &[&str] = &["fit", "fits", "fitting", "fit inside", "fit within", "fit into"];
pub(super) const FILLS: &[&str] = &["fill", "cover", "fills"];
pub(super) const WIDE: &[&str] = &["pixels wide", "wide", "in width", "width", "across", "wider"];
pub(super) const HIGH: &[&str] =
    &["pixels high", "pixels tall", "high", "tall", "in height", "height", "taller", "higher"];

/// The largest number without a unit that counts as a factor in "scale by 2".
const FACTOR_MAX: f64 = 16.0;

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
    "rescaled",
    "resample",
    "upsample",
    "downsample",
    "downscaled",
    "downsized",
    "downscaling",
    "enlargement",
    "squash",
    "squeeze",
    "no larger than",
    "no bigger than",
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
    "shortest",
    "short",
    "shorter",
    "smallest",
    "smaller side",
    "megapixels",
    "megapixel",
    "mp",
    "mpx",
    "than",
    "no larger than",
    "no bigger than",
    "no wider than",
    "no taller than",
    "no smaller than",
    "at most",
    "either",
    "any",
    "dimension",
    "limit",
    "limited",
    "cap",
    "capped",
    "under",
    "exceed",
    "exceeding",
    "must",
    "stay",
    "stays",
    "ignoring",
    "ignore",
    "regardless",
    "constrain",
    "respecting",
    "reduced",
    "less",
    "at least",
    "up to",
    "max",
    "maximum",
    "min",
    "minimum",
    "enlarging",
    "upscaling",
    "upscaled",
    "never",
    "squash",
    "squeeze",
    "wider",
    "taller",
    "narrower",
    "horizontally",
    "vertically",
];

/// Parses any wording of a resize.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Resize>, Refusal> {
    if let Some(step) = limited::stretch(clause)? {
        return Ok(Some(step));
    }
    if let Some(percent) = multiple(clause).or_else(|| part_of_size(clause)) {
        return Ok(Some(Resize::Percent { percent }));
    }
    if let Some(refusal) = relative::refused(clause) {
        return Err(refusal);
    }
    let mut trial = clause.clone();
    let limit = limited::limit(&mut trial)?;
    let step = sized(&mut trial, limit)?;
    if step.is_some() {
        *clause = trial;
    }
    Ok(step)
}

/// Renders the resize as words that parse back to the same resize.
pub(super) fn words_of(step: &Resize) -> String {
    let at = |limit: Limit| match limit {
        Limit::Exactly => "",
        Limit::AtMost => "at most ",
        Limit::AtLeast => "at least ",
    };
    match *step {
        Resize::Exact { width, height } => format!("resize to exactly {width}x{height} pixels"),
        Resize::Width { width, limit } => format!("resize to {}{width} pixels wide", at(limit)),
        Resize::Height { height, limit } => format!("resize to {}{height} pixels high", at(limit)),
        Resize::Shortest { px, limit } => {
            format!("resize the shortest side to {}{px} pixels", at(limit))
        }
        Resize::Megapixels { megapixels, limit } => {
            format!("resize to {}{megapixels} megapixels", at(limit))
        }
        Resize::Percent { percent } => format!("resize to {percent}%"),
        Resize::Stretch { width_percent, height_percent } => {
            format!("stretch to {width_percent}% width {height_percent}% height")
        }
        Resize::Fit { width, height, limit } => {
            format!("resize to fit within {}{width}x{height} pixels", at(limit))
        }
        Resize::Fill { width, height } => format!("resize to fill {width}x{height} pixels"),
    }
}

/// Parses a resize whose limit has already been parsed.
fn sized(clause: &mut Clause<'_>, limit: Limit) -> Result<Option<Resize>, Refusal> {
    let mut grows = clause.head(GROWS).is_some();
    let mut shrinks = !grows && clause.head(SHRINKS).is_some();
    let named = grows || shrinks || clause.head(RESIZES).is_some();
    if !named && alone::size_alone(clause) {
        let direction = clause.direction();
        grows = direction == Some(Direction::Up);
        shrinks = direction == Some(Direction::Down);
    } else if !named && alone::reduced(clause) {
        shrinks = true;
    } else if !named && !alone::is_meant(clause, limit) {
        return Ok(None);
    }
    clause.take(RESIZES);
    clause.take(SIZES);
    let exactly = clause.take(IGNORES_SHAPE).is_some();
    let keeps_shape = !exactly && clause.take(KEEPS_SHAPE).is_some();
    // For example, "scale down to 2000 pixels" never enlarges an image.
    let smaller = if shrinks && limit == Limit::Exactly { Limit::AtMost } else { limit };
    if let Some(size) = clause.dimensions() {
        let fits = keeps_shape || clause.has(FITS);
        return boxed(clause, size, (keeps_shape, if fits { smaller } else { limit })).map(Some);
    }
    let limit = smaller;
    if clause.has(LONG) {
        return longest(clause, limit).map(Some);
    }
    if clause.has(SHORT) {
        clause.take(SHORT);
        let px = pixels(clause.quantity().ok_or_else(missing)?)?;
        return Ok(Some(Resize::Shortest { px, limit }));
    }
    if let Some(megapixels) = limited::megapixels(clause) {
        return Ok(Some(Resize::Megapixels { megapixels, limit }));
    }
    let scales = clause.tokens().iter().any(|token| token.word() == "scale");
    let by = clause.has(&["by"]);
    let mut quantity = clause.quantity().ok_or_else(missing)?;
    if scales && by && quantity.unit == Unit::None && quantity.value <= FACTOR_MAX {
        clause.assumed.push(format!("{} is a factor", quantity.value));
        quantity.unit = Unit::Times;
    }
    match quantity.unit {
        Unit::Percent | Unit::Times if shrinks || limit == Limit::Exactly => {
            relative::factor(quantity, (grows, shrinks), by && !scales).map(Some)
        }
        Unit::Pixels | Unit::None => {
            one_side(clause, quantity, (grows || shrinks, limit)).map(Some)
        }
        _ => Err(missing()),
    }
}

pub(super) fn missing() -> Refusal {
    Refusal::missing(
        "give the new size: \"resize to 800x600\", \"resize to 800 pixels wide\" or \"resize to \
         50%\"",
    )
}

/// Parses "half the size" or "twice as big".
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
        "halve it in size",
        "halve in size",
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

/// Parses "a quarter of the size", "30% of the original size" or "three times as large".
fn part_of_size(clause: &mut Clause<'_>) -> Option<f64> {
    const OF_SIZE: &[&str] = &[
        "of the size",
        "of its size",
        "of the original size",
        "of its original size",
        "of the current size",
        "of its current size",
        "of the original",
    ];
    const AS_LARGE: &[&str] = &["as large", "as big", "the size", "its size", "the original size"];
    let mut trial = clause.clone();
    if trial.clone().dimensions().is_some() {
        return None;
    }
    let (grows, shrinks) = (trial.head(GROWS).is_some(), trial.head(SHRINKS).is_some());
    let named = trial.head(RESIZES).is_some();
    let part = trial.head(OF_SIZE).is_some();
    if !part && trial.head(AS_LARGE).is_none() || trial.has(&["by"]) {
        return None;
    }
    let said = trial.quantity().filter(|said| !said.signed)?;
    let percent = match said.unit {
        Unit::Percent if part => said.value,
        Unit::Times => said.value * 100.0,
        _ => return None,
    };
    let contradicts = (grows && percent < 100.0) || (shrinks && percent > 100.0);
    if contradicts || (!grows && !shrinks && !named && trial.direction().is_some()) {
        return None;
    }
    trial.take(KEEPS_SHAPE);
    trial.assumed.push(format!("both sides become {percent}%"));
    *clause = trial;
    Some(percent)
}

fn boxed(
    clause: &mut Clause<'_>,
    size: (f64, f64),
    (keeps_shape, limit): (bool, Limit),
) -> Result<Resize, Refusal> {
    let outside = || {
        Refusal::out_of_range(format!(
            "each side must be 1 to 16384 whole pixels, not {}x{}",
            size.0, size.1
        ))
    };
    let (width, height) = whole_pixels(size.0).zip(whole_pixels(size.1)).ok_or_else(outside)?;
    let fits = clause.take(FITS).is_some();
    clause.take(&["inside", "within", "into"]);
    clause.take(&["box"]);
    let fills = clause.take(FILLS).is_some();
    let exactly = clause.take(&["exactly"]).is_some();
    if limit != Limit::Exactly && (fills || exactly || limit == Limit::AtLeast) {
        return Err(Refusal::missing(
            "a size limit needs one side or a box to fit within: \"resize to fit within at most \
             800x600\"",
        ));
    }
    match (fits || keeps_shape || limit == Limit::AtMost, fills) {
        (false, true) => Ok(Resize::Fill { width, height }),
        (true, false) if !exactly => Ok(Resize::Fit { width, height, limit }),
        (false, false) => {
            if !exactly {
                clause
                    .assumed
                    .push(format!("the image is stretched to exactly {width}x{height} pixels"));
            }
            Ok(Resize::Exact { width, height })
        }
        _ => Err(Refusal::contradiction("say either \"fit within\" or \"fill\", not both")),
    }
}

fn longest(clause: &mut Clause<'_>, limit: Limit) -> Result<Resize, Refusal> {
    clause.take(LONG);
    let quantity = clause.quantity().ok_or_else(missing)?;
    let side = pixels(quantity)?;
    Ok(Resize::Fit { width: side, height: side, limit })
}

fn one_side(
    clause: &mut Clause<'_>,
    quantity: Quantity,
    (changes, limit): (bool, Limit),
) -> Result<Resize, Refusal> {
    let side = pixels(quantity)?;
    let wide = clause.take(WIDE).is_some();
    let high = clause.take(HIGH).is_some();
    match (wide, high) {
        (true, false) => Ok(Resize::Width { width: side, limit }),
        (false, true) => Ok(Resize::Height { height: side, limit }),
        (false, false) if changes && !quantity.to && quantity.unit == Unit::Pixels => {
            Err(relative::refusal())
        }
        (false, false) if quantity.unit == Unit::Pixels && (changes || limit == Limit::Exactly) => {
            clause.assumed.push(format!("the width is {side} pixels"));
            Ok(Resize::Width { width: side, limit })
        }
        _ => Err(missing()),
    }
}

fn pixels(quantity: Quantity) -> Result<u32, Refusal> {
    whole_pixels(quantity.value).ok_or_else(|| {
        Refusal::out_of_range(format!(
            "a side must be 1 to 16384 whole pixels, not {}",
            quantity.value
        ))
    })
}
