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
        let header = header.with_pixel_bytes(DECODING_PIXEL_BYTES);
        return Ok(with_copies(header, STILL_COPIES, bytes));
    }
    let header = header.with_pixel_bytes(DECODING_PIXEL_BYTES + FRAME_PIXEL_BYTES);
    Ok(with_copies(header, ANIMATION_COPIES, bytes))
}

fn with_copies(header: Header, copies: u64, bytes: &[u8]) -> Header {
    let copied = copies * bytes.len() as u64;
    Header { decode_bytes: header.decode_bytes + copied, ..header }
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
    check_frames(bytes, (width, height))?;
    Ok(decoder)
}

/// Refuses lossy data that are larger than their canvas: the decoder finds that out when it has decoded
/// them.
fn check_frames(bytes: &[u8], canvas: (u32, u32)) -> Result<(), DecodeError> {
    for chunk in chunks(bytes, HEADER_BYTES) {
        // Behind a frame's transparency the decoder takes anything for lossy data, whatever its name.
        let of_frame = chunks(bytes, chunk.at + FRAME_HEADER_BYTES).take(CHUNKS_OF_FRAME);
        let sizes: [Option<(u32, u32)>; CHUNKS_OF_FRAME] = match &chunk.kind {
            b"ANMF" => {
                let mut sizes = of_frame.map(|chunk| lossy_size(bytes, &chunk));
                [sizes.next().flatten(), sizes.next().flatten()]
            }
            b"VP8 " => [lossy_size(bytes, &chunk), None],
            _ => [None; CHUNKS_OF_FRAME],
        };
        let is_larger = |size: &(u32, u32)| size.0 > canvas.0 || size.1 > canvas.1;
        if let Some((width, height)) = sizes.into_iter().flatten().find(is_larger) {
            let (across, down) = canvas;
            let reason = format!("a frame of {width} x {height} pixels on {across} x {down}");
            return Err(DecodeError::damaged(Format::WebP, reason));
        }
    }
    Ok(())
}

/// The size that lossy data tell in their first bytes (RFC 6386, section 9.1), which the decoder goes by;
/// `None` where these are none.
fn lossy_size(bytes: &[u8], chunk: &Chunk) -> Option<(u32, u32)> {
    let head = *bytes.get(chunk.at..)?.first_chunk::<10>()?;
    let [_, _, _, 0x9D, 0x01, 0x2A, w0, w1, h0, h1] = head else {
        return None;
    };
    let side = |stored: [u8; 2]| u32::from(u16::from_le_bytes(stored) & LOSSY_SIDE_BITS);
    Some((side([w0, w1]), side([h0, h1])))
}

/// A chunk: its kind, and where its content begins.
struct Chunk {
    kind: [u8; 4],
    at: usize,
}

/// The chunks from a place on, one behind the other, as long as they are whole.
fn chunks(bytes: &[u8], start: usize) -> impl Iterator<Item = Chunk> {
    let mut next = Some(start);
    std::iter::from_fn(move || {
        let at = next?;
        let (kind, after) = bytes.get(at..)?.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*after.first_chunk()?) as usize;
        let at = at + CHUNK_HEADER_BYTES;
        next = length.checked_add(length % 2).and_then(|length| at.checked_add(length));
        Some(Chunk { kind: *kind, at })
    })
}

/// An animation whose first frame is laid on its canvas as it is. To blend it with an empty canvas is
/// the same, but the decoder loses a level of each colour on that way.
fn unblended(bytes: &[u8]) -> Option<Vec<u8>> {
    let flags =
        chunks(bytes, HEADER_BYTES).find(|chunk| &chunk.kind == b"ANMF")?.at + FRAME_FLAGS_AT;
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
/// The same, and the kind of file.
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
/// Of a frame, before its own chunks: transparency, if it has any, and data.
const FRAME_HEADER_BYTES: usize = 16;
const CHUNKS_OF_FRAME: usize = 2;
/// Two more say how it is to be scaled.
const LOSSY_SIDE_BITS: u16 = 0x3FFF;
/// The data, as they are read and as they are taken apart, the first in a buffer that doubles.
const STILL_COPIES: u64 = 3;
/// The same, and the file with its frame laid on as it is.
const ANIMATION_COPIES: u64 = 4;
/// In a frame's chunk, behind its place, size and duration of 24 bits each (RFC 9649, section 2.7.1).
const FRAME_FLAGS_AT: usize = 15;
const FLAG_UNBLENDED: u8 = 2;
/// Raster, the decoder's planes, and the lossless alpha plane while it is read.
const DECODING_PIXEL_BYTES: u64 = 14;
/// The frame before it is laid on its canvas.
const FRAME_PIXEL_BYTES: u64 = 4;
