//! Posterize: reduces each channel to n evenly spaced levels, `min(floor(c n), n - 1) / (n - 1)`.

use crate::Refusal;
use crate::instruction::{Clause, Unit, whole_pixels};
use crate::kernels::Point;
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Reduces each channel to a few levels, as on a poster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Posterize {
    /// The number of levels that each channel keeps.
    pub levels: u32,
}

/// The levels of the documented scale. The default is 4.
const SCALE: [f64; 5] = [12.0, 8.0, 4.0, 3.0, 2.0];

const LEVELS: Parameter = Parameter::new("the number of levels", "", (2.0, 255.0)).scaled(SCALE);

impl Spoken for Posterize {
    const CAPABILITY: Capability = Capability {
        name: "posterize",
        parameters: &[LEVELS],
        controls: &[Control::whole("levels", "Levels", LEVELS)],
        summary: "Reduces each channel to a few levels, as on a poster.",
        definition: "min(floor(c * n), n - 1) / (n - 1) on sRGB channels, where n is the number \
                     of levels.",
        heads: &["posterize", "posterized", "posterizing", "posterization", "posterization"],
        details: &["levels", "level", "per channel", "each channel"],
        examples: &["posterize it", "posterize to 6 levels"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(Self::CAPABILITY.heads).is_none() {
            return Ok(None);
        }
        let said = clause.quantity();
        let counted = clause
            .take(&[
                "levels per channel",
                "colors per channel",
                "values per channel",
                "levels",
                "level",
            ])
            .is_some();
        clause.take(&["per channel", "each channel"]);
        let levels = match said {
            Some(said) if counted && said.unit == Unit::None && !said.signed => {
                whole_pixels(said.value)
            }
            Some(_) => None,
            None => {
                let degree = clause.degree().unwrap_or(2);
                let levels = SCALE.get(degree).copied().unwrap_or(4.0);
                clause.assumed.push(format!("each channel has {levels} levels"));
                whole_pixels(levels)
            }
        };
        let missing = || Refusal::missing("say how many levels to keep: \"posterize to 4 levels\"");
        Ok(Some(Self { levels: levels.ok_or_else(missing)? }))
    }
}

impl Operation for Posterize {
    fn words(&self) -> String {
        format!("posterize to {} levels", self.levels)
    }

    fn check(&self) -> Result<(), String> {
        LEVELS.check(f64::from(self.levels))
    }

    fn points(&self) -> Vec<Point> {
        let levels = f64::from(self.levels);
        // The small addend keeps values on the edge of a step from falling below it through
        // rounding.
        vec![Point::steps(move |value| {
            ((value * levels + 1e-6).floor()).min(levels - 1.0) / (levels - 1.0)
        })]
    }
}
