//! What fills the new space around an image.

use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas, gaussian, resample};
use crate::length::whole;
use crate::{Color, ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The copy is scaled down by this factor while it is blurred. Such a wide blur leaves no finer
/// detail.
const SMALLER: u32 = 8;
/// Standard deviation of the blur, in percent of the shorter side of the canvas.
const BLUR_PERCENT: f64 = 4.0;

/// What fills the new space. In plans this is the name of a color, or `blurred`, `edges` or
/// `mirrored`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backing {
    /// One color.
    Color(Color),
    /// A blurred copy of the image that covers the canvas.
    Blurred,
    /// The outermost pixels, repeated.
    Edges,
    /// The image mirrored at its edges.
    Mirrored,
}

impl Backing {
    /// Creates a canvas of the given size with the image at the given position.
    pub(super) fn around<S: Sample>(
        self,
        picture: &Picture<S>,
        (size, at): (Size, (u32, u32)),
    ) -> Result<Picture<S>, ExecuteError> {
        let mut result = match self {
            Self::Color(color) => canvas::filled(size, color)?,
            Self::Blurred => blurred(picture, size)?,
            Self::Edges => {
                copied(picture, (size, at), |position, side| position.clamp(0, side - 1))?
            }
            Self::Mirrored => copied(picture, (size, at), mirrored)?,
        };
        canvas::put(picture, &mut result, at);
        Ok(result)
    }

    /// Bytes in addition to the canvas: the cropped copy and its smaller versions.
    pub(super) fn scratch_bytes(self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        if self != Self::Blurred {
            return 0;
        }
        let pixels = |size: Size| u64::from(size.0) * u64::from(size.1);
        let small = small(result);
        let half_done = u64::from(small.0) * u64::from(input.1.max(result.1));
        pixel_bytes * (3 * pixels(input) + half_done + 4 * pixels(small) + pixels(result))
            + gaussian::scratch_bytes(small, sigma_px(small))
    }
}

fn small(size: Size) -> Size {
    (size.0.div_ceil(SMALLER), size.1.div_ceil(SMALLER))
}

/// The standard deviation of the blur of the small copy, in pixels.
fn sigma_px(small: Size) -> f64 {
    (f64::from(small.0.min(small.1)) * BLUR_PERCENT / 100.0).max(0.5)
}

/// Crops the image to the aspect ratio of the canvas, scales it down, blurs it and scales it up.
fn blurred<S: Sample>(picture: &Picture<S>, size: Size) -> Result<Picture<S>, ExecuteError> {
    let cover = resample::covering_part(picture.size(), size);
    let from = Place::Center.offset(picture.size(), cover);
    let mut copy = resample::lanczos(&canvas::part(picture, from, cover)?, small(size))?;
    let sigma_px = sigma_px(copy.size());
    gaussian::blur(&mut copy, sigma_px, |_, blurred| {
        canvas::straight_levels::<S>(blurred, gaussian::FULL)
    });
    resample::lanczos(&copy, size)
}

/// Creates a canvas in which every pixel is a copy of a pixel of the image.
fn copied<S: Sample>(
    picture: &Picture<S>,
    (size, at): (Size, (u32, u32)),
    place: impl Fn(i64, i64) -> i64 + Sync,
) -> Result<Picture<S>, ExecuteError> {
    let mut result = Picture::new(size.0, size.1)?;
    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
    result.each_row(|y, row| {
        let y = i64::try_from(y).unwrap_or(0);
        let from_y = u32::try_from(place(y - i64::from(at.1), height)).unwrap_or(0);
        for (pixel, x) in row.as_chunks_mut::<4>().0.iter_mut().zip(0_i64..) {
            let from_x = u32::try_from(place(x - i64::from(at.0), width)).unwrap_or(0);
            *pixel = picture.pixel(from_x, from_y).unwrap_or_default();
        }
    });
    Ok(result)
}

/// Mirrors a position into a side of this length. The edge pixels are repeated.
fn mirrored(position: i64, side: i64) -> i64 {
    let round = position.rem_euclid(2 * side);
    if round < side { round } else { 2 * side - 1 - round }
}

/// The smallest canvas with an aspect ratio that an image fits on.
pub(super) fn shaped((width, height): Size, shape: f64) -> Size {
    let (exact_width, exact_height) = (f64::from(width), f64::from(height));
    (to_u32(whole(exact_height * shape)).max(width), to_u32(whole(exact_width / shape)).max(height))
}

impl fmt::Display for Backing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Color(color) => color.fmt(formatter),
            Self::Blurred => formatter.write_str("blurred"),
            Self::Edges => formatter.write_str("edges"),
            Self::Mirrored => formatter.write_str("mirrored"),
        }
    }
}

impl Serialize for Backing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Backing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.as_str() {
            "blurred" => Ok(Self::Blurred),
            "edges" => Ok(Self::Edges),
            "mirrored" => Ok(Self::Mirrored),
            color => color.parse().map(Self::Color).map_err(serde::de::Error::custom),
        }
    }
}
