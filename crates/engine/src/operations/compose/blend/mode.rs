//! How two colors mix: W3C Compositing and Blending Level 1, chapter 10. It has no modes that add or
//! subtract; these are "Addition" and "Subtract" of the GIMP manual.

use crate::Sample;
use serde::{Deserialize, Serialize};

/// A blend mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The upper color.
    Normal,
    /// The product of both; never lighter.
    Multiply,
    /// The inverted product of both inverted colors; never darker.
    Screen,
    /// Multiply where the lower color is dark, screen where it is light.
    Overlay,
    /// The darker value of each channel.
    Darken,
    /// The lighter value of each channel.
    Lighten,
    /// The absolute difference.
    Difference,
    /// The sum, at most white.
    Add,
    /// The lower color minus the upper one, at least black.
    Subtract,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 9] = [
        Self::Normal,
        Self::Multiply,
        Self::Screen,
        Self::Overlay,
        Self::Darken,
        Self::Lighten,
        Self::Difference,
        Self::Add,
        Self::Subtract,
    ];

    /// The word for it in instructions.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Multiply => "multiply",
            Self::Screen => "screen",
            Self::Overlay => "overlay",
            Self::Darken => "darken",
            Self::Lighten => "lighten",
            Self::Difference => "difference",
            Self::Add => "add",
            Self::Subtract => "subtract",
        }
    }

    /// Blends one channel of both, from 0 to 1.
    fn mixed(self, below: f32, above: f32) -> f32 {
        match self {
            Self::Normal => above,
            Self::Multiply => below * above,
            Self::Screen => below + above - below * above,
            Self::Overlay if below <= 0.5 => 2.0 * below * above,
            Self::Overlay => 1.0 - 2.0 * (1.0 - below) * (1.0 - above),
            Self::Darken => below.min(above),
            Self::Lighten => below.max(above),
            Self::Difference => (below - above).abs(),
            Self::Add => (below + above).min(1.0),
            Self::Subtract => (below - above).max(0.0),
        }
    }

    /// Composites one color (red, green, blue, alpha from 0 to 1, straight) over another.
    pub(in crate::operations) fn composed(self, below: [f32; 4], above: [f32; 4]) -> [f32; 4] {
        let (under, over) = (below[3], above[3]);
        let alpha = under + over - under * over;
        if alpha <= 0.0 {
            return [0.0; 4];
        }
        let mut result = [0.0, 0.0, 0.0, alpha];
        for ((result, below), above) in result.iter_mut().zip(below).zip(above).take(3) {
            let mixed = self.mixed(below, above);
            let sum =
                above * over * (1.0 - under) + mixed * over * under + below * under * (1.0 - over);
            *result = sum / alpha;
        }
        result
    }

    /// Composites one pixel over another, with the upper alpha multiplied by a share from 0 to 1.
    pub(in crate::operations) fn laid<S: Sample>(
        self,
        below: [S; 4],
        above: [S; 4],
        share: f64,
    ) -> [S; 4] {
        let mut upper = above.map(|value| value.level() / 255.0);
        upper[3] *= share as f32;
        let composed = self.composed(below.map(|value| value.level() / 255.0), upper);
        composed.map(|value| S::rounded(value * 255.0))
    }
}
