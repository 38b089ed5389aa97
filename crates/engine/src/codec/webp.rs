//! WebP, lossy and lossless, with and without transparency; an animation's first frame.

use super::colour::spread_rgb;
use super::limits::PROFILE_BYTES_MAX;
use super::raster::{Decoded, Model, Raster};
use super::{DecodeError, Format, Header, Orientation, ifd};
use crate::Depth;
use image_webp::{DecodingError, WebPDecoder};
use std::io::Cursor;

/// Reads the header from the chunks.
pub(super) fn probe(bytes: &[u8]) -> Result<Header, DecodeError> {
    let mut decoder = open(bytes)?;
    let (width, height) = decoder.dimensions();
    let header = Header {
        format: Format::WebP,
        width,
        height,
        orientation: orientation(&mut decoder),
        has_alpha: decoder.has_alpha(),
        depth: Depth::Eight,
        decode_bytes: 0,
    };
    if !decoder.is_animated() {
        return Ok(header.with_pixel_bytes(DECODING_PIXEL_BYTES));
    }
    let header = header.with_pixel_bytes(DECODING_PIXEL_BYTES + FRAME_PIXEL_BYTES);
    Ok(Header { decode_bytes: header.decode_bytes + bytes.len() as u64, ..header })
}

/// Decodes the picture, or the first frame of an animation on its canvas.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let unblended = unblended(bytes);
    let mut decoder = open(unblended.as_deref().unwrap_or(bytes))?;
    let (width, height) = decoder.dimensions();
    let mut raster = Raster::new(width, height, Model::Rgb);
    let pixel_bytes = if decoder.has_alpha() { 4 } else { 3 };
    let length = raster.pixels.len() / 4 * pixel_bytes;
    let pixels = raster.pixels.get_mut(..length).unwrap_or_default();
    decoder.read_image(pixels).map_err(|error| refusal(&error))?;
    if pixel_bytes == 3 {
        spread_rgb(&mut raster.pixels);
    }
    raster.profile = decoder.icc_profile().ok().flatten();
    let turn = orientation(&mut decoder);
    Ok((raster, turn))
}

fn open(bytes: &[u8]) -> Result<WebPDecoder<Cursor<&[u8]>>, DecodeError> {
    // The decoder reads zeros behind the end of lossy data, so a cut has to be seen here.
    let stated: [u8; 4] = *bytes.get(4..).and_then(<[u8]>::first_chunk).ok_or(TRUNCATED)?;
    if u32::from_le_bytes(stated) as usize > bytes.len().saturating_sub(RIFF_HEADER_BYTES) {
        return Err(TRUNCATED);
    }
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|error| refusal(&error))?;
    decoder.set_memory_limit(PROFILE_BYTES_MAX);
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(DecodeError::damaged(Format::WebP, "it has no size"));
    }
    Ok(decoder)
}

/// An animation whose first frame is laid on its canvas as it is. To blend it with an empty canvas is
/// the same, but the decoder loses a level of each colour on that way.
fn unblended(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest = bytes.get(RIFF_HEADER_BYTES + FORM_BYTES..)?;
    let flags = loop {
        let (kind, after) = rest.split_first_chunk::<4>()?;
        let (length, content) = after.split_first_chunk::<4>()?;
        if kind == b"ANMF" {
            break bytes.len() - content.len() + FRAME_FLAGS_AT;
        }
        let length = u32::from_le_bytes(*length) as usize;
        rest = content.get(length.checked_add(length % 2)?..)?;
    };
    let mut unblended = bytes.to_vec();
    *unblended.get_mut(flags)? |= FLAG_UNBLENDED;
    Some(unblended)
}

fn orientation(decoder: &mut WebPDecoder<Cursor<&[u8]>>) -> Orientation {
    let exif = decoder.exif_metadata().ok().flatten();
    exif.map_or(Orientation::Upright, |exif| ifd::orientation(&exif))
}

fn refusal(error: &DecodingError) -> DecodeError {
    match error {
        DecodingError::IoError(error) => DecodeError::from_io(Format::WebP, error),
        other => DecodeError::damaged(Format::WebP, other),
    }
}

const TRUNCATED: DecodeError = DecodeError::Truncated { format: Format::WebP };
const RIFF_HEADER_BYTES: usize = 8;
const FORM_BYTES: usize = 4;
/// In a frame's chunk, behind its place, size and duration of 24 bits each (RFC 9649, section 2.7.1).
const FRAME_FLAGS_AT: usize = 15;
const FLAG_UNBLENDED: u8 = 2;
/// Raster, the decoder's planes, and the lossless alpha plane while it is read.
const DECODING_PIXEL_BYTES: u64 = 14;
/// The frame before it is laid on its canvas.
const FRAME_PIXEL_BYTES: u64 = 4;
