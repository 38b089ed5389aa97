//! Blur: a true Gaussian, premultiplied; the radius in pixels is the standard deviation, as in
//! CSS `blur()`.

use crate::kernels::{Size, canvas, gaussian};
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Blurs the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blur {
    /// Standard deviation of the Gaussian in pixels.
    pub sigma_px: f64,
}

const SCALE_PX: [f64; 5] = [1.0, 2.0, 4.0, 10.0, 20.0];

const RADIUS: Parameter =
    Parameter::new("the radius of a blur", "px", (0.1, 100.0)).scaled(SCALE_PX);

impl Described for Blur {
    const CAPABILITY: Capability = Capability {
        name: "blur",
        parameters: &[RADIUS],
        controls: &[Control::number("sigma_px", "Radius", RADIUS)],
        summary: "Blurs the image.",
        definition: "A Gaussian blur, accurate to one level, premultiplied, with edges repeated; \
                     the radius is the standard deviation. The kernel is sampled and cut off at 4 \
                     standard deviations. From 3px, it is three Gaussians whose variances add up, \
                     the middle one on a coarser grid.",
        examples: &["blur it slightly", "blur by 8px", "make it very blurry"],
    };
}

impl Effect for Blur {
    fn words(&self) -> String {
        format!("blur by {}px", self.sigma_px)
    }

    fn check(&self) -> Result<(), String> {
        RADIUS.check(self.sigma_px)
    }

    fn scale(&mut self, factor: f64) {
        self.sigma_px = RADIUS.at_scale(self.sigma_px, factor);
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(input, self.sigma_px)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        gaussian::blur(picture, self.sigma_px, |_, blurred| {
            canvas::straight_levels::<S>(blurred, gaussian::FULL)
        });
    }
}
