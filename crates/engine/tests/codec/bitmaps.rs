//! Bitmaps that no common writer makes any more: built here byte by byte.

use crate::codec::support::open;
use retouch_engine::codec::{DecodeError, Format};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// A bitmap of a header of any length: (bits, compression), size, what follows the forty bytes
/// that all modern headers share, palette, pixels.
struct Bitmap<'a> {
    size: (i32, i32),
    depth: (u16, u32),
    more_header: &'a [u8],
    palette: &'a [u8],
    data: &'a [u8],
}

impl Bitmap<'_> {
    fn bytes(&self) -> Vec<u8> {
        let header_bytes = 40 + self.more_header.len();
        let start = 14 + header_bytes + self.palette.len();
        let mut bytes = b"BM\0\0\0\0\0\0\0\0".to_vec();
        bytes.extend((start as u32).to_le_bytes());
        bytes.extend((header_bytes as u32).to_le_bytes());
        bytes.extend(self.size.0.to_le_bytes());
        bytes.extend(self.size.1.to_le_bytes());
        bytes.extend([1, 0]);
        bytes.extend(self.depth.0.to_le_bytes());
        bytes.extend(self.depth.1.to_le_bytes());
        bytes.extend([0; 12]);
        bytes.extend((self.palette.len() as u32 / 4).to_le_bytes());
        bytes.extend([0; 4]);
        [&bytes, self.more_header, self.palette, self.data].concat()
    }

    fn pixels(&self) -> Vec<[u8; 4]> {
        let picture = open(&self.bytes()).expect("it is lawful");
        picture.pixels().as_chunks::<4>().0.to_vec()
    }
}

const RGB_PALETTE: [u8; 12] = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0];

fn long(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn sixteen_bits_spread_over_all_levels() {
    let data = [0x00, 0x7C, 0x1F, 0x00, 0xE0, 0x03, 0x00, 0x00];
    let plain =
        Bitmap { size: (4, 1), depth: (16, 0), more_header: &[], palette: &[], data: &data };
    assert_eq!(plain.pixels(), [RED, BLUE, GREEN, BLACK]);
    let masks = long(&[0xF800, 0x07E0, 0x001F]);
    let data = [0x00, 0xF8, 0xE0, 0x07];
    let masked =
        Bitmap { size: (2, 1), depth: (16, 3), more_header: &[], palette: &masks, data: &data };
    assert_eq!(masked.pixels(), [RED, GREEN]);
}

#[test]
fn an_alpha_mask_gives_transparency_and_a_spare_byte_does_not() {
    let masks = [long(&[0x00FF_0000, 0xFF00, 0xFF, 0xFF00_0000]), vec![0; 52]].concat();
    let data = [1, 2, 3, 128];
    let masked =
        Bitmap { size: (1, 1), depth: (32, 3), more_header: &masks, palette: &[], data: &data };
    assert_eq!(masked.pixels(), [[3, 2, 1, 128]]);
    let plain =
        Bitmap { size: (1, 1), depth: (32, 0), more_header: &[], palette: &[], data: &data };
    assert_eq!(plain.pixels(), [[3, 2, 1, 255]]);
}

#[test]
fn rows_from_the_top_are_told_by_a_negative_height() {
    let data = [0, 0, 255, 0, 0, 255, 0, 0];
    let upward =
        Bitmap { size: (1, 2), depth: (24, 0), more_header: &[], palette: &[], data: &data };
    assert_eq!(upward.pixels(), [GREEN, RED]);
    let downward = Bitmap { size: (1, -2), ..upward };
    assert_eq!(downward.pixels(), [RED, GREEN]);
}

#[test]
fn run_lengths_unfold() {
    // Three of 1, end of line, two literals, a jump, end.
    let data = [3, 1, 0, 0, 0, 3, 2, 1, 2, 0, 0, 1];
    let eight = Bitmap {
        size: (3, -2),
        depth: (8, 1),
        more_header: &[],
        palette: &RGB_PALETTE,
        data: &data,
    };
    assert_eq!(eight.pixels(), [GREEN, GREEN, GREEN, BLUE, GREEN, BLUE]);
    let data = [4, 0x12, 0, 0, 0, 2, 0, 1, 1, 0x10, 0, 1];
    let four = Bitmap { size: (4, -3), depth: (4, 2), data: &data, ..eight };
    let line = [GREEN, BLUE, GREEN, BLUE];
    assert_eq!(four.pixels()[..4], line);
    assert_eq!(four.pixels()[4..], [[RED; 4], [GREEN, RED, RED, RED]].concat());
}

#[test]
fn runs_that_lie_stay_inside() {
    let forever = [255, 1].repeat(10_000);
    for data in [&[255, 1, 0, 2, 255, 255, 0, 1][..], &[0, 255], &forever] {
        let bitmap =
            Bitmap { size: (3, 2), depth: (8, 1), more_header: &[], palette: &RGB_PALETTE, data };
        match open(&bitmap.bytes()) {
            Ok(picture) => assert_eq!(picture.size(), (3, 2)),
            Err(error) => assert_eq!(error, DecodeError::Truncated { format: Format::Bmp }),
        }
    }
}

#[test]
fn the_first_generation_of_headers_is_read() {
    let mut bytes = b"BM\0\0\0\0\0\0\0\0\x20\0\0\0\x0C\0\0\0\x02\0\x01\0\x01\0\x01\0".to_vec();
    bytes.extend([0, 0, 255, 255, 0, 0]);
    bytes.extend([0b0100_0000, 0, 0, 0]);
    let picture = open(&bytes).expect("it is lawful");
    assert_eq!((picture.pixel(0, 0), picture.pixel(1, 0)), (Some(RED), Some(BLUE)));
}

#[test]
fn an_index_outside_the_palette_is_black() {
    let outside = Bitmap {
        size: (2, 1),
        depth: (8, 0),
        more_header: &[],
        palette: &RGB_PALETTE,
        data: &[1, 200, 0, 0],
    };
    assert_eq!(outside.pixels(), [GREEN, BLACK]);
}

/// Some writers say that the pixels start inside the headers, and some leave out what pads the
/// last row; both were seen in one file.
#[test]
fn pixels_said_to_start_inside_the_headers_stand_behind_the_palette() {
    let data = &[0, 1, 2, 0, 2, 1, 0];
    let bitmap =
        Bitmap { size: (3, 2), depth: (8, 0), more_header: &[], palette: &RGB_PALETTE, data };
    let mut bytes = bitmap.bytes();
    for start in [0_u32, 14, 54] {
        bytes[10..14].copy_from_slice(&start.to_le_bytes());
        let picture = open(&bytes).expect("it is lawful");
        let pixels = picture.pixels().as_chunks::<4>().0;
        assert_eq!(pixels, [BLUE, GREEN, RED, RED, GREEN, BLUE], "said to start at {start}");
    }
    bytes.pop();
    assert_eq!(open(&bytes), Err(DecodeError::Truncated { format: Format::Bmp }));
}

#[test]
fn a_header_of_no_known_length_is_refused_rather_than_guessed_at() {
    let more_header = &[0; 26];
    let bitmap =
        Bitmap { size: (1, 1), depth: (8, 0), more_header, palette: &RGB_PALETTE, data: &[0; 4] };
    let refusal = open(&bitmap.bytes()).expect_err("66 bytes are none").to_string();
    assert!(refusal.contains("its header of 66 bytes is unknown"), "{refusal}");
}
