//! The one shape that pixels have between decoding and encoding.

use crate::limits::{PIXELS_MAX, SIDE_PX_MAX};

/// A picture in memory: RGBA, 8 bits a channel, straight alpha, sRGB encoded, rows from the top.
///
/// It exists so that codecs and operations agree on one layout. It is never empty and always
/// within [`SIDE_PX_MAX`] and [`PIXELS_MAX`].
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// Why a [`Picture`] could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// A side is zero.
    #[error("a picture of {width}x{height} pixels has no pixels")]
    Empty {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
    },
    /// A side or the number of pixels is over the limit.
    #[error(
        "a picture of {width}x{height} pixels is too large: at most {SIDE_PX_MAX} pixels a side \
         and {PIXELS_MAX} pixels in all"
    )]
    TooLarge {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
    },
    /// The bytes given do not fill the picture exactly.
    #[error("a picture of {width}x{height} pixels needs {needed} bytes, not {given}")]
    WrongLength {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
        /// Bytes that the size needs.
        needed: usize,
        /// Bytes that were given.
        given: usize,
    },
}

impl Picture {
    /// Makes a transparent black picture, so that no stale memory can ever show.
    ///
    /// # Errors
    /// [`PictureError`] when the size is zero or over the limits.
    pub fn new(width: u32, height: u32) -> Result<Self, PictureError> {
        let bytes = checked_bytes(width, height)?;
        Ok(Self { width, height, pixels: vec![0; bytes] })
    }

    /// Takes ready RGBA bytes (4 a pixel, rows from the top) as a picture.
    ///
    /// # Errors
    /// [`PictureError`] when the size is zero or over the limits, or the length does not fit it.
    pub fn from_rgba(width: u32, height: u32, pixels: Vec<u8>) -> Result<Self, PictureError> {
        let needed = checked_bytes(width, height)?;
        let given = pixels.len();
        if given == needed {
            Ok(Self { width, height, pixels })
        } else {
            Err(PictureError::WrongLength { width, height, needed, given })
        }
    }

    /// Width in pixels, at least 1.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels, at least 1.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// All bytes, 4 a pixel, rows from the top.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// All bytes, to change in place.
    pub fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Bytes in one row.
    #[must_use]
    pub const fn row_bytes(&self) -> usize {
        self.width as usize * 4
    }

    /// The rows from the top, each [`Self::row_bytes`] long.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.pixels.chunks_exact(self.row_bytes())
    }

    /// The pixel at a position, or `None` outside the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.pixels.get(at..at + 4)?.try_into().ok()
    }
}

impl std::fmt::Debug for Picture {
    /// Shows the size only: pixels of a user never reach a log.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Picture({}x{})", self.width, self.height)
    }
}

/// Says how many bytes a picture takes, or why there can be none of that size.
fn checked_bytes(width: u32, height: u32) -> Result<usize, PictureError> {
    if width == 0 || height == 0 {
        return Err(PictureError::Empty { width, height });
    }
    let pixels = u64::from(width) * u64::from(height);
    if width > SIDE_PX_MAX || height > SIDE_PX_MAX || pixels > PIXELS_MAX {
        return Err(PictureError::TooLarge { width, height });
    }
    usize::try_from(pixels * 4).map_err(|_| PictureError::TooLarge { width, height })
}
