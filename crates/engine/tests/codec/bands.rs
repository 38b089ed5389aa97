//! PNGs that are long enough to be read in bands by two threads: the pixels are those that were
//! written, and whatever is wrong with a file is judged as by reading it row by row.

use crate::codec::support::{open, png_chunk};
use png::{ColorType, Filter, Transformations};
use proptest::prelude::*;
use retouch_engine::codec::{Limits, to_png};
use std::io::Cursor;

const SIZE: (u32, u32) = (600, 500);
/// Far from a power of two, so that chunks end in the middle of everything.
const PIECE_BYTES: usize = 10_007;

/// Samples with smooth parts, sharp edges and repetitions.
fn samples(color: ColorType) -> Vec<u8> {
    let (width, height) = SIZE;
    let channels = color.samples() as u32;
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let sample = |x: u32, y: u32, channel: u32| match (x / 40 + y / 50) % 3 {
        0 => (x + 2 * y + 40 * channel) as u8,
        1 => (x * y * 7 + channel * 91).wrapping_mul(2_654_435_761).to_be_bytes()[0],
        _ => (x / 5 * 50 + channel) as u8,
    };
    places.flat_map(|(x, y)| (0..channels).map(move |channel| sample(x, y, channel))).collect()
}

fn written(color: ColorType, filter: Filter) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE.0, SIZE.1);
    encoder.set_color(color);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(filter);
    let mut writer = encoder.write_header().expect("it is written to memory");
    writer.write_image_data(&samples(color)).expect("it is written to memory");
    writer.finish().expect("it is written to memory");
    bytes
}

/// The same file with its data in many chunks, some of them empty.
fn in_pieces(bytes: &[u8]) -> Vec<u8> {
    let (head, mut rest) = bytes.split_at(8 + 25);
    let (mut data, mut made) = (Vec::new(), head.to_vec());
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (chunk, after) = after.split_at(u32::from_be_bytes(*length) as usize + 4);
        if chunk.starts_with(b"IDAT") {
            data.extend_from_slice(&chunk[4..]);
        }
        rest = &after[4..];
    }
    for piece in data.chunks(PIECE_BYTES) {
        made.extend(png_chunk(b"IDAT", piece));
        made.extend(png_chunk(b"IDAT", &[]));
    }
    made.extend(png_chunk(b"IEND", &[]));
    made
}

fn as_rgba(color: ColorType, samples: &[u8]) -> Vec<u8> {
    let pixel = |stored: &[u8]| match *stored {
        [gray] => [gray, gray, gray, 255],
        [gray, alpha] => [gray, gray, gray, alpha],
        [red, green, blue] => [red, green, blue, 255],
        [red, green, blue, alpha] => [red, green, blue, alpha],
        _ => panic!("a pixel has one to four samples"),
    };
    samples.chunks(color.samples()).flat_map(pixel).collect()
}

/// What the decoder that reads rows one by one makes of it.
fn by_rows(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut samples = Vec::new();
    while let Some(row) = reader.next_row().ok()? {
        samples.extend_from_slice(row.data());
    }
    Some(as_rgba(reader.output_color_type().0, &samples))
}

/// Checks that a file has the pixels that it has row by row, or none, and that only a file with
/// pixels can be a provider's result.
fn check_as_by_rows(bytes: &[u8]) {
    let expected = by_rows(bytes);
    assert!(to_png(bytes, &Limits::default()).is_err() || expected.is_some());
    let judged = open(bytes).ok().map(|picture| picture.pixels().to_vec());
    assert!(judged == expected);
}

#[test]
fn every_filter_of_every_usual_kind_gives_the_pixels_that_were_written() {
    use ColorType::{Grayscale, GrayscaleAlpha, Rgb, Rgba};
    let filters =
        [Filter::NoFilter, Filter::Sub, Filter::Up, Filter::Avg, Filter::Paeth, Filter::Adaptive];
    for color in [Grayscale, GrayscaleAlpha, Rgb, Rgba] {
        let expected = as_rgba(color, &samples(color));
        for filter in filters {
            let bytes = written(color, filter);
            for bytes in [&bytes, &in_pieces(&bytes)] {
                let picture = open(bytes).unwrap();
                assert!(picture.pixels() == expected, "{color:?} {filter:?}");
                assert_eq!(to_png(bytes, &Limits::default()).unwrap().bytes, None);
            }
        }
    }
}

#[test]
fn an_end_that_is_wrong_is_judged_as_by_rows() {
    let bytes = in_pieces(&written(ColorType::Rgb, Filter::Adaptive));
    let without_end = &bytes[..bytes.len() - 12];
    let cut = &bytes[..bytes.len() - 3000];
    let more = [without_end, &png_chunk(b"IDAT", &[7; 40]), &png_chunk(b"IEND", &[])].concat();
    let between = [&bytes[..33], &png_chunk(b"PLTE", &[1, 2, 3]), &bytes[33..]].concat();
    for bytes in [without_end, cut, &more, &between] {
        check_as_by_rows(bytes);
    }
}

#[test]
fn a_filter_that_does_not_exist_is_found_in_any_row() {
    let (width, height) = (SIZE.0 as usize, SIZE.1 as usize);
    let written = written(ColorType::Grayscale, Filter::NoFilter);
    for wrong in [0, 1, height / 2, height - 1] {
        let mut rows = vec![0; (width + 1) * height];
        for (filter, is_damaged) in [(4, false), (5, true)] {
            rows[wrong * (width + 1)] = filter;
            let data = png_chunk(b"IDAT", &fdeflate::compress_to_vec(&rows));
            let bytes = [&written[..33], &data, &png_chunk(b"IEND", &[])].concat();
            check_as_by_rows(&bytes);
            assert_eq!(to_png(&bytes, &Limits::default()).is_err(), is_damaged, "row {wrong}");
        }
    }
}

/// The data goes on in the middle of a repetition of what is in the image.
#[test]
fn rows_below_the_image_are_judged_as_by_rows() {
    let mut bytes = in_pieces(&written(ColorType::Rgba, Filter::NoFilter));
    for height in SIZE.1 - 40..SIZE.1 {
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        mend(&mut bytes);
        check_as_by_rows(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// One byte is another, anywhere in the file; its chunk's check sum is mended, or not.
    #[test]
    fn what_is_damaged_is_judged_as_by_rows(
        place in any::<prop::sample::Index>(),
        change in 1_u8..,
        is_mended in any::<bool>(),
    ) {
        let mut bytes = in_pieces(&written(ColorType::Rgba, Filter::Adaptive));
        let place = place.index(bytes.len());
        bytes[place] ^= change;
        if is_mended {
            mend(&mut bytes);
        }
        check_as_by_rows(&bytes);
    }
}

/// Makes the check sums of all chunks right.
fn mend(bytes: &mut [u8]) {
    let mut start = 8;
    while let Some(length) = bytes.get(start..).and_then(<[u8]>::first_chunk::<4>) {
        let end = (start + 8).saturating_add(u32::from_be_bytes(*length) as usize);
        let Some(summed) = bytes.get(start + 4..end) else { return };
        let sum = crc32fast::hash(summed).to_be_bytes();
        let Some(place) = bytes.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&sum);
        start = end + 4;
    }
}
