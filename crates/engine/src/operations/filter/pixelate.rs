//! Pixelate: replaces blocks, which start at the top left, by their mean color (premultiplied).

use crate::kernels::premultiplied::{light, straight_sum};
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Effect, Parameter, check_length, scaled_length,
};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes the image coarse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pixelate {
    /// The side of a block. Percentages refer to the shorter side.
    pub block: Length,
}

const SCALE: [f64; 5] = [0.5, 1.0, 2.0, 5.0, 10.0];

const BLOCK_PX: Parameter = Parameter::new("the size of a block", "px", (1.0, 16_384.0));
const BLOCK_PERCENT: Parameter =
    Parameter::new("the size of a block", "%", (0.1, 100.0)).scaled(SCALE);

impl Described for Pixelate {
    const CAPABILITY: Capability = Capability {
        name: "pixelate",
        parameters: &[BLOCK_PX, BLOCK_PERCENT],
        controls: &[Control::length("block", "Block size", [BLOCK_PX, BLOCK_PERCENT])],
        summary: "Divides the image into coarse blocks.",
        definition: "Each block is the mean of its pixels, premultiplied, in integers, rounded \
                     half up. Blocks start at the top left, and the last ones are cut off. \
                     Percentages are of the shorter side.",
        examples: &["pixelate it", "pixelate with blocks of 12px", "pixelate it strongly"],
    };
}

impl Effect for Pixelate {
    fn words(&self) -> String {
        format!("pixelate with blocks of {}", self.block)
    }

    fn check(&self) -> Result<(), String> {
        check_length(self.block, &BLOCK_PX, &BLOCK_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.block = scaled_length(self.block, factor, &BLOCK_PX);
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let side = self.block.px(picture.width().min(picture.height())).max(1);
        let side = usize::try_from(side).unwrap_or(usize::MAX).min(1 << 14);
        let row_samples = picture.row_samples();
        picture.each_band(side, |_, rows| {
            for start in (0..row_samples).step_by(side * 4) {
                let end = (start + side * 4).min(row_samples);
                let mean = mean(rows, row_samples, start..end);
                for row in rows.chunks_exact_mut(row_samples) {
                    let block = row.get_mut(start..end).unwrap_or_default();
                    block.as_chunks_mut::<4>().0.fill(mean);
                }
            }
        });
    }
}

fn mean<S: Sample>(rows: &[S], row_samples: usize, within: std::ops::Range<usize>) -> [S; 4] {
    let (mut sum, mut count) = ([0_u64; 4], 0_u64);
    for row in rows.chunks_exact(row_samples) {
        let pixels = row.get(within.clone()).unwrap_or_default().as_chunks::<4>().0;
        for pixel in pixels {
            for (sum, value) in sum.iter_mut().zip(light(*pixel)) {
                *sum += u64::from(value);
            }
        }
        count += pixels.len() as u64;
    }
    straight_sum(sum, count)
}
