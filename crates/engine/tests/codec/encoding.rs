//! Writing PNG.

use crate::codec::support::{open, painted, pattern, with_ramp};
use proptest::prelude::*;
use retouch_engine::Picture;
use retouch_engine::codec::{
    Encoding, FileRules, Limits, decode, encode, encode_png, encode_within,
};
use std::io::Read;

/// Depth and color type of a file (PNG, section 11.2.1).
fn form(written: &[u8]) -> (u8, u8) {
    (written[24], written[25])
}

const GRAY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GRAY_ALPHA: u8 = 4;
const RGBA: u8 = 6;

/// Encodes, and sees that two readers give the picture back.
fn written(picture: &Picture) -> Vec<u8> {
    let written = encode_png(picture).expect("it can be written");
    assert_eq!(open(&written).expect("what is written can be read"), *picture);
    inflated(&written);
    written
}

/// What another inflater than the decoder's own makes of the data; it checks the check sum.
fn inflated(file: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    let mut rest = &file[8..];
    while let [a, b, c, d, kind @ ..] = rest {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        if kind.starts_with(b"IDAT") {
            data.extend_from_slice(&kind[4..4 + length]);
        }
        rest = &kind[length + 8..];
    }
    let mut inflated = Vec::new();
    let mut reader = flate2::read::ZlibDecoder::new(&*data);
    reader.read_to_end(&mut inflated).expect("the data is whole");
    inflated
}

fn sized(width: u32, height: u32, rule: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pixels = places.flat_map(|(x, y)| rule(x, y)).collect();
    Picture::from_rgba(width, height, pixels).expect("the size is lawful")
}

/// Bits without a pattern (Steele, Lea, Flood: `SplitMix`).
fn noise(x: u32, y: u32) -> [u8; 4] {
    let mut bits = (u64::from(y) << 32 | u64::from(x)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    [bits >> 8, bits >> 16, bits >> 24, bits >> 32].map(|byte| byte as u8)
}

#[test]
fn the_form_with_the_fewest_bytes_is_written() {
    let gray = |x: u32, y: u32| ((x * 3 + y * 5) % 256) as u8;
    let opaque = |[red, green, blue, _]: [u8; 4]| [red, green, blue, 255];
    let cases: [(&str, Picture, (u8, u8)); 9] = [
        ("black and white", sized(70, 9, |x, _| [(x % 2 * 255) as u8; 3].opaque()), (1, GRAY)),
        ("four grays", sized(71, 9, |x, _| [(x % 4 * 85) as u8; 3].opaque()), (2, GRAY)),
        ("two odd grays", sized(71, 9, |x, _| [(x % 2 * 9) as u8; 3].opaque()), (1, PALETTE)),
        ("sixteen grays", sized(71, 9, |x, _| [(x % 16 * 17) as u8; 3].opaque()), (4, GRAY)),
        ("many grays", sized(300, 40, |x, y| [gray(x, y); 3].opaque()), (8, GRAY)),
        (
            "grays and opacity",
            sized(99, 40, |x, y| [gray(x, y), gray(x, y), gray(x, y), (x * y) as u8]),
            (8, GRAY_ALPHA),
        ),
        (
            "few colors, some clear",
            sized(99, 40, |x, y| [(x % 5) as u8, 7, (y % 7) as u8, (x % 3 * 127) as u8]),
            (8, PALETTE),
        ),
        ("many colors", sized(99, 40, |x, y| opaque(noise(x, y))), (8, RGB)),
        ("colors and opacity", sized(99, 40, noise), (8, RGBA)),
    ];
    for (name, picture, expected) in cases {
        assert_eq!(form(&written(&picture)), expected, "{name}");
    }
}

trait Opaque {
    fn opaque(self) -> [u8; 4];
}

impl Opaque for [u8; 3] {
    fn opaque(self) -> [u8; 4] {
        [self[0], self[1], self[2], 255]
    }
}

#[test]
fn a_table_holds_256_colors_and_no_more() {
    let colors = |count: u32| {
        sized(40, 40, move |x, y| {
            let number = (y * 40 + x) % count;
            [(number % 256) as u8, (number / 256) as u8, 77, 255]
        })
    };
    for (count, expected) in [(2, (1, PALETTE)), (4, (2, PALETTE)), (5, (4, PALETTE))] {
        assert_eq!(form(&written(&colors(count))), expected, "{count} colors");
    }
    for (count, expected) in [(17, (8, PALETTE)), (256, (8, PALETTE)), (257, (8, RGB))] {
        assert_eq!(form(&written(&colors(count))), expected, "{count} colors");
    }
}

/// Several strips each, so that they meet: photographs, drawings, ramps, plain and random ones.
#[test]
fn large_pictures_survive_and_are_the_same_on_any_number_of_threads() {
    let soft = |x: u32, y: u32| {
        let [a, b, c, _] = noise(x, y).map(|byte| u32::from(byte % 7));
        [x / 4 + a, y / 4 + b, (x + y) / 8 + c, 255].map(|level| level as u8)
    };
    let drawn = |x: u32, y: u32| match (x / 50 + y / 30) % 5 {
        0 => [(x / 3) as u8, 10, (y / 5) as u8, 255],
        1 if noise(x / 2, y / 3)[0] < 30 => [0, 0, 90, 255],
        part => [part as u8 * 50, 200, 255, 255],
    };
    let pictures = [
        sized(900, 700, soft),
        sized(900, 700, drawn),
        sized(900, 700, |x, y| [x as u8, (x >> 8) as u8, y as u8, 255]),
        sized(900, 700, |x, y| [(x / 4) as u8, (x / 4) as u8, (x / 4) as u8, (y / 3) as u8]),
        sized(2_000, 700, |_, _| [9, 8, 7, 255]),
        sized(700, 500, noise),
        sized(16_000, 20, soft),
        sized(1, 3_000, soft),
    ];
    let pool = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("it can be made")
    };
    for picture in pictures {
        let file = written(&picture);
        for threads in [1, 2, 7] {
            let again = pool(threads).install(|| encode_png(&picture));
            assert_eq!(again.expect("it can be written"), file, "{threads} threads");
        }
    }
}

