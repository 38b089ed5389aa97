//! The tables of a TIFF's directory, judged before the decoder reads any.

use super::super::ifd::Directory;
use super::super::limits::PROFILE_BYTES_MAX;
use super::super::{DecodeError, Format};
use super::Reader;
use tiff::decoder::ifd::Entry;
use tiff::tags::{Tag, Type, ValueBuffer};

/// Refuses a directory that would fill memory with what it says of itself: the decoder takes 32
/// bytes for each value of a table, and does so as it opens a file, before its limits can be set.
pub(super) fn check(bytes: &[u8]) -> Result<(), DecodeError> {
    let Some(directory) = Directory::first(bytes) else {
        return Ok(()); // The decoder has words for it.
    };
    if directory.entries > ENTRIES_MAX {
        let entries = directory.entries;
        let reason =
            format!("its directory has {entries} entries, and at most {ENTRIES_MAX} are read");
        return Err(DecodeError::unsupported(Format::Tiff, reason));
    }
    if directory.is_big() {
        // The decoder passes over twelve bytes of what it does not know, and entries have twenty here, so
        // that it would go on between two of them and read others than were judged.
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
            let reason =
                format!("its tag {tag} has {values} values, and at most {VALUES_MAX} are read");
            Err(DecodeError::unsupported(Format::Tiff, reason))
        }
    }
}

/// The color profile as it is stored; `None` where there is none, or none of a lawful length.
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

/// Whether a table may be taken apart by the decoder: those of TIFF 6.0 are numbered up to 532. Of the
/// later ones only the profile is read, as it is; and the description, which some microscopes fill with
/// megabytes, is never read.
fn is_read(tag: u16) -> bool {
    tag <= LAST_OF_TIFF_6 && tag != Tag::ImageDescription.to_u16()
}

/// `ReferenceBlackWhite` (TIFF 6.0, appendix A).
const LAST_OF_TIFF_6: u16 = 532;

/// Values of one table: 50 megapixels in the smallest lawful tiles, of 16 by 16 pixels (TIFF 6.0,
/// section 15), have 195,313, and a transfer function has 196,608.
const VALUES_MAX: u64 = 1 << 18;

/// As many as the classic form can have.
const ENTRIES_MAX: u64 = 65_535;
