//! Levels: `(c - black) / (white - black)`, so that the two levels become black and white.

use crate::kernels::Point;
use crate::kernels::point::diagonal;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Stretches the tones so that one level becomes black and another becomes white.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Levels {
    /// The level, from 0 to 255, that becomes black.
    pub black: f64,
    /// The level, from 0 to 255, that becomes white.
    pub white: f64,
}

const BLACK_POINT: Parameter = Parameter::new("the black point", "", (0.0, 254.0));
const WHITE_POINT: Parameter = Parameter::new("the white point", "", (1.0, 255.0));

impl Described for Levels {
    const CAPABILITY: Capability = Capability {
        name: "levels",
        parameters: &[BLACK_POINT, WHITE_POINT],
        controls: &[
            Control::number("black", "Black point", BLACK_POINT),
            Control::number("white", "White point", WHITE_POINT),
        ],
        summary: "Stretches the tones so that one level becomes black and another becomes white.",
        definition: "(c - black) / (white - black) on sRGB channels, where black and white are \
                     levels from 0 to 255.",
        examples: &[
            "set the black point to 10 and the white point to 240",
            "levels 10-240",
            "set the white point to 95%",
        ],
    };
}

impl Operation for Levels {
    fn words(&self) -> String {
        format!("set the levels from {} to {}", self.black, self.white)
    }

    fn check(&self) -> Result<(), String> {
        BLACK_POINT.check(self.black)?;
        WHITE_POINT.check(self.white)?;
        if self.white - self.black < 1.0 {
            return Err(format!(
                "the white point ({}) must be at least 1 above the black point ({})",
                self.white, self.black
            ));
        }
        Ok(())
    }

    #[expect(clippy::cast_possible_truncation, reason = "a gain of at most 255")]
    fn points(&self) -> Vec<Point> {
        let span = self.white - self.black;
        vec![Point::Matrix(diagonal([(255.0 / span) as f32; 3], (-self.black / span) as f32))]
    }
}
