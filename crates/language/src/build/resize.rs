//! Resizing and stretching.

use super::{Edit, Miss, Request, amount, contradiction, missing, whole_px};
use crate::frame::Filled;
use crate::value::{Amount, Unit, Value};
use retouch_engine::Place;
use retouch_engine::operations::{Limit, Resize};

/// The largest number without a unit that is a factor in "scale by 2".
const FACTOR_MAX: f64 = 16.0;
/// Up to this, a number without a unit may be percent, unless icons are that wide.
const PERCENT_MAX: f64 = 100.0;
const ICONS_PX: [f64; 5] = [16.0, 32.0, 48.0, 64.0, 96.0];
/// Up to this, both numbers of "tile it 4x4" count images.
const LAYOUT_MAX: f64 = 10.0;
/// Why a change by pixels is refused.
const BY_PIXELS: &str = "say the size to reach: \"resize to 1200 pixels wide\"";

/// Any wording of a size.
pub(super) fn resize(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let limit = limit(request)?;
    // Two sizes are no reading of one.
    if filled.has("amount") && (filled.has("size") || filled.has("measure")) {
        return Err(Miss::Unfit);
    }
    if let Some(Value::Size(width, height)) = filled.get("size") {
        return sized(request, (*width, *height), limit);
    }
    let (width, height) = (side(request, "width"), side(request, "height"));
    let relative = |amount: &Amount| matches!(amount.unit, Unit::Percent | Unit::Times);
    match (width, height) {
        (Some(width), Some(height)) if !relative(&width) && !relative(&height) => {
            let size = (pixels(width)?, pixels(height)?);
            return sized(request, size, limit);
        }
        (Some(_), Some(_)) => return stretch(request, width, height),
        (Some(side), None) | (None, Some(side)) if relative(&side) => {
            // "Red dots, 10% wide": not the image is.
            if request.context.inputs == 0 && !filled.has("verb") {
                return Err(Miss::Unfit);
            }
            return stretch(request, width, height);
        }
        (Some(width), None) => {
            return one_side(request, width, limit, |width, limit| Resize::Width { width, limit });
        }
        (None, Some(height)) => {
            return one_side(request, height, limit, |height, limit| Resize::Height {
                height,
                limit,
            });
        }
        (None, None) => {}
    }
    if let Some(long) = side(request, "long") {
        let px = whole_px(pixels(long)?)?;
        return Edit::one(Resize::Fit { width: px, height: px, limit: shrinking(request, limit) });
    }
    if let Some(short) = side(request, "short") {
        let px = whole_px(pixels(short)?)?;
        return Edit::one(Resize::Shortest { px, limit: shrinking(request, limit) });
    }
    if filled.says("verb", "fill") {
        return missing("say the size to fill: \"resize to fill 800x600\"");
    }
    match amount(filled, "amount") {
        Some(amount) => by_amount(request, amount, limit),
        None => missing("say the size: \"resize to 1200 pixels wide\", \"resize to 50%\""),
    }
}

/// A side by its label, wherever it is said.
fn side(request: &Request<'_>, label: &str) -> Option<Amount> {
    let limited = |limit| request.filled.measure("measure", &format!("{label} {limit}"));
    request.filled.measure("measure", label).or_else(|| limited("max")).or_else(|| limited("min"))
}

fn pixels(amount: Amount) -> Result<f64, Miss> {
    match amount {
        Amount { value, unit: Unit::Pixels | Unit::None, signed: false } => Ok(value),
        _ => Err(Miss::Unfit),
    }
}

/// "at most", "at least", "without upscaling".
fn limit(request: &Request<'_>) -> Result<Limit, Miss> {
    let filled = request.filled;
    let limited = |limit| filled.all("measure").any(|value| value.word().ends_with(limit));
    let most =
        limited(" max") || filled.says("limit", "most") || filled.says("limit", "no upscaling");
    let least = limited(" min") || filled.says("limit", "least");
    match (most, least) {
        (true, true) => contradiction("the instruction asks for both an upper and a lower limit"),
        (true, false) => Ok(Limit::AtMost),
        (false, true) => Ok(Limit::AtLeast),
        (false, false) => Ok(Limit::Exactly),
    }
}

