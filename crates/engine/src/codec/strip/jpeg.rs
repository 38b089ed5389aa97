//! Strips a JPEG segment by segment.

use super::super::color;
use super::super::jpeg::{Outline, SEGMENTS_MAX};
use super::super::raster::Model;
use super::super::{Orientation, ifd};
use memchr::memchr_iter;
use std::borrow::Cow;

/// The file reduced to its tables, frame and scans. Also returns `None` when its structure isn't
/// valid; decoding then finds out what is wrong.
pub(super) fn strip(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let outline = Outline::read(bytes).ok()?;
    if ifd::orientation(outline.exif.unwrap_or_default()) != Orientation::Upright {
        return None;
    }
    let segments = segments(bytes)?;
    let model = colors(&segments)?;
    if outline.profile().is_some_and(|profile| color::is_converted(&profile, model)) {
        return None;
    }
    let kept: Vec<&[u8]> =
        segments.iter().filter(|segment| segment.stays()).map(|segment| segment.bytes).collect();
    let length = kept.iter().map(|part| part.len()).sum::<usize>() + 2 * MARKER_BYTES;
    if length == bytes.len() {
        return Some(Cow::Borrowed(bytes));
    }
    let mut bare = Vec::with_capacity(length);
    bare.extend_from_slice(&[0xFF, START_OF_IMAGE]);
    kept.iter().for_each(|part| bare.extend_from_slice(part));
    bare.extend_from_slice(&[0xFF, END_OF_IMAGE]);
    Some(Cow::Owned(bare))
}

/// One segment: the code of its marker, its content, and all its bytes. Those of a scan include its
/// data.
struct Segment<'a> {
    code: u8,
    content: &'a [u8],
    bytes: &'a [u8],
}

impl Segment<'_> {
    fn stays(&self) -> bool {
        match self.code {
            0xC0..=0xCF | 0xDA | 0xDB | 0xDD => true,
            APP0 => self.content.starts_with(b"JFIF\0") && self.content.len() == JFIF_BYTES,
            APP14 => self.content.starts_with(b"Adobe") && self.content.len() == ADOBE_BYTES,
            _ => false,
        }
    }
}

/// The segments between the start and the end of the image. Returns `None` if there are other bytes
/// between them.
fn segments(bytes: &[u8]) -> Option<Vec<Segment<'_>>> {
    let mut rest = bytes.strip_prefix(&[0xFF, START_OF_IMAGE])?;
    let mut segments = Vec::new();
    loop {
        let [0xFF, code, after @ ..] = rest else { return None };
        if *code == END_OF_IMAGE {
            return Some(segments);
        }
        if !matches!(*code, 0xC0..=0xCF | 0xDA | 0xDB | 0xDD | 0xE0..=0xEF | COMMENT) {
            return None;
        }
        let length = usize::from(u16::from_be_bytes(*after.first_chunk::<2>()?));
        let content = after.get(2..length)?;
        let data = if *code == START_OF_SCAN { data_bytes(after.get(length..)?)? } else { 0 };
        let (segment, behind) = rest.split_at_checked(MARKER_BYTES + length + data)?;
        segments.push(Segment { code: *code, content, bytes: segment });
        if segments.len() > SEGMENTS_MAX {
            return None;
        }
        rest = behind;
    }
}

/// The length of a scan's data, which ends at a marker other than a restart or a stuffed byte.
fn data_bytes(bytes: &[u8]) -> Option<usize> {
    let ends = |code: &u8| !matches!(code, 0x00 | 0xD0..=0xD7 | 0xFF);
    memchr_iter(0xFF, bytes).find(|at| bytes.get(at + 1).is_some_and(ends))
}

/// The color model, if it is gray or YCbCr with 8 bits. Decoders disagree about other colors.
fn colors(segments: &[Segment<'_>]) -> Option<Model> {
    let is_frame =
        |segment: &&Segment<'_>| matches!(segment.code, 0xC0..=0xCF) && segment.code != 0xC4;
    let frame = segments.iter().find(is_frame)?;
    let [8, _, _, _, _, components, rest @ ..] = frame.content else { return None };
    let ids = || rest.iter().step_by(3).copied();
    let adobe = segments.iter().find(|segment| segment.code == APP14 && segment.stays());
    let transform = adobe.and_then(|segment| segment.content.last());
    match (components, transform) {
        (1, None | Some(0)) => Some(Model::Gray),
        (3, Some(1)) => Some(Model::Rgb),
        (3, None) if ids().eq([1, 2, 3]) || ids().eq([0, 1, 2]) => Some(Model::Rgb),
        _ => None,
    }
}

const MARKER_BYTES: usize = 2;
const START_OF_IMAGE: u8 = 0xD8;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;
const APP0: u8 = 0xE0;
const APP14: u8 = 0xEE;
const COMMENT: u8 = 0xFE;
/// The length of a JFIF 1.02 segment without a thumbnail.
const JFIF_BYTES: usize = 14;
/// The length of Adobe's segment (Technical Note 5116, section 18).
const ADOBE_BYTES: usize = 12;
