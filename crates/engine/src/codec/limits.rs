//! How much memory and time decoding an image may take.

use super::{DecodeError, Excess, Header};
use crate::limits::{PIXELS_MAX, SIDE_PX_MAX};

/// The maximum size of one encoded image, in bytes: 20 MiB.
pub const ENCODED_BYTES_MAX: usize = 20 * 1024 * 1024;

/// The most memory that decoding one image may take, in bytes. 50 megapixels fit in every common
/// form; only rare ones, such as large images with 32-bit samples, don't.
pub const DECODE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The most scans of a JPEG. Real encoders write about ten. The default of zune-core is the same.
pub const JPEG_SCANS_MAX: u32 = 100;

/// The most scans times pixels of a JPEG, which its decoding time depends on. It allows 20 scans of
/// the largest image, which take one core a few seconds.
pub const JPEG_SCAN_PIXELS_MAX: u64 = 20 * PIXELS_MAX;

/// The most bytes of an embedded color profile. Larger profiles are ignored. The largest in common
/// use, which have tables for printers, stay under 4 MiB.
pub const PROFILE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The limits of one decoding. An operator may lower them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of the encoded image.
    pub bytes_max: usize,
    /// The most pixels of the canvas, width times height.
    pub pixels_max: u64,
    /// The most pixels of either side.
    pub side_px_max: u32,
    /// The most memory in bytes.
    pub decode_bytes_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_max: ENCODED_BYTES_MAX,
            pixels_max: PIXELS_MAX,
            side_px_max: SIDE_PX_MAX,
            decode_bytes_max: DECODE_BYTES_MAX,
        }
    }
}

impl Limits {
    /// Rejects an image by its header, before any memory is allocated for its pixels.
    pub(super) fn check(&self, header: &Header) -> Result<(), DecodeError> {
        let (width, height) = (header.width, header.height);
        let pixels = u64::from(width) * u64::from(height);
        if pixels > self.pixels_max {
            let pixels_max = self.pixels_max;
            return Err(Excess::Pixels { width, height, pixels_max }.into());
        }
        let side_px = width.max(height);
        if side_px > self.side_px_max {
            let side_px_max = self.side_px_max;
            return Err(Excess::Side { side_px, side_px_max }.into());
        }
        if header.decode_bytes > self.decode_bytes_max {
            return Err(Excess::Memory {
                decode_bytes: header.decode_bytes,
                decode_bytes_max: self.decode_bytes_max,
            }
            .into());
        }
        Ok(())
    }

    pub(super) fn check_encoded(&self, bytes: &[u8]) -> Result<(), DecodeError> {
        if bytes.len() > self.bytes_max {
            return Err(Excess::Bytes { bytes: bytes.len(), bytes_max: self.bytes_max }.into());
        }
        Ok(())
    }
}
