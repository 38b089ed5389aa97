//! Auto: sets levels, contrast or white balance from the image's own values.

use super::measure::{Histograms, ends, light_of, luminance, neutral};
use crate::kernels::point::diagonal;
use crate::kernels::transfer::{decoded, encoded};
use crate::kernels::{Matrix, Point};
use crate::operation::{Capability, Control, Described, Operation};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Sets tones or colors automatically.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Auto {
    /// What to set.
    pub what: What,
}

/// What [`Auto`] sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The two ends of each channel.
    Levels,
    /// The two ends of the luma.
    Contrast,
    /// The color of the light.
    #[serde(alias = "colour")]
    Color,
}

impl Described for Auto {
    const CAPABILITY: Capability = Capability {
        name: "auto",
        parameters: &[],
        controls: &[Control::choice("what", "Adjust", &["levels", "contrast", "color"])],
        summary: "Sets levels, contrast or white balance automatically.",
        definition: "Measured over all pixels that are not fully transparent, in whole levels of \
                     255. Levels: (c - low) / (high - low) for each sRGB channel separately, \
                     where low and high exclude 0.5% of its values at either end. Contrast: the \
                     same for all channels, with the ends of the Rec. 709 luma. Color: in linear \
                     light, each channel times Y / e, where Y is the luminance of the three e; gains \
                     are limited to 1/3 to 3. If at least 1% of the pixels are light and almost \
                     neutral (luminance above 0.7 of the 99th percentile's, smallest channel above \
                     0.85 of the largest), e is their mean. Those with a channel of 254 or more \
                     count only if they are at least 10%. Otherwise, e is the Minkowski mean of \
                     order 6 (shades of gray).",
        examples: &["auto contrast", "auto levels", "fix the white balance"],
    };
}

impl Operation for Auto {
    fn words(&self) -> String {
        match self.what {
            What::Levels => "auto levels",
            What::Contrast => "auto contrast",
            What::Color => "auto white balance",
        }
        .to_owned()
    }

    fn measures(&self) -> bool {
        true
    }

    fn measured<S: Sample>(&self, picture: &Picture<S>, warnings: &mut Vec<String>) -> Vec<Point> {
        let points = match self.what {
            What::Levels => {
                let of = Histograms::of(picture).channels.map(|levels| ends(&levels));
                stretched(of)
            }
            What::Contrast => stretched([ends(&Histograms::of(picture).luma); 3]),
            What::Color => {
                let Histograms { channels, luma } = Histograms::of(picture);
                let light = neutral(picture, &luma);
                balanced(light.unwrap_or_else(|| channels.each_ref().map(light_of)))
            }
        };
        if points.is_empty() {
            let why = match self.what {
                What::Color => "one color channel of the image is entirely black",
                _ => "the image has only one tone, or already uses the full range",
            };
            warnings.push(format!("{} changed nothing: {why}", self.words()));
        }
        points
    }
}

/// The change that maps the ends of each channel to black and white. Empty if nothing changes.
fn stretched(ends: [Option<(f32, f32)>; 3]) -> Vec<Point> {
    let mut matrix = diagonal([1.0; 3], 0.0);
    for ((channel, line), end) in matrix.iter_mut().enumerate().zip(ends) {
        let (Some((low, high)), Some(gain)) = (end, line.get_mut(channel)) else { continue };
        *gain = 255.0 / (high - low);
        line[3] = -low / (high - low);
    }
    let same: Matrix = diagonal([1.0; 3], 0.0);
    if matrix == same { Vec::new() } else { vec![Point::Matrix(matrix)] }
}

/// The gains that make the light neutral. Empty if a channel has no light at all.
fn balanced(light: [f64; 3]) -> Vec<Point> {
    if light.iter().any(|channel| *channel <= 0.0) {
        return Vec::new();
    }
    let gray = luminance(light);
    let gains = light.map(|channel| (gray / channel).clamp(1.0 / 3.0, 3.0));
    vec![Point::Curve(Box::new(move |channel, value| {
        let gain = gains.get(channel).copied().unwrap_or(1.0);
        encoded((decoded(value) * gain).min(1.0))
    }))]
}
