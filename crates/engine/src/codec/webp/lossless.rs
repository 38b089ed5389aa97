//! Reads lossless WebP data (RFC 9649, section 3) up to its prefix codes, to find out how many code
//! groups the decoder would build and how much memory they take.
//!
//! The decoder (`image-webp` 0.2.4) builds as many groups as the largest number in the entropy
//! image, whatever the size of the image, and allocates up to 120 KB for each. This code follows
//! the decoder bit for bit, so that it accepts exactly what the decoder builds.

use super::super::{DecodeError, Format};
use super::bits::Bits;
use super::prefix::Prefix;

/// Memory in bytes that the decoder takes for the prefix codes of an image of this size.
///
/// # Errors
/// [`DecodeError`] when the data is damaged, or has more code groups than blocks that could use
/// one, or than any encoder writes.
pub(super) fn codes_bytes(data: &[u8], coding: Coding) -> Result<u64, DecodeError> {
    let mut bits = Bits::new(data);
    let codes = Codes::find(&mut bits, coding).ok_or_else(damaged)?;
    let Codes { groups, blocks, .. } = codes;
    if groups > blocks {
        let reason = format!("its {blocks} blocks use {groups} code groups");
        return Err(DecodeError::damaged(Format::WebP, reason));
    }
    if groups > GROUPS_MAX {
        let reason = format!("it has {groups} code groups; the limit is {GROUPS_MAX}");
        return Err(DecodeError::unsupported(Format::WebP, reason));
    }
    codes.decoder_bytes(&mut bits).ok_or_else(damaged)
}

/// What the lossless data is, with its size in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) enum Coding {
    /// An image that declares its own size, which must be this one.
    Picture((u32, u32)),
    /// The alpha of a lossy image, which declares no size.
    Alpha((u32, u32)),
}

/// What precedes the prefix codes of the image.
struct Codes {
    cache_bits: u32,
    groups: u32,
    blocks: u32,
}

impl Codes {
    fn find(bits: &mut Bits<'_>, coding: Coding) -> Option<Self> {
        let (width, height) = match coding {
            Coding::Alpha(size) => size,
            Coding::Picture(size) => {
                let is_lossless = bits.read(8)? == SIGNATURE;
                let told = (bits.read(14)? + 1, bits.read(14)? + 1);
                // The alpha flag and the version.
                let _ = bits.read(1 + 3)?;
                (is_lossless && told == size).then_some(size)?
            }
        };
        let width = skip_transforms(bits, (width, height))?;
        let cache_bits = read_cache_bits(bits)?;
        if !bits.flag()? {
            return Some(Self { cache_bits, groups: 1, blocks: 1 });
        }
        let block_bits = bits.read(3)? + 2;
        let size = (width.div_ceil(1 << block_bits), height.div_ceil(1 << block_bits));
        let blocks = read_image(bits, size)?;
        // Red and green hold the number of a block's group.
        let groups = blocks.iter().map(|pixel| (pixel >> 8 & 0xFFFF) + 1).max()?;
        Some(Self { cache_bits, groups, blocks: size.0 * size.1 })
    }

    fn decoder_bytes(&self, bits: &mut Bits<'_>) -> Option<u64> {
        let mut bytes = 0;
        for _ in 0..self.groups {
            bytes += GROUP_BYTES;
            bytes +=
                read_group(bits, self.cache_bits)?.iter().map(Prefix::decoder_bytes).sum::<u64>();
        }
        Some(bytes)
    }
}

/// Skips the transforms and returns the width of the image after them.
fn skip_transforms(bits: &mut Bits<'_>, (mut width, height): (u32, u32)) -> Option<u32> {
    let mut seen = [false; 4];
    while bits.flag()? {
        let kind = bits.read(2)?;
        if std::mem::replace(seen.get_mut(kind as usize)?, true) {
            return None;
        }
        match kind {
            PREDICTOR | COLOR => {
                let block_bits = bits.read(3)? + 2;
                let size = (width.div_ceil(1 << block_bits), height.div_ceil(1 << block_bits));
                read_image(bits, size)?;
            }
            COLOR_INDEXING => {
                let colors = bits.read(8)? + 1;
                read_image(bits, (colors, 1))?;
                width = match colors {
                    1..=2 => width.div_ceil(8),
                    3..=4 => width.div_ceil(4),
                    5..=16 => width.div_ceil(2),
                    _ => width,
                };
            }
            _ => {}
        }
    }
    Some(width)
}

/// The size of the color cache in bits, 0 if there is none.
fn read_cache_bits(bits: &mut Bits<'_>) -> Option<u32> {
    if !bits.flag()? {
        return Some(0);
    }
    bits.read(4).filter(|count| (1..=11).contains(count))
}

/// The codes of green (with lengths and cached colors), red, blue, alpha, and distances.
fn read_group(bits: &mut Bits<'_>, cache_bits: u32) -> Option<[Prefix; 5]> {
    let cached = if cache_bits == 0 { 0 } else { 1 << cache_bits };
    Some([
        Prefix::read(bits, CACHED_FROM + cached)?,
        Prefix::read(bits, LEVELS)?,
        Prefix::read(bits, LEVELS)?,
        Prefix::read(bits, LEVELS)?,
        Prefix::read(bits, DISTANCES)?,
    ])
}

