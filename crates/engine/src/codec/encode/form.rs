//! Chooses the smallest PNG form that holds the pixels of an image exactly.

use super::palette::{Colors, Palette};
use crate::Picture;
use png::{BitDepth, ColorType};
use rayon::prelude::*;

/// What the samples of a PNG mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// Gray levels of 1, 2, 4 or 8 bits.
    Gray(BitDepth),
    /// Gray levels and opacity.
    GrayAlpha,
    /// Opaque colors.
    Rgb,
    /// Colors and opacity.
    Rgba,
    /// Indices into a palette.
    Palette(Palette),
}

/// Who reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Reader {
    /// A reader that supports the whole PNG standard.
    Any,
    /// A reader that may support only the common forms: 8 bits per sample and no palette.
    Plain,
}

impl Form {
    /// Examines every pixel once. In photos, the count of colors soon exceeds what a palette holds
    /// and ends there.
    pub(super) fn of(picture: &Picture, reader: Reader) -> Self {
        let row_bytes = picture.row_samples();
        let seen = picture
            .pixels()
            .par_chunks(row_bytes * band_rows(row_bytes))
            .map(|band| Seen::of(band, reader))
            .reduce_with(Seen::and)
            .unwrap_or_default();
        seen.form()
    }

    pub(super) fn color_type(&self) -> ColorType {
        match self {
            Self::Gray(_) => ColorType::Grayscale,
            Self::GrayAlpha => ColorType::GrayscaleAlpha,
            Self::Rgb => ColorType::Rgb,
            Self::Rgba => ColorType::Rgba,
            Self::Palette(_) => ColorType::Indexed,
        }
    }

    pub(super) fn depth(&self) -> BitDepth {
        match self {
            Self::Gray(depth) => *depth,
            Self::Palette(palette) => palette.depth(),
            Self::GrayAlpha | Self::Rgb | Self::Rgba => BitDepth::Eight,
        }
    }

    /// Whether bytes are not single levels, so that differences between them mean nothing.
    pub(super) fn is_numbers(&self) -> bool {
        matches!(self, Self::Palette(_)) || self.depth() != BitDepth::Eight
    }

    /// Bytes of a whole pixel, at least 1. A filter looks this far back for the pixel to the left
    /// (PNG, section 9.2).
    pub(super) fn pixel_bytes(&self) -> usize {
        self.color_type().samples()
    }

    /// Bytes of a row.
    pub(super) fn row_bytes(&self, width: u32) -> usize {
        let bits = self.depth() as usize * self.color_type().samples();
        (width as usize * bits).div_ceil(8)
    }

    /// Converts a row of RGBA pixels to this form.
    pub(super) fn pack(&self, pixels: &[u8], row: &mut [u8]) {
        let pixels = pixels.as_chunks::<4>().0;
        match self {
            Self::Rgba => row.copy_from_slice(pixels.as_flattened()),
            Self::Rgb => pack_rgb(pixels, row),
            Self::Gray(BitDepth::Eight) => {
                row.iter_mut().zip(pixels).for_each(|(level, pixel)| *level = pixel[0]);
            }
            Self::GrayAlpha => {
                let pairs = row.as_chunks_mut::<2>().0.iter_mut();
                pairs.zip(pixels).for_each(|(pair, pixel)| *pair = [pixel[0], pixel[3]]);
            }
            Self::Gray(depth) => {
                let shift = 8 - *depth as u8;
                pack_numbers(pixels, row, *depth, |pixel| pixel[0] >> shift);
            }
            Self::Palette(palette) => {
                let mut finder = palette.finder();
                pack_numbers(pixels, row, palette.depth(), |pixel| finder.number(pixel));
            }
        }
    }
}

/// The number of rows in a band of about a megabyte.
fn band_rows(row_bytes: usize) -> usize {
    ((1 << 20) / row_bytes.max(1)).max(1)
}

/// What all pixels examined so far have in common.
#[derive(Debug)]
struct Seen {
    is_opaque: bool,
    is_gray: bool,
    /// The colors, unless there are more than a palette holds.
    colors: Option<Colors>,
    reader: Reader,
}

impl Default for Seen {
    fn default() -> Self {
        Self { is_opaque: true, is_gray: true, colors: None, reader: Reader::Plain }
    }
}

