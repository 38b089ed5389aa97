//! Pads, borders, round corners, shadows and instant photos.

use super::resize::named;
use super::simple::scale_of;
use super::{Edit, Miss, Request, amount, color, degree, length, missing, place, whole_px};
use crate::frame::Filled;
use crate::value::{Amount, Unit, Value};
use retouch_engine::operations::{
    Background, Backing, Border, Corner, Limit, OuterBorder, Pad, Polaroid, Resize, RoundCorners,
    Shadow, Side,
};
use retouch_engine::{Color, Length, Place};

/// The widths of thin, plain and thick borders, in percent of the shorter side.
const BORDER_PERCENT: [f64; 3] = [1.0, 2.0, 5.0];
/// The opacity of a shadow by degree, in percent.
const SHADOW_PERCENT: [f64; 5] = [15.0, 30.0, 50.0, 70.0, 85.0];
/// The blur of a plain, a soft and a hard shadow, in percent of the shorter side.
const SHADOW_BLUR_PERCENT: [f64; 3] = [2.0, 4.0, 0.2];
/// The distance of a shadow, in percent of the shorter side.
const SHADOW_DISTANCE_PERCENT: f64 = 2.0;

/// "pad to a square with white", "add 50px of padding at the top".
pub(super) fn pad(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let backing = backing(request)?;
    let color = backing.unwrap_or(Backing::Color(Color::TRANSPARENT));
    let square = Value::Size(1.0, 1.0);
    let ratio =
        filled.get("ratio").or_else(|| filled.says("verb", "square off").then_some(&square));
    let pad = match (ratio, filled.get("size")) {
        // "Pad it to a square, 64 px": the amount is no part of the ratio.
        (Some(Value::Size(width, height)), None) => {
            if filled.has("amount") || filled.has("measure") {
                return squared(request, (*width, *height), color);
            }
            Pad::Ratio { width: *width, height: *height, color, place: image_place(filled)? }
        }
        // A letterbox has a size that the image first has to fit in: see `letterbox`.
        (None, Some(_)) if filled.says("verb", "letterbox") => return Err(Miss::Unfit),
        (None, Some(Value::Size(width, height))) => {
            let (width, height) = (whole_px(*width)?, whole_px(*height)?);
            Pad::Size { width, height, color, place: image_place(filled)? }
        }
        (None, None) => pad_sides(request, color)?,
        _ => return Err(Miss::Unfit),
    };
    let edit = Edit::one(pad)?;
    Ok(if backing.is_none() { edit.assuming("the new space is transparent") } else { edit })
}

/// "Pad it to a square, 64 px": the side of the square.
fn squared(
    request: &Request<'_>,
    (width, height): (f64, f64),
    color: Backing,
) -> Result<Edit, Miss> {
    let filled = request.filled;
    let side = amount(filled, "amount").filter(|given| given.unit == Unit::Pixels && !given.signed);
    let Some(side) = side.filter(|_| width == height && filled.preposition("amount") != "by")
    else {
        return Err(Miss::Unfit);
    };
    let px = whole_px(side.value)?;
    let pad = Pad::Ratio { width, height, color, place: image_place(filled)? };
    let resize = Resize::Exact { width: px, height: px };
    Ok(Edit { steps: vec![pad.into(), resize.into()], ..Edit::default() })
}

/// What fills the new space, if words tell.
fn backing(request: &Request<'_>) -> Result<Option<Backing>, Miss> {
    let filled = request.filled;
    Ok(match (filled.word("backing"), color(filled, "color")) {
        ("blurred", None) => Some(Backing::Blurred),
        ("edges", None) => Some(Backing::Edges),
        ("mirrored", None) => Some(Backing::Mirrored),
        ("", None) if filled.says("padding", "white padding") => Some(Backing::Color(Color::WHITE)),
        ("", color) => color.map(Backing::Color),
        _ => return Err(Miss::Unfit),
    })
}

