//! Color tones: makes one color more or less saturated, lighter or darker.

use super::keep_color::{hue, usual_tolerance};
use crate::kernels::Point;
use crate::kernels::point::{fade, luma};
use crate::operation::{
    CHANGE_SCALE, Capability, Control, Described, Operation, Parameter, changed,
};
use serde::{Deserialize, Serialize};

/// Changes the saturation or brightness of one color.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColorTones {
    /// Which color.
    #[serde(alias = "colour")]
    pub color: Band,
    /// The property that changes.
    pub property: Property,
    /// The change in percent of the current value.
    pub percent: f64,
}

/// A part of the color wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names of colors")]
pub enum Band {
    Red,
    Orange,
    Yellow,
    Green,
    Cyan,
    Blue,
    Purple,
    Magenta,
}

/// A property of a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Property {
    /// How far it is from gray.
    Saturation,
    /// How light it is.
    Brightness,
}

/// Each band: its hue in degrees and its names.
const BANDS: [(Band, f32, [&str; 2]); 8] = [
    (Band::Red, 0.0, ["red", "reds"]),
    (Band::Orange, 30.0, ["orange", "oranges"]),
    (Band::Yellow, 60.0, ["yellow", "yellows"]),
    (Band::Green, 120.0, ["green", "greens"]),
    (Band::Cyan, 180.0, ["cyan", "cyans"]),
    (Band::Blue, 240.0, ["blue", "blues"]),
    (Band::Purple, 270.0, ["purple", "purples"]),
    (Band::Magenta, 300.0, ["magenta", "magentas"]),
];
/// Below this HSV saturation, the effect fades to nothing, because grays have no color.
const COLORED: f32 = 0.25;

const CHANGE: Parameter =
    Parameter::new("a change in one color", "%", (-100.0, 400.0)).scaled(CHANGE_SCALE);

impl Described for ColorTones {
    const CAPABILITY: Capability = Capability {
        name: "color_tones",
        parameters: &[CHANGE],
        controls: &[
            Control::choice(
                "color",
                "Color",
                &["red", "orange", "yellow", "green", "cyan", "blue", "purple", "magenta"],
            ),
            Control::choice("property", "Property", &["saturation", "brightness"]),
            Control::number("percent", "Amount", CHANGE),
        ],
        summary: "Makes one color in the image more or less saturated, lighter or darker.",
        definition: "w = 1 where the HSV hue is within 15 degrees of red (0), orange (30) or \
                     yellow (60), or within 40 of green (120), cyan (180), blue (240), purple \
                     (270) or magenta (300), falling as a cubic to 0 at 1.5 times that, times \
                     min(1, 4 * HSV saturation); Y + (1 + w * t) * (c - Y) for the saturation, c \
                     * (1 + w * t) for the brightness, on sRGB channels, where Y is the Rec. 709 \
                     luma and t = percent / 100.",
        examples: &[
            "make the reds more saturated",
            "darken the blues",
            "reduce the saturation of the green tones by 30%",
            "blue saturation +20",
        ],
    };
}

impl ColorTones {
    /// Its hue in degrees, and its name.
    fn band(&self) -> (f32, &'static str) {
        let found = BANDS.iter().find(|(band, ..)| *band == self.color);
        found.map_or((0.0, "red"), |(_, hue, [name, _])| (*hue, name))
    }
}

impl Operation for ColorTones {
    fn words(&self) -> String {
        let (_, name) = self.band();
        let noun = match self.property {
            Property::Saturation => "saturation",
            Property::Brightness => "brightness",
        };
        changed(&format!("{noun} of the {name} tones"), self.percent)
    }

    /// Lighter reds and darker blues don't contradict each other, and neither do darker and more
    /// vivid reds.
    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a share of a few")]
    fn points(&self) -> Vec<Point> {
        let (center, _) = self.band();
        let near = usual_tolerance(center) as f32;
        let (share, property) = ((self.percent / 100.0) as f32, self.property);
        vec![Point::colors(move |color| {
            let apart = (hue(color) - center).abs();
            let [red, green, blue] = color;
            let (largest, smallest) = (red.max(green).max(blue), red.min(green).min(blue));
            let colored = (largest - smallest) / largest.max(f32::MIN_POSITIVE) / COLORED;
            let weight = fade(apart.min(360.0 - apart), near, near * 1.5) * colored.min(1.0);
            let factor = 1.0 + weight * share;
            match property {
                Property::Saturation => {
                    let gray = luma(color);
                    color.map(|channel| gray + factor * (channel - gray))
                }
                Property::Brightness => color.map(|channel| channel * factor),
            }
        })]
    }
}
