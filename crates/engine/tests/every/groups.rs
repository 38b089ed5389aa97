//! Lossless WebP data with many groups of prefix codes, each of which the decoder builds.

use super::riff::{number24, riff_chunk, riff_head};

/// The lengths that heavy codes use, the last two of them repetitions.
const LENGTHS: [u32; 8] = [0, 1, 2, 3, 10, 11, 16, 17];

/// Bits, lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (self.count % 8);
            self.count += 1;
        }
    }

    /// A code of one symbol, which takes no bits.
    fn put_single(&mut self, symbol: u8) {
        self.put(0b101, 3);
        self.put(symbol.into(), 8);
    }

    /// A code of 256 symbols, most of them longer than the decoder's table, for an alphabet of 256 or 280.
    fn put_heavy(&mut self, alphabet: usize) {
        self.put(0, 1);
        // Three bits for each of these lengths, in the order of RFC 9649, section 3.7.2.1.2.
        self.put(15 - 4, 4);
        for length in [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11] {
            self.put(if LENGTHS.contains(&length) { 3 } else { 0 }, 3);
        }
        self.put(0, 1);
        for length in [1, 2, 3, 10, 10, 10, 11] {
            self.put_length(length, (0, 0));
        }
        (0..41).for_each(|_| self.put_length(16, (6 - 3, 2)));
        self.put_length(16, (0, 2));
        if alphabet == 280 {
            [10, 10, 4].into_iter().for_each(|times| self.put_length(17, (times - 3, 3)));
        }
    }

    /// A length or a repetition, with the extra bits that follow it.
    fn put_length(&mut self, length: u32, (extra, extra_bits): (u32, u32)) {
        let code = LENGTHS.iter().position(|known| *known == length).unwrap() as u32;
        (0..3).rev().for_each(|bit| self.put(code >> bit & 1, 1));
        self.put(extra, extra_bits);
    }
}

/// Lossless data in blocks of 4 by 4 pixels that all name the last of so many groups, with or without
/// the header that transparency lacks.
pub(crate) fn data((width, height): (u32, u32), groups: u32, has_header: bool) -> Vec<u8> {
    let mut bits = Bits::default();
    if has_header {
        bits.put(0x2F, 8);
        bits.put(width - 1, 14);
        bits.put(height - 1, 14);
        bits.put(0, 4);
    }
    // No transform, no cache of colors, and an entropy image whose pixels take no bits.
    bits.put(0b100, 3);
    bits.put(0, 3);
    bits.put(0, 1);
    let [low, high, ..] = (groups - 1).to_le_bytes();
    [low, high, 0, 0, 0].into_iter().for_each(|symbol| bits.put_single(symbol));
    for _ in 0..groups {
        [280, 256, 256, 256].into_iter().for_each(|alphabet| bits.put_heavy(alphabet));
        bits.put_single(0);
    }
    // Pixels: one bit for each channel.
    bits.bytes.resize(bits.bytes.len() + (width * height / 2) as usize + 8, 0);
    bits.bytes
}

/// A file of these chunks.
pub(crate) fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    let chunks = chunks.concat();
    [riff_head(chunks.len(), b"WEBP"), chunks].concat()
}

/// A picture of one frame.
pub(crate) fn still(size: (u32, u32), groups: u32) -> Vec<u8> {
    file(&[riff_chunk(b"VP8L", &data(size, groups, true))])
}

/// The header of files with more than one kind of chunks.
pub(crate) fn canvas(flags: u8, (width, height): (u32, u32)) -> Vec<u8> {
    let sides = [number24(width - 1), number24(height - 1)].concat();
    riff_chunk(b"VP8X", &[[flags, 0, 0, 0].as_slice(), &sides].concat())
}

/// The same as the only frame of an animation.
pub(crate) fn animated(size: (u32, u32), groups: u32) -> Vec<u8> {
    let sides = [[0; 3], [0; 3], number24(size.0 - 1), number24(size.1 - 1), [0; 3]].concat();
    let frame = riff_chunk(b"VP8L", &data(size, groups, true));
    let frame = riff_chunk(b"ANMF", &[sides.as_slice(), &[0], &frame].concat());
    file(&[canvas(2, size), riff_chunk(b"ANIM", &[0; 6]), frame])
}
