//! Lossless WebP data with many groups of prefix codes, each of which the decoder builds.

use crate::riff::{number24, riff_chunk, riff_head};
use crate::{MEASURING, peak_bytes};
use retouch_engine::codec::{Limits, decode, probe};
use std::path::PathBuf;

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
fn data((width, height): (u32, u32), groups: u32, has_header: bool) -> Vec<u8> {
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

fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    let chunks = chunks.concat();
    [riff_head(chunks.len(), b"WEBP"), chunks].concat()
}

fn still(size: (u32, u32), groups: u32) -> Vec<u8> {
    file(&[riff_chunk(b"VP8L", &data(size, groups, true))])
}

fn canvas(flags: u8, (width, height): (u32, u32)) -> Vec<u8> {
    let sides = [number24(width - 1), number24(height - 1)].concat();
    riff_chunk(b"VP8X", &[[flags, 0, 0, 0].as_slice(), &sides].concat())
}

fn animated(size: (u32, u32), groups: u32) -> Vec<u8> {
    let sides = [[0; 3], [0; 3], number24(size.0 - 1), number24(size.1 - 1), [0; 3]].concat();
    let frame = riff_chunk(b"VP8L", &data(size, groups, true));
    let frame = riff_chunk(b"ANMF", &[sides.as_slice(), &[0], &frame].concat());
    file(&[canvas(2, size), riff_chunk(b"ANIM", &[0; 6]), frame])
}

/// The lossy fixture, of 24 by 16 pixels, with other transparency.
fn with_alpha(groups: u32) -> Vec<u8> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "pictures"].iter().collect();
    let bytes = std::fs::read(folder.join("lossy_alpha.webp")).unwrap();
    let lossy = bytes.windows(4).position(|four| four == b"VP8 ").unwrap();
    let alpha = [[1].as_slice(), &data((24, 16), groups, false)].concat();
    file(&[canvas(0x10, (24, 16)), riff_chunk(b"ALPH", &alpha), bytes[lossy..].to_vec()])
}

/// What the decoder itself takes for a file.
fn unguarded_peak(bytes: &[u8]) -> u64 {
    let work = || {
        let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(bytes)).unwrap();
        let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
        decoder.read_image(&mut pixels)
    };
    let (result, peak) = peak_bytes(work);
    result.unwrap();
    peak
}

#[test]
fn webp_with_more_groups_of_codes_than_blocks_is_refused_before_they_are_built() {
    const GROUPS: u32 = 2_000;
    let _alone = MEASURING.lock();
    for (name, bytes) in [
        ("still", still((16, 16), GROUPS)),
        ("animated", animated((16, 16), GROUPS)),
        ("alpha", with_alpha(GROUPS)),
    ] {
        // So the decoder would build them.
        let unguarded = unguarded_peak(&bytes);
        assert!(unguarded > u64::from(GROUPS) * 40_000, "{name}: {unguarded} bytes");
        let (refusal, peak) = peak_bytes(|| decode(&bytes, &Limits::default()));
        let refusal = refusal.expect_err(name).to_string();
        assert!(refusal.contains("2000 groups of codes"), "{name}: {refusal}");
        assert!(peak < 1 << 20, "{name}: {peak} bytes to refuse it");
    }
}

#[test]
fn webp_with_more_groups_of_codes_than_encoders_write_is_refused() {
    let _alone = MEASURING.lock();
    let bytes = still((300, 300), 4_097);
    let (refusal, peak) = peak_bytes(|| decode(&bytes, &Limits::default()));
    let refusal = refusal.expect_err("it has too many").to_string();
    assert!(refusal.contains("at most 4096 are read"), "{refusal}");
    assert!(peak < 1 << 20, "{peak} bytes to refuse it");
}

#[test]
fn groups_of_codes_that_webp_blocks_name_are_announced() {
    let _alone = MEASURING.lock();
    for (name, bytes) in [
        ("still", still((64, 64), 256)),
        ("animated", animated((64, 64), 256)),
        ("alpha", with_alpha(24)),
    ] {
        let announced = probe(&bytes, &Limits::default()).expect(name).decode_bytes;
        let (picture, peak) = peak_bytes(|| decode(&bytes, &Limits::default()));
        picture.expect(name);
        // Without what is announced for anything else, which would hide an error.
        let others_bytes = (32 << 20) + 64 * 64 * 18;
        assert!(
            peak <= announced - others_bytes + (1 << 18),
            "{name}: {peak}, {announced} announced"
        );
    }
}
