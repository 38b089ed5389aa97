//! Input pictures for providers.

use crate::fitting::support::{
    LIMITS, chunk, fixture, holds, noise, shown, with_chunk, with_early_chunk, with_segment,
    with_webp_chunk,
};
use proptest::prelude::*;
use retouch_engine::Picture;
use retouch_engine::codec::{
    DecodeError, FitRules, Fitted, Format, encode_png, fit, fit_bytes, probe,
};

const RULES: FitRules<'_> = FitRules {
    formats: &[Format::Png, Format::Jpeg, Format::WebP],
    bytes_max: 1 << 20,
    side_px_min: 1,
    side_px_max: 4096,
    pixels_max: 16_000_000,
};

fn fitted(bytes: &[u8], rules: &FitRules<'_>) -> Fitted {
    let fitted = fit(bytes, &LIMITS, rules).unwrap_or_else(|error| panic!("{error}"));
    fitted.expect("it has to be changed")
}

fn goes_as_it_is(bytes: &[u8]) -> bool {
    fit(bytes, &LIMITS, &RULES).unwrap_or_else(|error| panic!("{error}")).is_none()
}

#[test]
fn plain_pictures_go_as_they_are() {
    for name in [
        "rgb.png",
        "rgba.png",
        "gray.png",
        "gray_alpha.png",
        "rgb_interlaced.png",
        "baseline.jpg",
        "baseline420.jpg",
        "progressive.jpg",
        "restart.jpg",
        "gray.jpg",
        "lossy.webp",
        "lossless.webp",
        "lossy_alpha.webp",
        "lossless_alpha.webp",
    ] {
        assert!(goes_as_it_is(&fixture(name)), "{name}");
    }
}

#[test]
fn unusual_forms_are_written_anew_and_show_the_same() {
    for name in [
        "palette.png",
        "palette_alpha.png",
        "rgb16.png",
        "rgba16.png",
        "rgb_key.png",
        "gray16.png",
        "animated.png",
        "p3.png",
        "gray_profile.png",
        "palette.gif",
        "rgb.bmp",
        "rgb.tif",
        "animated.webp",
        "p3.webp",
        "turned6.png",
        "turned8.webp",
    ] {
        let bytes = fixture(name);
        let fitted = fitted(&bytes, &RULES);
        assert!(fitted.recompressed && !fitted.scaled && !fitted.flattened, "{name}");
        assert_eq!(fitted.format, Format::Png, "{name}");
        assert!(shown(&fitted.bytes) == shown(&bytes), "{name}");
        assert!(goes_as_it_is(&fitted.bytes), "{name}");
    }
}

#[test]
fn photographs_stay_jpeg() {
    for name in ["turned6.jpg", "p3.jpg", "cmyk.jpg", "rgb_components.jpg"] {
        let bytes = fixture(name);
        let fitted = fitted(&bytes, &RULES);
        assert_eq!((fitted.format, fitted.recompressed), (Format::Jpeg, true), "{name}");
        let (before, after) = (shown(&bytes), shown(&fitted.bytes));
        assert_eq!((fitted.width, fitted.height), before.size(), "{name}");
        let differences =
            before.pixels().iter().zip(after.pixels()).map(|(a, b)| u64::from(a.abs_diff(*b)));
        let mean = differences.sum::<u64>() as f64 / before.pixels().len() as f64;
        assert!(mean < 3.0, "{name}: {mean}");
        assert!(goes_as_it_is(&fitted.bytes), "{name}");
    }
}

