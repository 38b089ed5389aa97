//! Windows and OS/2 bitmaps: 1 to 32 bits per pixel, masks, palettes, run lengths.
//!
//! Retouch has its own decoder because the available crates read palettes of old headers wrongly,
//! or bring a second copy of the color management. Every read is checked, and there is one pass.

mod head;
mod runs;

use super::raster::{Decoded, Model, Raster};
use super::{DecodeError, Format, Header, Orientation};
use crate::Depth;
use head::{Head, Storage};

/// Reads the file and information headers.
pub(super) fn probe(bytes: &[u8]) -> Result<Header, DecodeError> {
    let head = Head::read(bytes)?;
    let header = Header {
        format: Format::Bmp,
        width: head.width,
        height: head.height,
        orientation: Orientation::Upright,
        has_alpha: head.has_alpha(),
        depth: Depth::Eight,
        decode_bytes: 0,
    };
    Ok(header.with_pixel_bytes(PIXEL_BYTES))
}

/// Decodes the whole bitmap.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let head = Head::read(bytes)?;
    let data = bytes.get(head.data_start..).ok_or(TRUNCATED)?;
    let mut raster = Raster::new(head.width, head.height, Model::Rgb);
    match head.storage {
        Storage::Palette { bits } => palette_rows(&mut raster, &head, (data, bits))?,
        Storage::Masks { bytes, .. } => mask_rows(&mut raster, &head, (data, bytes))?,
        Storage::Runs { bits } => {
            let indices = runs::decode(data, &head, bits)?;
            palette_rows(&mut raster, &head, (&indices, 8))?;
        }
    }
    raster.profile = head.profile(bytes);
    Ok((raster, Orientation::Upright))
}

fn palette_rows(
    raster: &mut Raster,
    head: &Head,
    (data, bits): (&[u8], u32),
) -> Result<(), DecodeError> {
    let used = (head.width as usize * bits as usize).div_ceil(8);
    let stride = if matches!(head.storage, Storage::Runs { .. }) { used } else { padded(used) };
    for_each_row(raster, head, (data, stride, used), |row, stored| {
        for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            *pixel = head.color(index_at(stored, x, bits));
        }
    })
}

fn mask_rows(
    raster: &mut Raster,
    head: &Head,
    (data, bytes): (&[u8], usize),
) -> Result<(), DecodeError> {
    let used = head.width as usize * bytes;
    for_each_row(raster, head, (data, padded(used), used), |row, stored| {
        let pixels = row.as_chunks_mut::<4>().0.iter_mut();
        for (pixel, stored) in pixels.zip(stored.chunks_exact(bytes)) {
            let mut word = [0; 4];
            word.iter_mut().zip(stored).for_each(|(byte, stored)| *byte = *stored);
            *pixel = head.masked(u32::from_le_bytes(word));
        }
    })
}

/// Calls `fill` for each row of the raster with its stored row. Stored rows are `stride` bytes
/// apart, of which `used` hold pixels. Some writers omit the padding of the last row.
fn for_each_row(
    raster: &mut Raster,
    head: &Head,
    (data, stride, used): (&[u8], usize, usize),
    mut fill: impl FnMut(&mut [u8], &[u8]),
) -> Result<(), DecodeError> {
    let last = head.height as usize - 1;
    for (y, row) in raster.rows_mut().enumerate() {
        let at = if head.is_bottom_up { last - y } else { y } * stride;
        fill(row, data.get(at..at + used).ok_or(TRUNCATED)?);
    }
    Ok(())
}

/// Bytes of a stored row, padded to 32 bits.
fn padded(used: usize) -> usize {
    used.next_multiple_of(4)
}

/// The palette index of a pixel. The leftmost pixel is in the highest bits.
fn index_at(row: &[u8], x: usize, bits: u32) -> u8 {
    let bits = bits as usize;
    let byte = row.get(x * bits / 8).copied().unwrap_or_default();
    let shift = 8 - bits - x * bits % 8;
    byte >> shift & (0xFF >> (8 - bits))
}

const TRUNCATED: DecodeError = DecodeError::Truncated { format: Format::Bmp };
/// The raster, and one index per pixel for run lengths.
const PIXEL_BYTES: u64 = 5;
