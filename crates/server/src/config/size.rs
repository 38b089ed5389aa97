//! Sizes in settings, such as `20 MiB`.
//!
//! Only whole numbers of binary units are sizes. Programs disagree on whether `20 MB` or `20M` means
//! 20,000,000 or 20,971,520 bytes. The usual crate for sizes, `bytesize`, accepts both, drops
//! fractions (`0.5 B` would be 0, which turns a limit off) and doesn't show sizes exactly.

/// What a message says that it expected.
pub(super) const EXPECTED: &str = "a size such as \"20 MiB\", in B, KiB, MiB, GiB or TiB";

/// The units, with their bytes. The largest come first.
const UNITS: [(&str, u64); 5] =
    [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

/// Reads a size, in bytes. Only 0 needs no unit.
pub(super) fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    if text == "0" {
        return Some(0);
    }
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let (_, unit_bytes) = UNITS.iter().find(|(name, _)| *name == unit.trim_start())?;
    number.parse::<u64>().ok()?.checked_mul(*unit_bytes)
}

/// The size `bytes` in the largest unit that is exact, such as `20 MiB`. [`parse`] reads it.
pub(crate) fn show(bytes: u64) -> String {
    let exact = UNITS.iter().find(|(_, unit_bytes)| bytes > 0 && bytes.is_multiple_of(*unit_bytes));
    match exact {
        Some((unit, unit_bytes)) => format!("{} {unit}", bytes / unit_bytes),
        None => "0 B".to_owned(),
    }
}
