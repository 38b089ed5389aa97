//! Tile: repeats the image, byte for byte.

use crate::kernels::Size;
use crate::kernels::size::to_u32;
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Repeats the image in columns and rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile {
    /// The number of columns.
    pub across: u32,
    /// The number of rows.
    pub down: u32,
    /// Whether every second column and row is mirrored, so that the edges match.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirrored: bool,
}

const REPEATS: Parameter = Parameter::new("the number of tiles", "", (1.0, 20.0)).usually(2.0);

impl Described for Tile {
    const CAPABILITY: Capability = Capability {
        name: "tile",
        parameters: &[REPEATS],
        controls: &[
            Control::whole("across", "Across", REPEATS),
            Control::whole("down", "Down", REPEATS),
            Control::switch("mirrored", "Mirrored"),
        ],
        summary: "Repeats the image in columns and rows, without gaps.",
        definition: "Copies whole pixels: column x of the result is column x mod width of the \
                     image, and row y is row y mod height. \"Mirrored\" flips every second column \
                     and row of tiles, so that neighbors share their edges. Each tile has the size \
                     of the image; resize before or after it for another size.",
        examples: &[
            "tile it 4 x 3, no gaps",
            "repeat the picture 3 times across",
            "tile it 2 by 2, mirrored",
        ],
    };
}

impl Operation for Tile {
    fn words(&self) -> String {
        let mirrored = if self.mirrored { ", mirrored" } else { "" };
        format!("tile {} across and {} down{mirrored}", self.across, self.down)
    }

    fn check(&self) -> Result<(), String> {
        REPEATS.check(f64::from(self.across))?;
        REPEATS.check(f64::from(self.down))
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        let repeated = |side: u32, times: u32| u64::from(side) * u64::from(times);
        Ok((repeated(width, self.across), repeated(height, self.down)))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let (width, height) = picture.size();
        let side = |side: u32, times: u32| to_u32(u64::from(side) * u64::from(times));
        let mut result = Picture::new(side(width, self.across), side(height, self.down))?;
        let row_samples = picture.row_samples();
        result.each_row(|y, row| {
            let (band, line) = (y / height as usize, y % height as usize);
            let line = if self.is_mirrored(band) { height as usize - 1 - line } else { line };
            let from = line * row_samples..(line + 1) * row_samples;
            let Some(from) = picture.pixels().get(from) else { return };
            for (column, to) in row.chunks_exact_mut(row_samples).enumerate() {
                to.copy_from_slice(from);
                if self.is_mirrored(column) {
                    to.as_chunks_mut::<4>().0.reverse();
                }
            }
        });
        Ok(result)
    }
}

impl Tile {
    /// Whether a column or row of tiles is mirrored.
    const fn is_mirrored(&self, number: usize) -> bool {
        self.mirrored && number % 2 == 1
    }
}
