//! The one shape that pixels have between decoding and encoding.
//!
//! A channel has 8 bits, or 16 where an input has more than 8 ([`Sample`]). All pictures of one
//! edit have the depth of the deepest input; every operation is written once for both depths and
//! rounds to the depth that it works in, and only the finished picture is rounded to 8 bits
//! ([`Picture::narrowed`]), which is what a PNG of ours holds.

use crate::limits::{PIXELS_MAX, SIDE_PX_MAX};
use crate::sample::{Depth, Sample};
use rayon::prelude::*;

/// A picture in memory: RGBA, straight alpha, sRGB encoded, rows from the top; 8 bits a channel
/// unless said otherwise.
///
/// It exists so that codecs and operations agree on one layout. It is never empty and always
/// within [`SIDE_PX_MAX`] and [`PIXELS_MAX`].
#[derive(Clone, PartialEq, Eq)]
pub struct Picture<S: Sample = u8> {
    width: u32,
    height: u32,
    samples: Vec<S>,
}

/// A picture of either depth, as a file holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyPicture {
    /// 8 bits a channel.
    Eight(Picture),
    /// 16 bits a channel.
    Sixteen(Picture<u16>),
}

/// Why a [`Picture`] could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// A side is zero.
    #[error("an image of {width}x{height} pixels is empty")]
    Empty {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
    },
    /// A side or the number of pixels is over the limit.
    #[error(
        "an image of {width}x{height} pixels is too large: the limit is {SIDE_PX_MAX} pixels per \
         side and {PIXELS_MAX} pixels in total"
    )]
    TooLarge {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
    },
    /// The samples given do not fill the picture exactly.
    #[error("an image of {width}x{height} pixels needs {needed} samples, not {given}")]
    WrongLength {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
        /// Samples that the size needs.
        needed: usize,
        /// Samples that were given.
        given: usize,
    },
}

impl<S: Sample> Picture<S> {
    /// Makes a transparent black picture, so that no stale memory can ever show.
    ///
    /// # Errors
    /// [`PictureError`] when the size is zero or over the limits.
    pub fn new(width: u32, height: u32) -> Result<Self, PictureError> {
        let samples = checked_samples(width, height)?;
        Ok(Self { width, height, samples: vec![S::default(); samples] })
    }

    /// Takes ready RGBA samples (4 a pixel, rows from the top) as a picture.
    ///
    /// # Errors
    /// [`PictureError`] when the size is zero or over the limits, or the length does not fit it.
    pub fn from_rgba(width: u32, height: u32, samples: Vec<S>) -> Result<Self, PictureError> {
        let needed = checked_samples(width, height)?;
        let given = samples.len();
        if given == needed {
            Ok(Self { width, height, samples })
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

    /// All samples, 4 a pixel, rows from the top.
    #[must_use]
    pub fn pixels(&self) -> &[S] {
        &self.samples
    }

    /// All samples, to change in place.
    pub fn pixels_mut(&mut self) -> &mut [S] {
        &mut self.samples
    }

    /// Samples in one row.
    #[must_use]
    pub const fn row_samples(&self) -> usize {
        self.width as usize * 4
    }

    /// The rows from the top, each [`Self::row_samples`] long.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[S]> {
        self.samples.chunks_exact(self.row_samples())
    }

    /// The pixel at a position, or `None` outside the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[S; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.samples.get(at..at + 4)?.try_into().ok()
    }

    /// The picture in 8 bits a channel, each rounded to the nearest level.
    #[must_use]
    pub fn narrowed(&self) -> Picture {
        let samples = self.samples.par_iter().map(|sample| sample.nearest()).collect();
        Picture { width: self.width, height: self.height, samples }
    }
}

impl Picture {
    /// The same picture in another depth.
    #[must_use]
    pub fn widened<S: Sample>(&self) -> Picture<S> {
        let samples = self.samples.par_iter().map(|level| S::of(*level)).collect();
        Picture { width: self.width, height: self.height, samples }
    }
}

impl AnyPicture {
    /// Width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        match self {
            Self::Eight(picture) => picture.size(),
            Self::Sixteen(picture) => picture.size(),
        }
    }

    /// Bits of a channel.
    #[must_use]
    pub const fn depth(&self) -> Depth {
        match self {
            Self::Eight(_) => Depth::Eight,
            Self::Sixteen(_) => Depth::Sixteen,
        }
    }

    /// The picture in 8 bits a channel.
    #[must_use]
    pub fn narrowed(self) -> Picture {
        match self {
            Self::Eight(picture) => picture,
            Self::Sixteen(picture) => picture.narrowed(),
        }
    }

    /// The picture in 16 bits a channel.
    #[must_use]
    pub fn widened(self) -> Picture<u16> {
        match self {
            Self::Eight(picture) => picture.widened(),
            Self::Sixteen(picture) => picture,
        }
    }
}

impl From<Picture> for AnyPicture {
    fn from(picture: Picture) -> Self {
        Self::Eight(picture)
    }
}

impl From<Picture<u16>> for AnyPicture {
    fn from(picture: Picture<u16>) -> Self {
        Self::Sixteen(picture)
    }
}

impl<S: Sample> std::fmt::Debug for Picture<S> {
    /// Shows the size only: pixels of a user never reach a log.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Picture({}x{})", self.width, self.height)
    }
}

/// Says how many samples a picture has, or why there can be none of that size.
fn checked_samples(width: u32, height: u32) -> Result<usize, PictureError> {
    if width == 0 || height == 0 {
        return Err(PictureError::Empty { width, height });
    }
    let pixels = u64::from(width) * u64::from(height);
    if width > SIDE_PX_MAX || height > SIDE_PX_MAX || pixels > PIXELS_MAX {
        return Err(PictureError::TooLarge { width, height });
    }
    usize::try_from(pixels * 4).map_err(|_| PictureError::TooLarge { width, height })
}
