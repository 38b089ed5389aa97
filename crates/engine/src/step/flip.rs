//! Flips: whole pixels move, byte for byte.

use super::{Capability, Operation, Spoken, only};
use crate::instruction::Clause;
use crate::{ExecuteError, Picture, Refusal};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Mirrors the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flip {
    /// What is exchanged.
    pub sides: Sides,
}

/// Which sides a flip exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sides {
    /// Left and right.
    LeftRight,
    /// Top and bottom.
    TopBottom,
}

const MIRRORS: &[&str] = &["mirror", "mirrored", "mirroring", "mirror image"];
const FLIPS: &[&str] = &["flip", "flipped", "flipping", "flop", "reverse"];
const HORIZONTALLY: &[&str] = &[
    "horizontally",
    "horizontal",
    "left to right",
    "left right",
    "right to left",
    "left and right",
    "sideways",
    "horizontal flip",
];
const VERTICALLY: &[&str] = &[
    "vertically",
    "vertical",
    "top to bottom",
    "top bottom",
    "bottom to top",
    "top and bottom",
    "up and down",
    "up down",
];

impl Spoken for Flip {
    const CAPABILITY: Capability = Capability {
        name: "flip",
        summary: "Mirrors the picture.",
        definition: "Whole pixels move; no value changes.",
        heads: &[
            "flip",
            "flipped",
            "flipping",
            "flop",
            "mirror",
            "mirrored",
            "mirroring",
            "mirror image",
            "reverse",
        ],
        details: &[
            "horizontally",
            "horizontal",
            "left to right",
            "left right",
            "right to left",
            "left and right",
            "sideways",
            "vertically",
            "vertical",
            "top to bottom",
            "top bottom",
            "bottom to top",
            "top and bottom",
            "up and down",
            "direction",
        ],
        examples: &["flip it horizontally", "mirror the picture", "flip vertically"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let mirror = clause.head(MIRRORS).is_some();
        if clause.head(FLIPS).is_none() && !mirror {
            return Ok(None);
        }
        let across = clause.take(HORIZONTALLY).is_some();
        let down = clause.take(VERTICALLY).is_some();
        clause.take(&["direction"]);
        let sides = match (across, down) {
            (true, false) => Sides::LeftRight,
            (false, true) => Sides::TopBottom,
            (false, false) if mirror => {
                clause.assumed.push("mirroring exchanges left and right".to_owned());
                Sides::LeftRight
            }
            _ => {
                return Err(Refusal::missing(
                    "say which way to flip: \"flip horizontally\" (left and right) or \"flip vertically\"",
                ));
            }
        };
        Ok(Some(Self { sides }))
    }
}

impl Operation for Flip {
    fn repeats(&self) -> bool {
        true
    }

    fn words(&self) -> String {
        match self.sides {
            Sides::LeftRight => "flip horizontally".to_owned(),
            Sides::TopBottom => "flip vertically".to_owned(),
        }
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let mut picture = only(pictures)?;
        let row_bytes = picture.row_bytes();
        match self.sides {
            Sides::LeftRight => picture.pixels_mut().par_chunks_mut(row_bytes).for_each(|row| {
                let (pixels, _) = row.as_chunks_mut::<4>();
                pixels.reverse();
            }),
            Sides::TopBottom => {
                let half = picture.height() as usize / 2 * row_bytes;
                let (upper, lower) = picture.pixels_mut().split_at_mut(half);
                let above = upper.chunks_exact_mut(row_bytes);
                above
                    .zip(lower.chunks_exact_mut(row_bytes).rev())
                    .for_each(|(a, b)| a.swap_with_slice(b));
            }
        }
        Ok(picture)
    }
}
