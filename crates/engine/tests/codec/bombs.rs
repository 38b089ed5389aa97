//! Small files that claim or unfold to much.

use crate::codec::support::{fixture, open, png_chunk};
use crate::codec::tiff::{Entry, data_at};
use retouch_engine::codec::{DecodeError, ENCODED_BYTES_MAX, Excess, Limits, probe};

fn png(size: (u32, u32), extra: &[Vec<u8>], data: &[u8]) -> Vec<u8> {
    let mut header = size.0.to_be_bytes().to_vec();
    header.extend_from_slice(&size.1.to_be_bytes());
    header.extend_from_slice(&[8, 0, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1A\n".to_vec();
    bytes.extend(png_chunk(b"IHDR", &header));
    extra.iter().for_each(|chunk| bytes.extend_from_slice(chunk));
    bytes.extend(png_chunk(b"IDAT", data));
    bytes.extend(png_chunk(b"IEND", b""));
    bytes
}

/// Zeros deflated a thousand to one.
fn zeros(length: usize) -> Vec<u8> {
    fdeflate::compress_to_vec(&vec![0; length])
}

fn with_jpeg_size(name: &str, width: u16, height: u16) -> Vec<u8> {
    let mut bytes = fixture(name);
    let frame = bytes.windows(2).position(|two| matches!(two, [0xFF, 0xC0 | 0xC2]));
    let frame = frame.expect("there is a frame");
    bytes[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    bytes[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    bytes
}

#[test]
fn a_tiny_file_that_claims_a_giant_is_refused_with_the_numbers() {
    let refusal = open(&png((65_500, 65_500), &[], &zeros(1))).expect_err("it is too large");
    assert_eq!(
        refusal.to_string(),
        "The image is 65500 x 65500 pixels (4291 megapixels); the limit is 50 megapixels. \
         Make it smaller."
    );
    let jpeg = open(&with_jpeg_size("baseline.jpg", 65_500, 65_500)).expect_err("too large");
    assert!(matches!(jpeg, DecodeError::TooLarge(Excess::Pixels { .. })), "{jpeg}");
    let thin = open(&png((65_500, 1), &[], &zeros(65_501))).expect_err("it is too long");
    assert!(matches!(thin, DecodeError::TooLarge(Excess::Side { side_px: 65_500, .. })), "{thin}");
    let long = open(&vec![0; ENCODED_BYTES_MAX + 1]).expect_err("it has too many bytes");
    assert!(matches!(long, DecodeError::TooLarge(Excess::Bytes { .. })), "{long}");
}

#[test]
fn zeros_over_the_pixel_limit_are_refused_before_inflating() {
    let refusal = open(&png((30_000, 30_000), &[], &zeros(1_000_000))).expect_err("too large");
    assert!(matches!(refusal, DecodeError::TooLarge(Excess::Pixels { .. })), "{refusal}");
}

#[test]
fn text_and_profiles_that_unfold_are_not_unfolded() {
    let bomb = |prefix: &[u8]| [prefix, &zeros(256 * 1024 * 1024)].concat();
    let text = png_chunk(b"zTXt", &bomb(b"comment\0\0"));
    let international = png_chunk(b"iTXt", &bomb(b"comment\0\x01\0\0\0"));
    let profile = png_chunk(b"iCCP", &bomb(b"profile\0\0"));
    let bytes = png((4, 4), &[text, international, profile], &zeros(4 * 5));
    let picture = open(&bytes).expect("the picture itself is fine");
    assert_eq!(picture.pixel(0, 0), Some([0, 0, 0, 255]));
}

/// The decoder reads past the end of such a palette where transparency follows it.
#[test]
fn a_png_palette_that_is_not_whole_colors_is_refused() {
    for length in [0, 1, 2, 64, 767, 769, 771] {
        let mut header = [8_u32, 1].map(u32::to_be_bytes).concat();
        header.extend_from_slice(&[8, 3, 0, 0, 0]);
        let bytes = [
            b"\x89PNG\r\n\x1A\n".to_vec(),
            png_chunk(b"IHDR", &header),
            png_chunk(b"PLTE", &vec![7; length]),
            png_chunk(b"tRNS", &[9]),
            png_chunk(b"IDAT", &zeros(9)),
            png_chunk(b"IEND", b""),
        ];
        let refusal = open(&bytes.concat()).expect_err("its palette is broken").to_string();
        assert!(refusal.contains(&format!("palette has {length} bytes")), "{refusal}");
    }
}

#[test]
fn a_jpeg_of_a_hundred_scans_and_more_is_refused() {
    let bytes = fixture("progressive.jpg");
    let scan = bytes.windows(2).rposition(|two| two == [0xFF, 0xDA]).expect("there are scans");
    let (before, last) = bytes.split_at(scan);
    let (last, end) = last.split_at(last.len() - 2);
    let many = [before, &last.repeat(101), end].concat();
    let refusal = open(&many).expect_err("it has too many scans");
    assert!(matches!(
        refusal,
        DecodeError::TooLarge(Excess::Scans { scans: 102.., scans_max: 100 })
    ));
    let large = with_jpeg_size("progressive.jpg", 8_000, 6_000);
    let (before, last) = large.split_at(scan);
    let slow = [before, &last[..last.len() - 2].repeat(21), end].concat();
    let refusal = open(&slow).expect_err("it has too many scans for its size");
    assert!(
        matches!(refusal, DecodeError::TooLarge(Excess::Scans { scans_max: 20, .. })),
        "{refusal}"
    );
}

#[test]
fn a_gif_frame_may_not_lie_about_its_size() {
    let mut bytes = fixture("palette.gif");
    let header_bytes = 13;
    let palette_bytes = 3 << ((bytes[10] & 7) + 1);
    let frame = header_bytes
        + palette_bytes
        + bytes[header_bytes + palette_bytes..]
            .iter()
            .position(|byte| *byte == b',')
            .expect("there is a frame");
    bytes[frame + 5..frame + 9].fill(0xFF);
    let refusal = open(&bytes).expect_err("the frame is too large");
    assert!(
        matches!(refusal, DecodeError::TooLarge(Excess::Pixels { width: 65_535, .. })),
        "{refusal}"
    );
}

/// A TIFF of one strip, with the tags given as (tag, type, value).
fn tiff(tags: &[(u16, u16, u32)]) -> Vec<u8> {
    let entries: Vec<Entry> =
        tags.iter().map(|(tag, kind, value)| (*tag, *kind, 1, *value)).collect();
    crate::codec::tiff::tiff(&entries, &[])
}

#[test]
fn a_tiff_with_giant_strips_or_depths_is_refused() {
    let of = |width: u32, height: u32, rows: u32, strip_bytes: u32| {
        tiff(&[
            (256, 4, width),
            (257, 4, height),
            (258, 3, 8),
            (259, 3, 1),
            (262, 3, 1),
            (273, 4, 8),
            (277, 3, 1),
            (278, 4, rows),
            (279, 4, strip_bytes),
        ])
    };
    let giant = open(&of(65_500, 65_500, 65_500, u32::MAX)).expect_err("it is too large");
    assert!(matches!(giant, DecodeError::TooLarge(Excess::Pixels { .. })), "{giant}");
    for (rows, strip_bytes) in [(u32::MAX, u32::MAX), (100, u32::MAX), (0, 10), (100, 10)] {
        let lying = of(100, 100, rows, strip_bytes);
        assert!(open(&lying).is_err(), "strips of {rows} rows and {strip_bytes} bytes");
    }
}

#[test]
fn a_bitmap_that_claims_more_than_it_holds_is_refused() {
    let mut bytes = fixture("rgb.bmp");
    bytes[18..22].copy_from_slice(&6_000_u32.to_le_bytes());
    bytes[22..26].copy_from_slice(&6_000_u32.to_le_bytes());
    assert!(open(&bytes).is_err());
    bytes[18..26].fill(0xFF);
    assert!(open(&bytes).is_err());
    assert!(probe(&bytes, &Limits::default()).is_err());
}

#[test]
fn tiff_parts_that_overlap_are_refused() {
    // A thousand strips of one row that all name the same hundred bytes.
    let (rows, entries_end) = (1_000_u32, data_at(9));
    let mut bytes = tiff(&[
        (256, 4, 100),
        (257, 4, rows),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, entries_end),
        (277, 3, 1),
        (278, 4, 1),
        (279, 4, entries_end + 4 * rows),
    ]);
    for count_at in [8 + 2 + 5 * 12 + 4, 8 + 2 + 8 * 12 + 4] {
        bytes[count_at..count_at + 4].copy_from_slice(&rows.to_le_bytes());
    }
    (0..rows).for_each(|_| bytes.extend_from_slice(&8_u32.to_le_bytes()));
    (0..rows).for_each(|_| bytes.extend_from_slice(&100_u32.to_le_bytes()));
    let refusal = open(&bytes).expect_err("its parts overlap").to_string();
    assert!(refusal.contains("together longer than the file"), "{refusal}");
}

#[test]
fn tiff_tables_of_millions_of_values_are_refused_with_the_numbers() {
    let mut bytes = fixture("rgb.tif");
    let entry = bytes
        .windows(4)
        .position(|four| four == b"\x11\x01\x04\x00" || four == b"\x11\x01\x03\x00");
    let entry = entry.expect("there are strips");
    bytes[entry + 4..entry + 8].copy_from_slice(&3_000_000_u32.to_le_bytes());
    assert_eq!(
        open(&bytes).expect_err("it has too many").to_string(),
        "This kind of TIFF image is not supported: its tag 273 has 3000000 values; the limit is \
         262144. Save it as a standard PNG or JPEG."
    );
}

#[test]
fn a_tiff_whose_bits_run_backwards_is_refused_rather_than_misread() {
    let bytes = tiff(&[
        (256, 4, 8),
        (257, 4, 1),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 1),
        (266, 3, 2),
        (273, 4, 8),
        (277, 3, 1),
        (278, 4, 1),
        (279, 4, 8),
    ]);
    let refusal = open(&bytes).expect_err("it would be misread").to_string();
    assert!(refusal.contains("bits are stored lowest first"), "{refusal}");
}

#[test]
fn a_tiff_of_separate_colors_in_tiles_is_refused_with_what_it_is() {
    let bytes = tiff(&[
        (256, 4, 16),
        (257, 4, 16),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 1),
        (277, 3, 1),
        (284, 3, 2),
        (322, 3, 16),
        (323, 3, 16),
        (324, 4, 8),
        (325, 4, 16),
    ]);
    let refusal = open(&bytes).expect_err("it is of a rare kind").to_string();
    assert!(refusal.contains("stored separately, in tiles"), "{refusal}");
}
