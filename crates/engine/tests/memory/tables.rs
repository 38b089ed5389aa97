//! TIFFs whose directories claim, or hold, tables of millions of values.

use crate::{MEASURING, peak_bytes};
use retouch_engine::codec::{Limits, decode, probe};

/// A TIFF of one gray pixel with one more table, or another one in the place of its own: the tag, the
/// type (1 is a byte) and how many values it claims, which lie behind the directory as far as the file
/// goes.
fn with_table(tag: u16, kind: u16, values: u32, stored_bytes: usize) -> Vec<u8> {
    const ENTRY_BYTES: usize = 12;
    let mut tables = vec![
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
    tables.retain(|table| table.0 != tag);
    let behind = 8 + 2 + ENTRY_BYTES * (tables.len() + 1) + 4;
    tables.push((tag, kind, values, behind as u32));
    tables.sort_unstable();
    let mut bytes = b"II\x2A\0\x08\0\0\0".to_vec();
    bytes.extend_from_slice(&(tables.len() as u16).to_le_bytes());
    for (tag, kind, values, value) in tables {
        bytes.extend_from_slice(&u16::to_le_bytes(tag));
        bytes.extend_from_slice(&u16::to_le_bytes(kind));
        bytes.extend_from_slice(&u32::to_le_bytes(values));
        bytes.extend_from_slice(&u32::to_le_bytes(value));
    }
    bytes.resize(behind + stored_bytes, 1);
    bytes
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
        ("colours", with_table(320, 3, 8 << 20, 16 * MIB)),
        ("a profile that is there", with_table(34_675, 7, 4 << 20, 4 * MIB)),
        ("a profile that is not", with_table(34_675, 1, 3_605_074, 0)),
        ("a profile too long", with_table(34_675, 1, 19 << 20, 19 * MIB)),
        ("entries", with_entries(900_000)),
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

const WORKING_BYTES: u64 = 32 << 20;
