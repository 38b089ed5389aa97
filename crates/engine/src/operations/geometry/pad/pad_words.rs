//! The words for a pad.

use super::{Backing, Pad};
use crate::Place;

/// Renders the pad as words that parse back to the same pad.
pub(super) fn words_of(pad: &Pad) -> String {
    match pad {
        Pad::Ratio { width, height, color, place } => {
            format!("pad to {width}:{height} with {}{}", said(*color), image_at(*place))
        }
        Pad::Size { width, height, color, place } => {
            format!("pad to {width}x{height} pixels with {}{}", said(*color), image_at(*place))
        }
        Pad::By { px, color } => format!("pad by {px} pixels with {}", said(*color)),
        Pad::Sides { left, top, right, bottom, color } => {
            format!("pad left {left} top {top} right {right} bottom {bottom} with {}", said(*color))
        }
    }
}

/// Where the image lies. "At the top" alone may be where the new space is.
fn image_at(place: Place) -> String {
    match place {
        Place::Center => " at the center".to_owned(),
        _ => format!(", with the image at the {}", place.words()),
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
