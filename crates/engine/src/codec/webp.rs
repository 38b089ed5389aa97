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
    let frame_bytes = if decoder.is_animated() { FRAME_PIXEL_BYTES } else { 0 };
    Ok(header.with_pixel_bytes(DECODING_PIXEL_BYTES + frame_bytes))
}

/// Decodes the picture, or the first frame of an animation on its canvas.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let mut decoder = open(bytes)?;
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
/// Raster, the decoder's planes, and the lossless alpha plane while it is read.
const DECODING_PIXEL_BYTES: u64 = 14;
/// The frame before it is laid on its canvas.
const FRAME_PIXEL_BYTES: u64 = 4;
