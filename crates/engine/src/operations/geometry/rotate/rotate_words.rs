//! The words for a rotation.

use super::{Corners, Rotate};
use crate::Color;

/// Renders the rotation as words that parse back to the same rotation.
pub(super) fn words_of(step: &Rotate) -> String {
    let way = if step.degrees < 0.0 { "counterclockwise" } else { "clockwise" };
    let turn = format!("rotate {} degrees {way}", step.degrees.abs());
    let turn = match step.corners {
        Corners::Grow => turn,
        Corners::Keep => format!("{turn} keeping the size"),
        Corners::Cut => format!("{turn} cropping the corners"),
    };
    if step.background == Color::TRANSPARENT {
        return turn;
    }
    format!("{turn} with a {} background", step.background)
}
