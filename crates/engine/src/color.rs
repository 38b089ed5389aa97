//! Colors as people write them: CSS names, `#rgb`, `#rrggbb`, `#rrggbbaa` and "transparent".

mod names;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// One sRGB color with straight alpha and 8 bits per channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color {
    /// Red, green, blue, alpha.
    pub rgba: [u8; 4],
}

impl Color {
    /// Fully transparent. The default for areas outside the image.
    pub const TRANSPARENT: Self = Self { rgba: [0; 4] };
    /// Opaque black.
    pub const BLACK: Self = Self { rgba: [0, 0, 0, 255] };
    /// Opaque white.
    pub const WHITE: Self = Self { rgba: [255; 4] };

    /// Whether black is further from it than white, by the sum of the three channels. Its opacity is
    /// not considered.
    #[must_use]
    pub fn is_bright(self) -> bool {
        let [red, green, blue, _] = self.rgba;
        2 * (u32::from(red) + u32::from(green) + u32::from(blue)) >= 3 * 255
    }

    /// Finds a color by its CSS name in lower case and without spaces ("skyblue").
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "transparent" => Some(Self::TRANSPARENT),
            // Everyday names for the CSS colors "navy" and "ivory".
            "navyblue" => Self::named("navy"),
            "offwhite" => Self::named("ivory"),
            _ if name.contains("grey") => Self::named(&name.replace("grey", "gray")),
            _ => names::NAMES
                .binary_search_by_key(&name, |(known, _)| known)
                .ok()
                .and_then(|at| names::NAMES.get(at))
                .map(|(_, value)| Self::opaque(*value)),
        }
    }

    /// Parses the digits after `#`: 3, 6 or 8 of them.
    #[must_use]
    pub fn hex(digits: &str) -> Option<Self> {
        if !digits.is_ascii() {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        match digits.len() {
            3 => {
                let [_, _, high, low] = value.to_be_bytes();
                Some(Self { rgba: [high * 17, (low >> 4) * 17, (low & 15) * 17, 255] })
            }
            6 => Some(Self::opaque(value)),
            8 => Some(Self { rgba: value.to_be_bytes() }),
            _ => None,
        }
    }

    /// The color halfway to white ("light red").
    #[must_use]
    pub fn lighter(self) -> Self {
        self.map(|channel| channel + (255 - channel).div_ceil(2))
    }

    /// The color halfway to black ("dark red").
    #[must_use]
    pub fn darker(self) -> Self {
        self.map(|channel| channel / 2)
    }

    /// Whether the color is fully opaque.
    #[must_use]
    pub const fn is_opaque(self) -> bool {
        self.rgba[3] == 255
    }

    /// Every name that [`Self::named`] accepts, for spelling correction and documentation.
    pub fn names() -> impl Iterator<Item = &'static str> {
        names::NAMES.iter().map(|(name, _)| *name).chain(["transparent", "navyblue", "offwhite"])
    }

    const fn opaque(value: u32) -> Self {
        let [_, red, green, blue] = value.to_be_bytes();
        Self { rgba: [red, green, blue, 255] }
    }

    fn map(self, change: impl Fn(u8) -> u8) -> Self {
        let [red, green, blue, alpha] = self.rgba;
        Self { rgba: [change(red), change(green), change(blue), alpha] }
    }
}

impl fmt::Display for Color {
    /// Writes the CSS name if there is one, otherwise `#rrggbb` or `#rrggbbaa`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::TRANSPARENT {
            return formatter.write_str("transparent");
        }
        let [red, green, blue, alpha] = self.rgba;
        let name = names::NAMES.iter().find(|(_, value)| Self::opaque(*value) == *self);
        match name {
            Some((name, _)) => formatter.write_str(name),
            None if alpha == 255 => write!(formatter, "#{red:02x}{green:02x}{blue:02x}"),
            None => write!(formatter, "#{red:02x}{green:02x}{blue:02x}{alpha:02x}"),
        }
    }
}

impl std::str::FromStr for Color {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = text.strip_prefix('#').map_or_else(|| Self::named(text), Self::hex);
        found.ok_or_else(|| format!("\"{text}\" is not a color"))
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
