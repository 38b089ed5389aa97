//! Border: a frame of one colour around the picture, whose own pixels stay, byte for byte.

use super::crop::to_u32;
use super::{Capability, Operation, Size, Spoken, canvas, only, within};
use crate::instruction::{Clause, Unit};
use crate::length::Length;
use crate::{Colour, ExecuteError, Picture, Refusal};
use serde::{Deserialize, Serialize};

/// Frames the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Border {
    /// How wide it is; percent are of the shorter side.
    pub width: Length,
    /// Its colour.
    pub colour: Colour,
}

impl Spoken for Border {
    const CAPABILITY: Capability = Capability {
        name: "border",
        summary: "Frames the picture in one colour.",
        definition: "The canvas grows by the width on every side; percent are of the shorter side, rounded half up.",
        heads: &["border", "frame", "borders", "framed", "bordered"],
        details: &[
            "thin", "thick", "wide", "width", "around", "colour", "narrow", "solid", "surround",
            "plain", "simple",
        ],
        examples: &["add a 10px white border", "add a thick red frame"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(&["border", "frame", "borders", "framed", "bordered"]).is_none() {
            return Ok(None);
        }
        let colour = clause.colour();
        clause.take_all(&["around", "solid", "plain", "simple", "surround"]);
        let word = clause.take(&["thin", "thick", "narrow", "wide"]);
        clause.take(&["width", "thick"]);
        let width = match (clause.quantity(), word) {
            (Some(width), None | Some(1 | 3)) => match width.unit {
                Unit::Percent => Length::Percent(width.value),
                Unit::Pixels | Unit::None => Length::Pixels(width.value),
                _ => {
                    return Err(Refusal::missing(
                        "say the width of the border in pixels or percent",
                    ));
                }
            },
            (Some(_), _) => return Err(Refusal::contradiction("say the width of the border once")),
            (None, word) => {
                let percent = match word {
                    Some(0 | 2) => 1.0,
                    Some(_) => 5.0,
                    None => 2.0,
                };
                clause.assumed.push(format!("the border is {percent}% of the shorter side wide"));
                Length::Percent(percent)
            }
        };
        if colour.is_none() {
            clause.assumed.push("the border is black".to_owned());
        }
        Ok(Some(Self { width, colour: colour.unwrap_or(Colour::BLACK) }))
    }
}

impl Operation for Border {
    fn words(&self) -> String {
        format!("add a {} border of {}", self.colour, self.width)
    }

    fn check(&self) -> Result<(), String> {
        match self.width {
            Length::Pixels(px) => within("the width of a border", px, (1.0, 4096.0), "px"),
            Length::Percent(percent) => within("the width of a border", percent, (0.1, 100.0), "%"),
        }
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        let border = self.width.px(width.min(height)).max(1);
        Ok((u64::from(width) + 2 * border, u64::from(height) + 2 * border))
    }

    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let picture = only(pictures)?;
        let size = self.result_size(&[picture.size()]).map_err(ExecuteError::Impossible)?;
        let border = to_u32(self.width.px(picture.width().min(picture.height())).max(1));
        let mut result = canvas::filled((to_u32(size.0), to_u32(size.1)), self.colour)?;
        canvas::put(&picture, &mut result, (border, border));
        Ok(result)
    }
}