/// Where the image lies in the larger one. "At the top" may be where the new space is.
fn image_place(filled: &Filled<'_>) -> Result<Place, Miss> {
    // "In the top left of a 1000x1000 canvas" can only be where the image goes.
    if let Some(Value::Place(place)) = filled.get("at") {
        return Ok(*place);
    }
    let place = place(filled, Place::Center)?;
    let at_side = match filled.get("sides") {
        Some(Value::Sides(sides)) => sides.iter().filter(|side| **side).count() == 1,
        _ => false,
    };
    if at_side || place != Place::Center && filled.preposition("place") != "image_at" {
        return missing(
            "say where the image goes: \"pad to a square with white, with the image at the top\"",
        );
    }
    Ok(place)
}

/// "728x90, letterboxed on black": the image fits inside, and the rest is filled.
pub(super) fn letterbox(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let (width, height) = match (filled.get("size"), named(filled)) {
        (Some(Value::Size(width, height)), None) => (*width, *height),
        (None, Some(size)) => size,
        _ => return Err(Miss::Unfit),
    };
    if let Some(Value::Size(across, down)) = filled.get("ratio")
        && across * height != down * width
    {
        return Err(Miss::Unfit);
    }
    let (width, height) = (whole_px(width)?, whole_px(height)?);
    let limit = if filled.has("limit") { Limit::AtMost } else { Limit::Exactly };
    let fit = Resize::Fit { width, height, limit };
    let backing = backing(request)?;
    let color = backing.unwrap_or(Backing::Color(Color::BLACK));
    let pad = Pad::Size { width, height, color, place: Place::Center };
    let edit = Edit { steps: vec![fit.into(), pad.into()], ..Edit::default() };
    Ok(if backing.is_some() { edit } else { edit.assuming("the new space is black") })
}

fn pad_sides(request: &Request<'_>, color: Backing) -> Result<Pad, Miss> {
    let filled = request.filled;
    let by = amount(filled, "amount").or_else(|| filled.measure("measure", "width"));
    let Some(by) = by.and_then(length) else {
        return missing(
            "say how much to pad: \"pad to 16:9\", \"pad to 800x600\" or \"pad by 50px\"",
        );
    };
    let all = [true; 4];
    let sides = match (filled.get("sides"), filled.get("place")) {
        (Some(Value::Sides(sides)), None) => *sides,
        (None, None) => all,
        _ => return Err(Miss::Unfit),
    };
    Ok(match (sides == all, by) {
        (true, Length::Pixels(px)) => Pad::By { px: whole_px(px)?, color },
        _ => {
            let [left, top, right, bottom] = sides.map(|side| if side { by } else { Length::ZERO });
            Pad::Sides { left, top, right, bottom, color }
        }
    })
}

/// "pad left 10px top 20px".
pub(super) fn pad_each(request: &Request<'_>) -> Result<Edit, Miss> {
    let mut sides = [Length::ZERO; 4];
    for value in request.filled.all("cut") {
        let Value::Cut(lengths) = value else { return Err(Miss::Unfit) };
        for (side, length) in sides.iter_mut().zip(lengths) {
            *side = length.unwrap_or(*side);
        }
    }
    let [left, top, right, bottom] = sides;
    let color = backing(request)?.unwrap_or(Backing::Color(Color::TRANSPARENT));
    Edit::one(Pad::Sides { left, top, right, bottom, color })
}

/// "a thin white border", "a 10px border at the top and bottom".
pub(super) fn border(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    // "Rounded corners, 40px, and a thick frame": the amount is of what is before.
    let entries = filled.entries();
    let before = entries.first().is_some_and(|entry| entry.0 == "amount");
    let joined = entries.iter().take_while(|entry| entry.0 != "border");
    if before && joined.clone().any(|entry| matches!(entry.2, "and" | "comma")) {
        return Err(Miss::Unfit);
    }
    let given = amount(filled, "amount")
        .or_else(|| filled.measure("measure", "width"))
        .or_else(|| filled.measure("measure", "thickness"));
    let mut assumed = Vec::new();
    let width = match (given, filled.word("weight")) {
        (Some(_), "share of side") => {
            return missing(
                "a border in percent is relative to the shorter side: say \"a border of \
                    5%\", or give the width in pixels",
            );
        }
        // "A thin line, 2 px": the amount is what "thin" means.
        (Some(given), "" | "thin" | "thick")
            if !filled.has("short") || given.unit == Unit::Percent =>
        {
            length(given).ok_or(Miss::Unfit)?
        }
        (Some(_), _) => return Err(Miss::Unfit),
        (None, weight) => {
            let percent = BORDER_PERCENT[match weight {
                "thin" => 0,
                "thick" => 2,
                _ => 1,
            }];
            assumed.push(format!("the border width is {percent}% of the shorter side"));
            Length::Percent(percent)
        }
    };
    let sides = match filled.get("sides") {
        Some(Value::Sides(sides)) if sides.iter().any(|side| !side) => Side::ALL
            .into_iter()
            .zip(sides)
            .filter(|(_, wanted)| **wanted)
            .map(|(side, _)| side)
            .collect(),
        _ => Vec::new(),
    };
    let color = color(filled, "color");
    if color.is_none() {
        assumed.push("the border is black".to_owned());
    }
    let edit =
        Edit::one(Border { width, color: color.unwrap_or(Color::BLACK), sides, outer: None })?;
    Ok(Edit { assumed, ..edit })
}

