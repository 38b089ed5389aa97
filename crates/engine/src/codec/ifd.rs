//! Reads the first directory of a TIFF structure. Exif metadata has the same structure.

use super::Orientation;

const ORIENTATION: u16 = 0x0112;

/// A read-only view of the first image file directory (TIFF 6.0, section 2; `BigTIFF`).
pub(super) struct Directory<'a> {
    bytes: &'a [u8],
    little_endian: bool,
    form: &'static Form,
    start: usize,
    /// How many entries the directory claims to have.
    pub(super) entries: u64,
}

/// One entry of a directory, which may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) tag: u16,
    /// How many values the entry claims to have.
    pub(super) values: u64,
    /// The type of the values.
    pub(super) kind: u16,
    field_at: usize,
}

/// The layout of a classic or a big TIFF structure, in bytes.
struct Form {
    is_big: bool,
    /// Where the file stores the offset of the first directory.
    directory_at: usize,
    /// The length of a directory's number of entries.
    count_bytes: usize,
    entry_bytes: usize,
    /// Where an entry stores its value, or the offset of its values.
    field_at: usize,
}

const CLASSIC: Form =
    Form { is_big: false, directory_at: 4, count_bytes: 2, entry_bytes: 12, field_at: 8 };
const BIG: Form =
    Form { is_big: true, directory_at: 8, count_bytes: 8, entry_bytes: 20, field_at: 12 };

impl<'a> Directory<'a> {
    /// Finds the first directory. Returns `None` if the bytes are not a TIFF structure or end too
    /// early.
    pub(super) fn first(bytes: &'a [u8]) -> Option<Self> {
        let (little_endian, form) = match bytes.get(..4)? {
            b"II\x2A\x00" => (true, &CLASSIC),
            b"MM\x00\x2A" => (false, &CLASSIC),
            b"II\x2B\x00" => (true, &BIG),
            b"MM\x00\x2B" => (false, &BIG),
            _ => return None,
        };
        let mut directory = Self { bytes, little_endian, form, start: 0, entries: 0 };
        let count_at = usize::try_from(directory.wide(form.directory_at)?).ok()?;
        directory.start = count_at.checked_add(form.count_bytes)?;
        directory.entries = match form.is_big {
            true => directory.wide(count_at)?,
            false => u64::from(directory.short(count_at)?),
        };
        Some(directory)
    }

    /// Whether this is a `BigTIFF` structure, with 64-bit offsets.
    pub(super) fn is_big(&self) -> bool {
        self.form.is_big
    }

    /// The entries, as far as the bytes contain them.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.entries).map_while(|index| {
            let before = usize::try_from(index).ok()?.checked_mul(self.form.entry_bytes)?;
            let at = self.start.checked_add(before)?;
            let [tag, kind] = [self.short(at)?, self.short(at + 2)?];
            let values = self.wide(at + 4)?;
            Some(Entry { tag, values, kind, field_at: at + self.form.field_at })
        })
    }

    /// The offset of the value field of a tag, if the tag has exactly one 16-bit number.
    pub(super) fn short_at(&self, tag: u16) -> Option<usize> {
        let found = self.entries().find(|entry| entry.tag == tag)?;
        (found.kind == TYPE_SHORT && found.values == 1).then_some(found.field_at)
    }

    /// The 16-bit number at an offset of the file.
    pub(super) fn short(&self, at: usize) -> Option<u16> {
        self.number(at, 2).map(|number| number as u16)
    }

    /// A 16-bit number in the byte order of this file.
    pub(super) fn encoded(&self, value: u16) -> [u8; 2] {
        match self.little_endian {
            true => value.to_le_bytes(),
            false => value.to_be_bytes(),
        }
    }

    /// An offset or a count, which has 32 bits in classic TIFF and 64 bits in `BigTIFF`.
    fn wide(&self, at: usize) -> Option<u64> {
        self.number(at, if self.form.is_big { 8 } else { 4 })
    }

    fn number(&self, at: usize, length: usize) -> Option<u64> {
        let stored = self.bytes.get(at..at.checked_add(length)?)?;
        let append = |number, byte: &u8| number << 8 | u64::from(*byte);
        Some(match self.little_endian {
            true => stored.iter().rev().fold(0, append),
            false => stored.iter().fold(0, append),
        })
    }
}

/// The orientation in Exif metadata, or upright if it is missing or broken.
pub(super) fn orientation(exif: &[u8]) -> Orientation {
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    Directory::first(exif)
        .and_then(|directory| directory.short(directory.short_at(ORIENTATION)?))
        .map_or(Orientation::Upright, Orientation::from_exif)
}

const TYPE_SHORT: u16 = 3;
