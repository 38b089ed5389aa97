//! The two depths that a channel of a pixel can have.

use bytemuck::Pod;
use serde::{Deserialize, Serialize};

/// The number of bits in each channel of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// 8 bits per channel.
    #[default]
    Eight,
    /// 16 bits per channel.
    Sixteen,
}

impl Depth {
    /// The number of bytes per pixel of a [`crate::Picture`] with this depth.
    #[must_use]
    pub const fn pixel_bytes(self) -> u64 {
        match self {
            Self::Eight => 4,
            Self::Sixteen => 8,
        }
    }
}

/// A channel of a pixel: 8 bits (`u8`) or 16 bits (`u16`).
///
/// Operations compute with levels from 0 to 255 at either depth. With 16 bits, a level is divided
/// into 257 values, so that one definition works for both depths.
pub trait Sample:
    Pod + Ord + Default + std::fmt::Debug + Send + Sync + sealed::Sealed + 'static
{
    /// The depth of images with these channels.
    const DEPTH: Depth;
    /// The largest value of a channel.
    const FULL: Self;
    /// Half the distance between adjacent values, in levels. Smaller changes are lost in rounding.
    const HALF: f32;

    /// The value of a whole level.
    fn of(level: u8) -> Self;

    /// The value nearest to a 16-bit value.
    fn of_sixteen(value: u16) -> Self;

    /// The value in levels, from 0 to 255.
    fn level(self) -> f32;

    /// The value nearest to a number of levels, rounded half up and limited to the range.
    fn rounded(level: f32) -> Self;

    /// Like [`Self::rounded`], for double precision.
    fn rounded_double(level: f64) -> Self;

    /// The nearest whole level.
    fn nearest(self) -> u8;

    /// The value as a whole number, from 0 to [`Self::FULL`].
    fn whole(self) -> u64;

    /// The value for a whole number, at most [`Self::FULL`].
    fn of_whole(value: u64) -> Self;
}

impl Sample for u8 {
    const DEPTH: Depth = Depth::Eight;
    const FULL: Self = Self::MAX;
    const HALF: f32 = 0.5;

    fn of(level: u8) -> Self {
        level
    }

    fn of_sixteen(value: u16) -> Self {
        value.nearest()
    }

    fn level(self) -> f32 {
        f32::from(self)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast limits it"
    )]
    fn rounded(level: f32) -> Self {
        (level + 0.5) as Self
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast limits it"
    )]
    fn rounded_double(level: f64) -> Self {
        (level + 0.5) as Self
    }

    fn nearest(self) -> u8 {
        self
    }

    fn whole(self) -> u64 {
        u64::from(self)
    }

    fn of_whole(value: u64) -> Self {
        Self::try_from(value).unwrap_or(Self::MAX)
    }
}

/// The number of 16-bit values in one of the 255 levels.
const PARTS: u16 = 257;

impl Sample for u16 {
    const DEPTH: Depth = Depth::Sixteen;
    const FULL: Self = Self::MAX;
    const HALF: f32 = 0.5 / 257.0;

    fn of(level: u8) -> Self {
        Self::from(level) * PARTS
    }

    fn of_sixteen(value: u16) -> Self {
        value
    }

    fn level(self) -> f32 {
        f32::from(self) / f32::from(PARTS)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast limits it"
    )]
    fn rounded(level: f32) -> Self {
        (level * f32::from(PARTS) + 0.5) as Self
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast limits it"
    )]
    fn rounded_double(level: f64) -> Self {
        (level * f64::from(PARTS) + 0.5) as Self
    }

    fn nearest(self) -> u8 {
        u8::try_from((u32::from(self) + u32::from(PARTS) / 2) / u32::from(PARTS)).unwrap_or(u8::MAX)
    }

    fn whole(self) -> u64 {
        u64::from(self)
    }

    fn of_whole(value: u64) -> Self {
        Self::try_from(value).unwrap_or(Self::MAX)
    }
}

mod sealed {
    /// Limits the depths to those that decoders and operations support.
    pub trait Sealed {}

    impl Sealed for u8 {}
    impl Sealed for u16 {}
}