#[test]
fn metadata_goes_and_the_picture_data_stays_byte_for_byte() {
    let secret = b"52.5200 N 13.4050 E";
    let png = fixture("rgb.png");
    let jpeg = fixture("baseline.jpg");
    let webp = fixture("lossy.webp");
    let cases: [(&str, Vec<u8>, &[u8]); 12] = [
        ("text", with_chunk(&png, b"tEXt", secret), &png),
        ("early text", with_early_chunk(&png, b"iTXt", secret), &png),
        ("png exif", with_chunk(&png, b"eXIf", secret), &png),
        ("time", with_chunk(&png, b"tIME", secret), &png),
        ("signed statement", with_chunk(&png, b"caBX", secret), &png),
        ("a page behind", [png.as_slice(), secret].concat(), &png),
        ("exif", with_segment(&jpeg, 0xE1, &[b"Exif\0\0", secret.as_slice()].concat()), &jpeg),
        ("comment", with_segment(&jpeg, 0xFE, secret), &jpeg),
        ("photoshop", with_segment(&jpeg, 0xED, secret), &jpeg),
        ("a film behind", [jpeg.as_slice(), secret].concat(), &jpeg),
        ("xmp", with_webp_chunk(&webp, b"XMP ", secret, 4), &webp),
        ("behind the webp", [webp.as_slice(), secret].concat(), &webp),
    ];
    for (name, bytes, plain) in cases {
        assert!(holds(&bytes, secret), "{name}");
        let fitted = fitted(&bytes, &RULES);
        assert!(!fitted.recompressed && !fitted.scaled, "{name}");
        assert!(!holds(&fitted.bytes, secret), "{name}");
        assert!(name == "xmp" || fitted.bytes == plain, "{name}");
        assert!(shown(&fitted.bytes) == shown(plain), "{name}");
        assert!(goes_as_it_is(&fitted.bytes), "{name}");
    }
}

#[test]
fn metadata_between_the_scans_goes_too() {
    let jpeg = fixture("progressive.jpg");
    let scan = jpeg.windows(2).rposition(|pair| pair == [0xFF, 0xDA]).expect("it has scans");
    let secret = b"\xFF\xFE\x00\x08secret";
    let bytes = [&jpeg[..scan], secret, &jpeg[scan..]].concat();
    let fitted = fitted(&bytes, &RULES);
    assert_eq!((fitted.bytes == jpeg, fitted.recompressed), (true, false));
}

#[test]
fn a_format_that_is_not_taken_becomes_one_that_is() {
    let only_jpeg = FitRules { formats: &[Format::Jpeg], ..RULES };
    let from_png = fitted(&fixture("rgb.png"), &only_jpeg);
    assert_eq!((from_png.format, from_png.flattened), (Format::Jpeg, false));
    let clear = fitted(&encode_png(&noise(8, 8, 0)).expect("it is lawful"), &only_jpeg);
    assert!(clear.flattened && shown(&clear.bytes).pixels().iter().all(|level| *level > 250));
    let only_png = FitRules { formats: &[Format::Png], ..RULES };
    let from_jpeg = fitted(&fixture("baseline.jpg"), &only_png);
    assert_eq!(shown(&from_jpeg.bytes), shown(&fixture("baseline.jpg")));
    let neither = FitRules { formats: &[Format::WebP], ..RULES };
    assert!(fit(&fixture("rgb.png"), &LIMITS, &neither).is_err());
}

#[test]
fn sizes_are_brought_within_the_rules() {
    let png = |width, height| encode_png(&noise(width, height, 255)).expect("it is lawful");
    let sides = FitRules { side_px_min: 64, side_px_max: 256, ..RULES };
    let size = |bytes: &[u8], rules| {
        let fitted = fitted(bytes, rules);
        assert!(fitted.scaled && shown(&fitted.bytes).size() == (fitted.width, fitted.height));
        (fitted.width, fitted.height)
    };
    assert_eq!(size(&png(512, 256), &sides), (256, 128));
    assert_eq!(size(&png(20, 40), &sides), (64, 128));
    let few = FitRules { pixels_max: 10_000, ..RULES };
    assert_eq!(size(&png(200, 200), &few), (100, 100));
    let refusal = fit(&png(512, 16), &LIMITS, &sides).expect_err("it is too long for its height");
    assert!(matches!(refusal, DecodeError::Unfit { width: 512, height: 16, .. }), "{refusal}");
}

#[test]
fn too_many_bytes_cost_quality_first_and_size_last() {
    let opaque = encode_png(&noise(300, 300, 255)).expect("it is lawful");
    let below = |bytes_max| fitted(&opaque, &FitRules { bytes_max, ..RULES });
    let good = below(opaque.len() - 1);
    assert_eq!((good.format, good.scaled), (Format::Jpeg, false));
    let small = below(8_000);
    assert!(small.scaled && small.bytes.len() <= 8_000 && small.width > 50, "{}", small.width);
    let clear = encode_png(&noise(300, 300, 100)).expect("it is lawful");
    let clear = fitted(&clear, &FitRules { bytes_max: 50_000, ..RULES });
    assert_eq!((clear.format, clear.scaled, clear.flattened), (Format::Png, true, false));
    assert!(fit(&opaque, &LIMITS, &FitRules { bytes_max: 10, ..RULES }).is_err());
}

