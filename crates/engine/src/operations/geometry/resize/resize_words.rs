//! The words for a resize.

use super::{Limit, Resize};

/// Renders the resize as words that parse back to the same resize.
pub(super) fn words_of(step: &Resize) -> String {
    let at = |limit: Limit| match limit {
        Limit::Exactly => "",
        Limit::AtMost => "at most ",
        Limit::AtLeast => "at least ",
    };
    match *step {
        Resize::Exact { width, height } => format!("resize to exactly {width}x{height} pixels"),
        Resize::Width { width, limit } => format!("resize to {}{width} pixels wide", at(limit)),
        Resize::Height { height, limit } => format!("resize to {}{height} pixels high", at(limit)),
        Resize::Wider { by_px } => relative(by_px, ["wider", "narrower"]),
        Resize::Taller { by_px } => relative(by_px, ["taller", "shorter"]),
        Resize::Shortest { px, limit } => {
            format!("resize the shortest side to {}{px} pixels", at(limit))
        }
        Resize::Megapixels { megapixels, limit } => {
            format!("resize to {}{megapixels} megapixels", at(limit))
        }
        Resize::Percent { percent } => format!("resize to {percent}%"),
        Resize::Stretch { width_percent, height_percent } => {
            format!("stretch to {width_percent}% width {height_percent}% height")
        }
        Resize::Fit { width, height, limit } => {
            format!("resize to fit within {}{width}x{height} pixels", at(limit))
        }
        Resize::Fill { width, height } => format!("resize to fill {width}x{height} pixels"),
    }
}

fn relative(by_px: i32, [more, less]: [&str; 2]) -> String {
    let word = if by_px < 0 { less } else { more };
    format!("make the image {} pixels {word}", by_px.unsigned_abs())
}
