//! The words for a pad.

use super::{Backing, Pad};

/// Renders the pad as words that parse back to the same pad.
pub(super) fn words_of(pad: &Pad) -> String {
    match pad {
        Pad::Ratio { width, height, color, place } => {
            format!("pad to {width}:{height} with {} at the {}", said(*color), place.words())
        }
        Pad::Size { width, height, color, place } => {
            format!("pad to {width}x{height} pixels with {} at the {}", said(*color), place.words())
        }
        Pad::By { px, color } => format!("pad by {px} pixels with {}", said(*color)),
        Pad::Sides { left, top, right, bottom, color } => {
            format!("pad left {left} top {top} right {right} bottom {bottom} with {}", said(*color))
        }
    }
}

fn said(backing: Backing) -> String {
    match backing {
        Backing::Color(color) => color.to_string(),
        Backing::Blurred => "a blurred copy".to_owned(),
        Backing::Edges => "repeated edges".to_owned(),
        Backing::Mirrored => "a mirrored copy".to_owned(),
    }
}
