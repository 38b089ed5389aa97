//! Split tone: a color in the shadows, the midtones or the highlights.
//!
//! `c + s w (t - Yt)`, where t is the color, Yt is its luma, s = percent / 100, and w is the weight
//! of the tone range for the luma Y: `(1 - Y)^2` in the shadows, `4 Y (1 - Y)` in the midtones,
//! `Y^2` in the highlights.

use crate::Color;
use crate::kernels::Point;
use crate::kernels::point::{channels, factor, luma};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Adds a color to one range of tones. The luma doesn't change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SplitTone {
    /// The range of tones.
    pub tones: Part,
    /// The color.
    #[serde(alias = "colour")]
    pub color: Color,
    /// Strength in percent.
    pub percent: f64,
}

/// A range of tones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The dark tones.
    Shadows,
    /// The tones in the middle.
    Midtones,
    /// The bright tones.
    Highlights,
}

const STRENGTH: Parameter =
    Parameter::new("the strength of a color", "%", (0.0, 100.0)).scaled(SCALE_PERCENT);

/// The documented scale for vague amounts, in percent.
const SCALE_PERCENT: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 60.0];

impl Described for SplitTone {
    const CAPABILITY: Capability = Capability {
        name: "split_tone",
        parameters: &[],
        controls: &[
            Control::choice("tones", "Tones", &["shadows", "midtones", "highlights"]),
            Control::color("color", "Color"),
            Control::number("percent", "Strength", STRENGTH),
        ],
        summary: "Tints the shadows, midtones or highlights with a color.",
        definition: "c + s * w * (t - luma of t) on sRGB channels, where t is the color, s = \
                     percent / 100, Y is the Rec. 709 luma, and w is (1 - Y)^2 for shadows, 4Y(1 \
                     - Y) for midtones and Y^2 for highlights.",
        examples: &[
            "make the shadows bluer",
            "warmer highlights",
            "tint the midtones with orange at 15%",
        ],
    };
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Shadows => "shadows",
            Self::Midtones => "midtones",
            Self::Highlights => "highlights",
        }
    }

    /// The weight of a color with this luma.
    fn weight(self, luma: f32) -> f32 {
        match self {
            Self::Shadows => (1.0 - luma) * (1.0 - luma),
            Self::Midtones => 4.0 * luma * (1.0 - luma),
            Self::Highlights => luma * luma,
        }
    }
}

impl Operation for SplitTone {
    fn words(&self) -> String {
        format!("tint the {} with {} at {}%", self.tones.name(), self.color, self.percent)
    }

    fn check(&self) -> Result<(), String> {
        if !self.color.is_opaque() {
            return Err("the color must be opaque".to_owned());
        }
        STRENGTH.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let strength = factor(self.percent - 100.0);
        let color = channels(self.color);
        let shift = color.map(|channel| strength * (channel - luma(color)));
        let tones = self.tones;
        vec![Point::colors(move |color| {
            let weight = tones.weight(luma(color));
            let [red, green, blue] = color;
            [red + weight * shift[0], green + weight * shift[1], blue + weight * shift[2]]
        })]
    }
}