#[test]
fn small_pictures_are_written_thoroughly() {
    let tile = sized(64, 64, |x, y| pattern(x % 24, y % 16));
    let length = written(&tile).len();
    assert!(length < 900, "{length} bytes");
    assert_eq!(form(&written(&painted(|x, y| with_ramp(x, pattern(x, y))))), (8, RGBA));
}

proptest! {
    #[test]
    fn any_picture_survives(width in 1_u32..40, seed in any::<[u8; 64]>(), levels in 1_u8..=255) {
        let height = 40 / width + 1;
        let bytes = seed.iter().cycle().take((width * height * 4) as usize);
        let bytes = bytes.map(|byte| byte % levels).collect();
        written(&Picture::from_rgba(width, height, bytes).expect("it is lawful"));
    }

    /// Words of a small language, so that repetitions of all lengths and distances come.
    #[test]
    fn repetitions_of_any_kind_survive(words in prop::collection::vec((0_u32..9, 1_u32..400), 1..200)) {
        let bytes: Vec<u8> = words
            .iter()
            .flat_map(|(word, length)| (0..*length).map(move |at| noise(*word, at % (word * 37 + 1))[0]))
            .collect();
        let pixels: Vec<u8> = bytes.iter().flat_map(|byte| [*byte, byte >> 4, 3, 255]).collect();
        let width = (pixels.len() / 4).min(999);
        let height = pixels.len() / 4 / width;
        let pixels = pixels[..width * height * 4].to_vec();
        written(&Picture::from_rgba(width as u32, height as u32, pixels).expect("it is lawful"));
    }
}

const fn limited(bytes_max: u64) -> FileRules {
    FileRules { bytes_max: Some(bytes_max), dpi: None }
}

/// Files of all forms say it where the specifications of their formats have it, and hold the same
/// pixels as without.
#[test]
fn a_file_says_how_many_pixels_are_an_inch() {
    let photo = sized(320, 200, noise);
    let drawing = sized(320, 200, |x, _| [(x % 2) as u8 * 255, 0, 0, 255]);
    let transparent = sized(20, 20, |x, _| [0, 0, 0, x as u8]);
    let found = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).position(|it| it == part);
    for (picture, encoding) in [&photo, &drawing, &transparent].iter().flat_map(|picture| {
        [Encoding::Png, Encoding::WebP, Encoding::jpeg(None)].map(|it| (picture, it))
    }) {
        let rules = FileRules { dpi: Some(300), ..FileRules::default() };
        let file = encode_within(picture, encoding, rules).expect("it can be written").bytes;
        let bare = encode(picture, encoding).expect("it can be written").bytes;
        assert_eq!(open(&file).expect("it can be read"), open(&bare).expect("it can be read"));
        let said = match encoding {
            // 300 / 0.0254, in both directions, per meter.
            Encoding::Png => found(&file, b"pHYs\0\0\x2e\x23\0\0\x2e\x23\x01"),
            Encoding::Jpeg { .. } => found(&file, b"JFIF\0\x01\x02\x01\x01\x2c\x01\x2c"),
            // Two ratios of 300 to 1.
            Encoding::WebP => found(&file, b"\x2c\x01\0\0\x01\0\0\0\x2c\x01\0\0\x01\0\0\0"),
        };
        assert!(said.is_some(), "{encoding:?}: {:?}", &file[..64]);
    }
}

#[test]
fn a_jpeg_of_a_limited_size_has_the_best_quality_that_fits() {
    let picture =
        sized(320, 200, |x, y| [(x % 256) as u8, (y % 256) as u8, noise(x, y)[0] / 4, 255]);
    let jpeg = |quality| encode(&picture, Encoding::Jpeg { quality }).expect("it can be written");
    let within = |quality, bytes: usize| {
        encode_within(&picture, Encoding::Jpeg { quality }, limited(bytes as u64))
            .expect("it can be written")
    };
    assert_eq!(within(90, usize::MAX), jpeg(90), "what fits stays as it is");
    for quality in [40, 55, 72, 89] {
        assert_eq!(within(90, jpeg(quality).bytes.len()).bytes, jpeg(quality).bytes, "{quality}");
        assert_eq!(within(90, jpeg(quality + 1).bytes.len() - 1).bytes, jpeg(quality).bytes);
    }
    assert_eq!(within(60, jpeg(80).bytes.len()), jpeg(60), "no better than asked for");
    let small = within(90, 2_000);
    assert!(small.bytes.len() <= 2_000 && small.reduced_to.is_some(), "then it is reduced");
}

#[test]
fn a_file_without_a_quality_is_reduced_until_it_fits() {
    let picture = sized(400, 100, noise);
    for encoding in [Encoding::Png, Encoding::WebP] {
        for bytes_max in [2_000, 20_000, 100_000] {
            let written = encode_within(&picture, encoding, limited(bytes_max)).expect("it fits");
            let decoded = decode(&written.bytes, &Limits::default()).expect("it can be read");
            assert_eq!(written.reduced_to, Some(decoded.size()));
            let filled = written.bytes.len() as u64;
            assert!(filled <= bytes_max && filled > bytes_max / 3, "{filled} of {bytes_max}");
            let [width, height] = [decoded.width(), decoded.height()].map(f64::from);
            assert!((width / height - 4.0).abs() < 0.3, "it keeps its shape");
        }
    }
}
