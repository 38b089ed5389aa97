//! Replaces curves by tables, for values that are not whole levels.

use super::Curve;
use super::chunk::{LANES, Lanes};

/// The number of intervals in a table.
const PARTS: usize = 1024;

/// A curve sampled at 1025 points, with linear interpolation.
///
/// The points are evenly spaced in the fourth root of the value. So gamma curves, whose slope is
/// unlimited near black, are as accurate as others: within 0.00001 of the curve.
pub(super) struct Table([Lines; 3]);

impl Table {
    /// Samples the curve at every point.
    pub(super) fn of(curve: &Curve) -> Self {
        Self([0, 1, 2].map(|channel| {
            Lines::of(PARTS, |place| f64::from(limited(curve(channel, place.powi(4)))))
        }))
    }

    /// Replaces values of one channel, which range from 0 to 1.
    pub(super) fn replace(&self, channel: usize, values: &mut Lanes) {
        let Some(lines) = self.0.get(channel) else { return };
        // The roots have their own loop, so that the compiler computes several at a time.
        for value in values.iter_mut() {
            *value = value.sqrt().sqrt();
        }
        lines.replace(values);
    }
}

/// A function of values from 0 to 1, sampled at evenly spaced points, with linear interpolation.
pub(super) struct Lines {
    /// The value at each point, and the difference to the next.
    places: Box<[[f32; 2]]>,
    parts: f32,
}

impl Lines {
    /// Samples the function at every point.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a few thousand places, and values that the pass works with"
    )]
    pub(super) fn of(parts: usize, function: impl Fn(f64) -> f64) -> Self {
        let at = |place: usize| function((place as f64 / parts as f64).min(1.0)) as f32;
        let values: Vec<f32> = (0..=parts + 1).map(at).collect();
        let lines = values.array_windows().map(|[start, end]| [*start, end - start]);
        Self { places: lines.collect(), parts: parts as f32 }
    }

    /// Replaces values, which range from 0 to 1.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the number of places"
    )]
    pub(super) fn replace(&self, values: &mut Lanes) {
        let mut below = [0_i32; LANES];
        for (below, value) in below.iter_mut().zip(values.iter_mut()) {
            *value *= self.parts;
            *below = *value as i32;
            *value -= *below as f32;
        }
        for (below, value) in below.iter().zip(values.iter_mut()) {
            if let Some([start, step]) = self.places.get(*below as usize) {
                *value = start + step * *value;
            }
        }
    }
}

/// The value of a curve, limited to the range from 0 to 1 and in single precision.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what the pass works with")]
pub(super) fn limited(value: f64) -> f32 {
    value.clamp(0.0, 1.0) as f32
}
