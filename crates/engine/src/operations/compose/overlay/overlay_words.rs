//! The words for an overlay.

use super::Overlay;
use crate::length::Length;

/// The default margin, which is the same as for texts.
pub(super) const MARGIN: Length = Length::Percent(4.0);
/// The default width.
pub(super) const WIDTH: Length = Length::Percent(25.0);

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
