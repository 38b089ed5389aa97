//! The properties of an image that can be read without decoding it.

use super::{Format, Orientation};
use crate::Depth;

/// What an image declares about itself, read without decoding it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The format that the bytes are in.
    pub format: Format,
    /// Stored width in pixels, before the orientation is applied.
    pub width: u32,
    /// Stored height in pixels, before the orientation is applied.
    pub height: u32,
    /// How to turn the stored image upright.
    pub orientation: Orientation,
    /// Whether pixels may be transparent.
    pub has_alpha: bool,
    /// The bits per channel that [`super::decode_any`] returns.
    pub depth: Depth,
    /// Upper bound of the peak memory of decoding, in bytes. It includes the result, but not the
    /// encoded bytes. The server reserves this much before it decodes.
    pub decode_bytes: u64,
}

impl Header {
    /// Width and height in pixels of the upright image that decoding returns.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        if self.orientation.swaps_sides() {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        }
    }

    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Sets the memory bound of a decoder that needs `pixel_bytes` for each pixel. It includes the
    /// upright copy of an image that has to be turned.
    pub(super) fn with_pixel_bytes(mut self, pixel_bytes: u64) -> Self {
        let copies = if self.orientation == Orientation::Upright { 1 } else { 2 };
        let turning = copies * self.depth.pixel_bytes();
        let each = pixel_bytes.max(turning);
        self.decode_bytes = self.pixels().saturating_mul(each).saturating_add(WORKING_BYTES);
        self
    }
}

/// Memory of any decoder for tables, rows and color transforms, in bytes. Measurements stay below
/// it.
pub(super) const WORKING_BYTES: u64 = 12 * 1024 * 1024;
