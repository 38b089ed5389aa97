//! Sizes of images in whole pixels.

use crate::length::whole;

/// Width and height of an image in pixels.
pub(crate) type Size = (u32, u32);

/// The largest size with an aspect ratio (width divided by height) inside another size.
pub(crate) fn largest(from: Size, shape: f64) -> Size {
    let (width, height) = (f64::from(from.0), f64::from(from.1));
    if width > height * shape {
        (to_u32(whole(height * shape)).clamp(1, from.0), from.1)
    } else {
        (from.0, to_u32(whole(width / shape)).clamp(1, from.1))
    }
}

pub(crate) fn to_u32(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
