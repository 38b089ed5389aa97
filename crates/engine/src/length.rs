//! Lengths in pixels or as a percentage of the image.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A length as people write it: "10px", or "5%" of a side that depends on the operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// A number of pixels.
    Pixels(f64),
    /// A percentage of a side.
    Percent(f64),
}

impl Length {
    /// A length of zero.
    pub const ZERO: Self = Self::Pixels(0.0);

    /// The length in whole pixels, rounded half up, for a side of `side_px` pixels.
    #[must_use]
    pub fn px(self, side_px: u32) -> u64 {
        whole(self.exact_px(side_px))
    }

    /// The length in pixels, not rounded.
    #[must_use]
    pub fn exact_px(self, side_px: u32) -> f64 {
        match self {
            Self::Pixels(px) => px,
            Self::Percent(percent) => f64::from(side_px) * percent / 100.0,
        }
    }

    /// The number without its unit.
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::Pixels(value) | Self::Percent(value) => value,
        }
    }
}

/// Rounds a size to whole pixels, half up. Negative values and NaN become 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates as wanted")]
#[must_use]
pub(crate) fn whole(value: f64) -> u64 {
    (value + 0.5).floor() as u64
}

impl fmt::Display for Length {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixels(value) => write!(formatter, "{value}px"),
            Self::Percent(value) => write!(formatter, "{value}%"),
        }
    }
}

impl std::str::FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| digits.parse::<f64>().ok().filter(|value| value.is_finite());
        text.strip_suffix("px")
            .and_then(number)
            .map(Self::Pixels)
            .or_else(|| text.strip_suffix('%').and_then(number).map(Self::Percent))
            .ok_or_else(|| format!("\"{text}\" is not a length; write it like \"10px\" or \"5%\""))
    }
}

impl Serialize for Length {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