/// What only shrinks enlarges nothing, and the other way around.
fn shrinking(request: &Request<'_>, limit: Limit) -> Limit {
    let smaller = growth(request) < 0.0;
    if limit == Limit::Exactly && smaller { Limit::AtMost } else { limit }
}

/// "100px wider": in proportion, since stretching distorts and padding adds bars.
fn relative(request: &Request<'_>, amount: Amount) -> Result<Edit, Miss> {
    let filled = request.filled;
    let px = |sign: i32| -> Result<i32, Miss> {
        let px = if amount.value == 0.0 { 0 } else { whole_px(amount.value)? };
        Ok(i32::try_from(px).unwrap_or(i32::MAX).saturating_mul(sign))
    };
    let (step, other) = match filled.word("comparative") {
        "wider" => (Resize::Wider { by_px: px(1)? }, "height"),
        "narrower" => (Resize::Wider { by_px: px(-1)? }, "height"),
        "taller" => (Resize::Taller { by_px: px(1)? }, "width"),
        "shorter" => (Resize::Taller { by_px: px(-1)? }, "width"),
        _ => return missing(BY_PIXELS),
    };
    Ok(Edit::one(step)?.assuming(format!("the {other} changes in proportion")))
}

/// 1 if the words say "larger", -1 if they say "smaller", 0 if they say neither.
fn growth(request: &Request<'_>) -> f64 {
    let filled = request.filled;
    match (filled.word("verb"), filled.word("comparative"), filled.word("way")) {
        ("enlarge", ..) | (_, "larger" | "wider" | "taller", _) | (_, _, "up") => 1.0,
        ("shrink", ..) | (_, "smaller" | "narrower" | "shorter", _) | (_, _, "down") => -1.0,
        _ => 0.0,
    }
}

/// Width and height.
fn sized(request: &Request<'_>, (width, height): (f64, f64), limit: Limit) -> Result<Edit, Miss> {
    let filled = request.filled;
    let (width, height) = (whole_px(width)?, whole_px(height)?);
    let fits = filled.says("verb", "fit") || filled.says("mode", "fit");
    let fills = ["verb", "mode", "cropped"].iter().any(|slot| filled.says(slot, "fill"));
    if let Some(Value::Size(across, down)) = filled.get("ratio")
        && across * f64::from(height) != down * f64::from(width)
    {
        return contradiction("the size has another shape; leave out one of the two");
    }
    // "Center crop 400x400" cuts 400x400 pixels out; "400x400 center crop" is the size of the result.
    let glued = filled.has("cropped") && filled.preposition("cropped").is_empty();
    if glued && !filled.is_behind("cropped", "size") {
        return Err(Miss::Unfit);
    }
    let keeps = filled.says("shape", "keep shape");
    if fills && (fits || limit != Limit::Exactly) {
        return Err(Miss::Unfit);
    }
    if by(request) {
        return missing(BY_PIXELS);
    }
    if fills {
        return Edit::one(Resize::Fill { width, height });
    }
    if fits || keeps || limit != Limit::Exactly {
        let limit = if fits { shrinking(request, limit) } else { limit };
        if limit == Limit::AtLeast {
            return Err(Miss::Unfit);
        }
        return Edit::one(Resize::Fit { width, height, limit });
    }
    let edit = Edit::one(Resize::Exact { width, height })?;
    Ok(edit.assuming(format!("the image is stretched to exactly {width}x{height} pixels")))
}

/// One side; the other one follows.
fn one_side(
    request: &Request<'_>,
    amount: Amount,
    limit: Limit,
    make: impl Fn(u32, Limit) -> Resize,
) -> Result<Edit, Miss> {
    if by(request) {
        return missing(BY_PIXELS);
    }
    let px = whole_px(pixels(amount)?)?;
    Edit::one(make(px, shrinking(request, limit)))
}

