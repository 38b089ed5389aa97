//! Levels: `(c - black) / (white - black)`, so that the two levels become black and white.

use crate::Refusal;
use crate::instruction::{Clause, Unit, phrases};
use crate::kernels::Point;
use crate::kernels::point::diagonal;
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Stretches the tones so that one level becomes black and another becomes white.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Levels {
    /// The level, from 0 to 255, that becomes black.
    pub black: f64,
    /// The level, from 0 to 255, that becomes white.
    pub white: f64,
}

const BOTH: &[&str] = &["levels", "input levels"];
const BLACK: &[&str] = &["black point", "black level", "blackpoint"];
const WHITE: &[&str] = &["white point", "white level", "whitepoint"];

const BLACK_POINT: Parameter = Parameter::new("the black point", "", (0.0, 254.0));
const WHITE_POINT: Parameter = Parameter::new("the white point", "", (1.0, 255.0));

impl Spoken for Levels {
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
        heads: phrases!(BOTH, BLACK, WHITE),
        details: &["between", "from", "levels", "level"],
        examples: &[
            "set the black point to 10 and the white point to 240",
            "levels 10-240",
            "set the white point to 95%",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let (black, white) = (clause.head(BLACK).is_some(), clause.head(WHITE).is_some());
        let both = !black && !white;
        if both && clause.head(BOTH).is_none() {
            return Ok(None);
        }
        clause.direction();
        let missing = || {
            Refusal::missing(
                "say which levels should become black and white, for example \"levels 10-240\" or \
                 \"set the black point to 10\"",
            )
        };
        if black && white {
            return Err(missing());
        }
        if both {
            let (black, white) = clause.range().ok_or_else(missing)?;
            return Ok(Some(Self { black, white }));
        }
        let said = clause.quantity().filter(|said| !said.signed).ok_or_else(missing)?;
        clause.take(&["levels", "level"]);
        let level = match said.unit {
            Unit::Percent => said.value * 2.55,
            Unit::None => said.value,
            _ => return Err(missing()),
        };
        Ok(Some(match black {
            true => Self { black: level, white: 255.0 },
            false => Self { black: 0.0, white: level },
        }))
    }
}

impl Levels {
    /// Merges the two ends, if they are given one after the other, into one step.
    pub(crate) fn together(&self, next: &Self) -> Option<Self> {
        match (self, next) {
            (Self { black, white: 255.0 }, Self { black: 0.0, white })
            | (Self { black: 0.0, white }, Self { black, white: 255.0 }) => {
                Some(Self { black: *black, white: *white })
            }
            _ => None,
        }
    }
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
