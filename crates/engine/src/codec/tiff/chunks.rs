//! The strips and tiles that a TIFF is stored in, judged before any is decoded.

use super::super::jpeg::Outline;
use super::super::limits::{JPEG_SCAN_PIXELS_MAX, JPEG_SCANS_MAX};
use super::super::{DecodeError, Format};
use super::Reader;
use tiff::tags::{CompressionMethod, Tag};

/// Refuses a file whose parts would cost more to read than its bytes and pixels explain: parts
/// that overlap, so that few bytes are read many times, and JPEG parts of many scans.
pub(super) fn check(reader: &mut Reader<'_>, bytes: &[u8]) -> Result<(), DecodeError> {
    let mut numbers = |tag| reader.find_tag_unsigned_vec::<u64>(tag).ok().flatten();
    let lengths = numbers(Tag::StripByteCounts).or_else(|| numbers(Tag::TileByteCounts));
    let starts = numbers(Tag::StripOffsets).or_else(|| numbers(Tag::TileOffsets));
    let (lengths, starts) = (lengths.unwrap_or_default(), starts.unwrap_or_default());
    let whole = lengths.iter().fold(0_u64, |sum, length| sum.saturating_add(*length));
    if whole > bytes.len() as u64 {
        let reason = "its parts are together longer than the file";
        return Err(DecodeError::damaged(Format::Tiff, reason));
    }
    let compression = reader.find_tag_unsigned::<u16>(Tag::Compression).ok().flatten();
    if compression != Some(CompressionMethod::ModernJPEG.to_u16()) {
        return Ok(());
    }
    let ranges = starts.iter().zip(&lengths).map(|(start, length)| {
        let start = usize::try_from(*start).ok()?;
        bytes.get(start..start.checked_add(usize::try_from(*length).ok()?)?)
    });
    let parts: Option<Vec<&[u8]>> = ranges.collect();
    check_jpegs(&parts.ok_or(DecodeError::Truncated { format: Format::Tiff })?)
}

fn check_jpegs(parts: &[&[u8]]) -> Result<(), DecodeError> {
    let mut work = 0_u64;
    for part in parts {
        let outline = Outline::read(part)?;
        let pixels = u64::from(outline.width) * u64::from(outline.height);
        work = work.saturating_add(pixels.saturating_mul(u64::from(outline.scans)));
        if outline.scans > JPEG_SCANS_MAX || work > JPEG_SCAN_PIXELS_MAX {
            let reason = "its JPEG parts are stored in too many scans";
            return Err(DecodeError::unsupported(Format::Tiff, reason));
        }
    }
    Ok(())
}
