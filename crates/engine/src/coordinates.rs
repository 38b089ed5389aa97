//! A point in an image, given by its coordinates.

use crate::length::Length;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A point measured from the left and top edges, as people write it: "100,50" or "10%,20%".
///
/// Coordinates lie on the edges of pixels: 0,0 is the top left corner of the first pixel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Coordinates {
    /// From the left edge. Percentages refer to the width.
    pub x: Length,
    /// From the top edge. Percentages refer to the height.
    pub y: Length,
}

impl Coordinates {
    /// The point in pixels, not rounded, in an image of this size.
    #[must_use]
    pub fn px(self, size: (u32, u32)) -> (f64, f64) {
        (self.x.exact_px(size.0), self.y.exact_px(size.1))
    }

    /// Both coordinates in pixels, or `None` if one of them is a percentage.
    pub(crate) fn in_pixels(self) -> Option<(f64, f64)> {
        match self {
            Self { x: Length::Pixels(x), y: Length::Pixels(y) } => Some((x, y)),
            _ => None,
        }
    }

    /// The same point of an image whose sides are `factor` times as long.
    pub(crate) fn at_scale(self, factor: f64) -> Self {
        let scaled = |length| match length {
            Length::Pixels(px) => Length::Pixels(px * factor),
            percent @ Length::Percent(_) => percent,
        };
        Self { x: scaled(self.x), y: scaled(self.y) }
    }

    /// Checks that both coordinates are within their limits.
    ///
    /// # Errors
    /// A message that names the limits.
    pub(crate) fn check(self) -> Result<(), String> {
        for length in [self.x, self.y] {
            let (most, unit) = match length {
                Length::Pixels(_) => (16_384.0, "px"),
                Length::Percent(_) => (100.0, "%"),
            };
            crate::operation::within("a coordinate", length.value(), (0.0, most), unit)?;
        }
        Ok(())
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.in_pixels() {
            Some((x, y)) => write!(formatter, "{x},{y}"),
            None => write!(formatter, "{},{}", self.x, self.y),
        }
    }
}
