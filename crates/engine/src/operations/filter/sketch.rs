//! Sketch: dodges the grays with their blurred negative, which leaves lines where the image is
//! darker than its surroundings: `min(1, Y / blurred Y)`.

use crate::kernels::Size;
use crate::kernels::gaussian::{self, reach_px};
use crate::kernels::point::luma;
use crate::operation::{Capability, Described, Effect};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes the image look like a pencil drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sketch {}

/// Standard deviation of the Gaussian in percent of the shorter side.
const REACH_PERCENT: f64 = 1.0;

impl Described for Sketch {
    const CAPABILITY: Capability = Capability {
        name: "sketch",
        parameters: &[],
        controls: &[],
        summary: "Makes the image look like a pencil drawing, in grays.",
        definition: "Color dodge of the grays with their blurred negative: min(1, Y / Gaussian of \
                     Y), where Y is the Rec. 709 luma and the Gaussian has a standard deviation \
                     of 1% of the shorter side (1 to 200 pixels); alpha does not change.",
        examples: &["turn it into a pencil sketch", "apply a sketch effect"],
    };
}

impl Effect for Sketch {
    fn words(&self) -> String {
        "apply a pencil sketch".to_owned()
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(input, reach_px(input, REACH_PERCENT))
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let sigma_px = reach_px(picture.size(), REACH_PERCENT);
        gaussian::blur(picture, sigma_px, |old, [red, green, blue, alpha]| {
            let [r, g, b, opacity] = old.map(S::level);
            let here = luma([r, g, b]);
            let around = luma([red, green, blue]) / alpha * 255.0;
            // An area that is uniformly black becomes white paper.
            let gray = if around > here { here / around * 255.0 } else { 255.0 };
            [gray, gray, gray, opacity]
        });
    }
}
