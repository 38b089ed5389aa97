//! From a shape that a caller asks for to a size that a vendor makes.

use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;

use super::Order;

/// Sizes that a vendor makes, where any within bounds will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Both sides are multiples of this.
    pub multiple_px: u32,
    /// Fewest pixels of a side.
    pub side_px_min: u32,
    /// Most pixels of a side.
    pub side_px_max: u32,
    /// Fewest pixels, width times height.
    pub area_px_min: u64,
    /// Most pixels, width times height.
    pub area_px_max: u64,
}

/// The ratio of width to height that the caller asked for, by `size` or by `aspectRatio`; none
/// where neither is given or both are `auto`.
pub fn asked_ratio(edit: &Edit) -> Option<f64> {
    match (edit.size, edit.aspect_ratio) {
        (Some(size), _) => Some(f64::from(size.width()) / f64::from(size.height())),
        (None, AspectRatio::Ratio(width, height)) => Some(f64::from(width) / f64::from(height)),
        (None, AspectRatio::Auto) => None,
    }
}

/// The ratio of the first input picture.
pub fn first_ratio(order: &Order<'_>) -> Option<f64> {
    order.pictures.first().map(|picture| f64::from(picture.width) / f64::from(picture.height))
}

/// The size within `bounds` nearest to `ratio` at about `area_px` pixels.
pub fn of_area(ratio: f64, area_px: u64, bounds: Bounds) -> (u32, u32) {
    let area = area_px.clamp(bounds.area_px_min, bounds.area_px_max) as f64;
    settle((area * ratio).sqrt(), (area / ratio).sqrt(), bounds)
}

/// The size within `bounds` nearest to `width` by `height`, its shape kept as far as can be.
pub fn of_size((width, height): (u32, u32), bounds: Bounds) -> (u32, u32) {
    let (width, height) = (f64::from(width), f64::from(height));
    let area = width * height;
    let within = area.clamp(bounds.area_px_min as f64, bounds.area_px_max as f64);
    let scale = (within / area).sqrt();
    settle(width * scale, height * scale, bounds)
}

/// The size with its longer side at most `ratio_max` times the shorter, where rounding has made it
/// a step longer than that.
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

/// How far two ratios of width to height may be apart and still be called the same shape, as the
/// natural logarithm of their quotient: about 2%, in both directions alike. No quotient of whole
/// numbers lies on this border, so rounding never decides.
const SAME_SHAPE: f64 = 0.02;

/// Whether a size has the shape `ratio`, as nearly as rounding to an encoder's steps allows.
pub fn is_same((width, height): (u32, u32), ratio: f64) -> bool {
    (f64::from(width) / f64::from(height) / ratio).ln().abs() <= SAME_SHAPE
}

/// The entry of `sizes` whose ratio is nearest to `ratio`; none where there are no sizes.
pub fn nearest(ratio: f64, sizes: &[(u32, u32)]) -> Option<(u32, u32)> {
    let distance =
        |(width, height): (u32, u32)| (f64::from(width) / f64::from(height) / ratio).ln().abs();
    sizes.iter().copied().min_by(|one, other| distance(*one).total_cmp(&distance(*other)))
}

/// Rounds both sides to the multiple, then steps back inside the bounds on the area.
fn settle(width: f64, height: f64, bounds: Bounds) -> (u32, u32) {
    let step = bounds.multiple_px.max(1);
    let least = bounds.side_px_min.next_multiple_of(step);
    let most = (bounds.side_px_max / step * step).max(least);
    let round = |side: f64| {
        let steps = (side / f64::from(step)).round().clamp(0.0, f64::from(u32::MAX / step));
        (steps as u32 * step).clamp(least, most)
    };
    // Scaled first and rounded after, so that a side that is too long shortens the other too.
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
