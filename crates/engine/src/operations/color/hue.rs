//! Hue: the CSS `hue-rotate()` matrix (Filter Effects Level 1), on sRGB values.

use crate::kernels::Point;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Rotates all colors around the color wheel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hue {
    /// The angle in degrees: 120 turns red into green.
    pub degrees: f64,
}

const ANGLE: Parameter = Parameter::new("a hue shift", " degrees", (-360.0, 360.0));

impl Described for Hue {
    const CAPABILITY: Capability = Capability {
        name: "hue",
        parameters: &[ANGLE],
        controls: &[Control::number("degrees", "Angle", ANGLE)],
        summary: "Rotates all colors around the color wheel.",
        definition: "CSS hue-rotate(angle) on sRGB channels.",
        examples: &["shift the hue by 90 degrees", "rotate the hue by 45°"],
    };
}

impl Operation for Hue {
    fn words(&self) -> String {
        format!("shift the hue by {} degrees", self.degrees)
    }

    fn check(&self) -> Result<(), String> {
        ANGLE.check(self.degrees)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a matrix of values near 1")]
    fn points(&self) -> Vec<Point> {
        let (sine, cosine) = self.degrees.to_radians().sin_cos();
        let fixed = [0.213, 0.715, 0.072];
        let by_cosine = [[0.787, -0.715, -0.072], [-0.213, 0.285, -0.072], [-0.213, -0.715, 0.928]];
        let by_sine = [[-0.213, -0.715, 0.928], [0.143, 0.140, -0.283], [-0.787, 0.715, 0.072]];
        let line = |row: usize| {
            let at = |table: &[[f64; 3]; 3], column: usize| {
                table.get(row).and_then(|line| line.get(column)).copied().unwrap_or(0.0)
            };
            let cell = |column: usize, fixed: f64| {
                (fixed + cosine * at(&by_cosine, column) + sine * at(&by_sine, column)) as f32
            };
            [cell(0, fixed[0]), cell(1, fixed[1]), cell(2, fixed[2]), 0.0]
        };
        vec![Point::Matrix([line(0), line(1), line(2)])]
    }
}
