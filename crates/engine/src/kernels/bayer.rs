//! The pattern of ordered dithering.

/// The entry of the 8 x 8 Bayer matrix, from 0 to 63: the bits of x xor y and of y, interleaved,
/// lowest first.
pub(crate) fn bayer(x: usize, y: usize) -> u32 {
    let (crossed, y) = (((x ^ y) & 7) as u32, (y & 7) as u32);
    let bit = |value: u32, at: u32| (value >> at) & 1;
    (0..3).fold(0, |sum, at| sum << 2 | bit(crossed, at) << 1 | bit(y, at))
}
