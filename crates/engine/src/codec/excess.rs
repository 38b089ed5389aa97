//! By how much a picture is too large, in words for the person who sent it.

use thiserror::Error;

/// The limit that a picture is over, with the number that it has and the number that is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Excess {
    /// The encoded picture is too long.
    #[error(
        "The picture has {bytes} bytes; at most {bytes_max} are accepted. \
         Make it smaller or compress it more."
    )]
    Bytes {
        /// Bytes that were sent.
        bytes: usize,
        /// Bytes that are accepted.
        bytes_max: usize,
    },
    /// The canvas has too many pixels.
    #[error(
        "The picture has {width} x {height} = {} million pixels; at most {} million are \
         accepted. Make it smaller.",
        (u64::from(*width) * u64::from(*height)).div_ceil(1_000_000),
        pixels_max / 1_000_000
    )]
    Pixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Pixels that are accepted.
        pixels_max: u64,
    },
    /// One side is too long.
    #[error(
        "The picture is {side_px} pixels long on one side; at most {side_px_max} are accepted. \
         Make it smaller."
    )]
    Side {
        /// The longer side in pixels.
        side_px: u32,
        /// The longest side that is accepted, in pixels.
        side_px_max: u32,
    },
    /// Decoding would take too much memory for this format and depth.
    #[error(
        "Reading this picture takes {} MiB of memory; at most {} MiB are given to one. \
         Make it smaller, or save it with 8 bits a sample.",
        decode_bytes.div_ceil(1024 * 1024),
        decode_bytes_max / (1024 * 1024)
    )]
    Memory {
        /// Peak memory that decoding would take, in bytes.
        decode_bytes: u64,
        /// Peak memory that one picture may take, in bytes.
        decode_bytes_max: u64,
    },
    /// A JPEG with so many passes that it would cost minutes.
    #[error(
        "The JPEG is stored in {scans} scans; at most {scans_max} are accepted at this size. \
         Save it again as a baseline JPEG."
    )]
    Scans {
        /// Scans in the file.
        scans: u32,
        /// Scans that are accepted for a picture of this size.
        scans_max: u32,
    },
}
