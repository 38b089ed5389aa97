//! Rotating, flipping and skewing.

use super::{Edit, Miss, Request, amount, color, contradiction, missing, whole_px};
use crate::value::{Amount, Unit, Value};
use retouch_engine::operations::{Corners, Flip, Rotate, Sides, Skew, SkewAxis, Tile};
use retouch_engine::{Color, Place, Step};

/// "rotate 90 degrees clockwise", "turn it upside down", "a quarter turn to the left".
pub(super) fn rotate(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let straighten = filled.says("verb", "straighten");
    let upright = match filled.word("leaning") {
        "leans clockwise" => Some(-1.0),
        "leans counterclockwise" => Some(1.0),
        _ => None,
    };
    let directed = directed(request)?.or(upright);
    // What leans to the right is turned to the left.
    let leaning = filled.measure("leans", "leans");
    let upright = leaning.map(|leaning| Amount::new(-leaning.value, Unit::Degrees));
    let given = match (upright.or_else(|| amount(filled, "amount")), filled.word("turned")) {
        (Some(_), "half" | "quarter" | "over" | "side") => return Err(Miss::Unfit),
        (Some(Amount { value, unit: Unit::Percent, .. }), "turn") => {
            Some(Amount::new(value * 3.6, Unit::Degrees))
        }
        (Some(_), "turn") => return Err(Miss::Unfit),
        (given, _) => given,
    };
    let mut assumed = Vec::new();
    let degrees = match (given, filled.word("turned"), directed) {
        (None, "over", None) | (None, "half", None) => 180.0,
        (None, "half", Some(sign)) => 180.0 * sign,
        (Some(Amount { unit: Unit::Degrees | Unit::None, value, signed }), _, directed) => {
            if signed && value < 0.0 && directed.is_some() {
                return contradiction(
                    "the direction and the sign of the angle contradict each other",
                );
            }
            value * directed.unwrap_or(1.0)
        }
        (Some(_), ..) => return missing("give the angle in degrees: \"rotate 90 degrees\""),
        (None, _, Some(sign)) if !straighten => {
            assumed.push("a turn without an angle is 90 degrees".to_owned());
            90.0 * sign
        }
        _ => {
            return missing("say how many degrees and which way: \"rotate 90 degrees clockwise\"");
        }
    };
    let background = color(filled, "color").unwrap_or(Color::TRANSPARENT);
    let corners = match (filled.word("corners"), straighten) {
        ("keep size", _) => Corners::Keep,
        ("cut corners", _) | ("", true) => Corners::Cut,
        _ => Corners::Grow,
    };
    // A turn by right angles leaves no corners.
    let corners = if degrees % 90.0 == 0.0 { Corners::Grow } else { corners };
    let edit = Edit::one(Rotate { degrees, background, corners })?;
    Ok(Edit { assumed, ..edit })
}

/// The sign of a direction: 1 is clockwise.
fn directed(request: &Request<'_>) -> Result<Option<f64>, Miss> {
    let turns = request.filled.all("turn").map(|value| value.word() == "clockwise");
    let places = request.filled.all("place").map(|value| match value {
        Value::Place(Place::Right) => Ok(true),
        Value::Place(Place::Left) => Ok(false),
        _ => Err(Miss::Unfit),
    });
    let all: Vec<bool> = turns.map(Ok).chain(places).collect::<Result<_, _>>()?;
    match all.as_slice() {
        [] => Ok(None),
        [first, rest @ ..] if rest.iter().all(|clockwise| clockwise == first) => {
            Ok(Some(if *first { 1.0 } else { -1.0 }))
        }
        _ => contradiction("the image can't be turned both ways; choose one"),
    }
}

