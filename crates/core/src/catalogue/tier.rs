//! The properties of a call that decide its price besides the model: quality, size, resolution and
//! length.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{MicroDollars, Quality};
use crate::Credits;

/// The size classes of images by which providers charge.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum SizeClass {
    /// Up to 1,572,864 pixels, such as 1536x1024.
    #[default]
    #[serde(rename = "1K")]
    OneK,
    /// Up to 4,194,304 pixels, such as 2048x2048.
    #[serde(rename = "2K")]
    TwoK,
    /// More pixels than that.
    #[serde(rename = "4K")]
    FourK,
}

impl SizeClass {
    /// The class of an image with this many pixels.
    pub fn of_pixels(pixels: u64) -> Self {
        let classes = [Self::OneK, Self::TwoK];
        classes.into_iter().find(|class| pixels <= class.pixels_max()).unwrap_or(Self::FourK)
    }

    /// The maximum number of pixels (width times height) of an image in this class.
    pub const fn pixels_max(self) -> u64 {
        match self {
            Self::OneK => 1536 * 1024,
            Self::TwoK => 2048 * 2048,
            Self::FourK => 4096 * 4096,
        }
    }

    /// The class as written in the catalogue.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OneK => "1K",
            Self::TwoK => "2K",
            Self::FourK => "4K",
        }
    }
}

/// The resolution of a video, named after the length of its short side.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Resolution {
    /// 480 lines.
    #[serde(rename = "480p")]
    P480,
    /// 720 lines.
    #[default]
    #[serde(rename = "720p")]
    P720,
    /// 1080 lines.
    #[serde(rename = "1080p")]
    P1080,
    /// 2160 lines.
    #[serde(rename = "4k")]
    P2160,
}

impl Resolution {
    /// The lowest resolution that covers a size with this many pixels. A size may have up to a
    /// quarter more pixels than the resolution has in 16:9.
    pub fn of_pixels(pixels: u64) -> Self {
        let all = [(Self::P480, 854), (Self::P720, 1280), (Self::P1080, 1920)];
        let serves = |(resolution, long_px): &(Self, u64)| {
            pixels * 4 <= long_px * u64::from(resolution.short_px()) * 5
        };
        all.into_iter().find(serves).map_or(Self::P2160, |(resolution, _)| resolution)
    }

    /// The length of the short side, in pixels.
    pub const fn short_px(self) -> u32 {
        match self {
            Self::P480 => 480,
            Self::P720 => 720,
            Self::P1080 => 1080,
            Self::P2160 => 2160,
        }
    }

    /// The resolution as written in the catalogue.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::P480 => "480p",
            Self::P720 => "720p",
            Self::P1080 => "1080p",
            Self::P2160 => "4k",
        }
    }
}

/// The properties of a call that decide its price and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Tier {
    /// The quality.
    pub quality: Quality,
    /// The size class of an image. None for videos.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeClass>,
    /// The resolution of a video. None for images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    /// The length of a video, in seconds. None for images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
}

impl fmt::Display for Tier {
    /// `quality high, size 1K`, or `8 seconds, resolution 720p`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quality = format!("quality {}", self.quality.as_str());
        let parts = [
            self.seconds.map(|seconds| format!("{seconds} seconds")),
            (self.seconds.is_none() || self.quality != Quality::Medium).then_some(quality),
            self.size.map(|size| format!("size {}", size.as_str())),
            self.resolution.map(|resolution| format!("resolution {}", resolution.as_str())),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// A tier as written in the catalogue. Properties that are missing have the values of a default
/// call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TierEntry {
    quality: Option<Quality>,
    size: Option<SizeClass>,
    resolution: Option<Resolution>,
    seconds: Option<u32>,
    /// The price. Used in models.
    pub(super) credits: Option<Credits>,
    /// What the provider charges, without input images. Used in routes.
    pub(super) cost_usd: Option<MicroDollars>,
}

impl TierEntry {
    /// The complete tier, with missing properties taken from `default`.
    pub(super) fn tier(&self, default: Tier) -> Tier {
        Tier {
            quality: self.quality.unwrap_or(default.quality),
            size: self.size.or(default.size),
            resolution: self.resolution.or(default.resolution),
            seconds: self.seconds.or(default.seconds),
        }
    }
}
