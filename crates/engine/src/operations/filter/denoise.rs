//! Noise reduction: non-local means, which preserves edges, as strong as the noise that is there.
//!
//! Each pixel becomes the mean of the 7 x 7 pixels around it, each with the weight exp(-D / (2
//! h^2)). D is the mean squared difference of the 3 x 3 pixels around both, over red, green, blue
//! and alpha (divided as for three channels, since alpha rarely differs). If the exponent is beyond
//! -8, the weight is 0. At the usual strength, h is 0.9 times the standard deviation of the noise.
//! Of the factors tried on a photo with added noise (standard deviations of 3 to 30 levels), this one
//! came closest to the original, or nearly so.

use crate::kernels::premultiplied::{rounded, row_around};
use crate::kernels::{Size, canvas};
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Smooths noise and preserves edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Denoise {
    /// Strength in percent.
    pub percent: f64,
}

const SCALE: [f64; 5] = [5.0, 12.0, 25.0, 50.0, 100.0];
/// How far to search for similar pixels, in pixels.
const SEARCH: usize = 3;
/// Exponent from which on a weight is 0.
const CUT: f64 = 8.0;
/// Entries of the table of weights.
const ENTRIES: u32 = 8192;
/// Values that are compared for one pixel: 3 x 3 pixels of three channels.
const COMPARED: f64 = 27.0;

const STRENGTH: Parameter =
    Parameter::new("the strength of noise reduction", "%", (1.0, 100.0)).scaled(SCALE);

impl Described for Denoise {
    const CAPABILITY: Capability = Capability {
        name: "denoise",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Smooths noise and preserves edges.",
        definition: "Non-local means, premultiplied: over 7x7 pixels with weights exp(-D / (2 \
                     h^2)), where D is the mean squared difference of the surrounding 3x3 pixels \
                     and h = 0.18 * sqrt(percent) * s. The noise s is the median of |a - b - c + d| \
                     over blocks of 2x2 pixels ab/cd that are not all the same, divided by 1.349, \
                     and at least half a level; alpha does not change.",
        examples: &["reduce the noise", "denoise it strongly", "reduce the noise by 30%"],
    };
}

impl Effect for Denoise {
    fn words(&self) -> String {
        format!("reduce the noise by {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn scratch_bytes(&self, input: Size, pixel_bytes: u64) -> u64 {
        const ROWS_BYTES: u64 = 64 * 240;
        (u64::from(input.0) + 8) * (u64::from(input.1) * pixel_bytes + ROWS_BYTES)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let pixels = rounded(picture);
        let width = picture.width() as usize;
        let weights = Weights::new(0.18 * self.percent.sqrt() * noise(&pixels, width));
        picture.each_row(|y, row| {
            for (pixel, sum) in
                row.as_chunks_mut::<4>().0.iter_mut().zip(weights.row(&pixels, width, y))
            {
                let [red, green, blue, _] = canvas::straight(sum, 255.0);
                *pixel = [red, green, blue, pixel[3]];
            }
        });
    }
}

/// The standard deviation of the noise, in levels of 255: the median of differences in which
/// surfaces, slopes and straight edges cancel out (after D. Donoho and I. Johnstone, 1994). Blocks of
/// one color are left out: they belong to a border or a drawing, which has no noise.
fn noise<S: Sample>(pixels: &[[S; 4]], width: usize) -> f64 {
    const LEAST: f64 = 0.5;
    let mut counts = [0_u64; 2 * 510 + 1];
    let rows = pixels.chunks_exact(width);
    for (upper, lower) in rows.clone().zip(rows.skip(1)) {
        for (above, below) in upper.array_windows::<2>().zip(lower.array_windows::<2>()) {
            let block = [above[0], above[1], below[0], below[1]];
            if block.iter().all(|pixel| *pixel == block[0]) {
                continue;
            }
            for channel in 0..3 {
                let [a, b, c, d] = block.map(|pixel| i32::from(pixel[channel].nearest()));
                if let Some(count) = counts.get_mut((a - b - c + d).unsigned_abs() as usize) {
                    *count += 1;
                }
            }
        }
    }
    let half = counts.iter().sum::<u64>().div_ceil(2);
    let mut seen = 0;
    let median = (0_u16..).zip(counts).find_map(|(difference, count)| {
        seen += count;
        (seen >= half).then_some(difference)
    });
    // Such a difference of four values deviates twice as much as one, and half of the values of a
    // normal distribution are within 0.6745 deviations.
    (f64::from(median.unwrap_or(0)) / 1.349).max(LEAST)
}

/// The weights by difference in whole levels.
struct Weights {
    table: Vec<f32>,
    /// Entries for a squared difference of 1.
    scale: f32,
}

impl Weights {
    fn new(h: f64) -> Self {
        let entry = |at: u32| (-CUT * f64::from(at) / f64::from(ENTRIES)).exp() as f32;
        let scale = f64::from(ENTRIES) / CUT / (COMPARED * 2.0 * h * h);
        Self { table: (0..ENTRIES).map(entry).collect(), scale: scale as f32 }
    }

