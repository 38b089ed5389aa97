//! The words for a crop.

use super::Crop;

/// Renders the crop as words that parse back to the same crop.
pub(super) fn words_of(crop: &Crop) -> String {
    match crop {
        Crop::Ratio { width, height, place } => {
            format!("crop to the ratio {width}:{height} at the {}", place.words())
        }
        Crop::Size { width, height, place } => {
            format!("crop to {width}x{height} pixels at the {}", place.words())
        }
        Crop::Share { width_percent, height_percent, place } => {
            format!(
                "crop to {width_percent}% width {height_percent}% height at the {}",
                place.words()
            )
        }
        Crop::Box { left_px, top_px, width, height } => {
            format!("crop to the {width}x{height} box at {left_px},{top_px}")
        }
        Crop::Sides { left, top, right, bottom } => {
            format!("crop off left {left} top {top} right {right} bottom {bottom}")
        }
    }
}
