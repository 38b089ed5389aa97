//! Results of providers.

use crate::fitting::support::{LIMITS, fixture, holds, shown, with_chunk, with_early_chunk};
use retouch_engine::codec::{DecodeError, Format, Png, probe, to_png, to_png_bytes};

fn made(bytes: &[u8]) -> Png {
    to_png(bytes, &LIMITS).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_png_in_srgb_goes_out_as_it_is() {
    for name in
        ["rgb.png", "rgba.png", "gray.png", "palette_alpha.png", "bits1.png", "rgb_interlaced.png"]
    {
        let png = made(&fixture(name));
        assert_eq!((png.bytes, (png.width, png.height)), (None, (24, 16)), "{name}");
    }
    let signed = with_chunk(&fixture("rgb.png"), b"caBX", b"a statement");
    assert_eq!(made(&signed).bytes, None);
}

#[test]
fn what_tells_of_anybody_is_left_out() {
    let png = fixture("rgb.png");
    for kind in [b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"tIME", b"prVt"] {
        let told = with_early_chunk(&png, kind, b"prompt\0a secret workflow");
        assert_eq!(made(&told).bytes.as_deref(), Some(png.as_slice()), "{kind:?}");
    }
    let told = with_chunk(&with_chunk(&png, b"caBX", b"a statement"), b"tEXt", b"Author\0me");
    assert_eq!(made(&told).bytes.as_deref(), Some(png.as_slice()));
    let followed = [png.as_slice(), b"behind"].concat();
    assert_eq!(made(&followed).bytes.as_deref(), Some(png.as_slice()));
}

#[test]
fn every_other_picture_becomes_a_png_that_shows_the_same() {
    for name in [
        "baseline.jpg",
        "progressive.jpg",
        "turned6.jpg",
        "cmyk.jpg",
        "lossy.webp",
        "palette.gif",
        "rgb.bmp",
        "rgb.tif",
        "rgb16.png",
        "p3.png",
        "animated.png",
        "turned5.png",
    ] {
        let bytes = fixture(name);
        let png = made(&bytes);
        let written = png.bytes.expect(name);
        let expected = shown(&bytes);
        assert_eq!(
            (Format::of(&written), (png.width, png.height)),
            (Some(Format::Png), expected.size()),
            "{name}"
        );
        assert!(shown(&written) == expected, "{name}");
        assert!(!holds(&written, b"eXIf") && !holds(&written, b"iCCP"), "{name}");
        assert_eq!(made(&written).bytes, None, "{name}");
    }
}

#[test]
fn a_cut_result_is_refused_at_any_byte() {
    for name in ["rgb.png", "palette.png", "rgb_interlaced.png"] {
        let bytes = fixture(name);
        for length in 0..bytes.len() {
            assert!(to_png(&bytes[..length], &LIMITS).is_err(), "{name} cut to {length} bytes");
        }
        let error = to_png(&bytes[..bytes.len() - 1], &LIMITS).expect_err(name);
        assert_eq!(error, DecodeError::Truncated { format: Format::Png });
    }
}

#[test]
fn any_flipped_bit_behind_the_signature_is_found() {
    let bytes = fixture("rgb.png");
    for bit in 64..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(to_png(&flipped, &LIMITS).is_err(), "bit {bit}");
    }
}

#[test]
fn what_is_no_picture_is_refused() {
    for bytes in [&b""[..], b"<html>sorry</html>", b"{\"error\":\"policy\"}", b"\x89PNG\r\n\x1A\n"]
    {
        assert!(to_png(bytes, &LIMITS).is_err());
    }
    let header = probe(&fixture("rgb.png"), &LIMITS).expect("it is lawful");
    assert!(to_png_bytes(&header) >= header.decode_bytes);
}
