//! Draws a shape.

use super::{MARGIN, Outline, Shape};
use crate::kernels::canvas::over_pixel;
use crate::{Picture, Sample};

/// Draws the shape over the image.
pub(super) fn draw<S: Sample>(step: &Shape, picture: &mut Picture<S>) {
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    let across = step.size.exact_px(picture.width().min(picture.height()));
    let down = across * step.shape.height();
    let margin = width.min(height) * MARGIN;
    let (column, row) = step.place.column_row();
    let start = |third: u32, outer: f64, inner: f64| match third {
        0 => margin,
        1 => (outer - inner) / 2.0,
        _ => outer - margin - inner,
    };
    let (left, top) = (start(column, width, across), start(row, height, down));
    let [red, green, blue, alpha] = step.color.rgba.map(S::of);
    picture.each_row(|y, row| {
        let y = u32::try_from(y).unwrap_or(u32::MAX);
        if f64::from(y) + 1.0 < top || f64::from(y) > top + down {
            return;
        }
        for (pixel, x) in row.as_chunks_mut::<4>().0.iter_mut().zip(0_u32..) {
            let covered = covered(step.shape, |step_x, step_y| {
                ((f64::from(x) + step_x - left) / across, (f64::from(y) + step_y - top) / down)
            });
            if covered > 0 {
                let alpha = (alpha.whole() * u64::from(covered) + 8) / 16;
                let upper = [red, green, blue, S::of_whole(alpha)];
                *pixel = over_pixel(upper, *pixel);
            }
        }
    });
}

/// How many of sixteen points in a pixel are inside the shape.
fn covered(shape: Outline, place: impl Fn(f64, f64) -> (f64, f64)) -> u32 {
    let step = |step: u32| (f64::from(step) + 0.5) / 4.0;
    let places = (0_u32..16).map(|at| place(step(at % 4), step(at / 4)));
    places.map(|(x, y)| u32::from(shape.holds(x, y))).sum()
}

impl Outline {
    /// The height of the shape for a width of 1.
    fn height(self) -> f64 {
        match self {
            Self::Ellipse | Self::Rectangle => 2.0 / 3.0,
            Self::Heart => HEART_HEIGHT,
            _ => 1.0,
        }
    }

    /// Whether a point is inside the shape. Coordinates of the shape range from 0 to 1.
    fn holds(self, x: f64, y: f64) -> bool {
        let (right, below) = (x - 0.5, y - 0.5);
        let distance = (right * right + below * below).sqrt();
        let in_box = (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
        match self {
            Self::Circle | Self::Ellipse => distance <= 0.5,
            Self::Ring => (0.3..=0.5).contains(&distance),
            Self::Square | Self::Rectangle => in_box,
            Self::Triangle => in_box && right.abs() <= y / 2.0,
            Self::Diamond => right.abs() + below.abs() <= 0.5,
            Self::Star => in_star(right, below),
            Self::Heart => in_heart(right, y * HEART_HEIGHT),
        }
    }
}

/// Whether a point is inside a five-pointed star around the origin. It is if it lies outside of at
/// most one of the five lines that connect every second point of the star.
fn in_star(right: f64, below: f64) -> bool {
    // The distance of each line from the center. The points of the star are 0.5 away from the
    // center.
    let reach = 0.5 * (2.0 * std::f64::consts::PI / 5.0).cos();
    let outside = (0_u32..5).filter(|line| {
        let angle = std::f64::consts::PI * (0.5 + 0.4 * f64::from(*line));
        right * angle.cos() - below * angle.sin() > reach
    });
    outside.count() <= 1 && (right * right + below * below) <= 0.25
}

/// The height of a heart for a width of 1. Its square has half a diagonal of 1 / (1 + sqrt(2)), see
/// [`in_heart`].
const HEART_HEIGHT: f64 = HEART_HALF + HEART_HALF / 2.0 + HEART_RADIUS;
/// Half the diagonal of the square of a heart, for a width of 1.
const HEART_HALF: f64 = std::f64::consts::SQRT_2 - 1.0;
/// The radius of the half circles, which is half a side of the square.
const HEART_RADIUS: f64 = HEART_HALF * std::f64::consts::FRAC_1_SQRT_2;

/// Whether a point is inside a heart of width 1, counted from the middle of its top. The circles
/// are around the middles of the upper sides of the square.
fn in_heart(right: f64, down: f64) -> bool {
    let middle = HEART_HALF / 2.0 + HEART_RADIUS;
    let below = down - middle;
    let (across, up) = (right.abs() - HEART_HALF / 2.0, below + HEART_HALF / 2.0);
    right.abs() + below.abs() <= HEART_HALF
        || across * across + up * up <= HEART_RADIUS * HEART_RADIUS
}
