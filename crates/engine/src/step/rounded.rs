//! Rounded corners: outside the corner circles the picture becomes transparent; the edge is
//! smoothed by the share of the pixel inside, `clamp(radius + 0.5 - distance, 0, 1)`.

use super::{Capability, Operation, Spoken, only, within};
use crate::instruction::{Clause, Unit};
use crate::length::Length;
use crate::{ExecuteError, Picture, Refusal};
use serde::{Deserialize, Serialize};

/// Rounds the four corners.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoundCorners {
    /// The radius; percent are of the shorter side, 50% is the most there is room for.
    pub radius: Length,
}

const SCALE_PERCENT: [f64; 5] = [2.5, 5.0, 10.0, 20.0, 35.0];

impl Spoken for RoundCorners {
    const CAPABILITY: Capability = Capability {
        name: "round_corners",
        summary: "Rounds the four corners; what is cut off becomes transparent.",
        definition: "Alpha times clamp(radius + 0.5 - distance to the corner circle's centre, 0, 1).",
        heads: &[
            "rounded corners",
            "round corners",
            "round the corners",
            "rounded corner",
            "corners rounded",
            "rounded edges",
            "round off the corners",
            "corners round",
            "rounding the corners",
            "round the edges",
        ],
        details: &["radius", "corner", "corners", "rounded", "round"],
        examples: &["round the corners", "add rounded corners with a radius of 30px"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(Self::CAPABILITY.heads).is_none() {
            return Ok(None);
        }
        clause.take(&["corner radius", "radius"]);
        let radius = match clause.quantity() {
            Some(radius) => match radius.unit {
                Unit::Percent => Length::Percent(radius.value),
                Unit::Pixels | Unit::None => Length::Pixels(radius.value),
                _ => {
                    return Err(Refusal::missing(
                        "say the radius of the corners in pixels or percent",
                    ));
                }
            },
            None => {
                let degree = clause.degree().unwrap_or(2);
                let percent = SCALE_PERCENT.get(degree).copied().unwrap_or(10.0);
                clause.assumed.push(format!("the radius is {percent}% of the shorter side"));
                Length::Percent(percent)
            }
        };
        Ok(Some(Self { radius }))
    }
}

impl Operation for RoundCorners {
    fn words(&self) -> String {
        format!("round the corners with a radius of {}", self.radius)
    }

    fn check(&self) -> Result<(), String> {
        match self.radius {
            Length::Pixels(px) => within("a corner radius", px, (1.0, 8192.0), "px"),
            Length::Percent(percent) => within("a corner radius", percent, (0.1, 50.0), "%"),
        }
    }

    fn in_place(&self) -> bool {
        true
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an alpha from 0 to 255"
    )]
    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let mut picture = only(pictures)?;
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let shorter = width.min(height);
        let radius = self.radius.exact_px(picture.width().min(picture.height())).min(shorter / 2.0);
        let row_bytes = picture.row_bytes();
        for (y, row) in (0_u32..).zip(picture.pixels_mut().chunks_exact_mut(row_bytes)) {
            let beyond = |at: u32, side: f64| {
                let centre = f64::from(at) + 0.5;
                (radius - centre).max(centre - (side - radius)).max(0.0)
            };
            let down = beyond(y, height);
            if down == 0.0 {
                continue;
            }
            for (x, pixel) in (0_u32..).zip(row.chunks_exact_mut(4)) {
                let across = beyond(x, width);
                let inside = (radius + 0.5 - across.hypot(down)).clamp(0.0, 1.0);
                if let [.., alpha] = pixel
                    && across > 0.0
                {
                    *alpha = (f64::from(*alpha) * inside + 0.5) as u8;
                }
            }
        }
        Ok(picture)
    }
}
