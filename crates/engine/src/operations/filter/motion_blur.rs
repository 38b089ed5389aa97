//! Motion blur: the mean along a line through each pixel.
//!
//! The line has the given length and is divided into as many equal parts as it has pixels. The
//! center of each part is sampled bilinearly, premultiplied, with repeated edges.

use crate::kernels::Size;
use crate::kernels::angle::direction;
use crate::kernels::canvas::straight;
use crate::kernels::premultiplied::{FULL, Lights, padded};
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Blurs the image in one direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MotionBlur {
    /// The length of the line in pixels.
    pub length_px: f64,
    /// The direction of the line in degrees, clockwise from horizontal.
    pub degrees: f64,
}

const SCALE: [f64; 5] = [4.0, 8.0, 20.0, 50.0, 100.0];

const LENGTH: Parameter =
    Parameter::new("the length of a motion blur", "px", (1.0, 500.0)).scaled(SCALE);
const ANGLE: Parameter = Parameter::new("the angle of a motion blur", " degrees", (-360.0, 360.0));

impl Described for MotionBlur {
    const CAPABILITY: Capability = Capability {
        name: "motion_blur",
        parameters: &[LENGTH, ANGLE],
        controls: &[
            Control::number("length_px", "Length", LENGTH),
            Control::number("degrees", "Angle", ANGLE),
        ],
        summary: "Blurs the image in one direction.",
        definition: "The mean of n evenly spaced samples on a line of the given length through \
                     the pixel, where n is the length rounded up. Samples are bilinear and \
                     premultiplied, with edges repeated. 0 degrees is horizontal; angles are \
                     clockwise.",
        examples: &["motion blur of 20px at 30 degrees", "add a slight vertical motion blur"],
    };
}

impl Effect for MotionBlur {
    fn words(&self) -> String {
        format!("motion blur of {}px at {} degrees", self.length_px, self.degrees)
    }

    fn check(&self) -> Result<(), String> {
        LENGTH.check(self.length_px)?;
        ANGLE.check(self.degrees)
    }

    fn scale(&mut self, factor: f64) {
        self.length_px = LENGTH.at_scale(self.length_px, factor);
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        const ROWS_BYTES: u64 = 64 * 24;
        Lights::bytes(input) + (u64::from(input.0) + 1002) * ROWS_BYTES
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let kernel = kernel(self.length_px, self.degrees);
        let reach = kernel.iter().map(|(x, ..)| x.unsigned_abs()).max().unwrap_or(0);
        let lights = Lights::of(picture);
        let width = picture.width() as usize;
        picture.each_row(|y, row| {
            let mut sums = vec![[0.0_f32; 4]; width];
            for same_row in kernel.chunk_by(|first, second| first.1 == second.1) {
                let down = same_row.first().map_or(0, |tap| tap.1);
                let line = padded(lights.row(y.cast_signed() + down), reach);
                for (across, _, weight) in same_row {
                    let from = reach.saturating_add_signed(*across);
                    for (sum, light) in sums.iter_mut().zip(line.iter().skip(from)) {
                        for (sum, value) in sum.iter_mut().zip(light) {
                            *sum += *weight * f32::from(*value);
                        }
                    }
                }
            }
            for (pixel, sum) in row.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
                *pixel = straight(sum, FULL as f32);
            }
        });
    }
}

/// The weights of the pixels around a pixel, in order from top left: offset to the right, offset
/// downward, weight.
fn kernel(length_px: f64, degrees: f64) -> Vec<(isize, isize, f32)> {
    let count = length_px.ceil().max(1.0);
    let toward = direction(degrees);
    let mut weights = std::collections::BTreeMap::<(isize, isize), f64>::new();
    let mut part = 0.5;
    while part < count {
        let along = (part / count - 0.5) * length_px;
        let (x, y) = (along * toward.0, along * toward.1);
        let (left, top) = (x.floor(), y.floor());
        let (right, below) = (x - left, y - top);
        let shares = [
            (0, 0, (1.0 - right) * (1.0 - below)),
            (1, 0, right * (1.0 - below)),
            (0, 1, (1.0 - right) * below),
            (1, 1, right * below),
        ];
        for (across, down, share) in shares {
            let at = (top as isize + down, left as isize + across);
            *weights.entry(at).or_default() += share / count;
        }
        part += 1.0;
    }
    let taps = weights.into_iter().filter(|(_, weight)| *weight > 1e-9);
    taps.map(|((down, across), weight)| (across, down, weight as f32)).collect()
}
