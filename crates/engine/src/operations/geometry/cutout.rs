//! Cutout: crops to a circle or an ellipse; the outside becomes transparent.

use crate::kernels::{Size, canvas, ellipse};
use crate::operation::{Capability, Control, Described, Operation, only};
use crate::{Color, ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

/// Crops the image to a circle or an ellipse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cutout {
    /// Its outline.
    pub shape: Cut,
    /// The position of a circle.
    pub place: Place,
    /// The color outside.
    pub background: Color,
}

/// The outline of a cutout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// The largest circle; the image is cropped to the square around it.
    Circle,
    /// The ellipse that touches all sides.
    Ellipse,
}

impl Described for Cutout {
    const CAPABILITY: Capability = Capability {
        name: "cutout",
        parameters: &[],
        controls: &[
            Control::choice("shape", "Shape", &["circle", "ellipse"]),
            Control::place("place", "Position").when("shape", "circle"),
            Control::clear_color("background", "Background"),
        ],
        summary: "Crops the image to a circle or an ellipse. The rest becomes transparent or one \
                  color.",
        definition: "Alpha times clamp(0.5 - d, 0, 1), where d is the distance of the pixel's center to the outline, to \
                     the first order: f (f - 1) / g with f = |(x / a, y / b)| and g = |(x / a², y / b²)|.",
        examples: &["crop to a circle", "cut it out as an oval on white"],
    };
}

impl Operation for Cutout {
    fn words(&self) -> String {
        let shape = match self.shape {
            Cut::Circle => format!("crop to a circle at the {}", self.place.words()),
            Cut::Ellipse => "crop to an ellipse".to_owned(),
        };
        match self.background {
            Color::TRANSPARENT => shape,
            color => format!("{shape} on a {color} background"),
        }
    }

    fn check(&self) -> Result<(), String> {
        match self.shape {
            Cut::Ellipse if self.place != Place::Center => {
                Err("an ellipse fills the image, so its place must be the center".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let size = self.size(inputs.first().copied().unwrap_or((1, 1)));
        Ok((u64::from(size.0), u64::from(size.1)))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let size = self.size(picture.size());
        if size != picture.size() {
            let from = self.place.offset(picture.size(), size);
            picture = canvas::part(&picture, from, size)?;
        }
        let half = (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0);
        let background = self.background.rgba.map(S::of);
        picture.each_row(|y, row| {
            let down = f64::from(u32::try_from(y).unwrap_or(0)) + 0.5 - half.1;
            for (pixel, x) in row.as_chunks_mut::<4>().0.iter_mut().zip(0_u32..) {
                let across = f64::from(x) + 0.5 - half.0;
                let share = ellipse::covered((across, down), half);
                pixel[3] = canvas::scaled(pixel[3], share);
                *pixel = canvas::over_pixel(*pixel, background);
            }
        });
        Ok(picture)
    }
}

impl Cutout {
    fn size(&self, (width, height): Size) -> Size {
        match self.shape {
            Cut::Circle => (width.min(height), width.min(height)),
            Cut::Ellipse => (width, height),
        }
    }
}
