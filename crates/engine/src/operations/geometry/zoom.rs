//! Zoom: enlarges a part of the image to the size of the whole.

use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas, resample};
use crate::length::whole;
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

/// Shows a part of the image larger. The size does not change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Zoom {
    /// How large things become, in percent of their size.
    pub percent: f64,
    /// Where the part is.
    pub place: Place,
}

const SCALE: [f64; 5] = [105.0, 110.0, 120.0, 150.0, 200.0];

const ENLARGED: Parameter = Parameter::new("a zoom", "%", (100.0, 1000.0)).scaled(SCALE);

impl Described for Zoom {
    const CAPABILITY: Capability = Capability {
        name: "zoom",
        parameters: &[ENLARGED],
        controls: &[
            Control::number("percent", "Zoom", ENLARGED),
            Control::place("place", "Position"),
        ],
        summary: "Enlarges the middle or another part of the image to the size of the whole.",
        definition: "Crops to sides of 100 / percent of the image's, rounded half up, at least 1 \
                     pixel, and resizes the part to the size of the image with Lanczos3. \"Zoom \
                     in by 20%\" makes everything 20% larger.",
        examples: &["zoom in 20%", "zoom in 2x", "zoom in on the top left by 50%"],
    };
}

impl Operation for Zoom {
    fn words(&self) -> String {
        match self.place {
            Place::Center => format!("zoom to {}%", self.percent),
            place => format!("zoom to {}% at the {}", self.percent, place.words()),
        }
    }

    fn check(&self) -> Result<(), String> {
        ENLARGED.check(self.percent)
    }

    /// The part, in addition to what resizing it takes.
    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        let part = self.part(input);
        u64::from(part.0) * u64::from(part.1) * pixel_bytes
            + resample::working_bytes(part, result, pixel_bytes)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let (size, part) = (picture.size(), self.part(picture.size()));
        if part == size {
            return Ok(picture);
        }
        let from = self.place.offset(size, part);
        let part = canvas::part(&picture, from, part)?;
        drop(picture);
        resample::lanczos(&part, size)
    }
}

impl Zoom {
    /// The size of the part that becomes the whole.
    fn part(&self, (width, height): Size) -> Size {
        let side = |side: u32| to_u32(whole(f64::from(side) * 100.0 / self.percent).max(1));
        (side(width), side(height))
    }
}
