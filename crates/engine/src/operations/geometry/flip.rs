//! Flips: whole pixels move, byte for byte.

use super::rotate::quarter;
use crate::kernels::Size;
use crate::operation::{Capability, Control, Described, Operation, only};
use crate::{ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Mirrors the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flip {
    /// What is swapped.
    pub sides: Sides,
}

/// What a flip swaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sides {
    /// Left and right.
    LeftRight,
    /// Top and bottom.
    TopBottom,
    /// Rows and columns: along the diagonal from the top left.
    Transpose,
    /// Rows and columns from the other end: along the diagonal from the top right.
    Transverse,
}

impl Described for Flip {
    const CAPABILITY: Capability = Capability {
        name: "flip",
        parameters: &[],
        controls: &[Control::choice(
            "sides",
            "Swap",
            &["left_right", "top_bottom", "transpose", "transverse"],
        )],
        summary: "Mirrors the image: left and right, top and bottom, or along a diagonal.",
        definition: "Moves whole pixels without changing their values.",
        examples: &[
            "flip it horizontally",
            "mirror the picture",
            "flip vertically",
            "transpose it",
        ],
    };
}

impl Operation for Flip {
    fn words(&self) -> String {
        match self.sides {
            Sides::LeftRight => "flip horizontally".to_owned(),
            Sides::TopBottom => "flip vertically".to_owned(),
            Sides::Transpose => "transpose".to_owned(),
            Sides::Transverse => "transverse".to_owned(),
        }
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        let (width, height) = (u64::from(width), u64::from(height));
        Ok(if self.in_place() { (width, height) } else { (height, width) })
    }

    fn in_place(&self) -> bool {
        matches!(self.sides, Sides::LeftRight | Sides::TopBottom)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        Ok(match self.sides {
            Sides::LeftRight => left_right(picture),
            Sides::TopBottom => top_bottom(picture),
            // A quarter turn and a flip of the rows are both exact.
            Sides::Transpose => top_bottom(quarter(&picture, false)?),
            Sides::Transverse => top_bottom(quarter(&picture, true)?),
        })
    }
}

fn left_right<S: Sample>(mut picture: Picture<S>) -> Picture<S> {
    picture.each_row(|_, row| {
        let (pixels, _) = row.as_chunks_mut::<4>();
        pixels.reverse();
    });
    picture
}

fn top_bottom<S: Sample>(mut picture: Picture<S>) -> Picture<S> {
    let row_samples = picture.row_samples();
    let half = picture.height() as usize / 2 * row_samples;
    let (upper, lower) = picture.pixels_mut().split_at_mut(half);
    let above = upper.chunks_exact_mut(row_samples);
    above.zip(lower.chunks_exact_mut(row_samples).rev()).for_each(|(a, b)| a.swap_with_slice(b));
    picture
}
