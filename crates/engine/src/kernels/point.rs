//! Changes of each pixel's color. Any number of them runs in one pass.
//!
//! All values are sRGB-encoded, from 0 to 1. The result of each change is limited to 0..=1 before
//! the next (like CSS filters), and only the last is rounded to the depth of the image, half away
//! from zero. Alpha does not change.

mod chunk;
mod pass;
mod table;

use crate::Color;
use chunk::{Each, Gains, Tones};
use std::fmt;
use table::Lines;

pub(crate) use chunk::Chunk;
pub(crate) use pass::apply_all;

/// A color change: three rows of red, green, blue and constant.
pub(crate) type Matrix = [[f32; 4]; 3];

/// Rec. 709 luma weights (ITU-R BT.709-6, item 3.2), as CSS `grayscale()` uses them.
pub(crate) const LUMA: [f32; 3] = [0.2126, 0.7152, 0.0722];

/// One change of colors. Consecutive changes are fused into one pass.
pub(crate) enum Point {
    /// Each channel becomes a weighted sum of all channels.
    Matrix(Matrix),
    /// Each channel changes independently and smoothly, so that a table with linear interpolation
    /// can replace the function.
    Curve(Curve),
    /// Each channel changes independently, with steps whose positions must stay exact.
    Steps(Curve),
    /// Any other function of a single color.
    Colors(Box<dyn Change>),
}

/// The new value of a channel (0 red, 1 green, 2 blue) for an old value.
pub(crate) type Curve = Box<dyn Fn(usize, f64) -> f64 + Send + Sync>;

/// A change of many colors per call, which saves calls.
pub(crate) trait Change: Send + Sync {
    /// Changes every color of the chunk.
    fn change(&self, chunk: &mut Chunk);
}

impl Point {
    /// A change with the same curve for all channels.
    pub(crate) fn curve(curve: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self::Curve(Box::new(move |_, value| curve(value)))
    }

    /// A change with the same steps for all channels.
    pub(crate) fn steps(steps: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self::Steps(Box::new(move |_, value| steps(value)))
    }

    /// A change by a function of one color.
    pub(crate) fn colors(each: impl Fn([f32; 3]) -> [f32; 3] + Send + Sync + 'static) -> Self {
        Self::Colors(Box::new(Each(each)))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Matrix(_) => "Matrix",
            Self::Curve(_) => "Curve",
            Self::Steps(_) => "Steps",
            Self::Colors(_) => "Colors",
        })
    }
}

/// The matrix that scales each channel separately and adds a constant.
pub(crate) const fn diagonal(gain: [f32; 3], constant: f32) -> Matrix {
    [[gain[0], 0.0, 0.0, constant], [0.0, gain[1], 0.0, constant], [0.0, 0.0, gain[2], constant]]
}

/// The matrix that replaces every color by its luma.
pub(crate) const fn to_luma() -> Matrix {
    [[LUMA[0], LUMA[1], LUMA[2], 0.0]; 3]
}

/// The luma of a color.
pub(crate) fn luma([red, green, blue]: [f32; 3]) -> f32 {
    LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue
}

/// The luma of a color in whole levels, rounded to a whole level.
pub(crate) const fn whole_luma([red, green, blue]: [u32; 3]) -> usize {
    // Ten thousandths of the weights. Whole numbers, so that what is counted is what is looked up.
    ((2126 * red + 7152 * green + 722 * blue + 5000) / 10_000) as usize
}

/// The factor of a change in percent.
#[expect(clippy::cast_possible_truncation, reason = "checked to be a few hundred percent")]
pub(crate) fn factor(change_percent: f64) -> f32 {
    (1.0 + change_percent / 100.0) as f32
}

/// A mix of the unchanged color and an effect. A `share` of 1 is the full effect.
pub(crate) fn mix(effect: Matrix, share: f32) -> Matrix {
    let mut mixed = effect;
    for (row, line) in mixed.iter_mut().enumerate() {
        for (column, value) in line.iter_mut().enumerate() {
            let identity = if row == column { 1.0 } else { 0.0 };
            *value = identity + (*value - identity) * share;
        }
    }
    mixed
}

/// The channels of an opaque color, from 0 to 1.
pub(crate) fn channels(color: Color) -> [f32; 3] {
    let [red, green, blue, _] = color.rgba.map(|channel| f32::from(channel) / 255.0);
    [red, green, blue]
}

/// Rolls the highlights of a brightened value off, as film does. Values up to 0.5 stay. Above, the
/// result rises ever more slowly and reaches 1 at `white`, the brightened value of white. Without
/// this, light areas such as faces would be clipped and lose their detail.
pub(crate) fn rolled_off(value: f64, white: f64) -> f64 {
    const STRAIGHT: f64 = 0.5;
    if value <= STRAIGHT || white <= 1.0 {
        return value;
    }
    let (room, reach) = (1.0 - STRAIGHT, white - STRAIGHT);
    let left = ((white - value) / reach).max(0.0);
    // This power makes the slope 1 where the straight part ends.
    1.0 - room * left.powf(reach / room)
}

/// Maps the luma with `tone`, both from 0 to 1, and keeps the hue: each channel c becomes
/// Y' + s * (c - Y), where Y' is the new luma and s = Y' / Y. If the color becomes lighter, s is only
/// the square root of Y' / Y, because dark colors would glow otherwise. It is limited so that no
/// channel leaves its range.
pub(crate) fn by_luma(tone: impl Fn(f64) -> f64) -> Point {
    let gain = |luma: f64| if luma > 0.0 { tone(luma) / luma } else { tone(1e-6) / 1e-6 };
    Point::Colors(Box::new(Gains(Lines::of(1024, gain))))
}

/// Like [`by_luma`], with one tone for each level of [`whole_luma`]. `share`, from 0 to 1, says how
/// far the luma moves towards it.
pub(crate) fn by_level(tones: &[f32; 256], share: f32) -> Point {
    Point::Colors(Box::new(Tones { tones: Box::new(*tones), share }))
}

/// Falls smoothly from 1 at `from` to 0 at `to` (an inverted `smoothstep` of GLSL).
pub(crate) fn fade(value: f32, from: f32, to: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}
