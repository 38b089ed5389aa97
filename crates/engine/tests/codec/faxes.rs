//! Pages of group 4 fax, written by another coder.

use crate::codec::support::{open, painted};
use crate::codec::tiff::{Entry, data_at, tiff};
use fax::encoder::Encoder;
use fax::{Color, VecWriter};
use proptest::prelude::*;
use retouch_engine::Picture;
use retouch_engine::codec::DecodeError;
use std::time::{Duration, Instant};

/// Rows of pixels, of which black is true.
type Page = Vec<Vec<bool>>;

fn encoded(rows: &[Vec<bool>]) -> Vec<u8> {
    let mut encoder = Encoder::new(VecWriter::new());
    for row in rows {
        let colors = row.iter().map(|black| if *black { Color::Black } else { Color::White });
        encoder.encode_line(colors, row.len() as u16).unwrap();
    }
    encoder.finish().unwrap().finish()
}

/// A TIFF of group 4 data of one strip, white as 0, with more entries.
fn page((width, height): (u32, u32), data: &[u8], more: &[Entry]) -> Vec<u8> {
    let count = 9 + more.len() as u32;
    let usual = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, 1),
        (259, 3, 1, 4),
        (262, 3, 1, 0),
        (273, 4, 1, data_at(count)),
        (277, 3, 1, 1),
        (278, 4, 1, height),
        (279, 4, 1, data.len() as u32),
    ];
    tiff(&[usual.as_slice(), more].concat(), data)
}

fn shown(rows: &[Vec<bool>]) -> Picture {
    let level = |black: &bool| if *black { [0, 0, 0, 255] } else { [255; 4] };
    let pixels = rows.iter().flatten().flat_map(level).collect();
    Picture::from_rgba(rows[0].len() as u32, rows.len() as u32, pixels).expect("a lawful size")
}

/// Rows of runs, each but the first a little different from the one above.
fn pages() -> impl Strategy<Value = Page> {
    let row = proptest::collection::vec(0_usize..90, 1..40);
    (1_usize..400, proptest::collection::vec((row, any::<bool>()), 1..12)).prop_map(
        |(width, rows)| {
            let mut page: Page = Vec::new();
            for (runs, is_shifted) in rows {
                let mut row: Vec<bool> = match page.last().filter(|_| is_shifted) {
                    Some(above) => above.clone(),
                    None => {
                        let colors = [false, true].into_iter().cycle();
                        runs.iter().zip(colors).flat_map(|(run, black)| vec![black; *run]).collect()
                    }
                };
                row.resize(width, false);
                if is_shifted {
                    row.rotate_right(runs[0] % 4 % width);
                }
                page.push(row);
            }
            page
        },
    )
}

proptest! {
    #[test]
    fn fax_pages_are_what_was_encoded(page_rows in pages()) {
        let size = (page_rows[0].len() as u32, page_rows.len() as u32);
        let data = encoded(&page_rows);
        prop_assert!(open(&page(size, &data, &[])).unwrap() == shown(&page_rows));
        let reversed: Vec<u8> = data.iter().map(|byte| byte.reverse_bits()).collect();
        prop_assert!(open(&page(size, &reversed, &[(266, 3, 1, 2)])).unwrap() == shown(&page_rows));
    }

    #[test]
    fn changed_fax_pages_are_read_or_refused(
        page_rows in pages(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let size = (page_rows[0].len() as u32, page_rows.len() as u32);
        let mut data = encoded(&page_rows);
        for (place, byte) in changes {
            *place.get_mut(&mut data) = byte;
        }
        if let Ok(picture) = open(&page(size, &data, &[])) {
            prop_assert_eq!(picture.size(), size);
        }
    }
}

/// A page of halftones, as dense as scanners of 600 dpi make them: 4 MP give much more than the 100 KB
/// that used to be read.
#[test]
fn a_dense_scan_is_read() {
    const SIDE: usize = 2_048;
    let dot = |x: usize, y: usize| {
        let (across, down) = (x % 8, y % 8);
        let radius = (x / 64 + y / 64) % 5;
        across.abs_diff(4) + down.abs_diff(4) <= radius
    };
    let rows: Page = (0..SIDE).map(|y| (0..SIDE).map(|x| dot(x, y)).collect()).collect();
    let data = encoded(&rows);
    assert!(data.len() > 100 * 1024, "{} bytes", data.len());
    let side = SIDE as u32;
    assert!(open(&page((side, side), &data, &[])).unwrap() == shown(&rows));
}

/// Every pixel of a row is a change, and each row repeats the one above: the decoder used before
/// went through a row anew for each of its codes.
#[test]
fn fax_data_of_a_megabyte_made_to_be_slow_takes_a_moment() {
    const WIDTH: usize = 16_384;
    const ROWS: usize = 480;
    let row: Vec<bool> = (0..WIDTH).map(|x| x % 2 == 1).collect();
    let data = encoded(&vec![row; ROWS]);
    assert!(data.len() > 900_000, "{} bytes", data.len());
    let bytes = page((WIDTH as u32, ROWS as u32), &data, &[]);
    let start = Instant::now();
    let picture = open(&bytes).unwrap();
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(picture.pixel(WIDTH as u32 - 1, ROWS as u32 - 2), Some([0, 0, 0, 255]));
}

/// Tiles of 16 by 16, the last of which lie partly outside.
#[test]
fn fax_tiles_are_put_together() {
    let dark = |x: u32, y: u32| (x / 3 + y / 2).is_multiple_of(2);
    let picture = painted(|x, y| if dark(x, y) { [0, 0, 0, 255] } else { [255; 4] });
    let tiles = [0, 16].map(|left| {
        let row = |y: u32| (left..left + 16).map(|x| dark(x, y)).collect();
        encoded(&(0..16).map(row).collect::<Page>())
    });
    let count = 10;
    let (tables, data) = (data_at(count), data_at(count) + 16);
    let [first, second] = tiles.each_ref().map(|tile| tile.len() as u32);
    let numbers = [data, data + first, first, second].map(u32::to_le_bytes).concat();
    let bytes = tiff(
        &[
            (256, 4, 1, 24),
            (257, 4, 1, 16),
            (258, 3, 1, 1),
            (259, 3, 1, 4),
            (262, 3, 1, 0),
            (277, 3, 1, 1),
            (322, 3, 1, 16),
            (323, 3, 1, 16),
            (324, 4, 2, tables),
            (325, 4, 2, tables + 8),
        ],
        &[numbers, tiles.concat()].concat(),
    );
    assert!(open(&bytes).unwrap() == picture);
}

#[test]
fn fax_data_that_ends_early_or_is_of_many_bits_is_refused() {
    let rows: Page = (0..40).map(|y| (0..300).map(|x| (x * y) % 7 < 2).collect()).collect();
    let data = encoded(&rows);
    let cut = open(&page((300, 40), &data[..data.len() / 2], &[])).unwrap_err();
    assert!(matches!(cut, DecodeError::Damaged { .. }), "{cut}");
    let mut deep = page((300, 40), &data, &[]);
    let bits = deep.windows(4).position(|four| four == b"\x02\x01\x03\0").unwrap();
    deep[bits + 8] = 8;
    assert!(open(&deep).is_err());
    // The mark of the end alone: a white page.
    let white = open(&page((8, 2), &[0x00, 0x10, 0x01], &[])).unwrap();
    assert_eq!(white.pixel(7, 1), Some([255; 4]));
}
