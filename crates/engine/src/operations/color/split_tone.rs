//! Split tone: a color in the shadows, the midtones or the highlights.
//!
//! `c + s w (t - Yt)`, where t is the color, Yt is its luma, s = percent / 100, and w is the weight
//! of the tone range for the luma Y: `(1 - Y)^2` in the shadows, `4 Y (1 - Y)` in the midtones,
//! `Y^2` in the highlights.

use super::channel::Primary;
use crate::instruction::{Clause, Direction, Unit};
use crate::kernels::Point;
use crate::kernels::point::{channels, factor, luma};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use crate::{Color, Refusal, RefusalKind};
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

const PARTS: [(Part, &[&str]); 3] = [
    (Part::Shadows, &["shadows", "dark areas", "dark parts", "dark tones", "darker areas"]),
    (Part::Midtones, &["midtones", "mid tones", "middle tones", "mids"]),
    (
        Part::Highlights,
        &["highlights", "bright areas", "bright parts", "bright tones", "light areas"],
    ),
];
/// The color of "warmer": between red and yellow, like the light of a bulb.
const WARM: Color = Color { rgba: [255, 128, 0, 255] };
/// The complement of [`WARM`].
const COOL: Color = Color { rgba: [0, 127, 255, 255] };
const WARMER: &[&str] = &["warmer", "warm", "warm up"];
const COOLER: &[&str] = &["cooler", "cool", "colder", "cool down"];
const TINTING: &[&str] = &[
    "tint", "tinted", "tinting", "tone", "toned", "color", "push", "shift", "give", "towards",
    "toward",
];
const STRENGTH: Parameter =
    Parameter::new("the strength of a color", "%", (0.0, 100.0)).scaled(SCALE_PERCENT);

/// The documented scale for vague amounts, in percent.
const SCALE_PERCENT: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 60.0];

impl Spoken for SplitTone {
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
        heads: &["split tone", "split toning"],
        details: &[
            "shadows",
            "midtones",
            "highlights",
            "push",
            "shift",
            "towards",
            "toward",
            "tone",
            "toned",
        ],
        examples: &[
            "make the shadows bluer",
            "warmer highlights",
            "tint the midtones with orange at 15%",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let part = PARTS.iter().find(|(_, nouns)| clause.has(nouns));
        let Some((tones, nouns)) = part.copied() else { return Ok(None) };
        clause.head(nouns);
        let Some((color, sure)) = color(clause)? else { return Ok(None) };
        let tinting = clause.verb(TINTING).is_some();
        clause.take_all(TINTING);
        clause.take(&["strength", "intensity"]);
        let up = clause.direction();
        let color = match up {
            Some(Direction::Down) if !sure => complement(color),
            None if !sure && !tinting => return Ok(None),
            None | Some(Direction::Up) => color,
            _ => return Err(opposed()),
        };
        let percent = match clause.quantity() {
            Some(said) if said.to || said.signed => return Err(missing()),
            Some(said) if !matches!(said.unit, Unit::Percent | Unit::None) => return Err(missing()),
            Some(said) => said.value,
            None => {
                let degree = clause.degree().unwrap_or(2);
                let percent = SCALE_PERCENT.get(degree).copied().unwrap_or(20.0);
                clause.assumed.push(format!("the strength of the color is {percent}%"));
                percent
            }
        };
        Ok(Some(Self { tones, color, percent }))
    }
}

/// The named color, and whether the word asks for more of it.
fn color(clause: &mut Clause<'_>) -> Result<Option<(Color, bool)>, Refusal> {
    if clause.verb(WARMER).is_some() {
        return Ok(Some((WARM, true)));
    }
    if clause.verb(COOLER).is_some() {
        return Ok(Some((COOL, true)));
    }
    let more = Primary::ALL.into_iter().find(|primary| clause.has(&[primary.more()]));
    if let Some(primary) = more {
        clause.verb(&[primary.more()]);
        return Ok(Color::named(primary.name()).map(|color| (vivid(primary, color), true)));
    }
    let Some(color) = clause.color() else { return Ok(None) };
    if !color.is_opaque() {
        return Err(missing());
    }
    Ok(Some((color, false)))
}

/// Replaces the dark green of CSS by that of the green channel, which CSS calls "lime".
fn vivid(primary: Primary, color: Color) -> Color {
    match primary {
        Primary::Green => Color { rgba: [0, 255, 0, 255] },
        _ => color,
    }
}

fn complement(color: Color) -> Color {
    let [red, green, blue, alpha] = color.rgba;
    Color { rgba: [255 - red, 255 - green, 255 - blue, alpha] }
}

fn missing() -> Refusal {
    Refusal::missing("give the color and its strength: \"tint the shadows with blue at 20%\"")
}

fn opposed() -> Refusal {
    Refusal::new(RefusalKind::Contradiction, "the instruction asks for both more and less")
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
