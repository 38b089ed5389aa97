//! TIFFs made entry by entry.

/// An entry of a directory: tag, type, how many values, and the value or where they are.
pub(crate) type Entry = (u16, u16, u32, u32);

/// A TIFF with these entries, and data behind them.
pub(crate) fn tiff(entries: &[Entry], data: &[u8]) -> Vec<u8> {
    let mut entries = entries.to_vec();
    entries.sort_unstable();
    let mut bytes = b"II\x2A\0\x08\0\0\0".to_vec();
    bytes.extend_from_slice(&(entries.len() as u16).to_le_bytes());
    for (tag, kind, values, value) in entries {
        bytes.extend_from_slice(&tag.to_le_bytes());
        bytes.extend_from_slice(&kind.to_le_bytes());
        bytes.extend_from_slice(&values.to_le_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(data);
    bytes
}

/// Where the data of a TIFF of so many entries begins.
pub(crate) fn data_at(entries: u32) -> u32 {
    8 + 2 + 12 * entries + 4
}
