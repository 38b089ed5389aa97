//! Posterize: reduces each channel to n evenly spaced levels, `min(floor(c n), n - 1) / (n - 1)`.

use crate::kernels::Point;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
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

impl Described for Posterize {
    const CAPABILITY: Capability = Capability {
        name: "posterize",
        parameters: &[LEVELS],
        controls: &[Control::whole("levels", "Levels", LEVELS)],
        summary: "Reduces each channel to a few levels, as on a poster.",
        definition: "min(floor(c * n), n - 1) / (n - 1) on sRGB channels, where n is the number \
                     of levels.",
        examples: &["posterize it", "posterize to 6 levels"],
    };
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
