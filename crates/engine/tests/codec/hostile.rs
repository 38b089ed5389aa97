//! Cut, flipped and arbitrary bytes: a whole picture or a reason, never a panic.

use crate::support::{fixture, open};
use proptest::prelude::*;
use retouch_engine::codec::{DecodeError, Format};

const ONE_OF_EACH: [&str; 12] = [
    "baseline.jpg",
    "progressive.jpg",
    "cmyk.jpg",
    "rgb.png",
    "rgb_interlaced.png",
    "palette.png",
    "lossless_alpha.webp",
    "lossy_alpha.webp",
    "palette.gif",
    "palette8.bmp",
    "rgb_lzw.tif",
    "jpeg.tif",
];

#[test]
fn a_cut_at_any_byte_gives_the_whole_picture_or_a_reason() {
    for name in ONE_OF_EACH {
        let bytes = fixture(name);
        let whole = open(&bytes).expect(name);
        let mut refused = 0;
        for length in 0..bytes.len() {
            match open(&bytes[..length]) {
                Ok(picture) => assert!(picture == whole, "{name} cut to {length} bytes changed"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused * 10 > bytes.len() * 5, "{name}: only {refused} cuts were refused");
    }
}

#[test]
fn a_cut_in_the_middle_is_called_one() {
    for (name, format) in [
        ("baseline.jpg", Format::Jpeg),
        ("progressive.jpg", Format::Jpeg),
        ("rgb.png", Format::Png),
        ("lossy.webp", Format::WebP),
        ("lossless.webp", Format::WebP),
        ("palette.gif", Format::Gif),
        ("rgb.bmp", Format::Bmp),
    ] {
        let bytes = fixture(name);
        let refusal = open(&bytes[..bytes.len() * 3 / 4]).expect_err(name);
        assert_eq!(refusal, DecodeError::Truncated { format }, "{name}");
    }
}

#[test]
fn a_flipped_bit_never_panics() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for name in ONE_OF_EACH {
        let bytes = fixture(name);
        for _ in 0..300 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut flipped = bytes.clone();
            let at = state as usize % (flipped.len() * 8);
            flipped[at / 8] ^= 1 << (at % 8);
            if let Err(error) = open(&flipped) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn a_page_behind_a_picture_changes_nothing() {
    for name in ["rgb.png", "baseline.jpg", "palette.gif", "rgb.bmp"] {
        let mut bytes = fixture(name);
        let whole = open(&bytes).expect(name);
        bytes.extend_from_slice(b"<script>alert(1)</script>PK\x03\x04");
        assert!(open(&bytes).expect(name) == whole, "{name}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        start in 0..7_usize,
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        let starts: [&[u8]; 7] = [
            b"", b"\xFF\xD8\xFF", b"\x89PNG\r\n\x1A\n", b"RIFF\x20\0\0\0WEBPVP8L", b"GIF89a",
            b"BM", b"II\x2A\0\x08\0\0\0",
        ];
        let mut all = starts[start].to_vec();
        all.extend(bytes);
        if let Ok(picture) = open(&all) {
            prop_assert_eq!(picture.pixels().len() as u64, 4 * u64::from(picture.width()) * u64::from(picture.height()));
        }
    }
}
