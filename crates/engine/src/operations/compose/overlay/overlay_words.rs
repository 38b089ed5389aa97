//! Parses and renders the words for an overlay.

use super::Overlay;
use crate::instruction::{Clause, Quantity, Unit};
use crate::length::Length;
use crate::{Place, Refusal};

pub(super) const HEADS: &[&str] =
    &["overlay", "superimpose", "paste", "overlaid", "superimposed", "picture in picture"];
pub(super) const DETAILS: &[&str] = &[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "other",
    "input",
    "place",
    "insert",
    "lay",
    "over",
    "onto",
    "top of",
    "wide",
    "width",
    "margin",
    "opacity",
    "opaque",
    "scaled",
    "resized",
    "size",
    "as a watermark",
    "as a logo",
    "its own size",
    "original size",
    "own",
];
const VERBS: &[&str] = &["put", "place", "add", "insert", "lay", "position"];
/// The default margin, which is the same as for texts.
pub(super) const MARGIN: Length = Length::Percent(4.0);
/// The default width.
pub(super) const WIDTH: Length = Length::Percent(25.0);

/// Parses any wording of an overlay.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Overlay>, Refusal> {
    let headed = clause.head(HEADS).is_some();
    let watermark = clause.take(&["as a watermark", "as watermark"]).is_some();
    if !headed && !watermark && !clause.has(VERBS) {
        return Ok(None);
    }
    let Some(picture) = clause.picture() else { return Ok(None) };
    clause.take_all(VERBS);
    clause.take(&["as a logo", "as logo"]);
    clause.take_all(&["over", "onto", "top of"]);
    match clause.picture() {
        None | Some(1) if picture > 1 => {}
        _ => {
            return Err(Refusal::missing(
                "the first image is at the bottom, so overlay one of the others: \"put the second \
                 picture at the top left\"",
            ));
        }
    }
    let own =
        clause.take(&["in its own size", "its own size", "its original size", "original size"]);
    let at = clause.coordinates_after(&["at", "to", "position"]);
    let opacity = clause.labeled(&["opacity", "opaque"]).or_else(|| {
        let clear = clause.labeled(&["transparent", "transparency", "translucent"])?;
        Some(Quantity { value: 100.0 - clear.value, ..clear })
    });
    let margin = clause.labeled(&["margin"]);
    let size = clause.labeled(&["pixels wide", "wide", "width", "of the width"]);
    clause.take(&["scaled", "resized", "size"]);
    let size = size.or_else(|| clause.quantity());
    clause.take(&["of the width", "size", "wide"]);
    clause.take_all(&["and"]);
    let Some(place) = at.map(|_| Place::TopLeft).or_else(|| clause.place()) else {
        return Err(Refusal::missing(
            "say where: \"put the second picture in the bottom right corner\"; or say how to \
             blend the images: \"blend with picture 2 in multiply mode\"",
        ));
    };
    let width = match (own, size) {
        (Some(_), None) => None,
        (None, Some(size)) => Some(length(size)?),
        (None, None) => {
            clause.assumed.push(format!(
                "the width of image {picture} is {WIDTH} of the first \
                 image's width"
            ));
            Some(WIDTH)
        }
        _ => return Err(Refusal::contradiction("give the size of the other image only once")),
    };
    let usual = if at.is_some() { Length::ZERO } else { default_margin(place) };
    let margin = margin.map_or(Ok(usual), length)?;
    let percent = match opacity {
        Some(opacity) if matches!(opacity.unit, Unit::Percent) => opacity.value,
        Some(_) => return Err(Refusal::missing("give the opacity in percent")),
        None if watermark => {
            clause.assumed.push("a watermark is 50% opaque".to_owned());
            50.0
        }
        None => 100.0,
    };
    let step = Overlay { picture, place, at, width, margin, percent };
    clause.assumed.push(format!("placed on the first image as: {}", words_of(&step)));
    Ok(Some(step))
}

/// Renders the overlay as words that parse back to the same overlay.
pub(super) fn words_of(step: &Overlay) -> String {
    let Overlay { picture, place, at, width, margin, percent } = step;
    let width = match width {
        Some(width) => format!("with a width of {width}"),
        None => "in its own size".to_owned(),
    };
    if let Some(at) = at {
        return format!("overlay picture {picture} at {at} {width} and an opacity of {percent}%");
    }
    format!(
        "overlay picture {picture} at the {} {width} a margin of {margin} and an opacity of {percent}%",
        place.words()
    )
}

fn default_margin(place: Place) -> Length {
    if place == Place::Center { Length::ZERO } else { MARGIN }
}

fn length(amount: Quantity) -> Result<Length, Refusal> {
    match amount.unit {
        Unit::Percent => Ok(Length::Percent(amount.value)),
        Unit::Pixels => Ok(Length::Pixels(amount.value)),
        _ => Err(Refusal::missing("give sizes of the other image in pixels or percent")),
    }
}
