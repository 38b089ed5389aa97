//! Parses and renders the words for a crop.

use super::{Crop, boxes};
use crate::instruction::patterns::aspect_names;
use crate::instruction::{Clause, Quantity, Unit};
use crate::length::Length;
use crate::{Place, Refusal};

pub(super) const HEADS: &[&str] = &[
    "crop", "cropped", "cropping", "crop it", "trim", "trimmed", "cut", "chop", "crop out", "shave",
];
const TIGHTER: &[&str] = &[
    "tighter",
    "tight",
    "tightly",
    "closer",
    "in closer",
    "in tighter",
    "in",
    "in close",
    "in tight",
];
/// The percentage of both sides that "tighter" keeps, for the scale of vague amounts.
const TIGHTER_PERCENT: [f64; 5] = [95.0, 90.0, 80.0, 65.0, 50.0];
/// What "a little off the top" cuts off, in percent of that side's direction.
const OFF_PERCENT: [f64; 5] = [2.0, 5.0, 10.0, 20.0, 30.0];
const OFF: &[&str] = &["off of", "off from", "off", "away from", "from", "of"];
const ALL_SIDES: &[&str] = &[
    "all sides",
    "each side",
    "every side",
    "all edges",
    "each edge",
    "every edge",
    "all four sides",
    "the edges",
    "all around",
    "all the sides",
    "all the edges",
    "on all sides",
];
pub(super) const DETAILS: &[&str] = &[
    "off",
    "off of",
    "away",
    "from",
    "all",
    "each",
    "every",
    "sides",
    "edges",
    "side",
    "edge",
    "square",
    "ratio",
    "aspect",
    "aspect ratio",
    "width",
    "height",
    "half",
    "keep",
    "around",
    "four",
    "tall",
    "wide",
    "area",
    "region",
    "centered",
    "format",
    "portion",
    "section",
    "proportions",
    "shape",
    "tighter",
    "tight",
    "tightly",
    "closer",
    "in closer",
    "box",
    "middle third",
    "third of the width",
    "little off",
    "y",
    "widescreen",
    "wide screen",
    "youtube thumbnail",
    "desktop wallpaper",
    "instagram story",
    "instagram reel",
    "story",
    "reel",
    "tiktok",
    "vertical video",
    "phone wallpaper",
    "instagram portrait",
    "instagram square",
    "cinemascope",
    "cinematic",
    "ultrawide",
    "golden ratio",
    "golden rectangle",
    "upright golden ratio",
    "twitter header",
];

/// Parses any wording of a crop.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Crop>, Refusal> {
    let inwards = inwards(clause);
    let keeps = clause.has(&["keep only", "keep just", "keep"]);
    let target = keeps || clause.has(&["to", "into"]);
    let halves = clause.has(&["half", "third", "quarter", "thirds", "quarters"]);
    if clause.head(HEADS).is_none() && !(keeps && halves && clause.head(&["keep"]).is_some()) {
        return square_alone(clause);
    }
    if let Some(step) = boxes::read(clause)? {
        return Ok(Some(step));
    }
    if let Some(step) = tighter(clause, inwards)? {
        return Ok(Some(step));
    }
    if let Some(shape) = shape(clause) {
        let place = place_or_center(clause);
        return Ok(Some(Crop::Ratio { width: shape.0, height: shape.1, place }));
    }
    if let Some((width, height)) = clause.dimensions() {
        clause.take(&["from"]);
        clause.take(&["area", "region", "portion", "section", "box"]);
        return sized(clause, (width, height)).map(Some);
    }
    // "crop the middle third" can only mean to keep it: cutting it out would leave two images.
    let middle = halves && clause.has(&["middle", "center", "central"]);
    if (target || middle) && !clause.has(&["off", "from"]) {
        return share(clause).map(Some);
    }
    sides(clause).map(Some)
}

/// Renders the crop as words that parse back to the same crop.
pub(super) fn words_of(crop: &Crop) -> String {
    match crop {
        Crop::Ratio { width, height, place } => {
            format!("crop to the ratio {width}:{height} at the {}", place.words())
        }
        Crop::Size { width, height, place } => {
            format!("crop to {width}x{height} pixels at the {}", place.words())
        }
        Crop::Share { width_percent, height_percent, place } => {
            format!(
                "crop to {width_percent}% width {height_percent}% height at the {}",
                place.words()
            )
        }
        Crop::Box { left_px, top_px, width, height } => {
            format!("crop to the {width}x{height} box at {left_px},{top_px}")
        }
        Crop::Sides { left, top, right, bottom } => {
            format!("crop off left {left} top {top} right {right} bottom {bottom}")
        }
    }
}

