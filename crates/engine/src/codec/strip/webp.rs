//! Strips a WebP file chunk by chunk (RFC 9649, section 2).

use super::super::color;
use super::super::raster::Model;
use super::super::{Orientation, ifd};
use std::borrow::Cow;

/// The file reduced to its still image. Also returns `None` when its structure isn't valid;
/// decoding then finds out what is wrong.
pub(super) fn strip(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let chunks = chunks(bytes)?;
    let content =
        |kind: &[u8; 4]| chunks.iter().find(|chunk| &chunk.kind == kind).map(|chunk| chunk.content);
    let moves = content(b"ANIM").is_some() || content(b"ANMF").is_some();
    let turned = ifd::orientation(content(b"EXIF").unwrap_or_default()) != Orientation::Upright;
    let converted =
        content(b"ICCP").is_some_and(|profile| color::is_converted(profile, Model::Rgb));
    if moves || turned || converted {
        return None;
    }
    let stays = |kind: &[u8; 4]| matches!(kind, b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH");
    let kept = || chunks.iter().filter(|chunk| stays(&chunk.kind));
    let length: usize = HEADER_BYTES + kept().map(|chunk| chunk.bytes.len()).sum::<usize>();
    let claims = content(b"VP8X").and_then(|flags| flags.first()).copied().unwrap_or_default();
    if length == bytes.len() && claims & !FLAG_ALPHA == 0 {
        return Some(Cow::Borrowed(bytes));
    }
    let mut bare = Vec::with_capacity(length);
    bare.extend_from_slice(b"RIFF");
    bare.extend_from_slice(&u32::try_from(length - RIFF_BYTES).ok()?.to_le_bytes());
    bare.extend_from_slice(b"WEBP");
    for chunk in kept() {
        let start = bare.len();
        bare.extend_from_slice(chunk.bytes);
        if &chunk.kind == b"VP8X"
            && let Some(flags) = bare.get_mut(start + RIFF_BYTES)
        {
            *flags &= FLAG_ALPHA;
        }
    }
    Some(Cow::Owned(bare))
}

/// One chunk: its type, its content, and all its bytes including padding.
struct Chunk<'a> {
    kind: [u8; 4],
    content: &'a [u8],
    bytes: &'a [u8],
}

fn chunks(bytes: &[u8]) -> Option<Vec<Chunk<'_>>> {
    let stated = u32::from_le_bytes(*bytes.get(4..)?.first_chunk::<4>()?);
    let end = usize::try_from(stated).ok()?.checked_add(RIFF_BYTES)?;
    let mut rest = bytes.get(HEADER_BYTES..end)?;
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let (kind, after) = rest.split_first_chunk::<4>()?;
        let (length, after) = after.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let content = after.get(..length)?;
        let (chunk, behind) = rest.split_at_checked(RIFF_BYTES + length + length % 2)?;
        chunks.push(Chunk { kind: *kind, content, bytes: chunk });
        if chunks.len() > CHUNKS_MAX {
            return None;
        }
        rest = behind;
    }
    Some(chunks)
}

/// The length of the type and length fields, which the file and each chunk begin with.
const RIFF_BYTES: usize = 8;
const HEADER_BYTES: usize = 12;
const FLAG_ALPHA: u8 = 0x10;
/// The most chunks of a file. A still image has about eight at most.
const CHUNKS_MAX: usize = 1_000;
