//! Grain: gray noise with a fixed seed, the same for every image of the same size.
//!
//! `c + 0.64 * percent * g`, in levels of 255: g is the sum of the eight bytes of a hash of the
//! pixel's position (`SplitMix64`'s finisher), less its mean, over its standard deviation; nearly
//! Gaussian.

use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Adds film grain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grain {
    /// Strength in percent; 100 has a standard deviation of 64 levels.
    pub percent: f64,
}

const SCALE: [f64; 5] = [4.0, 8.0, 15.0, 30.0, 50.0];
/// Standard deviation at 100%, in levels.
const LEVELS: f32 = 64.0;
/// Mean and standard deviation of the sum of eight bytes: 8 * 127.5, sqrt(8 * 65535 / 12).
const SUM: (f32, f32) = (1020.0, 209.022_33);

const STRENGTH: Parameter =
    Parameter::new("the strength of grain", "%", (0.0, 100.0)).scaled(SCALE);

impl Described for Grain {
    const CAPABILITY: Capability = Capability {
        name: "grain",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Adds film grain.",
        definition: "c + 64 * percent / 100 * g levels, the same on all three channels. g is the \
                     standardized sum of the eight bytes of a SplitMix64 hash of the pixel's \
                     position, with a fixed seed; alpha does not change.",
        examples: &["add film grain", "add a bit of grain", "add 20% grain"],
    };
}

impl Effect for Grain {
    fn words(&self) -> String {
        format!("add film grain of {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let strength = LEVELS * (self.percent / 100.0) as f32 / SUM.1;
        picture.each_row(|y, row| {
            for (x, [red, green, blue, _]) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let change = strength * (f32::from(chance(x as u64, y as u64)) - SUM.0);
                for channel in [red, green, blue] {
                    *channel = S::rounded(channel.level() + change);
                }
            }
        });
    }
}

/// The sum of the eight bytes of the hash of a position.
fn chance(x: u64, y: u64) -> u16 {
    let mut bits = (y << 32 | x).wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (bits ^ (bits >> 31)).to_be_bytes().map(u16::from).iter().sum()
}
