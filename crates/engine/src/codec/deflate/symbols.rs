//! The symbols that encode lengths and distances (RFC 1951, section 3.2.5).

/// The symbol that ends a block.
pub(super) const END: usize = 256;
/// The number of symbols for literals, the end, and lengths. Two of them are never used, but take
/// part in the fixed codes (section 3.2.6).
pub(super) const LITERAL_SYMBOLS: usize = 288;
/// The number of symbols for distances.
pub(super) const DISTANCE_SYMBOLS: usize = 30;

/// The symbol of a length from 3 to 258, its extra bits, and how many of them there are.
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

/// The symbol of a distance from 1 to 32768, its extra bits, and how many of them there are.
#[inline]
pub(super) fn of_distance(distance: u16) -> (usize, u32, u32) {
    let beyond = u32::from(distance.saturating_sub(1));
    if beyond < 4 { (beyond as usize, 0, 0) } else { split(beyond, 1) }
}

/// Divides each power of two into `2^fine` equal steps, which is how both tables are built.
#[inline]
fn split(beyond: u32, fine: u32) -> (usize, u32, u32) {
    let count = beyond.ilog2() - fine;
    let step = (count << fine) + (beyond >> count);
    (step as usize, beyond & ((1 << count) - 1), count)
}
