//! Which limit an image exceeds, explained to the person who sent it.

use thiserror::Error;

/// The limit that an image exceeds, with its value and the value allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Excess {
    /// The encoded image has too many bytes.
    #[error(
        "The image is too large: {bytes} bytes; the limit is {bytes_max}. \
         Resize it or save it as JPEG."
    )]
    Bytes {
        /// The number of bytes that were sent.
        bytes: usize,
        /// The number of bytes that are accepted.
        bytes_max: usize,
    },
    /// The canvas has too many pixels.
    #[error(
        "The image is {width} x {height} pixels ({} megapixels); the limit is {} megapixels. \
         Make it smaller.",
        (u64::from(*width) * u64::from(*height)).div_ceil(1_000_000),
        pixels_max / 1_000_000
    )]
    Pixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The number of pixels that are accepted.
        pixels_max: u64,
    },
    /// One side is too long.
    #[error(
        "One side of the image is {side_px} pixels long; the limit is {side_px_max}. \
         Make it smaller."
    )]
    Side {
        /// The longer side in pixels.
        side_px: u32,
        /// The longest side that is accepted, in pixels.
        side_px_max: u32,
    },
    /// Decoding would take too much memory.
    #[error(
        "Decoding this image takes {} MiB of memory; the limit is {} MiB. \
         Make it smaller, or save it with 8 bits per channel.",
        decode_bytes.div_ceil(1024 * 1024),
        decode_bytes_max / (1024 * 1024)
    )]
    Memory {
        /// Peak memory that decoding would take, in bytes.
        decode_bytes: u64,
        /// Peak memory that one image may take, in bytes.
        decode_bytes_max: u64,
    },
    /// The JPEG has so many scans that decoding it could take minutes.
    #[error(
        "The JPEG has {scans} scans; the limit at this size is {scans_max}. \
         Save it again as a baseline JPEG."
    )]
    Scans {
        /// The number of scans in the file.
        scans: u32,
        /// The number of scans that are accepted for an image of this size.
        scans_max: u32,
    },
}
