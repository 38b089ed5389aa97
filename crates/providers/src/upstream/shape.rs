//! From the shape that a caller asks for to a size that a provider makes.

use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;

use super::Order;

/// Limits of a provider that makes any size within them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Both sides are multiples of this.
    pub multiple_px: u32,
    /// Minimum length of a side, in pixels.
    pub side_px_min: u32,
    /// Maximum length of a side, in pixels.
    pub side_px_max: u32,
    /// Minimum number of pixels, width times height.
    pub area_px_min: u64,
    /// Maximum number of pixels, width times height.
    pub area_px_max: u64,
}

/// The ratio of width to height that the caller asked for with `size` or `aspectRatio`. `None` if
/// neither is given or both are `auto`.
pub fn asked_ratio(edit: &Edit) -> Option<f64> {
    match (edit.size, edit.aspect_ratio) {
        (Some(size), _) => Some(f64::from(size.width()) / f64::from(size.height())),
        (None, AspectRatio::Ratio(width, height)) => Some(f64::from(width) / f64::from(height)),
        (None, AspectRatio::Auto) => None,
    }
}

/// The ratio of the first input image.
pub fn first_ratio(order: &Order<'_>) -> Option<f64> {
    order.pictures.first().map(|picture| f64::from(picture.width) / f64::from(picture.height))
}

/// The size within `bounds` that is nearest to `ratio` and has about `area_px` pixels.
pub fn of_area(ratio: f64, area_px: u64, bounds: Bounds) -> (u32, u32) {
    let area = area_px.clamp(bounds.area_px_min, bounds.area_px_max) as f64;
    settle((area * ratio).sqrt(), (area / ratio).sqrt(), bounds)
}

/// The size within `bounds` that is nearest to `width` by `height` and keeps its shape as far as
/// possible.
pub fn of_size((width, height): (u32, u32), bounds: Bounds) -> (u32, u32) {
    let (width, height) = (f64::from(width), f64::from(height));
    let area = width * height;
    let within = area.clamp(bounds.area_px_min as f64, bounds.area_px_max as f64);
    let scale = (within / area).sqrt();
    settle(width * scale, height * scale, bounds)
}

/// `size` with its longer side at most `ratio_max` times the shorter. Rounding can make it one step
/// longer than that.
pub fn not_narrower(size: (u32, u32), ratio_max: f64, bounds: Bounds) -> (u32, u32) {
    let step = bounds.multiple_px.max(1);
    let (mut short, mut long) = (size.0.min(size.1), size.0.max(size.1));
    loop {
        let longest = (f64::from(short) * ratio_max / f64::from(step)) as u32 * step;
        if long <= longest {
            break;
        }
        if u64::from(longest) * u64::from(short) >= bounds.area_px_min {
            long = longest;
        } else {
            short += step;
        }
    }
    if size.0 >= size.1 { (long, short) } else { (short, long) }
}

/// How much two ratios of width to height may differ and still count as the same shape, as the
/// natural logarithm of their quotient: about 2% in both directions. No quotient of whole numbers
/// has exactly this value, so rounding never decides.
const SAME_SHAPE: f64 = 0.02;

/// Whether a size has the shape `ratio`, apart from rounding to an encoder's steps.
pub fn is_same((width, height): (u32, u32), ratio: f64) -> bool {
    (f64::from(width) / f64::from(height) / ratio).ln().abs() <= SAME_SHAPE
}

/// The entry of `sizes` whose ratio is nearest to `ratio`. `None` if `sizes` is empty.
pub fn nearest(ratio: f64, sizes: &[(u32, u32)]) -> Option<(u32, u32)> {
    let distance =
        |(width, height): (u32, u32)| (f64::from(width) / f64::from(height) / ratio).ln().abs();
    sizes.iter().copied().min_by(|one, other| distance(*one).total_cmp(&distance(*other)))
}

/// Rounds both sides to the multiple, then steps back within the limits on the area.
fn settle(width: f64, height: f64, bounds: Bounds) -> (u32, u32) {
    let step = bounds.multiple_px.max(1);
    let least = bounds.side_px_min.next_multiple_of(step);
    let most = (bounds.side_px_max / step * step).max(least);
    let round = |side: f64| {
        let steps = (side / f64::from(step)).round().clamp(0.0, f64::from(u32::MAX / step));
        (steps as u32 * step).clamp(least, most)
    };
    // Scale first and round afterward, so that a side that is too long shortens the other one too.
    let shrink = (f64::from(most) / width.max(height)).min(1.0);
    let grow = (f64::from(least) / (width.min(height) * shrink)).max(1.0);
    let scale = shrink * grow;
    let (mut width, mut height) = (round(width * scale), round(height * scale));
    let area = |width: u32, height: u32| u64::from(width) * u64::from(height);
    while area(width, height) > bounds.area_px_max && width.max(height) > least {
        if width >= height { width -= step } else { height -= step }
    }
    while area(width, height) < bounds.area_px_min && width.min(height) < most {
        if width <= height { width += step } else { height += step }
    }
    (width, height)
}
