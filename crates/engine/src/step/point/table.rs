//! Curves as tables, for values that are no whole levels.

use super::Curve;
use super::chunk::{LANES, Lanes};

/// Parts that a table has.
const PARTS: usize = 1024;

/// A curve at 1025 places, with lines between them.
///
/// The places are even in the fourth root of the value, so that gammas, whose slope has no limit
/// near black, come out as exactly as the rest: within 0.00001 of the curve.
pub(super) struct Table([Lines; 3]);

impl Table {
    /// Looks the curve up once at every place.
    pub(super) fn of(curve: &Curve) -> Self {
        Self([0, 1, 2].map(|channel| {
            Lines::of(PARTS, |place| f64::from(limited(curve(channel, place.powi(4)))))
        }))
    }

    /// Replaces values from 0 to 1 of one channel.
    pub(super) fn replace(&self, channel: usize, values: &mut Lanes) {
        let Some(lines) = self.0.get(channel) else { return };
        // Roots in a loop of their own, which is done to several at once.
        for value in values.iter_mut() {
            *value = value.sqrt().sqrt();
        }
        lines.replace(values);
    }
}

/// A function of a value from 0 to 1 at even places, with lines between them.
pub(super) struct Lines {
    /// What it is at a place, and how far it is from there to the next.
    places: Box<[[f32; 2]]>,
    parts: f32,
}

impl Lines {
    /// Looks the function up once at every place.
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

    /// Replaces values from 0 to 1.
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

/// What a curve gives, as a value that the pass works with.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what the pass works with")]
pub(super) fn limited(value: f64) -> f32 {
    value.clamp(0.0, 1.0) as f32
}
