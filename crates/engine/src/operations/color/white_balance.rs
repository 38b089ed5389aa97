//! White balance: converts the light of a black body at the given temperature to that of one at
//! 6500 K.
//!
//! The white points are those of the Planckian locus (B. Kim and others, "Design of advanced color
//! temperature control system for HDTV applications", 2002). The adaptation is Bradford's, in
//! linear light. As on a camera, a lower number makes the image cooler, because it describes the
//! light in the scene.

use crate::kernels::transfer::{decoded, encoded};
use crate::kernels::{Matrix, Point};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Sets the white balance to a color temperature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WhiteBalance {
    /// The temperature of the light that becomes neutral, in kelvins.
    pub kelvin: f64,
}

/// The temperature that changes nothing: the white point of sRGB, rounded.
const NEUTRAL_KELVIN: f64 = 6500.0;

const LIGHT: Parameter = Parameter::new("a white balance", "K", (1700.0, 25_000.0));

impl Described for WhiteBalance {
    const CAPABILITY: Capability = Capability {
        name: "white_balance",
        parameters: &[LIGHT],
        controls: &[Control::number("kelvin", "Temperature", LIGHT)],
        summary: "Sets the white balance to a color temperature.",
        definition: "Bradford adaptation in linear light from the Planckian white point (Kim \
                     2002) of the temperature to that of 6500 K; below 6500 K the image becomes \
                     cooler, above it warmer. Daylight and flash are 5500 K, cloudy 6500 K, shade \
                     7500 K, tungsten 2850 K, fluorescent 3800 K.",
        examples: &["set the white balance to 5000K", "white balance of 7500 kelvin"],
    };
}

impl Operation for WhiteBalance {
    fn words(&self) -> String {
        format!("set the white balance to {}K", self.kelvin)
    }

    fn check(&self) -> Result<(), String> {
        LIGHT.check(self.kelvin)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a matrix of values near 1")]
    fn points(&self) -> Vec<Point> {
        let adapted = adaptation(white(self.kelvin), white(NEUTRAL_KELVIN));
        let matrix: Matrix =
            adapted.map(|[red, green, blue]| [red as f32, green as f32, blue as f32, 0.0]);
        vec![Point::curve(decoded), Point::Matrix(matrix), Point::curve(encoded)]
    }
}

type Square = [[f64; 3]; 3];

/// Linear sRGB to CIE XYZ (IEC 61966-2-1).
const TO_XYZ: Square =
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
/// CIE XYZ to the cone responses of Bradford's adaptation.
const TO_CONES: Square =
    [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

/// The matrix on linear sRGB that maps one white point (XYZ) to another.
fn adaptation(from: [f64; 3], to: [f64; 3]) -> Square {
    let (old, new) = (times(&TO_CONES, from), times(&TO_CONES, to));
    let gain = [new[0] / old[0], new[1] / old[1], new[2] / old[2]];
    let to_cones = product(&TO_CONES, &TO_XYZ);
    let mut scaled = to_cones;
    for (line, gain) in scaled.iter_mut().zip(gain) {
        line.iter_mut().for_each(|cell| *cell *= gain);
    }
    product(&inverse(&to_cones), &scaled)
}

/// The white point of a black body in CIE XYZ with Y = 1.
fn white(kelvin: f64) -> [f64; 3] {
    let cubic = |[a, b, c, d]: [f64; 4], at: f64| ((a * at + b) * at + c) * at + d;
    let x = if kelvin <= 4000.0 {
        cubic([-0.266_123_9e9, -0.234_358_9e6, 0.877_695_6e3, 0.179_910], 1.0 / kelvin)
    } else {
        cubic([-3.025_846_9e9, 2.107_037_9e6, 0.222_634_7e3, 0.240_390], 1.0 / kelvin)
    };
    let y = if kelvin <= 2222.0 {
        cubic([-1.106_381_4, -1.348_110_20, 2.185_558_32, -0.202_196_83], x)
    } else if kelvin <= 4000.0 {
        cubic([-0.954_947_6, -1.374_185_93, 2.091_370_15, -0.167_488_67], x)
    } else {
        cubic([3.081_758_0, -5.873_386_70, 3.751_129_97, -0.370_014_83], x)
    };
    [x / y, 1.0, (1.0 - x - y) / y]
}

fn times(matrix: &Square, [x, y, z]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[a, b, c]| a * x + b * y + c * z)
}

fn product(left: &Square, right: &Square) -> Square {
    let [first, second, third] = right;
    left.map(|[a, b, c]| {
        [0, 1, 2].map(|column| a * first[column] + b * second[column] + c * third[column])
    })
}

/// The inverse by cofactors. The matrices that are passed in are known to be invertible.
fn inverse([[a, b, c], [d, e, f], [g, h, i]]: &Square) -> Square {
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    let cofactors = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ];
    cofactors.map(|line| line.map(|cell| cell / determinant))
}
