//! Rotation: exact for quarter turns, interpolated for other angles.

mod rotate_words;
mod turn;

use super::affine;
use crate::kernels::Size;
use crate::kernels::size::to_u32;
use crate::length::whole;
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

pub(super) use turn::quarter;

/// Rotates the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rotate {
    /// The angle in degrees; clockwise is positive.
    pub degrees: f64,
    /// The color of the corners that appear.
    pub background: Color,
    /// How to treat the corners.
    #[serde(default, skip_serializing_if = "Corners::is_usual")]
    pub corners: Corners,
}

/// How to treat the corners of an image that is not rotated by quarter turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Corners {
    /// The canvas grows to contain the whole image.
    #[default]
    Grow,
    /// The size doesn't change. Parts beyond the edges are lost.
    Keep,
    /// The image is cropped to the largest part with its aspect ratio that has no empty corners.
    Cut,
}

impl Corners {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this shape")]
    fn is_usual(&self) -> bool {
        *self == Self::Grow
    }
}

const ANGLE: Parameter = Parameter::new("a rotation", " degrees", (-360.0, 360.0));

impl Described for Rotate {
    const CAPABILITY: Capability = Capability {
        name: "rotate",
        parameters: &[ANGLE],
        controls: &[
            Control::number("degrees", "Angle", ANGLE),
            Control::clear_color("background", "Background"),
            Control::choice("corners", "Corners", &["grow", "keep", "cut"]),
        ],
        summary: "Rotates the image by any angle.",
        definition: "Quarter turns move whole pixels; other angles use bilinear sampling on \
                     premultiplied values. By default, the canvas grows, and the corners are \
                     transparent unless a color is given. Alternatively, the size is kept, or the \
                     corners are cropped: the result is then the largest centered part that has \
                     the image's aspect ratio and no empty pixels.",
        examples: &[
            "rotate 90 degrees to the left",
            "turn it upside down",
            "rotate by 12.5° with a white background",
            "rotate 3 degrees clockwise cropping the corners",
            "straighten by 1.5 degrees to the left",
        ],
    };
}

impl Operation for Rotate {
    fn words(&self) -> String {
        rotate_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        ANGLE.check(self.degrees)
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        Ok(match quarter_turns(self.degrees) {
            Some(1 | 3) => (u64::from(height), u64::from(width)),
            Some(_) => (u64::from(width), u64::from(height)),
            None => self.turned_size((width, height)),
        })
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        match quarter_turns(self.degrees) {
            Some(0) => Ok(picture),
            Some(2) => Ok(turn::half(picture)),
            Some(turns) => quarter(&picture, turns == 1),
            None => {
                let size = self.turned_size(picture.size());
                let size = (to_u32(size.0), to_u32(size.1));
                let (sine, cosine) = self.degrees.to_radians().sin_cos();
                let inverse = [[cosine, sine], [-sine, cosine]];
                affine::moved(&picture, (inverse, size), self.background)
            }
        }
    }
}

/// The number of clockwise quarter turns, from 0 to 3, or `None` for other angles.
fn quarter_turns(degrees: f64) -> Option<u8> {
    match degrees.rem_euclid(360.0) {
        0.0 => Some(0),
        90.0 => Some(1),
        180.0 => Some(2),
        270.0 => Some(3),
        _ => None,
    }
}

impl Rotate {
    /// The size after a rotation that is not a number of quarter turns.
    fn turned_size(&self, (width, height): Size) -> (u64, u64) {
        match self.corners {
            Corners::Grow => grown((width, height), self.degrees),
            Corners::Keep => (u64::from(width), u64::from(height)),
            Corners::Cut => inner((width, height), self.degrees),
        }
    }
}

/// The size that contains the whole rotated image. An excess of up to a thousandth of a pixel is
/// ignored.
fn grown((width, height): Size, degrees: f64) -> (u64, u64) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (width, height) = (f64::from(width), f64::from(height));
    let side = |pixels: f64| whole((pixels - 1e-3).ceil()).max(1);
    (
        side(width * cosine.abs() + height * sine.abs()),
        side(width * sine.abs() + height * cosine.abs()),
    )
}

/// The largest size with the aspect ratio of the image whose rotated corners are between the
/// outermost pixel centers, so that no background mixes in. With (a, b) as half of the size, a
/// corner is at (a cos + b sin, a sin + b cos) from the center of the source.
fn inner((width, height): Size, degrees: f64) -> (u64, u64) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (sine, cosine) = (sine.abs(), cosine.abs());
    let (across, down) = (f64::from(width), f64::from(height));
    let room = |side: f64, reach: f64| (side - 1.0).max(0.0) / reach;
    let factor =
        room(across, across * cosine + down * sine).min(room(down, across * sine + down * cosine));
    let side = |side: f64| whole((side * factor).floor()).max(1);
    (side(across), side(down))
}