/// "flip horizontally and vertically", "mirror it", "transpose".
pub(super) fn flip(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let mut axes: Vec<&str> = filled.all("axis").map(Value::word).collect();
    // "mirror along the vertical axis": the axis itself stays.
    if filled.has("along") {
        axes = axes
            .into_iter()
            .map(|axis| if axis == "vertical" { "horizontal" } else { "vertical" })
            .collect();
    }
    axes.extend(match filled.word("verb") {
        "flip across" => Some("horizontal"),
        "flip down" => Some("vertical"),
        _ => None,
    });
    // "Flip it, it's backwards" also says which way.
    if axes.is_empty() && (filled.says("verb", "mirror") || filled.has("why")) {
        return Ok(Edit::one(Flip { sides: Sides::LeftRight })?.assuming("mirrored left to right"));
    }
    if axes.is_empty() || filled.has("over") {
        return missing("say which way: \"flip horizontally\" or \"flip vertically\"");
    }
    let flips = axes.into_iter().map(|axis| match axis {
        "horizontal" | "leftward" => Flip { sides: Sides::LeftRight }.into(),
        _ => Flip { sides: Sides::TopBottom }.into(),
    });
    let mut steps: Vec<Step> = flips.collect();
    // "Mirror vertically, top to bottom" says the same twice.
    steps.dedup();
    Ok(Edit { steps, ..Edit::default() })
}

/// "transpose the picture".
pub(super) fn transpose(request: &Request<'_>) -> Result<Edit, Miss> {
    let sides = if request.filled.says("verb", "transverse") {
        Sides::Transverse
    } else {
        Sides::Transpose
    };
    Edit::one(Flip { sides })
}

/// "tile it 4 x 3", "repeat it 3 times horizontally".
pub(super) fn tile(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    // Several images are put side by side instead.
    if request.images.contains(&"them") {
        return Err(Miss::Unfit);
    }
    let (across, down) = match (filled.get("board"), amount(filled, "amount")) {
        (Some(Value::Size(across, down)), None) => (*across, down.max(1.0)),
        (None, Some(Amount { value, unit: Unit::Times, signed: false })) => {
            if filled.word("axis") == "horizontal" { (value, 1.0) } else { (1.0, value) }
        }
        _ => return Err(Miss::Unfit),
    };
    let (across, down) = (whole_px(across)?, whole_px(down)?);
    Edit::one(Tile { across, down, mirrored: filled.has("mirrored") })
}

/// "skew it 10 degrees to the right", "shear it vertically by 15 degrees".
pub(super) fn skew(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let sideways = directed(request)?.map(|sign| (SkewAxis::Horizontal, sign));
    let upright = super::direction(filled).map(|sign| (SkewAxis::Vertical, -sign));
    let named = match filled.word("axis") {
        "horizontal" => Some(SkewAxis::Horizontal),
        "vertical" => Some(SkewAxis::Vertical),
        _ => None,
    };
    let said = match (sideways, upright) {
        (Some(_), Some(_)) => {
            return missing(
                "skew it one way and then the other: \"skew it 10 degrees to the right, then skew it 5 degrees up\"",
            );
        }
        (one, other) => one.or(other),
    };
    if said.is_some_and(|(axis, _)| named.is_some_and(|named| named != axis)) {
        return contradiction("the axis and the direction of the skew contradict each other");
    }
    let given = match amount(filled, "amount") {
        Some(given) if matches!(given.unit, Unit::Degrees | Unit::None) => given,
        _ => return missing("give the angle in degrees: \"skew it 10 degrees to the right\""),
    };
    if given.signed && given.value < 0.0 && said.is_some() {
        return contradiction("the direction and the sign of the angle contradict each other");
    }
    let (axis, sign) = said.unwrap_or((named.unwrap_or(SkewAxis::Horizontal), 1.0));
    let background = color(filled, "color").unwrap_or(Color::TRANSPARENT);
    let step = Skew { axis, degrees: given.value * sign, background };
    let edit = Edit::one(step)?;
    Ok(match (said, axis) {
        (Some(_), _) => edit,
        (None, SkewAxis::Horizontal) => edit.assuming("a positive skew moves the top to the right"),
        (None, SkewAxis::Vertical) => edit.assuming("a positive skew moves the right side down"),
    })
}
