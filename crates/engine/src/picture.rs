//! The layout of pixels between decoding and encoding.
//!
//! Channels have 8 bits, or 16 if an input has more than 8 ([`Sample`]). All images of one edit
//! have the depth of the deepest input. Every operation is written once for both depths and rounds
//! to the depth that it works in. Only the finished image is rounded to 8 bits
//! ([`Picture::narrowed`]), because that is what Retouch writes to PNG files.

use crate::kernels::resample::{lanczos, resized_bytes};
use crate::limits::{PIXELS_MAX, SIDE_PX_MAX};
use crate::sample::{Depth, Sample};
use rayon::prelude::*;

/// An image in memory: RGBA with straight alpha, sRGB encoded, rows from top to bottom. Channels
/// have 8 bits unless `S` is `u16`.
///
/// All codecs and operations use this layout. An image is never empty, and always within
/// [`SIDE_PX_MAX`] and [`PIXELS_MAX`].
#[derive(Clone, PartialEq, Eq)]
pub struct Picture<S: Sample = u8> {
    width: u32,
    height: u32,
    samples: Vec<S>,
}

/// An image of either depth, as stored in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyPicture {
    /// An image with 8 bits per channel.
    Eight(Picture),
    /// An image with 16 bits per channel.
    Sixteen(Picture<u16>),
}

/// Why a [`Picture`] could not be created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// A side is zero.
    #[error("an image of {width}x{height} pixels is empty")]
    Empty {
        /// The requested width in pixels.
        width: u32,
        /// The requested height in pixels.
        height: u32,
    },
    /// A side or the number of pixels exceeds the limit.
    #[error(
        "an image of {width}x{height} pixels is too large: the limit is {SIDE_PX_MAX} pixels per \
         side and {PIXELS_MAX} pixels in total"
    )]
    TooLarge {
        /// The requested width in pixels.
        width: u32,
        /// The requested height in pixels.
        height: u32,
    },
    /// The number of samples doesn't match the size.
    #[error("an image of {width}x{height} pixels needs {needed} samples, not {given}")]
    WrongLength {
        /// The requested width in pixels.
        width: u32,
        /// The requested height in pixels.
        height: u32,
        /// How many samples the size needs.
        needed: usize,
        /// How many samples were given.
        given: usize,
    },
}

impl<S: Sample> Picture<S> {
    /// Creates a transparent black image. Its memory is always initialized.
    ///
    /// # Errors
    /// [`PictureError`] when the size is zero or exceeds the limits.
    pub fn new(width: u32, height: u32) -> Result<Self, PictureError> {
        let samples = checked_samples(width, height)?;
        Ok(Self { width, height, samples: vec![S::default(); samples] })
    }

    /// Creates an image from RGBA samples, 4 per pixel, with rows from top to bottom.
    ///
    /// # Errors
    /// [`PictureError`] when the size is zero or exceeds the limits, or doesn't match the number of
    /// samples.
    pub fn from_rgba(width: u32, height: u32, samples: Vec<S>) -> Result<Self, PictureError> {
        let needed = checked_samples(width, height)?;
        let given = samples.len();
        if given == needed {
            Ok(Self { width, height, samples })
        } else {
            Err(PictureError::WrongLength { width, height, needed, given })
        }
    }

    /// The image in another size, by Lanczos resampling.
    ///
    /// # Errors
    /// [`PictureError`] when the size is zero or exceeds the limits.
    pub fn resized(&self, size: (u32, u32)) -> Result<Self, PictureError> {
        checked_samples(size.0, size.1)?;
        lanczos(self, size).map_err(|_| PictureError::TooLarge { width: size.0, height: size.1 })
    }

    /// The memory that [`Self::resized`] needs from one size to another, with the result but
    /// without this image, in bytes.
    #[must_use]
    pub fn resizing_bytes(from: (u32, u32), to: (u32, u32)) -> u64 {
        resized_bytes(from, to, S::DEPTH.pixel_bytes())
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

    /// All samples, 4 per pixel, with rows from top to bottom.
    #[must_use]
    pub fn pixels(&self) -> &[S] {
        &self.samples
    }

    /// All samples, for changes in place.
    pub fn pixels_mut(&mut self) -> &mut [S] {
        &mut self.samples
    }

    /// The number of samples in a row.
    #[must_use]
    pub const fn row_samples(&self) -> usize {
        self.width as usize * 4
    }

    /// The rows from top to bottom. Each has [`Self::row_samples`] samples.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[S]> {
        self.samples.chunks_exact(self.row_samples())
    }

    /// Edits the rows in parallel. `edit` gets the index of a row and its samples.
    pub(crate) fn each_row(&mut self, edit: impl Fn(usize, &mut [S]) + Sync) {
        self.each_band(1, edit);
    }

    /// Edits bands of `rows` rows in parallel. `edit` gets the index of a band and its samples; the
    /// last band may have fewer rows.
    pub(crate) fn each_band(&mut self, rows: usize, edit: impl Fn(usize, &mut [S]) + Sync) {
        let band_samples = self.row_samples() * rows;
        each_chunk(&mut self.samples, band_samples, &edit);
    }

    /// The pixel at a position, or `None` if it is outside the image.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[S; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.samples.get(at..at + 4)?.try_into().ok()
    }

    /// The image with 8 bits per channel, each rounded to the nearest level.
    #[must_use]
    pub fn narrowed(&self) -> Picture {
        let samples = self.samples.par_iter().map(|sample| sample.nearest()).collect();
        Picture { width: self.width, height: self.height, samples }
    }
}

/// Not generic over `edit`, or each operation would compile rayon again.
fn each_chunk<S: Sample>(
    samples: &mut [S],
    chunk_samples: usize,
    edit: &(dyn Fn(usize, &mut [S]) + Sync),
) {
    let chunks = samples.par_chunks_mut(chunk_samples).enumerate();
    chunks.for_each(|(index, chunk)| edit(index, chunk));
}

impl Picture {
    /// The same image in another depth.
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

    /// The number of bits per channel.
    #[must_use]
    pub const fn depth(&self) -> Depth {
        match self {
            Self::Eight(_) => Depth::Eight,
            Self::Sixteen(_) => Depth::Sixteen,
        }
    }

    /// The image with 8 bits per channel.
    #[must_use]
    pub fn narrowed(self) -> Picture {
        match self {
            Self::Eight(picture) => picture,
            Self::Sixteen(picture) => picture.narrowed(),
        }
    }

    /// The image with 16 bits per channel.
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
    /// Writes only the size, so that pixels of users never appear in logs.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Picture({}x{})", self.width, self.height)
    }
}

/// The number of samples of an image of this size.
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
