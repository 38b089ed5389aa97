//! Boxes: a length, a type, and content that may consist of boxes (ISO/IEC 14496-12, section 4.2).

use super::Mp4Error;

/// One box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxed<'a> {
    pub(super) kind: [u8; 4],
    pub(super) content: &'a [u8],
    /// The offset of the content in the file.
    pub(super) at: u64,
}

/// All boxes in `bytes`, which begin at the offset `at` of the file.
pub(super) fn boxes(bytes: &[u8], at: u64) -> Result<Vec<Boxed<'_>>, Mp4Error> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (length, kind, header) = header(rest)?;
        let cut = || Mp4Error::Truncated { part: format!("{} box", kind.escape_ascii()) };
        let length = usize::try_from(length).map_err(|_| cut())?;
        let (whole, after) = rest.split_at_checked(length).ok_or_else(cut)?;
        let content = whole.get(header..).ok_or(SHORT)?;
        let offset = bytes.len() - rest.len() + header;
        found.push(Boxed { kind, content, at: at + offset as u64 });
        if found.len() > BOXES_MAX {
            return Err(Mp4Error::Damaged { reason: "it has too many boxes" });
        }
        rest = after;
    }
    Ok(found)
}

/// The total length of a box, its type, and the length of its header.
fn header(bytes: &[u8]) -> Result<(u64, [u8; 4], usize), Mp4Error> {
    let cut = || Mp4Error::Truncated { part: "last box".into() };
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
    let (kind, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
    match u32::from_be_bytes(*length) {
        // The box extends to the end of its container.
        0 => Ok((bytes.len() as u64, *kind, 8)),
        1 => {
            let length = rest.first_chunk::<8>().ok_or_else(cut)?;
            Ok((u64::from_be_bytes(*length), *kind, 16))
        }
        2..8 => Err(SHORT),
        length => Ok((u64::from(length), *kind, 8)),
    }
}

/// The first box of a type.
pub(super) fn only<'b, 'a>(boxes: &'b [Boxed<'a>], kind: [u8; 4]) -> Option<&'b Boxed<'a>> {
    boxes.iter().find(|found| found.kind == kind)
}

/// The first box found by following a path of types inward.
pub(super) fn inside<'a>(
    from: &Boxed<'a>,
    path: &[&[u8; 4]],
) -> Result<Option<Boxed<'a>>, Mp4Error> {
    let mut found = *from;
    for kind in path {
        match only(&boxes(found.content, found.at)?, **kind) {
            Some(next) => found = *next,
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

/// The 32-bit number at an offset, or 0 if the content ends before it.
pub(super) fn long(content: &[u8], at: usize) -> u32 {
    let bytes = content.get(at..).and_then(<[u8]>::first_chunk::<4>);
    bytes.map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// The 64-bit number at an offset, or 0 if the content ends before it.
pub(super) fn wide(content: &[u8], at: usize) -> u64 {
    u64::from(long(content, at)) << 32 | u64::from(long(content, at + 4))
}

const SHORT: Mp4Error = Mp4Error::Damaged { reason: "a box is shorter than its header" };
/// The most boxes in one container. A fragmented live stream of several hours has tens of
/// thousands.
const BOXES_MAX: usize = 100_000;
