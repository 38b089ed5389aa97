//! Converts a TIFF's samples, of any depth and arrangement, to a raster.

use super::super::raster::{Model, Raster};
use super::super::{DecodeError, Format, ycc};
use super::{Reader, refusal, unsupported_color};
use crate::{Depth, Sample};
use rayon::prelude::*;
use tiff::ColorType;
use tiff::decoder::DecodingResult;
use tiff::tags::{CompressionMethod, Tag};

/// What a pixel's samples mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gray,
    GrayAlpha,
    Palette,
    Rgb,
    Rgba,
    Ycc,
    Cmyk,
}

/// Where samples are and what they mean.
pub(super) struct Layout {
    width: u32,
    height: u32,
    kind: Kind,
    bits: u8,
    samples: usize,
    is_planar: bool,
    is_premultiplied: bool,
    palette: Vec<[u8; 4]>,
}

impl Layout {
    pub(super) fn of(reader: &mut Reader<'_>, is_palette: bool) -> Result<Self, DecodeError> {
        let (width, height) = reader.dimensions().map_err(refusal)?;
        let color = reader.colortype().map_err(refusal)?;
        let mut number = |tag| reader.find_tag_unsigned::<u16>(tag).ok().flatten();
        let is_planar = number(Tag::PlanarConfiguration) == Some(PLANAR);
        if is_planar && number(Tag::TileWidth).is_some() {
            // The decoder fails on these without saying why.
            let reason = "its colors are stored separately, in tiles";
            return Err(DecodeError::unsupported(Format::Tiff, reason));
        }
        let extra = reader.find_tag_unsigned_vec::<u16>(Tag::ExtraSamples).ok().flatten();
        let extra = extra.and_then(|kinds| kinds.first().copied());
        let mut number = |tag| reader.find_tag_unsigned::<u16>(tag).ok().flatten();
        let is_fax = number(Tag::Compression) == Some(CompressionMethod::Fax4.to_u16());
        // For fax this is the bit order of the codes, which is supported.
        if number(Tag::FillOrder) == Some(LOWEST_FIRST) && !is_fax {
            return Err(DecodeError::unsupported(Format::Tiff, "its bits are stored lowest first"));
        }
        let kind = kind(color, extra, is_palette)?;
        let palette = if is_palette { read_palette(reader)? } else { Vec::new() };
        Ok(Self {
            width,
            height,
            kind,
            bits: color.bit_depth(),
            samples: usize::from(color.num_samples()),
            is_planar,
            is_premultiplied: extra == Some(PREMULTIPLIED),
            palette,
        })
    }

    pub(super) fn has_alpha(&self) -> bool {
        matches!(self.kind, Kind::GrayAlpha | Kind::Rgba)
    }

    pub(super) fn depth(&self) -> Depth {
        // The colors of a palette have 8 bits here, whatever the depth of the indices.
        if self.bits > 8 && self.kind != Kind::Palette { Depth::Sixteen } else { Depth::Eight }
    }

    /// Lays the samples out as a raster and frees the stored ones.
    pub(super) fn raster<S: Sample>(
        &self,
        stored: DecodingResult,
    ) -> Result<Raster<S>, DecodeError> {
        match stored {
            DecodingResult::U8(stored) if self.bits < 8 => {
                Ok(self.fill(|index, _| S::of(self.packed(&stored, index))))
            }
            DecodingResult::U8(stored) => Ok(self.fill(|index, channel| {
                S::of(stored.get(self.at(index, channel)).copied().unwrap_or_default())
            })),
            DecodingResult::U16(stored) => Ok(self.fill(|index, channel| {
                let sample = stored.get(self.at(index, channel)).copied().unwrap_or_default();
                match self.kind {
                    Kind::Palette => S::of(sample.min(255) as u8),
                    _ => S::of_sixteen(sample),
                }
            })),
            DecodingResult::U32(stored) => Ok(self.fill(|index, channel| {
                let sample = stored.get(self.at(index, channel)).copied().unwrap_or_default();
                S::of_sixteen((sample >> 16) as u16)
            })),
            DecodingResult::F32(stored) => Ok(self.fill(|index, channel| {
                let sample = stored.get(self.at(index, channel)).copied().unwrap_or_default();
                S::rounded(sample.clamp(0.0, 1.0) * 255.0)
            })),
            _ => Err(DecodeError::unsupported(Format::Tiff, "an unusual sample format")),
        }
    }

