//! The values for `{{width}}` and `{{height}}`.

use retouch_core::edit::Edit;
use retouch_core::image::Size;

use crate::upstream::Order;
use crate::upstream::shape::{Bounds, asked_ratio, first_ratio, of_area, of_size};

/// Limits on sizes. Latent diffusion models need multiples of 16, and four megapixels fit into the
/// memory of common graphics cards.
const BOUNDS: Bounds = Bounds {
    multiple_px: 16,
    side_px_min: 64,
    side_px_max: 4_096,
    area_px_min: 64 * 64,
    area_px_max: 1 << 22,
};
/// Approximate number of pixels if only a shape is known. Most models are trained on this size.
const AREA_PX: u64 = 1 << 20;

/// The size for `order`.
pub(super) fn sides(order: &Order<'_>) -> (u32, u32) {
    if let Some(size) = order.edit.size {
        return made(size);
    }
    let ratio = asked_ratio(order.edit).or_else(|| first_ratio(order));
    of_area(ratio.unwrap_or(1.0), AREA_PX, BOUNDS)
}

/// The size that is made instead of the one that `edit` asks for, if they differ.
pub(super) fn instead(edit: &Edit) -> Option<(u32, u32)> {
    let size = edit.size?;
    let made = made(size);
    (made != (size.width(), size.height())).then_some(made)
}

fn made(size: Size) -> (u32, u32) {
    of_size((size.width(), size.height()), BOUNDS)
}