/// "a double border of 10px white inside 4px black": the inner one comes first.
pub(super) fn double_border(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let widths: Vec<Length> =
        filled.all("amount").filter_map(Value::amount).filter_map(length).collect();
    let colors: Vec<Color> = filled
        .all("color")
        .filter_map(|value| match value {
            Value::Color(color) => Some(*color),
            _ => None,
        })
        .collect();
    let (inner, outer) = match colors.as_slice() {
        [] => (Color::WHITE, Color::BLACK),
        [inner, outer] => (*inner, *outer),
        _ => {
            return missing(
                "name the colors of both borders, the inner one first: \"a double border of \
                    10px white inside 4px black\"",
            );
        }
    };
    let usual = Length::Percent(BORDER_PERCENT[1]);
    let (width, outer_width) = match widths.as_slice() {
        [] => (usual, usual),
        [both] => (*both, *both),
        [width, outer] => (*width, *outer),
        _ => return Err(Miss::Unfit),
    };
    Edit::one(Border {
        width,
        color: inner,
        sides: Vec::new(),
        outer: Some(OuterBorder { width: outer_width, color: outer }),
    })
}

/// "round the corners", "round the top corners by 40px".
pub(super) fn round_corners(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let given = amount(filled, "amount")
        .or_else(|| filled.measure("measure", "radius"))
        .or_else(|| amount(filled, "on"));
    let mut assumed = Vec::new();
    let radius = match (given, degree(filled)) {
        (Some(given), None) => length(given).ok_or(Miss::Unfit)?,
        (None, degree) => {
            let percent = scale_of("round_corners")?[degree.unwrap_or(2)];
            assumed.push(format!("the radius is {percent}% of the shorter side"));
            Length::Percent(percent)
        }
        _ => return Err(Miss::Unfit),
    };
    let mut corners = Vec::new();
    for value in filled.all("place") {
        let Value::Place(place) = value else { return Err(Miss::Unfit) };
        let (column, row) = place.column_row();
        if (column, row) == (1, 1) {
            return Err(Miss::Unfit);
        }
        let each = [(0, 0), (2, 0), (0, 2), (2, 2)].into_iter().zip(Corner::ALL);
        let near =
            each.filter(|((c, r), _)| (column == 1 || column == *c) && (row == 1 || row == *r));
        corners.extend(near.map(|(_, corner)| corner));
    }
    let edit = Edit::one(RoundCorners { radius, corners })?;
    Ok(Edit { assumed, ..edit })
}

/// "a soft drop shadow", "a navy shadow with a blur of 12px".
pub(super) fn shadow(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let share = filled.measure("measure", "opacity").or_else(|| amount(filled, "amount"));
    let percent = match (share, degree(filled)) {
        (Some(Amount { value, unit: Unit::Percent, signed: false }), None) => value,
        (None, degree) => SHADOW_PERCENT[degree.unwrap_or(2)],
        _ => return Err(Miss::Unfit),
    };
    let usual = SHADOW_BLUR_PERCENT[match filled.word("softness") {
        "soft" => 1,
        "hard" => 2,
        _ => 0,
    }];
    let measure = |label: &str, usual: f64| match filled.measure("measure", label) {
        Some(given) => length(given).ok_or(Miss::Unfit),
        None => Ok(Length::Percent(usual)),
    };
    let (blur, distance) = (measure("blur", usual)?, measure("distance", SHADOW_DISTANCE_PERCENT)?);
    let color = color(filled, "color").unwrap_or(Color::BLACK);
    let towards = place(filled, Place::BottomRight)?;
    let shadow = Shadow { color, percent, blur, distance, towards };
    Ok(grounded(Edit::one(shadow)?, filled)?
        .assuming("the shadow has the usual opacity, blur and distance unless they are given"))
}

