//! The first directory of a TIFF structure, which is also what Exif metadata is.

use super::Orientation;

const ORIENTATION: u16 = 0x0112;

/// A read-only view of the first image file directory (TIFF 6.0, section 2).
pub(super) struct Directory<'a> {
    bytes: &'a [u8],
    little_endian: bool,
    start: usize,
    entries: usize,
}

impl<'a> Directory<'a> {
    /// Finds the first directory; `None` when there is none to find.
    pub(super) fn first(bytes: &'a [u8]) -> Option<Self> {
        let little_endian = match bytes.get(..4)? {
            b"II\x2A\x00" => true,
            b"MM\x00\x2A" => false,
            _ => return None,
        };
        let mut directory = Self { bytes, little_endian, start: 0, entries: 0 };
        directory.start = usize::try_from(directory.long(4)?).ok()?.checked_add(2)?;
        directory.entries = usize::from(directory.short(directory.start.checked_sub(2)?)?);
        Some(directory)
    }

    /// Where the value field of a tag lies, for a tag that holds one 16-bit number.
    pub(super) fn short_at(&self, tag: u16) -> Option<usize> {
        let found = (0..self.entries)
            .map_while(|index| self.start.checked_add(index * ENTRY_BYTES))
            .find(|&entry| self.short(entry) == Some(tag))?;
        let is_one_short = self.short(found + 2)? == TYPE_SHORT && self.long(found + 4)? == 1;
        is_one_short.then_some(found + 8)
    }

    /// The 16-bit number at a place in the file.
    pub(super) fn short(&self, at: usize) -> Option<u16> {
        let value: [u8; 2] = self.bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(match self.little_endian {
            true => u16::from_le_bytes(value),
            false => u16::from_be_bytes(value),
        })
    }

    /// A 16-bit number as this file writes it.
    pub(super) fn encoded(&self, value: u16) -> [u8; 2] {
        match self.little_endian {
            true => value.to_le_bytes(),
            false => value.to_be_bytes(),
        }
    }

    fn long(&self, at: usize) -> Option<u32> {
        let value: [u8; 4] = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self.little_endian {
            true => u32::from_le_bytes(value),
            false => u32::from_be_bytes(value),
        })
    }
}

/// The orientation that Exif metadata names; upright when it is absent or broken.
pub(super) fn orientation(exif: &[u8]) -> Orientation {
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    Directory::first(exif)
        .and_then(|directory| directory.short(directory.short_at(ORIENTATION)?))
        .map_or(Orientation::Upright, Orientation::from_exif)
}

const ENTRY_BYTES: usize = 12;
const TYPE_SHORT: u16 = 3;
