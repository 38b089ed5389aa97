//! Halftone: black dots on white, on a screen rotated by 45 degrees; darker areas get larger dots.

use crate::kernels::point::luma;
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Renders the image as black dots on white.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Halftone {
    /// Distance between dots in pixels.
    pub cell_px: f64,
}

const SCALE: [f64; 5] = [4.0, 6.0, 8.0, 12.0, 20.0];
/// Samples per pixel and axis, each black or white.
const PLACES: u32 = 4;

const DISTANCE: Parameter =
    Parameter::new("the distance of the dots", "px", (2.0, 200.0)).scaled(SCALE);

impl Described for Halftone {
    const CAPABILITY: Capability = Capability {
        name: "halftone",
        parameters: &[DISTANCE],
        controls: &[Control::number("cell_px", "Distance", DISTANCE)],
        summary: "Renders the image as black dots on white.",
        definition: "Each pixel is sampled at 16 points. A sample is black where (u^2 + v^2) / 2 \
                     is below a threshold, chosen so that the share of white in a whole dot \
                     equals the pixel's Rec. 709 luma; u and v run from -1 to 1 across a dot, on \
                     a screen rotated by 45 degrees. Alpha does not change.",
        examples: &["apply a halftone", "halftone of 6px"],
    };
}

impl Effect for Halftone {
    fn words(&self) -> String {
        format!("apply a halftone of {}px", self.cell_px)
    }

    fn check(&self) -> Result<(), String> {
        DISTANCE.check(self.cell_px)
    }

    fn scale(&mut self, factor: f64) {
        self.cell_px = DISTANCE.at_scale(self.cell_px, factor);
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let limits = limits();
        // Along the diagonals, in dots.
        let scale = std::f64::consts::FRAC_1_SQRT_2 / self.cell_px;
        let place =
            |at: usize, part: u32| (at as f64) + (f64::from(part) + 0.5) / f64::from(PLACES);
        picture.each_row(|y, row| {
            for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let [red, green, blue, alpha] = *pixel;
                let gray = u8::rounded(luma([red, green, blue].map(S::level)));
                let limit = limits.get(usize::from(255 - gray)).copied().unwrap_or(2.0);
                let white = (0..PLACES * PLACES).filter(|part| {
                    let (x, y) = (place(x, part % PLACES), place(y, part / PLACES));
                    spot((x + y) * scale, (x - y) * scale) >= limit
                });
                let gray = (white.count() * 255 + 8) / 16;
                let gray = S::of(u8::try_from(gray).unwrap_or(255));
                *pixel = [gray, gray, gray, alpha];
            }
        });
    }
}

/// 0 in the center of a dot, 1 in the corners between four dots.
fn spot(u: f64, v: f64) -> f64 {
    let (u, v) = (2.0 * (u - u.floor()) - 1.0, 2.0 * (v - v.floor()) - 1.0);
    (u * u + v * v) / 2.0
}

/// For each darkness from 0 to 255, the value of [`spot`] below which a dot is black, so that this
/// share of the whole dot is black.
fn limits() -> Vec<f64> {
    const SIDE: u32 = 128;
    let part = |at: u32| (f64::from(at) + 0.5) / f64::from(SIDE);
    let mut spots: Vec<f64> =
        (0..SIDE * SIDE).map(|at| spot(part(at % SIDE), part(at / SIDE))).collect();
    spots.sort_by(f64::total_cmp);
    let limit = |darkness: usize| spots.get(darkness * spots.len() / 255).copied();
    (0..256).map(|darkness| limit(darkness).unwrap_or(2.0)).collect()
}