impl Seen {
    fn of(band: &[u8], reader: Reader) -> Self {
        let pixels = band.as_chunks::<4>().0;
        let (mut common, mut differing) = (u32::MAX, 0);
        for pixel in pixels {
            let pixel = u32::from_le_bytes(*pixel);
            common &= pixel;
            differing |= pixel ^ (pixel >> 8);
        }
        let (is_opaque, is_gray) = (common >> 24 == 255, differing & 0xFFFF == 0);
        let colors = match reader {
            Reader::Plain => None,
            Reader::Any if is_opaque && is_gray => Colors::of_grays(pixels),
            Reader::Any => Colors::of(pixels),
        };
        Self { is_opaque, is_gray, colors, reader }
    }

    fn and(self, other: Self) -> Self {
        Self {
            is_opaque: self.is_opaque && other.is_opaque,
            is_gray: self.is_gray && other.is_gray,
            colors: self.colors.zip(other.colors).and_then(|(ours, theirs)| ours.and(theirs)),
            reader: self.reader,
        }
    }

    fn form(self) -> Form {
        let palette = self.colors.map(Palette::of);
        let gray = (self.is_opaque && self.is_gray)
            .then(|| palette.as_ref().map_or(BitDepth::Eight, Palette::gray_depth));
        match (gray, palette, self.is_gray, self.is_opaque) {
            (Some(gray), Some(table), ..) if (table.depth() as u8) < gray as u8 => {
                Form::Palette(table)
            }
            (Some(gray), ..) => Form::Gray(gray),
            (None, Some(table), ..) => Form::Palette(table),
            (None, None, true, _) => Form::GrayAlpha,
            (None, None, false, true) => Form::Rgb,
            (None, None, false, false) => Form::Rgba,
        }
    }
}

/// Packs four pixels at a time into three words.
fn pack_rgb(pixels: &[[u8; 4]], row: &mut [u8]) {
    let (fours, rest) = pixels.as_chunks::<4>();
    let (twelves, _) = row.as_chunks_mut::<12>();
    for (twelve, four) in twelves.iter_mut().zip(fours) {
        let [a, b, c, d] = four.map(|pixel| u32::from_le_bytes(pixel) & 0x00FF_FFFF);
        let words = [a | b << 24, b >> 8 | c << 16, c >> 16 | d << 8];
        *twelve.as_chunks_mut().0.first_chunk_mut::<3>().unwrap_or(&mut [[0; 4]; 3]) =
            words.map(u32::to_le_bytes);
    }
    let done = fours.len() * 12;
    let places = row.get_mut(done..).unwrap_or_default().as_chunks_mut::<3>().0.iter_mut();
    places.zip(rest).for_each(|(place, [red, green, blue, _])| *place = [*red, *green, *blue]);
}

/// Packs numbers of 1, 2, 4 or 8 bits, the first one in the highest bits (PNG, section 7.2).
fn pack_numbers(
    pixels: &[[u8; 4]],
    row: &mut [u8],
    depth: BitDepth,
    number: impl FnMut(&[u8; 4]) -> u8,
) {
    match depth {
        BitDepth::One => pack_groups::<8>(pixels, row, number),
        BitDepth::Two => pack_groups::<4>(pixels, row, number),
        BitDepth::Four => pack_groups::<2>(pixels, row, number),
        BitDepth::Eight | BitDepth::Sixteen => pack_groups::<1>(pixels, row, number),
    }
}

/// Packs `NUMBERS` numbers into each byte. The last byte is filled up with zeros.
fn pack_groups<const NUMBERS: usize>(
    pixels: &[[u8; 4]],
    row: &mut [u8],
    mut number: impl FnMut(&[u8; 4]) -> u8,
) {
    let bits = 8 / NUMBERS;
    let mut packed = |group: &[[u8; 4]]| {
        group.iter().fold(0_u16, |held, pixel| held << bits | u16::from(number(pixel)))
    };
    let (groups, rest) = pixels.as_chunks::<NUMBERS>();
    row.iter_mut().zip(groups).for_each(|(byte, group)| *byte = packed(group) as u8);
    if let Some(byte) = row.get_mut(groups.len()) {
        *byte = (packed(rest) << (bits * (NUMBERS - rest.len()))) as u8;
    }
}
