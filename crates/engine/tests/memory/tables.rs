//! TIFFs whose directories claim, or hold, tables of millions of values.

use crate::tiff::{data_at, tiff};
use crate::{MEASURING, peak_bytes};
use retouch_engine::codec::{Limits, decode, probe};

/// A TIFF of one gray pixel with one more table, or another one in the place of its own: the tag, the
/// type (1 is a byte) and how many values it claims, which lie behind the directory as far as the file
/// goes.
fn with_table(tag: u16, kind: u16, values: u32, stored_bytes: usize) -> Vec<u8> {
    let mut entries = vec![
        (256, 4, 1, 1),
        (257, 4, 1, 1),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (273, 4, 1, 8),
        (277, 3, 1, 1),
        (278, 4, 1, 1),
        (279, 4, 1, 1),
    ];
    entries.retain(|entry| entry.0 != tag);
    entries.push((tag, kind, values, data_at(entries.len() as u32 + 1)));
    tiff(&entries, &vec![1; stored_bytes])
}

/// A `BigTIFF` of nothing but entries.
fn with_entries(entries: u64) -> Vec<u8> {
    let mut bytes = b"II\x2B\0\x08\0\0\0\x10\0\0\0\0\0\0\0".to_vec();
    bytes.extend_from_slice(&entries.to_le_bytes());
    for entry in 0..entries {
        bytes.extend_from_slice(&(entry as u16).to_le_bytes());
        bytes.extend_from_slice(&[1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    }
    bytes
}

/// A `BigTIFF` whose first entry is of a type that nobody knows: the decoder passes over twelve bytes of it,
/// and not twenty, and then finds tables of millions of values.
fn with_unknown_type() -> Vec<u8> {
    let mut bytes = b"II\x2B\0\x08\0\0\0\x10\0\0\0\0\0\0\0".to_vec();
    bytes.extend_from_slice(&11_u64.to_le_bytes());
    bytes.extend_from_slice(&[0; 12]);
    let many = 8 << 20;
    for (tag, values, value) in [
        (256_u16, 1_u64, 1_u64),
        (257, 1, 1),
        (258, 1, 8),
        (259, 1, 1),
        (262, 1, 1),
        (273, many, 16),
        (277, 1, 1),
        (278, 1, 1),
        (279, many, 16),
    ] {
        bytes.extend_from_slice(&tag.to_le_bytes());
        bytes.extend_from_slice(&1_u16.to_le_bytes());
        bytes.extend_from_slice(&values.to_le_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes.resize(bytes.len() + (many as usize), 1);
    bytes
}

/// The decoder takes 32 bytes for a value, which made hundreds of megabytes of a file of 20, and
/// before anything of it was announced.
#[test]
fn tables_of_millions_of_values_fill_no_memory() {
    const MIB: usize = 1 << 20;
    let _alone = MEASURING.lock();
    let files = [
        ("strips that are there", with_table(273, 1, 8 << 20, 8 * MIB)),
        ("strips that are not", with_table(273, 1, 8 << 20, 0)),
        ("a compression", with_table(259, 2, 19 << 20, 19 * MIB)),
        ("colors", with_table(320, 3, 8 << 20, 16 * MIB)),
        ("a profile that is there", with_table(34_675, 7, 4 << 20, 4 * MIB)),
        ("a profile that is not", with_table(34_675, 1, 3_605_074, 0)),
        ("a profile too long", with_table(34_675, 1, 19 << 20, 19 * MIB)),
        ("entries", with_entries(900_000)),
        ("an unknown type", with_unknown_type()),
    ];
    for (name, bytes) in files {
        let limits = Limits::default();
        let (header, probing) = peak_bytes(|| probe(&bytes, &limits));
        let (picture, decoding) = peak_bytes(|| decode(&bytes, &limits));
        let announced = header.as_ref().map_or(WORKING_BYTES, |header| header.decode_bytes);
        assert!(probing <= WORKING_BYTES / 2, "{name}: {probing} bytes to look at it");
        assert!(decoding <= announced, "{name}: {decoding} bytes, {announced} announced");
        assert_eq!(header.is_ok(), name.starts_with("a profile"), "{name}: {header:?}");
        assert_eq!(picture.is_ok(), header.is_ok(), "{name}: {picture:?}");
    }
}

const WORKING_BYTES: u64 = 12 << 20;
