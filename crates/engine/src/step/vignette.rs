//! Vignette: `c * (1 - s * t * t * (3 - 2 t))` with t = clamp((d - 0.3) / 0.7, 0, 1), where d is
//! the distance from the middle, 1 in the corners, and s = percent / 100. The start at 0.3 is ours.

use super::{Capability, Operation, Spoken, only, within};
use crate::instruction::{Clause, Unit};
use crate::{ExecuteError, Picture, Refusal};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Darkens the picture towards its corners.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vignette {
    /// How dark the corners get, in percent; 100 is black.
    pub percent: f64,
}

const SCALE_PERCENT: [f64; 5] = [10.0, 25.0, 50.0, 75.0, 95.0];

impl Spoken for Vignette {
    const CAPABILITY: Capability = Capability {
        name: "vignette",
        summary: "Darkens the picture towards its corners.",
        definition: "c * (1 - s * smoothstep((d - 0.3) / 0.7)), d the distance from the middle (1 in the corners), s = percent / 100.",
        heads: &[
            "vignette",
            "vignetting",
            "vignetted",
            "darken the corners",
            "darker corners",
            "darken the edges",
            "dark corners",
        ],
        details: &["dark", "strength", "intensity", "soft", "black"],
        examples: &["add a vignette", "add a slight vignette", "vignette of 60%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(Self::CAPABILITY.heads).is_none() {
            return Ok(None);
        }
        clause.take(&["dark", "black"]);
        clause.take(&["strength", "intensity"]);
        let percent = match clause.quantity() {
            Some(amount) if amount.unit == Unit::Percent => amount.value,
            Some(_) => return Err(Refusal::missing("say the strength of the vignette in percent")),
            None => {
                let degree = clause.degree().unwrap_or(2);
                let percent = SCALE_PERCENT.get(degree).copied().unwrap_or(50.0);
                clause.assumed.push(format!("the strength of the vignette is {percent}%"));
                percent
            }
        };
        Ok(Some(Self { percent }))
    }
}

impl Operation for Vignette {
    fn words(&self) -> String {
        format!("add a vignette of {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        within("the strength of a vignette", self.percent, (0.0, 100.0), "%")
    }

    fn in_place(&self) -> bool {
        true
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a channel from 0 to 255"
    )]
    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let mut picture = only(pictures)?;
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let strength = self.percent / 100.0;
        let row_bytes = picture.row_bytes();
        picture.pixels_mut().par_chunks_mut(row_bytes).enumerate().for_each(|(y, row)| {
            let down = (f64::from(u32::try_from(y).unwrap_or(0)) + 0.5) / height * 2.0 - 1.0;
            for (x, pixel) in (0_u32..).zip(row.chunks_exact_mut(4)) {
                let across = (f64::from(x) + 0.5) / width * 2.0 - 1.0;
                let distance = ((across * across + down * down) / 2.0).sqrt();
                let t = ((distance - 0.3) / 0.7).clamp(0.0, 1.0);
                let factor = 1.0 - strength * t * t * (3.0 - 2.0 * t);
                for channel in pixel.iter_mut().take(3) {
                    *channel = (f64::from(*channel) * factor + 0.5) as u8;
                }
            }
        });
        Ok(picture)
    }
}
