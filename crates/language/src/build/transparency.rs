//! Backgrounds and transparency.

use super::color::usual_tolerance;
use super::{Edit, Miss, Request, amount, color, direction, missing};
use crate::value::{Amount, Unit};
use retouch_engine::operations::{Backdrop, Background, ColorKey, Opacity};
use retouch_engine::{Color, Refusal, RefusalKind};

/// What to say where only a model can find the background.
const BACKGROUND: &str = "only a model can find the background of a photo; a plain one can \
    be removed: \"remove the white background\"";

/// "make it 30% transparent", "set the opacity to 60%".
pub(super) fn opacity(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let clear = filled.measure("measure", "transparency");
    let opaque = filled.measure("measure", "opacity");
    let directed = direction(filled).is_some();
    let share = |given: Amount| match given {
        // "opacity: 0.5", as in a style sheet. 1 could mean 100% or 1%.
        Amount { value, unit: Unit::None, signed: false }
            if value > 0.0 && value < 1.0 && !directed =>
        {
            Ok(value * 100.0)
        }
        Amount { value, unit: Unit::None, .. } if value <= 1.0 => {
            missing("give the opacity in percent: \"set the opacity to 50%\"")
        }
        Amount { value, unit: Unit::None | Unit::Percent, signed: false } => Ok(value),
        _ => missing("give the opacity in percent: \"set the opacity to 50%\""),
    };
    let less = direction(filled).is_some_and(|sign| sign < 0.0);
    let by = filled.preposition("measure") == "by" || filled.preposition("amount") == "by";
    let percent = match (opaque, clear, filled.has("half")) {
        (None, None, true) => 50.0,
        (Some(given), None, false) if less && by => 100.0 - share(given)?,
        (Some(given), None, false) => share(given)?,
        (None, Some(given), false) => 100.0 - share(given)?,
        (None, None, false) => {
            return missing("give the opacity in percent: \"set the opacity to 50%\"");
        }
        _ => return Err(Miss::Unfit),
    };
    Edit::one(Opacity { percent })?.within(filled)
}

/// "put it on a white background", "flatten onto black".
pub(super) fn background(request: &Request<'_>) -> Result<Edit, Miss> {
    match color(request.filled, "color") {
        Some(color) => Edit::one(Background { color }),
        None => Err(Miss::Unfit),
    }
}

/// "remove the white background", "make the plain background light blue".
pub(super) fn backdrop(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let from = color(filled, "from");
    if from.is_some_and(|from| !from.is_opaque()) {
        return Err(Miss::Unfit);
    }
    let removes = filled.says("verb", "remove");
    if from.is_none() && !filled.has("plain") {
        return Err(Miss::Refused(Refusal::new(RefusalKind::NeedsGenerativeModel, BACKGROUND)));
    }
    let to = match (color(filled, "to"), removes) {
        (Some(to), false) => to,
        (None, true) => Color::TRANSPARENT,
        _ => return Err(Miss::Unfit),
    };
    Edit::one(Backdrop { from, to, tolerance_percent: tolerance(request)? })
}

/// "make white transparent", "key out green".
pub(super) fn color_key(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(color) = color(request.filled, "color").filter(|color| color.is_opaque()) else {
        return Err(Miss::Unfit);
    };
    let usual = usual_tolerance("color_key");
    let given = tolerance(request)?;
    let edit = Edit::one(ColorKey { color, tolerance_percent: given.unwrap_or(usual) })?;
    Ok(if given.is_none() {
        edit.assuming(format!("colors within {usual}% count as the same"))
    } else {
        edit
    })
}

fn tolerance(request: &Request<'_>) -> Result<Option<f64>, Miss> {
    let given =
        request.filled.measure("measure", "tolerance").or_else(|| amount(request.filled, "amount"));
    given.map(|given| super::percent(given).ok_or(Miss::Unfit)).transpose()
}
