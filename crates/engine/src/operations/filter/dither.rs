//! Dither: a few levels per channel with an ordered pattern (Bayer, 8 x 8), in integers.

use crate::kernels::bayer::bayer;
use crate::kernels::point::luma;
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Reduces the image to a few levels with a pattern of dots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dither {
    /// Levels for each channel.
    pub levels: u32,
    /// Whether the image is converted to grays first.
    #[serde(alias = "grey")]
    pub gray: bool,
}

const LEVELS: Parameter = Parameter::new("the number of levels", "", (2.0, 64.0)).usually(2.0);

impl Described for Dither {
    const CAPABILITY: Capability = Capability {
        name: "dither",
        parameters: &[LEVELS],
        controls: &[Control::whole("levels", "Levels", LEVELS), Control::switch("gray", "Gray")],
        summary: "Reduces the image to a few levels with a pattern of dots.",
        definition: "floor(c * (levels - 1) + (2b + 1) / 128) / (levels - 1), where b is 0 to 63 \
                     from the 8x8 Bayer matrix, starting at the top left; grays are Rec. 709 \
                     luma; alpha does not change.",
        examples: &["dither it", "dither to 4 levels", "dither it in black and white"],
    };
}

impl Effect for Dither {
    fn words(&self) -> String {
        let gray = if self.gray { " in gray" } else { "" };
        format!("dither to {} levels{gray}", self.levels)
    }

    fn check(&self) -> Result<(), String> {
        LEVELS.check(f64::from(self.levels))
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let steps = self.levels.max(2) - 1;
        picture.each_row(|y, row| {
            for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let threshold = bayer(x, y);
                let [red, green, blue, alpha] = *pixel;
                if self.gray {
                    let gray = luma([red, green, blue].map(S::level));
                    let level =
                        (gray / 255.0 * steps as f32 + (2 * threshold + 1) as f32 / 128.0) as u32;
                    let gray = value(level.min(steps), steps);
                    *pixel = [gray, gray, gray, alpha];
                } else {
                    let [red, green, blue] = [red, green, blue].map(|channel| {
                        let full = S::FULL.whole();
                        let level = channel.whole() * u64::from(steps) * 128
                            + u64::from(2 * threshold + 1) * full;
                        value(u32::try_from(level / (full * 128)).unwrap_or(steps), steps)
                    });
                    *pixel = [red, green, blue, alpha];
                }
            }
        });
    }
}

fn value<S: Sample>(level: u32, steps: u32) -> S {
    let (level, steps) = (u64::from(level), u64::from(steps));
    S::of_whole((level * S::FULL.whole() + steps / 2) / steps)
}