/// Whether a number of pixels is a difference: "100px wider", "by 50px".
fn by(request: &Request<'_>) -> bool {
    let named = request.filled.preposition("measure");
    named == "by" || request.filled.has("comparative") && named != "comma"
}

/// Each side by its own share.
fn stretch(
    request: &Request<'_>,
    width: Option<Amount>,
    height: Option<Amount>,
) -> Result<Edit, Miss> {
    let share = |side: Option<Amount>| side.map_or(Ok(100.0), |amount| percent(request, amount));
    let (width_percent, height_percent) = (share(width)?, share(height)?);
    Ok(Edit::one(Resize::Stretch { width_percent, height_percent })?
        .assuming("the other side does not change"))
}

/// "make the image smaller to the half".
pub(super) fn halve(_: &Request<'_>) -> Result<Edit, Miss> {
    Edit::one(Resize::Percent { percent: 50.0 })
}

/// "stretch the width by 20%", "squash it vertically by 25%".
pub(super) fn stretch_by(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let sign = if filled.says("verb", "squash") { -1.0 } else { 1.0 };
    let percent = match amount(filled, "amount") {
        Some(Amount { value, unit: Unit::Percent, signed: false }) => 100.0 + sign * value,
        _ => return missing("say by how many percent: \"stretch the width by 20%\""),
    };
    let (width_percent, height_percent) =
        if filled.says("side", "width") { (percent, 100.0) } else { (100.0, percent) };
    Ok(Edit::one(Resize::Stretch { width_percent, height_percent })?
        .assuming("the other side does not change"))
}

/// "Resize to full HD": a format has a shape, into which nothing is squeezed.
pub(super) fn resize_named(request: &Request<'_>) -> Result<Edit, Miss> {
    let (width, height) = named(request.filled).ok_or(Miss::Unfit)?;
    let edit = Edit::one(Resize::Fill { width: whole_px(width)?, height: whole_px(height)? })?;
    Ok(edit.assuming("what doesn't fit is cut off; to keep all of it, say \"pad\""))
}

/// "A banner, 1584x396", "crop for a 5x7 inch print": what is made for something is not squeezed.
pub(super) fn resize_for(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let Some(Value::Size(width, height)) = filled.get("size") else { return Err(Miss::Unfit) };
    if filled.get("place").is_some_and(|place| *place != Value::Place(Place::Center)) {
        return Err(Miss::Unfit);
    }
    // "Tile it 4x4" counts copies, as a layout.
    if *width <= LAYOUT_MAX && *height <= LAYOUT_MAX {
        return Err(Miss::Unfit);
    }
    // "Make a banner" may draw one.
    if filled.says("verb", "make") && request.images.is_empty() {
        return Err(Miss::Unfit);
    }
    let edit = Edit::one(Resize::Fill { width: whole_px(*width)?, height: whole_px(*height)? })?;
    Ok(edit.assuming("what doesn't fit is cut off; to keep all of it, say \"pad\""))
}

