//! Chromatic aberration: moves the red channel one way and the blue channel the other, as a lens
//! without correction does at the edges of an image.

use crate::kernels::Size;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Effect, Parameter, check_length, scaled_length,
};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Shifts red and blue apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChromaticAberration {
    /// How far red and blue each move. Percentages refer to the shorter side.
    pub shift: Length,
    /// The direction in which they move.
    #[serde(default)]
    pub axis: ShiftAxis,
}

/// The direction in which channels move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShiftAxis {
    /// Red to the left, blue to the right.
    #[default]
    Horizontal,
    /// Red up, blue down.
    Vertical,
}

const SCALE: [f64; 5] = [0.1, 0.2, 0.5, 1.0, 2.0];

const SHIFT_PX: Parameter =
    Parameter::new("the shift of a chromatic aberration", "px", (0.0, 1000.0));
const SHIFT_PERCENT: Parameter =
    Parameter::new("the shift of a chromatic aberration", "%", (0.0, 25.0)).scaled(SCALE);

impl Described for ChromaticAberration {
    const CAPABILITY: Capability = Capability {
        name: "chromatic_aberration",
        parameters: &[SHIFT_PX, SHIFT_PERCENT],
        controls: &[
            Control::length("shift", "Shift", [SHIFT_PX, SHIFT_PERCENT]),
            Control::choice("axis", "Direction", &["horizontal", "vertical"]),
        ],
        summary: "Moves red and blue apart, like a lens with color fringes.",
        definition: "Red moves to the left by the shift and blue to the right, or up and down. \
                     Green stays. Edges are repeated, and parts of a pixel are interpolated. A \
                     channel that comes from a pixel with opacity a becomes c + a * (c' - c), so \
                     the colors of transparent pixels never show; alpha does not change. \
                     Percentages are of the shorter side.",
        examples: &[
            "add chromatic aberration",
            "chromatic aberration of 5px",
            "add a slight rgb shift",
            "split the color channels vertically by 4px",
        ],
    };
}

impl Effect for ChromaticAberration {
    fn words(&self) -> String {
        let axis = match self.axis {
            ShiftAxis::Horizontal => "",
            ShiftAxis::Vertical => "vertical ",
        };
        format!("add {axis}chromatic aberration of {}", self.shift)
    }

    fn check(&self) -> Result<(), String> {
        check_length(self.shift, &SHIFT_PX, &SHIFT_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.shift = scaled_length(self.shift, factor, &SHIFT_PX);
    }

    /// A copy of the image, because channels come from other pixels.
    fn scratch_bytes(&self, input: Size, pixel_bytes: u64) -> u64 {
        u64::from(input.0) * u64::from(input.1) * pixel_bytes
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let shift = self.shift.exact_px(picture.width().min(picture.height()));
        let source = picture.clone();
        let (reds, blues) = (Taps::at(shift), Taps::at(-shift));
        let (across, down) = match self.axis {
            ShiftAxis::Horizontal => (1, 0),
            ShiftAxis::Vertical => (0, 1),
        };
        picture.each_row(|y, row| {
            for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let from = |offset: isize| {
                    let (x, y) = (x.cast_signed(), y.cast_signed());
                    nearest(&source, (x + offset * across, y + offset * down))
                };
                let [red, _, blue, _] = *pixel;
                pixel[0] = reds.mixed(red, |offset| from(offset).map(|[red, _, _, a]| (red, a)));
                pixel[2] =
                    blues.mixed(blue, |offset| from(offset).map(|[_, _, blue, a]| (blue, a)));
            }
        });
    }
}

/// The pixel at a position, or the nearest one if it is outside the image.
fn nearest<S: Sample>(picture: &Picture<S>, (x, y): (isize, isize)) -> Option<[S; 4]> {
    let inside = |at: isize, side: u32| u32::try_from(at.max(0)).unwrap_or(side).min(side - 1);
    picture.pixel(inside(x, picture.width()), inside(y, picture.height()))
}

/// The two pixels between which a channel comes from.
struct Taps {
    offset: isize,
    /// The weight of the pixel behind the first one.
    second: f32,
}

impl Taps {
    #[expect(clippy::cast_possible_truncation, reason = "shifts are checked to be small")]
    fn at(shift: f64) -> Self {
        let whole = shift.floor();
        Self { offset: whole as isize, second: (shift - whole) as f32 }
    }

    /// A channel, moved. `from` gives its value and alpha at an offset.
    fn mixed<S: Sample>(&self, own: S, from: impl Fn(isize) -> Option<(S, S)>) -> S {
        let mut level = own.level();
        let mut add = |offset: isize, weight: f32| {
            if let Some((value, alpha)) = from(offset).filter(|_| weight > 0.0) {
                level += weight * alpha.level() / 255.0 * (value.level() - own.level());
            }
        };
        add(self.offset, 1.0 - self.second);
        add(self.offset + 1, self.second);
        S::rounded(level)
    }
}
