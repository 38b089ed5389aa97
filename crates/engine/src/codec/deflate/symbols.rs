//! The symbols that lengths and distances are written as (RFC 1951, section 3.2.5).

/// The end of a block.
pub(super) const END: usize = 256;
/// Literals, the end, the lengths, and two that are never used but have a place among the common
/// codes (section 3.2.6).
pub(super) const LITERAL_SYMBOLS: usize = 288;
/// Distances.
pub(super) const DISTANCE_SYMBOLS: usize = 30;

/// Symbol, extra bits, and how many of them, of a length from 3 to 258.
#[inline]
pub(super) fn of_length(length: u16) -> (usize, u32, u32) {
    let beyond = u32::from(length.saturating_sub(3));
    match beyond {
        255 => (285, 0, 0),
        0..8 => (257 + beyond as usize, 0, 0),
        _ => {
            let (step, extra, count) = split(beyond, 2);
            (257 + step, extra, count)
        }
    }
}

/// Symbol, extra bits, and how many of them, of a distance from 1 to 32768.
#[inline]
pub(super) fn of_distance(distance: u16) -> (usize, u32, u32) {
    let beyond = u32::from(distance.saturating_sub(1));
    if beyond < 4 { (beyond as usize, 0, 0) } else { split(beyond, 1) }
}

/// Both tables grow alike: each power of two is cut into `2^fine` equal steps.
#[inline]
fn split(beyond: u32, fine: u32) -> (usize, u32, u32) {
    let count = beyond.ilog2() - fine;
    let step = (count << fine) + (beyond >> count);
    (step as usize, beyond & ((1 << count) - 1), count)
}
