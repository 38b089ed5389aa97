//! Cut, flipped and arbitrary bytes: a whole picture or a reason, never a panic.

use crate::codec::support::{fixture, open};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
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
fn what_is_no_picture_is_refused_with_what_to_send_instead() {
    for (bytes, advice) in [
        (b"".as_slice(), "Send the whole file"),
        (&[0; 64], "Send it again"),
        (b"https://example.com/cat.jpg", "send the bytes"),
        (b"%PDF-1.7\n", "from the document"),
        (b"\x00\x01\x02\xFF\xFE\x00\x00\x00", "as PNG or JPEG"),
    ] {
        let Err(refusal) = open(bytes) else { panic!("{bytes:?} is a picture") };
        assert!(refusal.to_string().contains(advice), "{refusal}");
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
fn a_jpeg_that_is_cut_off_and_marked_as_ended_is_called_cut_off() {
    for (name, shares) in [
        ("baseline.jpg", [10, 30, 50]),
        ("gray.jpg", [10, 30, 50]),
        ("cmyk.jpg", [10, 30, 50]),
        ("rgb_components.jpg", [10, 30, 50]),
        ("restart.jpg", [10, 30, 50]),
        ("large_baseline.jpg", [10, 50, 98]),
    ] {
        let bytes = fixture(name);
        for share in shares {
            let scan = bytes.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap() + 16;
            let length = scan + (bytes.len() - scan) * share / 100;
            let mut cut = bytes[..length].to_vec();
            // Half a marker at the cut would swallow the end.
            cut.extend_from_slice(&[0, 0xFF, 0xD9]);
            let refusal = open(&cut).expect_err(&format!("{name} cut to {share}%"));
            let wanted = DecodeError::Truncated { format: Format::Jpeg };
            assert_eq!(refusal, wanted, "{name} cut to {share}%");
        }
    }
}

#[test]
fn a_jpeg_of_next_to_no_data_is_whole() {
    for (side, sampling) in
        (1..=70).zip([SamplingFactor::F_1_1, SamplingFactor::F_2_2].iter().cycle())
    {
        for (width, height) in [(side, side), (side, 9), (9, side), (side * 20, 600)] {
            let pixels = vec![200; usize::from(width) * usize::from(height) * 3];
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(&mut bytes, 10);
            encoder.set_sampling_factor(*sampling);
            encoder.set_optimized_huffman_tables(side % 3 == 0);
            // What that encoder writes with both at once, that decoder does not read.
            if side % 3 != 0 && side % 5 == 0 {
                encoder.set_restart_interval(1 + side % 4);
            }
            encoder.encode(&pixels, width, height, ColorType::Rgb).unwrap();
            let size = open(&bytes).map(|picture| picture.size());
            assert_eq!(size, Ok((u32::from(width), u32::from(height))));
        }
    }
}

#[test]
fn a_flipped_bit_gives_a_picture_or_a_reason_for_a_person() {
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
                let (words, code) = (error.to_string(), ["{", "::", ": ."]);
                assert!(
                    words.len() > 30 && !code.iter().any(|code| words.contains(code)),
                    "{words}"
                );
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