/// The size of a format that has a name.
pub(super) fn named(filled: &Filled<'_>) -> Option<(f64, f64)> {
    let (width, height) = filled.word("named").split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// "Increase the width by 100px": in proportion, as "100px wider" is.
pub(super) fn resize_by(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let wide = filled.says("side", "width");
    let comparative = match (wide, super::direction(filled)) {
        (true, Some(1.0)) => "wider",
        (true, Some(_)) => "narrower",
        (false, Some(1.0)) => "taller",
        (false, Some(_)) => "shorter",
        _ => return Err(Miss::Unfit),
    };
    let comparative = Value::Word(comparative);
    let kept = filled.entries().iter().copied().filter(|entry| entry.0 == "amount");
    let own = Filled::new(kept.chain([("comparative", &comparative, "")]));
    resize(&Request { filled: &own, ..*request })
}

/// The size that an amount means, in percent of the old one.
fn percent(request: &Request<'_>, amount: Amount) -> Result<f64, Miss> {
    let filled = request.filled;
    let to = filled.preposition("amount") == "to"
        || filled.has("share")
        || filled.preposition("measure") == "to";
    let direction = growth(request);
    if to && amount.unit == Unit::Percent && direction * (amount.value - 100.0) < 0.0 {
        return contradiction("the direction and the size to reach contradict each other");
    }
    match amount {
        Amount { signed: true, .. } => Err(Miss::Unfit),
        Amount { value, unit: Unit::Times, .. } => {
            Ok(if direction < 0.0 && value > 1.0 { 100.0 / value } else { value * 100.0 })
        }
        Amount { value, unit: Unit::Percent, .. }
            if to || direction == 0.0 && filled.preposition("amount") != "by" =>
        {
            Ok(value)
        }
        Amount { value, unit: Unit::Percent, .. } if direction != 0.0 => {
            // "200% bigger" may be twice or three times the size.
            if direction > 0.0 && value >= 100.0 && filled.preposition("amount") != "by" {
                return missing("say the size to reach: \"resize to 200%\"");
            }
            let percent = 100.0 + direction * value;
            if percent <= 0.0 {
                let message = format!("an image can't become {value}% smaller");
                return Err(Miss::Refused(retouch_engine::Refusal::out_of_range(message)));
            }
            Ok(percent)
        }
        Amount { unit: Unit::Percent, .. } => {
            missing("say the size to reach, or \"larger\" or \"smaller\"")
        }
        _ => Err(Miss::Unfit),
    }
}

/// An amount without a side: "to 50%", "by 2x", "to 800 px", "to 2 megapixels".
fn by_amount(request: &Request<'_>, amount: Amount, limit: Limit) -> Result<Edit, Miss> {
    let filled = request.filled;
    let by = filled.preposition("amount") == "by";
    // "Bring it down to 50%" may be about anything that has an amount.
    if filled.has("push") && amount.unit != Unit::Megapixels {
        return Err(Miss::Unfit);
    }
    match amount {
        Amount { value, unit: Unit::Megapixels, signed: false } => {
            // "Bring it down to" says no more than "to".
            let limit = if filled.has("push") { limit } else { shrinking(request, limit) };
            Edit::one(Resize::Megapixels { megapixels: value, limit })
        }
        // Less than one pixel can only be a factor.
        Amount { value, unit: Unit::None, signed: false }
            if by && value <= FACTOR_MAX || value > 0.0 && value < 1.0 =>
        {
            Edit::one(Resize::Percent { percent: value * 100.0 })
        }
        Amount { unit: Unit::Pixels | Unit::None, signed: false, .. } => {
            if by || filled.has("comparative") && filled.preposition("amount") != "to" {
                return relative(request, amount);
            }
            if limit != Limit::Exactly {
                return missing("say which side: \"at most 1600 pixels wide\"");
            }
            // "Resize to 40" may be percent, pixels or anything else, "scale to 64" an icon.
            if amount.unit == Unit::None
                && amount.value <= PERCENT_MAX
                && !ICONS_PX.contains(&amount.value)
            {
                return missing(
                    "say what the number is: \"resize to 40%\", \"resize to 40 px wide\"",
                );
            }
            let width = whole_px(amount.value)?;
            Ok(Edit::one(Resize::Width { width, limit: shrinking(request, limit) })?
                .assuming(format!("{width} pixels is the width")))
        }
        amount if limit == Limit::Exactly => {
            let edit = Edit::one(Resize::Percent { percent: percent(request, amount)? })?;
            Ok(match filled.word("comparative") {
                "wider" | "narrower" => edit.assuming("the height changes in proportion"),
                "taller" | "shorter" => edit.assuming("the width changes in proportion"),
                _ => edit,
            })
        }
        _ => Err(Miss::Unfit),
    }
}
