//! Mask: shows the first image only where another one is light or opaque.

use crate::kernels::{Size, canvas, point, resample};
use crate::operation::{Capability, Control, Described, Operation, both};
use crate::{ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Masks the image with another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mask {
    /// The number of the other image; the first image is 1.
    pub picture: usize,
    /// Which property of the other image is the mask.
    pub by: MaskBy,
    /// Whether the mask is inverted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inverted: bool,
}

/// The property of an image that serves as a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskBy {
    /// The luma times the opacity.
    Luminance,
    /// The opacity.
    Alpha,
}

impl Described for Mask {
    const CAPABILITY: Capability = Capability {
        name: "mask",
        parameters: &[],
        controls: &[
            Control::choice("by", "Mask by", &["luminance", "alpha"]),
            Control::switch("inverted", "Inverted"),
        ],
        summary: "Makes the image transparent where another image is dark or transparent.",
        definition: "Alpha times the mask, which is the Rec. 709 luma of its sRGB values times \
                     its alpha, or only its alpha; an inverted mask is 1 minus that. The mask is \
                     resized to the image's size (Lanczos3).",
        examples: &["use the second picture as a mask", "mask it with the alpha of picture 2"],
    };
}

impl Operation for Mask {
    fn words(&self) -> String {
        let by = match self.by {
            MaskBy::Luminance => "luminance",
            MaskBy::Alpha => "alpha",
        };
        let inverted = if self.inverted { "inverted " } else { "" };
        format!("mask with the {inverted}{by} of picture {}", self.picture)
    }

    fn check(&self) -> Result<(), String> {
        super::blend::is_other(self.picture)
    }

    fn takes(&self) -> Option<usize> {
        Some(self.picture)
    }

    fn in_place(&self) -> bool {
        true
    }

    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        resample::resized_bytes(input, result, pixel_bytes)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let (mut picture, mask) = both(pictures)?;
        let size = picture.size();
        let mask = if mask.size() == size { mask } else { resample::lanczos(&mask, size)? };
        canvas::under(&mut picture, (&mask, (0, 0)), |[red, green, blue, alpha], mask| {
            let share = self.share(mask.map(|value| value.level() / 255.0));
            [red, green, blue, canvas::scaled(alpha, f64::from(share))]
        });
        Ok(picture)
    }
}

impl Mask {
    /// How much of the image a color of the mask shows, from 0 to 1.
    fn share(&self, [red, green, blue, alpha]: [f32; 4]) -> f32 {
        let [r, g, b] = point::LUMA;
        let share = match self.by {
            MaskBy::Luminance => (r * red + g * green + b * blue) * alpha,
            MaskBy::Alpha => alpha,
        };
        if self.inverted { 1.0 - share } else { share }
    }
}