    fn of(&self, difference: i32) -> f32 {
        let at = (difference as f32 * self.scale + 0.5) as usize;
        self.table.get(at).copied().unwrap_or(0.0)
    }

    /// The weighted sums of a row, scaled so that a full alpha is 255.
    fn row<S: Sample>(&self, pixels: &[[S; 4]], width: usize, y: usize) -> Vec<[f32; 4]> {
        let first = y.cast_signed() - (SEARCH + 1).cast_signed();
        let lines: Vec<Line<S>> = (first..=first + 2 * (SEARCH + 1).cast_signed())
            .map(|y| Line::of(&row_around(pixels, width, y, SEARCH + 1)))
            .collect();
        let mut sums = [(); 4].map(|()| vec![0.0_f32; width]);
        let mut totals = vec![0.0_f32; width];
        let (mut apart, mut weights) = (vec![0_i32; width + 2], vec![0.0_f32; width]);
        for down in 0..=2 * SEARCH {
            let Some(others) = lines.get(down + 1) else { continue };
            for across in 0..=2 * SEARCH {
                differences(&lines, (across, down), &mut apart);
                for ((weight, total), around) in
                    weights.iter_mut().zip(&mut totals).zip(apart.windows(3))
                {
                    *weight = self.of(around.iter().sum());
                    *total += *weight;
                }
                for (sum, channel) in sums.iter_mut().zip(&others.values) {
                    let values = channel.get(across + 1..).unwrap_or_default();
                    for ((sum, weight), value) in sum.iter_mut().zip(&weights).zip(values) {
                        *sum += weight * value.level();
                    }
                }
            }
        }
        let [red, green, blue, alpha] = sums;
        let channels = red.iter().zip(&green).zip(&blue).zip(&alpha).zip(&totals);
        channels
            .map(|((((red, green), blue), alpha), total)| {
                [red, green, blue, alpha].map(|sum| sum / total)
            })
            .collect()
    }
}

/// A row with separate channels, so that many pixels are processed at once.
struct Line<S> {
    values: [Vec<S>; 4],
    /// The channels in whole levels, which are compared.
    levels: [Vec<i16>; 4],
}

impl<S: Sample> Line<S> {
    fn of(pixels: &[[S; 4]]) -> Self {
        let values =
            [0, 1, 2, 3].map(|channel| pixels.iter().map(|pixel| pixel[channel]).collect());
        let level = |value: &S| i16::from(value.nearest());
        let levels = values.each_ref().map(|values: &Vec<S>| values.iter().map(level).collect());
        Self { values, levels }
    }
}

/// The squared differences between the pixels of three rows and those at an offset, summed
/// vertically, from one pixel before the row to one after it.
fn differences<S>(lines: &[Line<S>], (across, down): (usize, usize), apart: &mut [i32]) {
    apart.fill(0);
    for row in 0..3 {
        let (Some(here), Some(there)) = (lines.get(SEARCH + row), lines.get(down + row)) else {
            return;
        };
        for (here, there) in here.levels.iter().zip(&there.levels) {
            let here = here.get(SEARCH..).unwrap_or_default();
            let pairs = here.iter().zip(there.get(across..).unwrap_or_default());
            for (apart, (here, there)) in apart.iter_mut().zip(pairs) {
                let difference = i32::from(*here - *there);
                *apart += difference * difference;
            }
        }
    }
}