#[test]
fn damaged_pictures_never_go() {
    let png = fixture("rgb.png");
    let mut flipped = png.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    assert!(fit(&flipped, &LIMITS, &RULES).is_err());
    let hollow = [&png[..33], &chunk(b"IDAT", b""), &png[png.len() - 12..]].concat();
    assert!(fit(&hollow, &LIMITS, &RULES).is_err());
    let jpeg = fixture("large_baseline.jpg");
    assert!(fit(&jpeg[..jpeg.len() / 2], &LIMITS, &RULES).is_err());
    for name in ["rgb.png", "baseline.jpg", "lossy.webp", "lossless.webp"] {
        let bytes = fixture(name);
        for length in 0..bytes.len() {
            if let Ok(fitted) = fit(&bytes[..length], &LIMITS, &RULES) {
                let fitted = fitted.expect("a cut file never goes as it is");
                assert!(shown(&fitted.bytes).size() == shown(&bytes).size(), "{name} {length}");
            }
        }
    }
}

fn any_picture() -> impl Strategy<Value = Picture> {
    (1_u32..80, 1_u32..80, any::<u8>()).prop_map(|(w, h, alpha)| noise(w, h, alpha | 1))
}

proptest! {
    #[test]
    fn whatever_fits_is_within_the_rules(
        picture in any_picture(),
        bytes_max in 500_usize..9_000,
        side_px_max in 10_u32..100,
        jpeg_only in any::<bool>(),
    ) {
        let formats: &[Format] = if jpeg_only { &[Format::Jpeg] } else { &[Format::Png, Format::Jpeg] };
        let rules = FitRules { formats, bytes_max, side_px_min: 1, side_px_max, pixels_max: 3_000 };
        let bytes = encode_png(&picture).expect("it is lawful");
        match fit(&bytes, &LIMITS, &rules) {
            Ok(None) => prop_assert!(bytes.len() <= bytes_max && !jpeg_only),
            Ok(Some(fitted)) => {
                let again = probe(&fitted.bytes, &LIMITS).expect("it is a picture");
                prop_assert!(fitted.bytes.len() <= bytes_max && formats.contains(&again.format));
                prop_assert_eq!(again.size(), (fitted.width, fitted.height));
                prop_assert!(again.width.max(again.height) <= side_px_max);
                prop_assert!(again.width * again.height <= 3_000);
                prop_assert!(fit(&fitted.bytes, &LIMITS, &rules).expect("it is whole").is_none());
            }
            Err(error) => prop_assert!(matches!(error, DecodeError::Unfit { .. }), "{error}"),
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(
        start in 0..5_usize,
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let starts: [&[u8]; 5] =
            [b"", b"\xFF\xD8\xFF", b"\x89PNG\r\n\x1A\n", b"RIFF\x20\0\0\0WEBPVP8L", b"GIF89a"];
        let all = [starts[start], &bytes].concat();
        let _ = fit(&all, &LIMITS, &RULES);
        let _ = retouch_engine::codec::to_png(&all, &LIMITS);
    }

    #[test]
    fn flipped_bits_never_panic(name in 0..4_usize, at in any::<prop::sample::Index>()) {
        let mut bytes = fixture(["rgb_interlaced.png", "progressive.jpg", "lossy_alpha.webp", "p3.jpg"][name]);
        let bit = at.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let _ = fit(&bytes, &LIMITS, &RULES);
        let _ = retouch_engine::codec::to_png(&bytes, &LIMITS);
    }

    #[test]
    fn memory_is_announced_for_any_rules(side_px_min in 0_u32..9_000, side_px_max in 0_u32..99_999) {
        let header = probe(&fixture("rgb.png"), &LIMITS).expect("it is lawful");
        let rules = FitRules { side_px_min, side_px_max, ..RULES };
        prop_assert!(fit_bytes(&header, &rules) >= header.decode_bytes);
    }
}
