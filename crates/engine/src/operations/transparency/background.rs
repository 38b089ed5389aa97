//! Background: a color behind transparent areas (Porter-Duff "over").

use crate::kernels::canvas;
use crate::operation::{Capability, Control, Described, Operation, only};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Puts a color behind transparent areas.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Background {
    /// The color behind the image.
    #[serde(alias = "colour")]
    pub color: Color,
}

impl Described for Background {
    const CAPABILITY: Capability = Capability {
        name: "background",
        parameters: &[],
        controls: &[Control::color("color", "Color")],
        summary: "Puts a color behind transparent areas.",
        definition: "Porter-Duff over; an opaque image does not change.",
        examples: &[
            "put it on a white background",
            "flatten onto black",
            "fill the transparency with white",
        ],
    };
}

impl Operation for Background {
    fn words(&self) -> String {
        format!("flatten onto a {} background", self.color)
    }

    fn check(&self) -> Result<(), String> {
        if self.color.is_opaque() {
            Ok(())
        } else {
            Err("the background must be an opaque color".to_owned())
        }
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let mut changed = false;
        let color = self.color.rgba.map(S::of);
        for pixel in picture.pixels_mut().as_chunks_mut::<4>().0 {
            if pixel[3] < S::FULL {
                changed = true;
                *pixel = canvas::over_pixel(*pixel, color);
            }
        }
        if !changed {
            warnings.push(format!(
                "the image has no transparent areas, so the {} background changed nothing",
                self.color
            ));
        }
        Ok(picture)
    }
}
