//! Every form of every format, against the pattern or another reader's pixels.

use crate::codec::support::{difference, fixture, gray, open, painted, pattern, shown, with_ramp};
use retouch_engine::codec::{Format, Limits, probe};

fn threshold(x: u32, y: u32) -> [u8; 4] {
    let [level, ..] = gray(pattern(x, y));
    let level = if level > 127 { 255 } else { 0 };
    [level, level, level, 255]
}

#[test]
fn forms_without_loss_give_the_exact_pixels() {
    let plain = painted(pattern);
    for name in [
        "rgb.png",
        "rgb_interlaced.png",
        "rgb16.png",
        "rgb16_interlaced.png",
        "animated.png",
        "lossless.webp",
        "animated.webp",
        "rgb.bmp",
        "rgb.tif",
        "rgb_lzw.tif",
        "rgb_deflate.tif",
        "rgb_packbits.tif",
    ] {
        assert_eq!(difference(&shown(name), &plain), 0, "{name}");
    }
}

#[test]
fn gray_and_two_level_forms_give_the_exact_pixels() {
    let gray = painted(|x, y| gray(pattern(x, y)));
    for name in ["gray.png", "gray16.png", "gray.bmp", "gray.tif", "gray16.tif"] {
        assert_eq!(difference(&shown(name), &gray), 0, "{name}");
    }
    let two_levels = painted(threshold);
    for name in ["bits1.png", "bits1.bmp", "bits1.tif", "fax4.tif"] {
        assert_eq!(difference(&shown(name), &two_levels), 0, "{name}");
    }
}

#[test]
fn transparency_is_kept() {
    let ramp = painted(|x, y| with_ramp(x, pattern(x, y)));
    for name in ["rgba.png", "rgba16.png", "lossless_alpha.webp", "rgba.tif"] {
        assert_eq!(difference(&shown(name), &ramp), 0, "{name}");
        assert!(probe(&fixture(name), &Limits::default()).expect(name).has_alpha, "{name}");
    }
    let gray_ramp = painted(|x, y| with_ramp(x, gray(pattern(x, y))));
    for name in ["gray_alpha.png", "gray_alpha.tif"] {
        assert_eq!(difference(&shown(name), &gray_ramp), 0, "{name}");
    }
}

#[test]
fn a_color_that_stands_for_transparency_becomes_transparent() {
    let picture = shown("rgb_key.png");
    assert_eq!(picture.pixel(0, 0), Some([255, 0, 0, 0]));
    assert_eq!(picture.pixel(0, 15), Some([0, 0, 255, 255]));
    assert!(probe(&fixture("rgb_key.png"), &Limits::default()).expect("it is lawful").has_alpha);
}

#[test]
fn of_the_number_of_the_transparent_gray_only_a_samples_bits_count() {
    use png::BitDepth::{Four, One, Two};
    for (depth, numbers) in
        [(One, &[0, 0, 0, 1, 1, 0, 1, 1][..]), (Two, &[0, 1, 2, 3]), (Four, &[1, 11])]
    {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, numbers.len() as u32, 1);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(depth);
        // The last bits are 1, 11 and 1011: the last number of each row.
        encoder.set_trns(vec![0xFF, 0b1111_1011]);
        let mut writer = encoder.write_header().expect("it can be written");
        writer.write_image_data(&[0b0001_1011]).expect("it can be written");
        writer.finish().expect("it can be written");
        let clear = |number: &u8| if Some(number) == numbers.last() { 0 } else { 255 };
        let expected: Vec<u8> = numbers.iter().map(clear).collect();
        let picture = open(&file).expect("it is whole");
        let found: Vec<u8> = picture.pixels().as_chunks::<4>().0.iter().map(|p| p[3]).collect();
        assert_eq!(found, expected, "{depth:?}");
    }
}

#[test]
fn palettes_of_every_format_show_the_same_colors() {
    let palette = shown("palette.png");
    for name in ["palette8.bmp", "palette.tif", "palette_big.tif", "palette.gif", "animated.gif"] {
        assert_eq!(difference(&shown(name), &palette), 0, "{name}");
    }
    for (name, colors) in [("palette2.png", 4), ("palette4.png", 16)] {
        let picture = shown(name);
        let mut seen: Vec<_> = picture.pixels().as_chunks::<4>().0.to_vec();
        seen.sort_unstable();
        seen.dedup();
        assert!((2..=colors).contains(&seen.len()), "{name} shows {} colors", seen.len());
    }
    let keyed = shown("palette_alpha.png");
    let clear = keyed.pixels().as_chunks::<4>().0.iter().filter(|pixel| pixel[3] == 0).count();
    assert!(clear > 0 && clear < 24 * 16, "{clear} of the pixels are clear");
}

#[test]
fn lossy_forms_stay_near_the_reference_decoders() {
    // JPEG against libjpeg-turbo and WebP against libwebp, both through Pillow 13; the bound for
    // JPEG is the reference's section 6, more with subsampled color, where filters differ.
    for (name, most) in [
        ("baseline.jpg", 2),
        ("progressive.jpg", 2),
        ("gray.jpg", 2),
        ("rgb_components.jpg", 2),
        ("cmyk.jpg", 3),
        ("baseline420.jpg", 4),
        ("lossy.webp", 2),
        ("lossy_alpha.webp", 2),
        ("jpeg.tif", 4),
        ("jpeg_ycc.tif", 4),
    ] {
        let found = difference(&shown(name), &shown(&format!("{name}.png")));
        assert!(found <= most, "{name} differs by {found}, {most} is allowed");
    }
}

#[test]
fn restart_markers_change_no_pixel() {
    assert_eq!(difference(&shown("restart.jpg"), &shown("baseline.jpg")), 0);
    assert_eq!(difference(&shown("progressive_restart.jpg"), &shown("progressive.jpg")), 0);
    assert_eq!(difference(&shown("progressive.jpg"), &shown("baseline.jpg")), 0);
}

#[test]
fn ink_pictures_without_a_profile_show_their_plain_colors() {
    let found = difference(&shown("cmyk.tif"), &painted(pattern));
    assert_eq!(found, 0, "black is zero in this fixture, so ink is the complement of light");
}

#[test]
fn the_bytes_decide_the_format() {
    for (name, format) in [
        ("rgb.png", Format::Png),
        ("gray.jpg", Format::Jpeg),
        ("lossy.webp", Format::WebP),
        ("palette.gif", Format::Gif),
        ("rgb.bmp", Format::Bmp),
        ("rgb.tif", Format::Tiff),
    ] {
        let header = probe(&fixture(name), &Limits::default()).expect(name);
        assert_eq!((header.format, header.size()), (format, (24, 16)), "{name}");
    }
    let refusal = open(b"<!DOCTYPE html><html>").expect_err("a page is no picture").to_string();
    assert!(refusal.contains("begins with 3C 21 44 4F") && refusal.contains("<!DOCTYP"));
    assert!(open(b"").expect_err("nothing is no picture").to_string().contains("no bytes"));
}

#[test]
fn stray_bytes_between_the_segments_of_a_jpeg_are_passed_over() {
    let bytes = fixture("baseline.jpg");
    let (start, rest) = bytes.split_at(APP0_ENDS_AT);
    let stray = [start, b"\0\0stray bytes\0", rest].concat();
    assert_eq!(difference(&open(&stray).expect("it is whole"), &shown("baseline.jpg")), 0);
}

/// The start marker, and the JFIF segment of 18 bytes.
const APP0_ENDS_AT: usize = 20;