/// Reads an image with one code group, as ARGB: the data of a transform, or the entropy image.
fn read_image(bits: &mut Bits<'_>, (width, height): (u32, u32)) -> Option<Vec<u32>> {
    let cache_bits = read_cache_bits(bits)?;
    let mut cache = Cache { bits: cache_bits, colors: vec![0; 1 << cache_bits] };
    let [greens, reds, blues, alphas, distances] = &read_group(bits, cache_bits)?;
    let count = width as usize * height as usize;
    let mut pixels = Vec::with_capacity(count);
    while pixels.len() < count {
        let code = usize::from(greens.symbol(bits)?);
        if code < LEVELS {
            let red = u32::from(reds.symbol(bits)?);
            let blue = u32::from(blues.symbol(bits)?);
            let alpha = u32::from(alphas.symbol(bits)?);
            let pixel = alpha << 24 | red << 16 | (code as u32) << 8 | blue;
            cache.insert(pixel);
            pixels.push(pixel);
        } else if code < CACHED_FROM {
            let length = read_length(bits, code - LEVELS)?;
            let symbol = usize::from(distances.symbol(bits)?);
            let distance = distance_in_pixels(read_length(bits, symbol)?, width);
            if length > count - pixels.len() {
                return None;
            }
            let start = pixels.len().checked_sub(distance)?;
            for at in start..start + length {
                let pixel = *pixels.get(at)?;
                pixels.push(pixel);
                // The decoder doesn't update its cache when one color is repeated.
                if distance > 1 {
                    cache.insert(pixel);
                }
            }
        } else {
            pixels.push(*cache.colors.get(code - CACHED_FROM)?);
        }
    }
    Some(pixels)
}

/// Recent colors, by their hash (section 3.6.3).
struct Cache {
    bits: u32,
    colors: Vec<u32>,
}

impl Cache {
    fn insert(&mut self, color: u32) {
        let hash = color.wrapping_mul(HASH_FACTOR).checked_shr(32 - self.bits).unwrap_or_default();
        if let Some(place) = self.colors.get_mut(hash as usize) {
            *place = color;
        }
    }
}

/// A length or a distance, from its prefix symbol and the bits after it.
fn read_length(bits: &mut Bits<'_>, symbol: usize) -> Option<usize> {
    if symbol < 4 {
        return Some(symbol + 1);
    }
    let extra = (symbol as u32 - 2) >> 1;
    Some(((2 + (symbol & 1)) << extra) + bits.read(extra)? as usize + 1)
}

/// Converts a coded distance to pixels. The first codes mean positions near the pixel, to the left
/// and above.
fn distance_in_pixels(distance: usize, width: u32) -> usize {
    match NEAR.get(distance - 1) {
        None => distance - NEAR.len(),
        Some((left, above)) => {
            let pixels = i64::from(*left) + i64::from(*above) * i64::from(width);
            usize::try_from(pixels).unwrap_or_default().max(1)
        }
    }
}

fn damaged() -> DecodeError {
    DecodeError::damaged(Format::WebP, "its lossless data ends too early or is invalid")
}

const SIGNATURE: u32 = 0x2F;
const PREDICTOR: u32 = 0;
const COLOR: u32 = 1;
const COLOR_INDEXING: u32 = 3;
const LEVELS: usize = 256;
/// The first symbol for a cached color, after the levels and 24 lengths.
const CACHED_FROM: usize = 280;
const DISTANCES: usize = 40;
const HASH_FACTOR: u32 = 0x1E35_A7BD;

/// The most code groups of one image. libwebp writes at most 2,600, the number of blocks in its
/// largest entropy image. Building this many of the largest groups takes half a second.
const GROUPS_MAX: u32 = 4_096;

/// The size of a group in the decoder: five codes of 56 bytes, in a list that doubles as it grows
/// and is then copied.
const GROUP_BYTES: u64 = 1024;

/// RFC 9649, section 3.6.2.2.
#[rustfmt::skip]
const NEAR: [(i8, i8); 120] = [
    (0, 1), (1, 0), (1, 1), (-1, 1), (0, 2), (2, 0), (1, 2), (-1, 2),
    (2, 1), (-2, 1), (2, 2), (-2, 2), (0, 3), (3, 0), (1, 3), (-1, 3),
    (3, 1), (-3, 1), (2, 3), (-2, 3), (3, 2), (-3, 2), (0, 4), (4, 0),
    (1, 4), (-1, 4), (4, 1), (-4, 1), (3, 3), (-3, 3), (2, 4), (-2, 4),
    (4, 2), (-4, 2), (0, 5), (3, 4), (-3, 4), (4, 3), (-4, 3), (5, 0),
    (1, 5), (-1, 5), (5, 1), (-5, 1), (2, 5), (-2, 5), (5, 2), (-5, 2),
    (4, 4), (-4, 4), (3, 5), (-3, 5), (5, 3), (-5, 3), (0, 6), (6, 0),
    (1, 6), (-1, 6), (6, 1), (-6, 1), (2, 6), (-2, 6), (6, 2), (-6, 2),
    (4, 5), (-4, 5), (5, 4), (-5, 4), (3, 6), (-3, 6), (6, 3), (-6, 3),
    (0, 7), (7, 0), (1, 7), (-1, 7), (5, 5), (-5, 5), (7, 1), (-7, 1),
    (4, 6), (-4, 6), (6, 4), (-6, 4), (2, 7), (-2, 7), (7, 2), (-7, 2),
    (3, 7), (-3, 7), (7, 3), (-7, 3), (5, 6), (-5, 6), (6, 5), (-6, 5),
    (8, 0), (4, 7), (-4, 7), (7, 4), (-7, 4), (8, 1), (8, 2), (6, 6),
    (-6, 6), (8, 3), (5, 7), (-5, 7), (7, 5), (-7, 5), (8, 4), (6, 7),
    (-6, 7), (7, 6), (-7, 6), (8, 5), (7, 7), (-7, 7), (8, 6), (8, 7),
];
