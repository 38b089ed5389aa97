//! WebP, lossy and lossless, with and without alpha. Of an animation, the first frame is read.

mod bits;
mod lossless;
mod prefix;

use super::color::spread_rgb;
use super::limits::PROFILE_BYTES_MAX;
use super::raster::{Decoded, Model, Raster};
use super::{DecodeError, Format, Header, Orientation, ifd};
use crate::Depth;
use crate::limits::{PIXELS_MAX, SIDE_PX_MAX};
use image_webp::{DecodingError, WebPDecoder};
use lossless::{Coding, codes_bytes};
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
        return with_tables(header, STILL_COPIES, bytes);
    }
    let header = header.with_pixel_bytes(DECODING_PIXEL_BYTES + FRAME_PIXEL_BYTES);
    with_tables(header, ANIMATION_COPIES, bytes)
}

/// Adds the memory that doesn't depend on the pixels: copies of the file, and the tables of
/// lossless data.
fn with_tables(header: Header, copies: u64, bytes: &[u8]) -> Result<Header, DecodeError> {
    let side_px = header.width.max(header.height);
    if header.pixels() > PIXELS_MAX || side_px > SIDE_PX_MAX {
        return Ok(header); // The limits refuse it and report its size.
    }
    let is_animated = copies == ANIMATION_COPIES;
    let mut tables_bytes = 0;
    for (data, coding) in lossless_parts(bytes, (header.width, header.height), is_animated) {
        tables_bytes = codes_bytes(data, coding)?.max(tables_bytes);
    }
    let added = copies * bytes.len() as u64 + tables_bytes;
    Ok(Header { decode_bytes: header.decode_bytes + added, ..header })
}

/// The lossless data that the decoder may read: the first of each kind, and those of the first
/// frame. It reads only one of them.
fn lossless_parts(
    bytes: &[u8],
    canvas: (u32, u32),
    is_animated: bool,
) -> impl Iterator<Item = (&[u8], Coding)> {
    let first = |kind: &[u8; 4]| chunks(bytes, HEADER_BYTES).find(|chunk| &chunk.kind == kind);
    let frame = first(b"ANMF");
    let side = |at: usize| {
        let stored = bytes.get(at..)?.first_chunk::<3>()?;
        Some(u32::from_le_bytes([stored[0], stored[1], stored[2], 0]) + 1)
    };
    let of_frame = frame.as_ref().filter(|_| is_animated).and_then(|frame| {
        Some((side(frame.at + FRAME_SIZE_AT)?, side(frame.at + FRAME_SIZE_AT + 3)?))
    });
    // The decoder refuses frames larger than their canvas.
    let size = of_frame.map_or(canvas, |size| (size.0.min(canvas.0), size.1.min(canvas.1)));
    let inner = frame
        .into_iter()
        .flat_map(|frame| chunks(bytes, frame.at + FRAME_HEADER_BYTES).take(CHUNKS_OF_FRAME));
    let outer = [first(b"VP8L"), first(b"ALPH")].into_iter().flatten();
    let sized =
        outer.map(move |chunk| (chunk, canvas)).chain(inner.map(move |chunk| (chunk, size)));
    sized.filter_map(|(chunk, size)| {
        let data = bytes.get(chunk.at..bytes.len().min(chunk.at.checked_add(chunk.length)?))?;
        match &chunk.kind {
            b"VP8L" => Some((data, Coding::Picture(size))),
            b"ALPH" => {
                let (head, data) = data.split_first()?;
                (head & ALPHA_METHOD_BITS == ALPHA_LOSSLESS).then_some((data, Coding::Alpha(size)))
            }
            _ => None,
        }
    })
}

/// Decodes the image, or the first frame of an animation on its canvas.
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
    // The decoder reads zeros after the end of lossy data, so completeness is checked here.
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

/// Rejects lossy data that is larger than its canvas. The decoder would only notice after decoding.
fn check_frames(bytes: &[u8], canvas: (u32, u32)) -> Result<(), DecodeError> {
    for chunk in chunks(bytes, HEADER_BYTES) {
        // After a frame's alpha chunk, the decoder treats any chunk as lossy data.
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
            let reason =
                format!("a frame of {width} x {height} pixels on a canvas of {across} x {down}");
            return Err(DecodeError::damaged(Format::WebP, reason));
        }
    }
    Ok(())
}

/// The size in the first bytes of lossy data (RFC 6386, section 9.1), which the decoder uses;
/// `None` if this isn't lossy data.
fn lossy_size(bytes: &[u8], chunk: &Chunk) -> Option<(u32, u32)> {
    let head = *bytes.get(chunk.at..)?.first_chunk::<10>()?;
    let [_, _, _, 0x9D, 0x01, 0x2A, w0, w1, h0, h1] = head else {
        return None;
    };
    let side = |stored: [u8; 2]| u32::from(u16::from_le_bytes(stored) & LOSSY_SIDE_BITS);
    Some((side([w0, w1]), side([h0, h1])))
}

/// A chunk: its type, the offset of its content, and the length that it declares.
struct Chunk {
    kind: [u8; 4],
    at: usize,
    length: usize,
}

/// The consecutive chunks from an offset on, as long as they are complete.
fn chunks(bytes: &[u8], start: usize) -> impl Iterator<Item = Chunk> {
    let mut next = Some(start);
    std::iter::from_fn(move || {
        let at = next?;
        let (kind, after) = bytes.get(at..)?.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*after.first_chunk()?) as usize;
        let at = at + CHUNK_HEADER_BYTES;
        next = length.checked_add(length % 2).and_then(|length| at.checked_add(length));
        Some(Chunk { kind: *kind, at, length })
    })
}

/// A copy of an animation that doesn't blend its first frame with the canvas. Blending with an
/// empty canvas should change nothing, but the decoder loses a level of each color.
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
/// The RIFF header and the file type.
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
/// The header of a frame. Its chunks follow: alpha, if it has any, and data.
const FRAME_HEADER_BYTES: usize = 16;
const CHUNKS_OF_FRAME: usize = 2;
/// The two bits above these give the scaling.
const LOSSY_SIDE_BITS: u16 = 0x3FFF;
/// The data as read, in a buffer that doubles, and as parsed.
const STILL_COPIES: u64 = 3;
/// As for a still image, plus the copy of the file without blending.
const ANIMATION_COPIES: u64 = 4;
/// In a frame's chunk, after its position (two 24-bit numbers).
const FRAME_SIZE_AT: usize = 6;
/// How alpha is stored, in the first byte of its chunk (section 2.7.1.2).
const ALPHA_METHOD_BITS: u8 = 3;
const ALPHA_LOSSLESS: u8 = 1;
/// In a frame's chunk, after its position, size and duration, 24 bits each (RFC 9649, section
/// 2.7.1).
const FRAME_FLAGS_AT: usize = 15;
const FLAG_UNBLENDED: u8 = 2;
/// The raster, the decoder's planes, and the lossless alpha plane while it is read.
const DECODING_PIXEL_BYTES: u64 = 14;
/// The frame before it is copied to its canvas.
const FRAME_PIXEL_BYTES: u64 = 4;