/// "crop in", "crop it in": not "crop it in half".
fn inwards(clause: &Clause<'_>) -> bool {
    let words: Vec<&str> = clause.tokens().iter().map(|token| token.word()).collect();
    words.windows(2).any(|pair| pair == ["crop", "in"])
        || words.windows(3).any(|three| three == ["crop", "it", "in"])
}

/// "crop a bit tighter", "crop in a little": both sides get shorter around the center.
fn tighter(clause: &mut Clause<'_>, inwards: bool) -> Result<Option<Crop>, Refusal> {
    let said = clause.has(&["tighter", "tight", "tightly", "closer", "in closer"]);
    let by = clause.has(&["by"]);
    if !said && !inwards {
        return Ok(None);
    }
    clause.take(TIGHTER);
    let percent = match (clause.quantity(), clause.degree()) {
        // In "crop in half", the half is not an amount to cut off.
        (Some(amount), None)
            if amount.unit == Unit::Percent && !amount.to && !amount.signed && (said || by) =>
        {
            100.0 - amount.value
        }
        (None, None) if inwards && !said => return Ok(None),
        (None, degree) => TIGHTER_PERCENT.get(degree.unwrap_or(2)).copied().unwrap_or(80.0),
        _ => {
            return Err(Refusal::missing("say how much tighter, in percent: \"crop 10% tighter\""));
        }
    };
    let place = place_or_center(clause);
    clause.assumed.push(format!("{percent}% of the width and of the height is left"));
    Ok(Some(Crop::Share { width_percent: percent, height_percent: percent, place }))
}

/// "make it square" could mean to crop or to pad.
fn square_alone(clause: &mut Clause<'_>) -> Result<Option<Crop>, Refusal> {
    let others = &[
        "pad",
        "padded",
        "padding",
        "resize",
        "resized",
        "fit",
        "fill",
        "extend",
        "squared",
        "stretch",
        "scale",
        "letterbox",
        "bars",
        "add",
        "border",
    ];
    if clause.has(&["square"]) && !clause.has(others) {
        clause.head(&["square"]);
        return Err(Refusal::missing("say how: \"crop to a square\" or \"pad to a square\""));
    }
    Ok(None)
}

/// An aspect ratio: a ratio, "square", or two small numbers that form a common ratio.
fn shape(clause: &mut Clause<'_>) -> Option<(f64, f64)> {
    let shape = clause.ratio().or_else(|| aspect_names::named(clause));
    let shape = shape.or_else(|| usual_shape(clause))?;
    clause.take(&["aspect ratio", "ratio", "aspect", "format", "shape", "proportions"]);
    Some(shape)
}

/// "crop to 4x5": two numbers that are a common aspect ratio and not pixels.
fn usual_shape(clause: &mut Clause<'_>) -> Option<(f64, f64)> {
    const SIDES: &[(u8, u8)] = &[
        (1, 1),
        (2, 3),
        (3, 4),
        (4, 5),
        (4, 6),
        (5, 7),
        (8, 10),
        (9, 16),
        (10, 16),
        (9, 21),
        (11, 14),
    ];
    if clause.has(&["px", "pixels", "pixel"]) {
        return None;
    }
    let mut trial = clause.clone();
    let (width, height) = trial.dimensions()?;
    let sides = (width.min(height), width.max(height));
    let usual = SIDES.iter().any(|(short, long)| (f64::from(*short), f64::from(*long)) == sides);
    usual.then(|| {
        *clause = trial;
        clause.assumed.push(format!("{width} by {height} is a ratio, not pixels"));
        (width, height)
    })
}

fn place_or_center(clause: &mut Clause<'_>) -> Place {
    clause.take(&["from", "around", "keep", "keeping"]);
    let place = clause.place();
    if place.is_none() {
        clause.assumed.push("the crop is around the center".to_owned());
    }
    place.unwrap_or(Place::Center)
}

fn sized(clause: &mut Clause<'_>, (width, height): (f64, f64)) -> Result<Crop, Refusal> {
    let place = place_or_center(clause);
    let (width, height) = crate::instruction::whole_pixels(width)
        .zip(crate::instruction::whole_pixels(height))
        .ok_or_else(|| {
            Refusal::out_of_range("the size of a crop must be 1 to 16384 whole pixels")
        })?;
    Ok(Crop::Size { width, height, place })
}