/// "On white": what is behind the image and its shadow.
fn grounded(mut edit: Edit, filled: &Filled<'_>) -> Result<Edit, Miss> {
    if let Some(color) = color(filled, "ground") {
        if filled.has("clear") {
            return Err(Miss::Unfit);
        }
        edit.steps.push(Background { color }.into());
    }
    Ok(edit)
}

/// "Box-shadow: 0 8px 24px black at 35%": the shifts to the right and down, and the blur.
pub(super) fn shadow_css(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let px = |value: &Value| match value.amount() {
        Some(Amount { value, unit: Unit::Pixels | Unit::None, .. }) => Some(value),
        _ => None,
    };
    let all: Option<Vec<f64>> = filled.all("css").map(px).collect();
    let [x, y, blur] = all.as_deref().unwrap_or_default() else { return Err(Miss::Unfit) };
    let measure = |label, px: f64| Value::Measure(label, Amount::new(px, Unit::Pixels));
    let (x, y, blur) = (measure("shift x", *x), measure("shift y", *y), measure("blur", *blur));
    let own = [("measure", &x, ""), ("measure", &y, ""), ("measure2", &blur, "")];
    let named = filled.get("opacity").map(|opacity| ("measure2", opacity, ""));
    let kept = filled.entries().iter().copied();
    let kept = kept.filter(|entry| matches!(entry.0, "color" | "amount" | "clear" | "ground"));
    shadow_at(&Request { filled: &Filled::new(kept.chain(own).chain(named)), ..*request })
}

/// "Drop shadow y:8 blur:24 #000 @ 20%": straight down, to the right, or the same both ways.
pub(super) fn shadow_at(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let shift = |label: &str| match filled.measure("measure", label) {
        Some(Amount { value, unit: Unit::Pixels | Unit::None, .. }) => Ok(value),
        Some(_) => Err(Miss::Unfit),
        None => Ok(0.0),
    };
    let (x, y) = (shift("shift x")?, shift("shift y")?);
    let same = x.abs() == y.abs();
    if x == 0.0 && y == 0.0 || x != 0.0 && y != 0.0 && !same {
        return missing("a shadow falls straight to a side or to a corner, as far both ways");
    }
    let third = |shift: f64| match shift {
        shift if shift < 0.0 => 0,
        shift if shift > 0.0 => 2,
        _ => 1,
    };
    let towards = Place::ALL.into_iter().find(|place| place.column_row() == (third(x), third(y)));
    let distance = Length::Pixels(x.abs().max(y.abs()));
    let share = filled.measure("measure2", "opacity").or_else(|| amount(filled, "amount"));
    let percent = match share {
        Some(Amount { value, unit: Unit::Percent, signed: false }) => value,
        Some(_) => return Err(Miss::Unfit),
        None => SHADOW_PERCENT[2],
    };
    let blur = match filled.measure("measure2", "blur") {
        Some(given) => length(given).ok_or(Miss::Unfit)?,
        None => Length::Percent(SHADOW_BLUR_PERCENT[usize::from(filled.says("softness", "soft"))]),
    };
    let color = color(filled, "color").unwrap_or(Color::BLACK);
    let towards = towards.ok_or(Miss::Unfit)?;
    let edit = grounded(Edit::one(Shadow { color, percent, blur, distance, towards })?, filled)?;
    Ok(edit.assuming("the shadow has the usual opacity and blur unless they are given"))
}

/// "a polaroid frame".
pub(super) fn polaroid(request: &Request<'_>) -> Result<Edit, Miss> {
    Edit::one(Polaroid { color: color(request.filled, "color").unwrap_or(Color::WHITE) })
}
