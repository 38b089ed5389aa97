//! Tells whether an image has several frames, of which only the first is used.

use super::Format;

/// Whether a GIF, PNG or WebP is animated. A damaged file is not.
#[must_use]
pub fn is_animated(bytes: &[u8]) -> bool {
    match Format::of(bytes) {
        Some(Format::Gif) => gif(bytes).is_some_and(|frames| frames > 1),
        Some(Format::Png) => png(bytes).is_some_and(|frames| frames > 1),
        Some(Format::WebP) => webp(bytes).unwrap_or(false),
        _ => false,
    }
}

/// The number of frames in a GIF, up to 2 (`GIF89a`, appendix B).
fn gif(bytes: &[u8]) -> Option<usize> {
    const TABLE: u8 = 0x80;
    let table_bytes = |flags: u8| if flags & TABLE == 0 { 0 } else { 6 << (flags & 7) };
    let mut at = 13 + table_bytes(*bytes.get(10)?);
    let mut frames = 0;
    while frames < 2 {
        at += match bytes.get(at)? {
            // An extension: its label, then its blocks.
            0x21 => 2,
            // An image: its head, its colors and the size of its codes, then its blocks.
            0x2C => {
                frames += 1;
                11 + table_bytes(*bytes.get(at + 9)?)
            }
            _ => break,
        };
        loop {
            let length = usize::from(*bytes.get(at)?);
            at += 1 + length;
            if length == 0 {
                break;
            }
        }
    }
    Some(frames)
}

/// The number of frames that the chunk `acTL` of a PNG declares. It comes before the image data.
fn png(bytes: &[u8]) -> Option<u32> {
    let mut rest = bytes.get(8..)?;
    loop {
        let (length, chunk) = rest.split_first_chunk::<4>()?;
        let (name, data) = chunk.split_first_chunk::<4>()?;
        match name {
            b"acTL" => return data.first_chunk().map(|count| u32::from_be_bytes(*count)),
            b"IDAT" => return None,
            _ => {}
        }
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        rest = data.get(length.checked_add(4)?..)?;
    }
}

/// Whether the head of a WebP says that it is animated (RFC 9649, section 2.7).
fn webp(bytes: &[u8]) -> Option<bool> {
    const ANIMATION: u8 = 0x02;
    if bytes.get(12..16)? != b"VP8X" {
        return Some(false);
    }
    Some(bytes.get(20)? & ANIMATION != 0)
}
