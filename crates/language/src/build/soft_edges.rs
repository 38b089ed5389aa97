//! Edges of the image that fade out.

use super::simple::{PLAIN, scale_of};
use super::{Edit, Miss, Request, amount, color, degree, length, missing};
use crate::value::{Unit, Value};
use retouch_engine::operations::SoftEdges;
use retouch_engine::{Color, Length, Region};

/// "feather the edges by 80px", "fade all four edges into black over 10%".
pub(super) fn soft_edges(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    if filled.has("over") && !fades_rim(request) {
        return Err(Miss::Unfit);
    }
    let every_side =
        matches!(filled.get("around"), None | Some(Value::Sides([true, true, true, true])));
    if !every_side {
        return missing("only all four edges can fade; a vignette fades the corners");
    }
    let color = match (color(filled, "color"), filled.has("clear")) {
        (Some(_), true) => return Err(Miss::Unfit),
        (color, _) => color.unwrap_or(Color::TRANSPARENT),
    };
    // "Fade out the edges to white" is a vignette.
    let named = filled.has("color") || filled.has("clear");
    let faded = filled.says("edges", "fading edges") && named;
    let measure = |name| filled.measure("measure", name);
    let said = [
        amount(filled, "over"),
        amount(filled, "amount"),
        measure("width"),
        measure("feather"),
        measure("radius"),
    ];
    let mut said = said.into_iter().flatten();
    let given = said.next();
    if said.next().is_some()
        || faded && given.is_none()
        || given.is_some() && degree(filled).is_some()
    {
        return Err(Miss::Unfit);
    }
    if given.is_some_and(|given| given.unit == Unit::None) {
        return missing("give the width in pixels or percent: \"feather the edges by 20px\"");
    }
    let width = match given {
        Some(given) => length(given).ok_or(Miss::Unfit)?,
        None => Length::Percent(scale_of("soft_edges")?[degree(filled).unwrap_or(PLAIN)]),
    };
    let mut edit = Edit::one(SoftEdges { width, color })?;
    if given.is_none() {
        edit.assumed.push(format!("the width of the soft edges is {width}"));
    }
    if !named {
        edit.assumed.push("the edges become transparent".to_owned());
    }
    Ok(edit)
}

/// "Fade the edges": without a width, that is a vignette, and so are corners.
fn fades_rim(request: &Request<'_>) -> bool {
    let plain = matches!(
        request.filled.get("op").map(Value::uses),
        Some([used]) if used.amount.is_none() && used.degree.is_none()
    );
    // Ten percent is the width of edges whose width is not said.
    let edges = matches!(
        request.filled.get("region"),
        Some(Value::Region(Region::Edges { width: Length::Percent(10.0) }))
    );
    plain && edges
}
