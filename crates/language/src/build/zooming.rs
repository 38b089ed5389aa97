//! Zooming a still image; see `camera` for videos.

use super::simple::{PLAIN, scale_of};
use super::{Edit, Miss, Request, amount, degree, missing, place};
use crate::value::{Amount, Unit};
use retouch_engine::Place;
use retouch_engine::operations::Zoom;

/// Below this, a zoom without a unit may be a factor.
const PERCENT_MIN: f64 = 10.0;

/// "zoom in 20%", "zoom to 150%", "zoom in 2x on the top left".
pub(super) fn zoom(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let verb = filled.word("verb");
    let (to, by) = (filled.preposition("amount") == "to", filled.preposition("amount") == "by");
    let percent = match (amount(filled, "amount"), degree(filled)) {
        (Some(_), Some(_)) => return Err(Miss::Unfit),
        (Some(Amount { value, unit: Unit::Times, .. }), None) => value * 100.0,
        (Some(Amount { value, unit: Unit::Percent, .. }), None) if to => value,
        // "Zoom 150%" is a size, "zoom 20%" is none.
        (Some(Amount { value, unit: Unit::Percent, .. }), None)
            if verb == "still zoom" && !by && value > 100.0 =>
        {
            value
        }
        _ if verb == "still zoom" => return missing("say whether to zoom in or out"),
        // "Zoom in 200%" may be twice or three times the size.
        (Some(Amount { value, unit: Unit::Percent, .. }), None) if value >= 100.0 && !by => {
            return missing("say the size to reach: \"zoom to 200%\"");
        }
        (Some(Amount { value, unit: Unit::Percent, .. }), None) => 100.0 + value,
        (Some(Amount { value, unit: Unit::None, .. }), None) if value >= PERCENT_MIN && !to => {
            100.0 + value
        }
        (Some(_), None) => return missing("give the zoom in percent: \"zoom in by 40%\""),
        (None, degree) => scale_of("zoom")?[degree.unwrap_or(PLAIN)],
    };
    let edit = Edit::one(Zoom { percent, place: place(filled, Place::Center)? })?;
    Ok(match amount(filled, "amount") {
        Some(_) => edit,
        None => edit.assuming(format!("everything becomes {}% larger", percent - 100.0)),
    })
}