    fn fill<S: Sample>(&self, sample: impl Fn(usize, usize) -> S + Sync) -> Raster<S> {
        let model = match self.kind {
            Kind::Gray | Kind::GrayAlpha => Model::Gray,
            Kind::Palette | Kind::Rgb | Kind::Rgba | Kind::Ycc => Model::Rgb,
            Kind::Cmyk => Model::Cmyk,
        };
        let mut raster = Raster::new(self.width, self.height, model);
        let width = self.width as usize;
        raster.pixels.par_chunks_mut(width * 4).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let samples = |channel| sample(y * width + x, channel);
                *pixel = self.pixel(samples);
            }
        });
        raster
    }

    fn pixel<S: Sample>(&self, sample: impl Fn(usize) -> S) -> [S; 4] {
        let first = sample(0);
        let pixel = match self.kind {
            Kind::Gray => [first, first, first, S::FULL],
            Kind::GrayAlpha => [first, first, first, sample(1)],
            Kind::Palette => {
                let color = self.palette.get(usize::from(first.nearest())).copied();
                color.unwrap_or([0, 0, 0, 255]).map(S::of)
            }
            Kind::Rgb => [first, sample(1), sample(2), S::FULL],
            Kind::Ycc => {
                let stored = [first, sample(1), sample(2)].map(S::nearest);
                let [red, green, blue] = ycc::to_rgb(stored).map(S::of);
                [red, green, blue, S::FULL]
            }
            Kind::Rgba | Kind::Cmyk => [first, sample(1), sample(2), sample(3)],
        };
        if self.is_premultiplied && self.has_alpha() { straight(pixel) } else { pixel }
    }

    fn at(&self, index: usize, channel: usize) -> usize {
        if self.is_planar {
            channel * self.width as usize * self.height as usize + index
        } else {
            index * self.samples + channel
        }
    }

    /// A sample of fewer than 8 bits; rows are padded to whole bytes.
    fn packed(&self, stored: &[u8], index: usize) -> u8 {
        let (width, bits) = (self.width as usize, usize::from(self.bits));
        let (y, x) = (index / width, index % width);
        let byte = y * (width * bits).div_ceil(8) + x * bits / 8;
        let most = 0xFF_u8 >> (8 - bits);
        let shift = 8 - bits - x * bits % 8;
        let value = stored.get(byte).copied().unwrap_or_default() >> shift & most;
        if self.kind == Kind::Palette { value } else { value * (255 / most) }
    }
}

fn kind(color: ColorType, extra: Option<u16>, is_palette: bool) -> Result<Kind, DecodeError> {
    // Some writers don't say what the fourth sample is. Then it is alpha.
    let is_alpha = matches!(extra, None | Some(PREMULTIPLIED | STRAIGHT));
    match color {
        ColorType::Gray(1 | 2 | 4 | 8 | 16) if is_palette => Ok(Kind::Palette),
        ColorType::Gray(1 | 2 | 4 | 8 | 16 | 32) => Ok(Kind::Gray),
        ColorType::Multiband { bit_depth: 8 | 16 | 32, num_samples: 2 } if !is_palette => {
            Ok(if is_alpha { Kind::GrayAlpha } else { Kind::Gray })
        }
        ColorType::RGB(8 | 16 | 32) => Ok(Kind::Rgb),
        ColorType::RGBA(8 | 16 | 32) => Ok(if is_alpha { Kind::Rgba } else { Kind::Rgb }),
        ColorType::CMYK(8 | 16) => Ok(Kind::Cmyk),
        ColorType::YCbCr(8) => Ok(Kind::Ycc),
        other => Err(unsupported_color(other)),
    }
}

/// The color map: all reds, then all greens, then all blues, of 16 bits (TIFF 6.0, section 5).
fn read_palette(reader: &mut Reader<'_>) -> Result<Vec<[u8; 4]>, DecodeError> {
    let map = reader.get_tag_u16_vec(Tag::ColorMap).map_err(refusal)?;
    let (reds, rest) = map.split_at(map.len() / 3);
    let (greens, blues) = rest.split_at(rest.len() / 2);
    let triples = reds.iter().zip(greens).zip(blues);
    // Some writers scale by 257 and some by 256; the high byte is right for both.
    let level = |wide: &u16| (wide >> 8) as u8;
    Ok(triples.map(|((r, g), b)| [level(r), level(g), level(b), 255]).collect())
}

/// Converts premultiplied colors to straight alpha.
fn straight<S: Sample>(pixel: [S; 4]) -> [S; 4] {
    let [red, green, blue, alpha] = pixel;
    let divide = |value: S| match alpha.whole() {
        0 => S::default(),
        alpha => S::of_whole((value.whole() * S::FULL.whole() + alpha / 2) / alpha),
    };
    [divide(red), divide(green), divide(blue), alpha]
}

/// Values of the tags `PlanarConfiguration`, `ExtraSamples` and `FillOrder` (TIFF 6.0).
pub(super) const PLANAR: u16 = 2;
const PREMULTIPLIED: u16 = 1;
const STRAIGHT: u16 = 2;
pub(super) const LOWEST_FIRST: u16 = 2;
