//! Boxes: a length, a kind, and content that may be boxes again (ISO/IEC 14496-12, section 4.2).

use super::Mp4Error;

/// One box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxed<'a> {
    pub(super) kind: [u8; 4],
    pub(super) content: &'a [u8],
    /// Where the content begins in the file.
    pub(super) at: u64,
}

/// All boxes in some bytes that begin at a place in the file.
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

/// A box's whole length, its kind, and how long its header is.
fn header(bytes: &[u8]) -> Result<(u64, [u8; 4], usize), Mp4Error> {
    let cut = || Mp4Error::Truncated { part: "last box".into() };
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
    let (kind, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
    match u32::from_be_bytes(*length) {
        // To the end of what holds it.
        0 => Ok((bytes.len() as u64, *kind, 8)),
        1 => {
            let length = rest.first_chunk::<8>().ok_or_else(cut)?;
            Ok((u64::from_be_bytes(*length), *kind, 16))
        }
        2..8 => Err(SHORT),
        length => Ok((u64::from(length), *kind, 8)),
    }
}

/// The first box of a kind.
pub(super) fn only<'b, 'a>(boxes: &'b [Boxed<'a>], kind: [u8; 4]) -> Option<&'b Boxed<'a>> {
    boxes.iter().find(|found| found.kind == kind)
}

/// The first box found by following kinds inward.
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

/// A number of 32 bits at a place of some content; 0 where there is none.
pub(super) fn long(content: &[u8], at: usize) -> u32 {
    let bytes = content.get(at..).and_then(<[u8]>::first_chunk::<4>);
    bytes.map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// A number of 64 bits at a place of some content; 0 where there is none.
pub(super) fn wide(content: &[u8], at: usize) -> u64 {
    u64::from(long(content, at)) << 32 | u64::from(long(content, at + 4))
}

const SHORT: Mp4Error = Mp4Error::Damaged { reason: "a box is shorter than its header" };
/// A live stream of hours in fragments has some ten thousands.
const BOXES_MAX: usize = 100_000;
