//! Checks the tables of a TIFF's directory before the decoder reads any.

use super::super::ifd::Directory;
use super::super::limits::PROFILE_BYTES_MAX;
use super::super::{DecodeError, Format};
use super::Reader;
use tiff::decoder::ifd::Entry;
use tiff::tags::{Tag, Type, ValueBuffer};

/// Rejects a directory that could fill the memory. The decoder allocates 32 bytes for each value of
/// a table when it opens a file, before its limits can be set.
pub(super) fn check(bytes: &[u8]) -> Result<(), DecodeError> {
    let Some(directory) = Directory::first(bytes) else {
        return Ok(()); // The decoder reports what is wrong.
    };
    if directory.entries > ENTRIES_MAX {
        let entries = directory.entries;
        let reason = format!("its directory has {entries} entries; the limit is {ENTRIES_MAX}");
        return Err(DecodeError::unsupported(Format::Tiff, reason));
    }
    if directory.is_big() {
        // The decoder skips twelve bytes of an entry that it doesn't know, but entries have twenty
        // here. It would continue in the middle of one and read other entries than were checked.
        let mut kinds = directory.entries().map(|entry| entry.kind);
        if let Some(kind) = kinds.find(|kind| Type::from_u16(*kind).is_none()) {
            let reason = format!("its directory has an entry of the unknown type {kind}");
            return Err(DecodeError::unsupported(Format::Tiff, reason));
        }
    }
    let mut tables = directory.entries().filter(|entry| is_read(entry.tag));
    match tables.find(|entry| entry.values > VALUES_MAX) {
        None => Ok(()),
        Some(entry) => {
            let (tag, values) = (entry.tag, entry.values);
            let reason = format!("its tag {tag} has {values} values; the limit is {VALUES_MAX}");
            Err(DecodeError::unsupported(Format::Tiff, reason))
        }
    }
}

/// The stored color profile; `None` if there is none or its length is invalid.
pub(super) fn profile(reader: &mut Reader<'_>) -> Option<Vec<u8>> {
    let is_lawful = |entry: &Entry| {
        matches!(entry.field_type(), Type::BYTE | Type::UNDEFINED)
            && (1..=PROFILE_BYTES_MAX as u64).contains(&entry.count())
    };
    let mut directory = reader.image_ifd();
    directory.find_entry(Tag::IccProfile).filter(is_lawful)?;
    let mut profile = ValueBuffer::empty(Type::BYTE);
    directory.find_tag_buf(Tag::IccProfile, &mut profile).ok().flatten()?;
    Some(profile.as_bytes().to_vec())
}

/// Whether the decoder may parse a table: those of TIFF 6.0, whose numbers go up to 532. Of the
/// later ones only the profile is read, as raw bytes. The description is never read, because some
/// microscopes fill it with megabytes.
fn is_read(tag: u16) -> bool {
    tag <= LAST_OF_TIFF_6 && tag != Tag::ImageDescription.to_u16()
}

/// `ReferenceBlackWhite` (TIFF 6.0, appendix A).
const LAST_OF_TIFF_6: u16 = 532;

/// The maximum number of values in one table. 50 megapixels in the smallest valid tiles, of 16 by
/// 16 pixels (TIFF 6.0, section 15), need 195,313, and a transfer function has 196,608.
const VALUES_MAX: u64 = 1 << 18;

/// The maximum number of entries in classic TIFF.
const ENTRIES_MAX: u64 = 65_535;
