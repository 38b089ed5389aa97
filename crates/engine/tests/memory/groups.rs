//! Lossless WebP data with many groups of prefix codes: refused, or announced.

use crate::riff::riff_chunk;
use crate::webp_groups::{animated, canvas, data, file, still};
use crate::{MEASURING, peak_bytes};
use retouch_engine::codec::{Limits, decode, probe};
use std::path::PathBuf;

/// The lossy fixture, of 24 by 16 pixels, with other transparency.
fn with_alpha(groups: u32) -> Vec<u8> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "pictures"].iter().collect();
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
        assert!(refusal.contains("2000 code groups"), "{name}: {refusal}");
        assert!(peak < 1 << 20, "{name}: {peak} bytes to refuse it");
    }
}

#[test]
fn webp_with_more_groups_of_codes_than_encoders_write_is_refused() {
    let _alone = MEASURING.lock();
    let bytes = still((300, 300), 4_097);
    let (refusal, peak) = peak_bytes(|| decode(&bytes, &Limits::default()));
    let refusal = refusal.expect_err("it has too many").to_string();
    assert!(refusal.contains("the limit is 4096"), "{refusal}");
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
        let others_bytes = (12 << 20) + 64 * 64 * 18;
        assert!(
            peak <= announced - others_bytes + (1 << 18),
            "{name}: {peak}, {announced} announced"
        );
    }
}
