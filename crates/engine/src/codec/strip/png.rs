//! Strips a PNG chunk by chunk and verifies the checksums.

use super::super::color;
use super::super::png::Chunks;
use super::super::raster::Model;
use super::super::{DecodeError, Format, Orientation, ifd};
use super::Audience;
use std::borrow::Cow;

/// The file with the picture's chunks only.
pub(super) fn strip(
    bytes: &[u8],
    audience: Audience,
) -> Result<Option<Cow<'_, [u8]>>, DecodeError> {
    let chunks = whole_chunks(bytes)?;
    let picture = Chunks::read(bytes)?;
    let turned = ifd::orientation(picture.exif.unwrap_or_default()) != Orientation::Upright;
    let moves = chunks.iter().any(|chunk| &chunk.kind == b"acTL");
    if turned || moves || !is_common(&chunks, audience) || is_converted(&picture, &chunks) {
        return Ok(None);
    }
    let held: usize = SIGNATURE_BYTES + chunks.iter().map(|chunk| chunk.bytes.len()).sum::<usize>();
    if held == bytes.len() && chunks.iter().all(|chunk| stays(chunk, audience)) {
        return Ok(Some(Cow::Borrowed(bytes)));
    }
    let mut bare = Vec::with_capacity(bytes.len());
    bare.extend_from_slice(bytes.get(..SIGNATURE_BYTES).unwrap_or_default());
    // What is signed over the whole file means nothing in another one.
    let kept = chunks.iter().filter(|chunk| stays(chunk, Audience::Provider));
    kept.for_each(|chunk| bare.extend_from_slice(chunk.bytes));
    Ok(Some(Cow::Owned(bare)))
}

/// One chunk: its type, its content, and all its bytes.
struct Chunk<'a> {
    kind: [u8; 4],
    content: &'a [u8],
    bytes: &'a [u8],
}

/// All chunks up to the end of the image.
fn whole_chunks(bytes: &[u8]) -> Result<Vec<Chunk<'_>>, DecodeError> {
    let mut rest = bytes.get(SIGNATURE_BYTES..).unwrap_or_default();
    let mut chunks = Vec::new();
    loop {
        let (chunk, after) = whole_chunk(rest)?;
        let ends = &chunk.kind == b"IEND";
        chunks.push(chunk);
        if ends {
            return Ok(chunks);
        }
        if chunks.len() > CHUNKS_MAX {
            return Err(DecodeError::damaged(Format::Png, "it has too many chunks"));
        }
        rest = after;
    }
}

fn whole_chunk(bytes: &[u8]) -> Result<(Chunk<'_>, &[u8]), DecodeError> {
    let stated = bytes.first_chunk::<4>().ok_or(TRUNCATED)?;
    let length = usize::try_from(u32::from_be_bytes(*stated)).map_err(|_| TRUNCATED)?;
    let all = length.checked_add(FRAME_BYTES).ok_or(TRUNCATED)?;
    let (chunk, after) = bytes.split_at_checked(all).ok_or(TRUNCATED)?;
    let checked = chunk.get(4..length + 8).ok_or(TRUNCATED)?;
    let (kind, content) = checked.split_first_chunk::<4>().ok_or(TRUNCATED)?;
    let sum = chunk.last_chunk::<4>().ok_or(TRUNCATED)?;
    if crc32fast::hash(checked) != u32::from_be_bytes(*sum) {
        let reason = format!("the check sum of its {} chunk is wrong", kind.escape_ascii());
        return Err(DecodeError::damaged(Format::Png, reason));
    }
    Ok((Chunk { kind: *kind, content, bytes: chunk }, after))
}

/// Whether the header's form is one that may be handed on.
fn is_common(chunks: &[Chunk<'_>], audience: Audience) -> bool {
    let Some([depth, color]) = chunks.first().and_then(|header| header.content.get(8..10)) else {
        return false;
    };
    match audience {
        Audience::Caller => *depth <= 8,
        Audience::Provider => {
            let keyed = chunks.iter().any(|chunk| &chunk.kind == b"tRNS");
            *depth == 8 && *color != COLOR_PALETTE && !keyed
        }
    }
}

/// Whether an embedded profile gives the samples a meaning other than sRGB.
fn is_converted(picture: &Chunks<'_>, chunks: &[Chunk<'_>]) -> bool {
    let color = chunks.first().and_then(|header| header.content.get(9)).copied();
    let model = if matches!(color, Some(0 | 4)) { Model::Gray } else { Model::Rgb };
    picture.profile().is_some_and(|profile| color::is_converted(&profile, model))
}

/// Whether a chunk may stay: those of the picture, and those that only say what is so anyway.
fn stays(chunk: &Chunk<'_>, audience: Audience) -> bool {
    match &chunk.kind {
        b"IHDR" | b"PLTE" | b"tRNS" | b"IDAT" | b"IEND" | b"sRGB" | b"pHYs" => true,
        b"gAMA" => chunk.content == GAMMA_OF_SRGB.to_be_bytes(),
        // A signed statement of how the picture was made (C2PA 2.2, section 11.3.3), not by whom.
        b"caBX" => audience == Audience::Caller,
        _ => false,
    }
}

const TRUNCATED: DecodeError = DecodeError::Truncated { format: Format::Png };
const SIGNATURE_BYTES: usize = 8;
/// The length, type and checksum of a chunk.
const FRAME_BYTES: usize = 12;
const COLOR_PALETTE: u8 = 3;
/// The gamma value of sRGB (PNG, third edition, section 11.3.2.2).
const GAMMA_OF_SRGB: u32 = 45_455;
/// The most chunks of a file. Encoders write data in chunks of at least 8 KiB, and 20 MiB have
/// 2,560 of these.
const CHUNKS_MAX: usize = 100_000;