/// "crop to the left half", "crop to the middle 50%", "crop to 40% width 60% height".
fn share(clause: &mut Clause<'_>) -> Result<Crop, Refusal> {
    let quarter = clause.has(&["quarter"]);
    let side = one_side(clause);
    let first = clause.quantity();
    let wide = clause.take(&["width"]).is_some();
    let second = if wide { clause.quantity() } else { None };
    let tall = wide && clause.take(&["height"]).is_some();
    let place = clause.place();
    let percent = |quantity: Option<Quantity>| {
        quantity.filter(|quantity| quantity.unit == Unit::Percent).map(|quantity| quantity.value)
    };
    let missing = || {
        Refusal::missing(
            "say what to crop to: \"crop to 16:9\", \"crop to 800x600\" or \"crop to the left half\"",
        )
    };
    let percent_first = percent(first).ok_or_else(missing)?;
    let (width_percent, height_percent) = match (percent(second), place) {
        (Some(height), _) if tall => (percent_first, height),
        _ if wide => return Err(missing()),
        _ if side == Some(true) => (percent_first, 100.0),
        _ if side == Some(false) => (100.0, percent_first),
        (_, Some(Place::Left | Place::Right)) => (percent_first, 100.0),
        (_, Some(Place::Top | Place::Bottom)) => (100.0, percent_first),
        (_, Some(Place::Center) | None) => {
            clause.assumed.push(format!("{percent_first}% of the width and of the height"));
            (percent_first, percent_first)
        }
        _ if quarter => (50.0, 50.0),
        _ => return Err(missing()),
    };
    Ok(Crop::Share { width_percent, height_percent, place: place.unwrap_or(Place::Center) })
}

/// "the middle third of the width": whether only the width (true) or only the height (false) is
/// meant.
fn one_side(clause: &mut Clause<'_>) -> Option<bool> {
    let across = &["of the width", "of its width", "horizontally", "across"];
    let down = &["of the height", "of its height", "vertically"];
    let across = clause.take(across).map(|_| true);
    across.or_else(|| clause.take(down).map(|_| false))
}

/// "crop 10% off the left", "trim 5px from all sides".
fn sides(clause: &mut Clause<'_>) -> Result<Crop, Refusal> {
    let missing = || {
        Refusal::missing(
            "say what to cut off, and where: \"crop 10% off the left\", or what to keep: \"crop to 16:9\"",
        )
    };
    if clause.has(&[
        "top left",
        "top right",
        "bottom left",
        "bottom right",
        "upper left",
        "upper right",
    ]) {
        return Err(missing());
    }
    // "crop the left half" is ambiguous: it can mean to keep it or to cut it off.
    let verbs = ["trim", "trimmed", "cut", "chop"];
    let verb = clause.tokens().iter().any(|token| verbs.contains(&token.word()));
    let cuts = verb || clause.has(&["off", "from", "by", "away"]);
    let all = clause.take(ALL_SIDES).is_some();
    let mut named = Vec::new();
    while let Some((which, at, length)) = clause.find(&["left", "top", "right", "bottom"]) {
        named.push((at, which));
        clause.mark(at, length);
    }
    named.sort_unstable();
    clause.take_all(&["hand", "sides", "side", "edges", "edge"]);
    let mut amounts = Vec::new();
    while let Some(quantity) = clause.quantity() {
        amounts.push(length(quantity).ok_or_else(missing)?);
    }
    if amounts.is_empty()
        && cuts
        && let Some(degree) = clause.degree()
    {
        let percent = OFF_PERCENT.get(degree).copied().unwrap_or(10.0);
        clause.assumed.push(format!("{percent}% is cut off"));
        amounts.push(Length::Percent(percent));
    }
    clause.take_all(OFF);
    let mut cut = [Length::ZERO; 4];
    if all && named.is_empty() {
        named = (0..4).map(|which| (which, which)).collect();
    }
    let same = amounts.len() == 1;
    if named.is_empty() || !cuts || !(same || amounts.len() == named.len()) {
        return Err(missing());
    }
    for (number, (_, which)) in named.into_iter().enumerate() {
        let amount = amounts.get(if same { 0 } else { number });
        if let (Some(side), Some(amount)) = (cut.get_mut(which), amount) {
            *side = *amount;
        }
    }
    let [left, top, right, bottom] = cut;
    Ok(Crop::Sides { left, top, right, bottom })
}

fn length(quantity: Quantity) -> Option<Length> {
    match quantity.unit {
        _ if quantity.to || quantity.signed => None,
        Unit::Percent => Some(Length::Percent(quantity.value)),
        Unit::Pixels | Unit::None => Some(Length::Pixels(quantity.value)),
        _ => None,
    }
}
