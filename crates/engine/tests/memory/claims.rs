//! Small files that claim to be, or unfold to, far more than their header tells of.

use crate::tiff::{Entry, data_at, tiff};
use crate::{MEASURING, peak_bytes};
use retouch_engine::codec::{Limits, decode, probe};
use std::path::PathBuf;

const MIB: usize = 1 << 20;
/// What may be taken to look at a file, and what a decoder has for its tables.
const PROBING_BYTES: u64 = 48 << 20;
const WORKING_BYTES: u64 = 12 << 20;

fn fixture(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "pictures", name].iter().collect();
    std::fs::read(path).unwrap()
}

/// Looks at a file and decodes it, within what is announced; the words it is refused with.
fn refused(name: &str, bytes: &[u8]) -> Option<String> {
    let limits = Limits::default();
    let (header, probing) = peak_bytes(|| probe(bytes, &limits));
    assert!(probing <= PROBING_BYTES, "{name}: {probing} bytes to look at it");
    let (picture, decoding) = peak_bytes(|| decode(bytes, &limits));
    let announced = header.as_ref().map_or(WORKING_BYTES, |header| header.decode_bytes);
    let most = announced.max(probing);
    assert!(decoding <= most, "{name}: {decoding} bytes, {announced} announced");
    picture.err().map(|error| error.to_string())
}

/// One with tiles, of this size in pixels, for a picture of another.
fn tiled((width, height): (u32, u32), tile: (u32, u32), rest: &[Entry]) -> Vec<Entry> {
    let mut entries = vec![(256, 4, 1, width), (257, 4, 1, height)];
    entries.extend([(322, 4, 1, tile.0), (323, 4, 1, tile.1)]);
    entries.extend(rest);
    entries
}

/// What the decoder multiplies is looked at first: it would ask for a row of 2^50 bytes, for which no
/// process survives.
#[test]
fn rows_that_no_memory_has_are_refused() {
    let _alone = MEASURING.lock();
    for (tile, samples, bits) in [((u32::MAX, 1), 65_535, 32), ((u32::MAX, 1), 4, 32)] {
        let extra = samples - 3;
        let at = data_at(12);
        let rest = [
            (258, 3, 1, bits),
            (259, 3, 1, 1),
            (262, 3, 1, 2),
            (277, 3, 1, samples),
            (324, 4, 1, at),
            (325, 4, 1, 1),
            (338, 1, extra, if extra > 4 { at } else { 0 }),
            (339, 3, 1, 3),
        ];
        let file = tiff(&tiled((1, 1), tile, &rest), &vec![0; 65_536]);
        let words = refused("a row", &file).expect("it is refused");
        assert!(words.contains("memory") || words.contains("decompress to"), "{words}");
    }
}

#[test]
fn tiles_that_pad_a_picture_to_a_thousand_times_its_size_are_refused() {
    let _alone = MEASURING.lock();
    let count = 4_096;
    let at = data_at(10);
    let rest = [
        (258, 3, 1, 8),
        (259, 3, 1, 8),
        (262, 3, 1, 1),
        (277, 3, 1, 1),
        (324, 4, count, at),
        (325, 1, count, at + 4 * count),
    ];
    let file = tiff(&tiled((1, count), (1 << 28, 1), &rest), &vec![0; 5 * count as usize]);
    let words = refused("padding", &file).expect("it is refused");
    assert!(words.contains("decompress to"), "{words}");
}

/// Each strip is at the end of the same stream, behind a megabyte that says nothing.
#[test]
fn a_stream_that_all_strips_share_is_not_read_for_each() {
    let _alone = MEASURING.lock();
    let count = 2_048_u32;
    let mut stream = vec![0x78, 0x01];
    // Stored blocks of no bytes (RFC 1951, section 3.2.4).
    stream.extend([0, 0, 0, 0xFF, 0xFF].repeat(MIB / 5));
    stream.extend([1, 1, 0, 0xFE, 0xFF, 90]);
    let at = data_at(9);
    let entries = [
        (256, 4, 1, 1),
        (257, 4, 1, count),
        (258, 3, 1, 8),
        (259, 3, 1, 8),
        (262, 3, 1, 1),
        (273, 4, count, at),
        (277, 3, 1, 1),
        (278, 4, 1, 1),
        (279, 1, count, at + 4 * count),
    ];
    let mut data: Vec<u8> = (at + 5 * count).to_le_bytes().repeat(count as usize);
    data.extend(vec![1; count as usize]);
    data.extend(stream);
    let words = refused("a shared stream", &tiff(&entries, &data)).expect("it is refused");
    assert!(words.contains("too many strips or tiles share the same bytes"), "{words}");
}

#[test]
fn jpeg_parts_of_another_size_than_the_directory_says_are_refused() {
    let _alone = MEASURING.lock();
    let jpeg = fixture("large_baseline.jpg");
    let of = |tables: u32| {
        let count = 10;
        let at = data_at(count);
        let [start, length] = if tables > 0 { [at + tables, 4] } else { [at, jpeg.len() as u32] };
        vec![
            (256, 4, 1, 8),
            (257, 4, 1, 8),
            (258, 3, 1, 8),
            (259, 3, 1, 7),
            (262, 3, 1, 6),
            (273, 4, 1, start),
            (277, 3, 1, 3),
            (278, 4, 1, 8),
            (279, 4, 1, length),
            (347, 7, tables.max(1), at),
        ]
    };
    let mut without = of(0);
    without.pop();
    without[5].3 = data_at(9);
    let words = refused("a part", &tiff(&without, &jpeg)).expect("it is refused");
    assert!(words.contains("a JPEG part has 1600 x 1600"), "{words}");
    let small = fixture("baseline.jpg");
    let mut entries = of(jpeg.len() as u32);
    entries[8].3 = small.len() as u32;
    entries[0].3 = 24;
    entries[1].3 = 16;
    entries[7].3 = 16;
    let words = refused("tables", &tiff(&entries, &[jpeg, small].concat())).expect("it is refused");
    assert!(words.contains("its JPEG tables contain more than"), "{words}");
}

/// Looking at a file goes through its JPEG parts, so that those of thousands of tiles must not be one.
#[test]
fn jpeg_parts_that_overlap_are_refused_before_they_are_looked_at() {
    let _alone = MEASURING.lock();
    let jpeg = fixture("gray.jpg");
    let at = data_at(9);
    let entries = [
        (256, 4, 1, 24),
        (257, 4, 1, 32),
        (258, 3, 1, 8),
        (259, 3, 1, 7),
        (262, 3, 1, 1),
        (273, 4, 2, at),
        (277, 3, 1, 1),
        (278, 4, 1, 16),
        (279, 4, 2, at + 8),
    ];
    let [place, length] = [at + 16, jpeg.len() as u32].map(u32::to_le_bytes);
    let data = [&place[..], &place, &length, &length, &jpeg].concat();
    let refusal = probe(&tiff(&entries, &data), &Limits::default()).expect_err("they overlap");
    assert!(refusal.to_string().contains("together longer than the file"), "{refusal}");
}

#[test]
fn a_webp_frame_larger_than_its_canvas_is_refused() {
    let _alone = MEASURING.lock();
    let mut frame = vec![0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F];
    frame.resize(64 << 10, 0);
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        [kind.as_slice(), &(content.len() as u32).to_le_bytes(), content].concat()
    };
    let riff = |content: Vec<u8>| chunk(b"RIFF", &[b"WEBP".as_slice(), &content].concat());
    let still = [chunk(b"VP8X", &[0; 10]), chunk(b"VP8 ", &frame)].concat();
    let moving = [[0; 16].as_slice(), &chunk(b"VP8 ", &frame)].concat();
    let canvas = chunk(b"VP8X", &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let moving = [canvas, chunk(b"ANIM", &[0; 6]), chunk(b"ANMF", &moving)].concat();
    let hidden =
        [[0; 16].as_slice(), &chunk(b"ALPH", &[0]), &[0], &chunk(b"NONE", &frame)].concat();
    let hidden = [
        chunk(b"VP8X", &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        chunk(b"ANIM", &[0; 6]),
        chunk(b"ANMF", &hidden),
    ]
    .concat();
    for (name, content) in [("still", still), ("moving", moving), ("hidden", hidden)] {
        let words = refused(name, &riff(content)).expect("it is refused");
        assert!(words.contains("16383 x 16383 pixels on a canvas of 1 x 1"), "{name}: {words}");
    }
}

#[test]
fn millions_of_jpeg_segments_are_refused() {
    let _alone = MEASURING.lock();
    let jpeg = fixture("baseline.jpg");
    for segment in [b"\xFF\xC4\x00\x02".as_slice(), b"\xFF\xE2\x00\x10ICC_PROFILE\0\x01\x01"] {
        let many = segment.repeat(19 * MIB / segment.len());
        let file = [&jpeg[..2], &many, &jpeg[2..]].concat();
        let words = refused("segments", &file).expect("it is refused");
        assert!(words.contains("more than 10000 segments"), "{words}");
    }
}

/// A hundred kilobytes of tables would be read before each of thousands of tiles.
#[test]
fn jpeg_tables_that_are_read_too_often_are_refused() {
    let _alone = MEASURING.lock();
    let small = fixture("gray.jpg");
    let tables =
        [&[0xFF, 0xD8][..], &[0xFF, 0xFE, 0x00, 0x02].repeat(25_000), &[0xFF, 0xD9]].concat();
    let count = 4_096;
    let at = data_at(11);
    let parts = at + tables.len() as u32;
    let rest = [
        (258, 3, 1, 8),
        (259, 3, 1, 7),
        (262, 3, 1, 1),
        (277, 3, 1, 1),
        (324, 4, count, parts),
        (325, 3, count, parts + 4 * count),
        (347, 7, tables.len() as u32, at),
    ];
    let place = parts + 6 * count;
    let length = small.len() as u16;
    let places = (0..count).flat_map(|part| (place + part * u32::from(length)).to_le_bytes());
    let mut data: Vec<u8> = tables.into_iter().chain(places).collect();
    data.extend(length.to_le_bytes().repeat(count as usize));
    data.extend(small.repeat(count as usize));
    let file = tiff(&tiled((24 * 64, 16 * 64), (24, 16), &rest), &data);
    let words = refused("tables", &file).expect("it is refused");
    assert!(words.contains("100004 bytes apply to 4096 parts"), "{words}");
}

/// They are read, and their metadata is announced.
#[test]
fn long_metadata_is_announced() {
    let _alone = MEASURING.lock();
    let png = fixture("rgb16.png");
    let exif = vec![0; 19 * MIB];
    let mut sum = crc32fast::Hasher::new();
    sum.update(b"eXIf");
    sum.update(&exif);
    let header = png.split_at(33);
    // One of a byte before it, which is not the longest.
    let short = [b"\0\0\0\x01".as_slice(), b"eXIf\0", &crc32fast::hash(b"eXIf\0").to_be_bytes()];
    let chunk = [&(exif.len() as u32).to_be_bytes(), b"eXIf".as_slice(), &exif];
    let chunk = [chunk.concat(), sum.finalize().to_be_bytes().to_vec()].concat();
    assert_eq!(refused("png", &[header.0, &short.concat(), &chunk, header.1].concat()), None);
    let gif = fixture("palette.gif");
    let head = 13 + (3 << ((gif[10] & 7) + 1));
    let block = [&[255][..], &[b'x'; 255]].concat();
    let blocks = block.repeat(19 * MIB / block.len());
    let extension = [b"\x21\xFF\x0BICCRGBG1012".as_slice(), &blocks, &[0]].concat();
    let file = [&gif[..head], &extension, &gif[head..]].concat();
    assert_eq!(refused("gif", &file), None);
    let webp = fixture("lossy.webp");
    let lossy = webp.windows(4).position(|four| four == b"VP8 ").unwrap();
    let length = u32::from_le_bytes(*webp[lossy + 4..].first_chunk().unwrap());
    let mut file = webp[..lossy + 8 + length as usize].to_vec();
    file.resize(lossy + 8 + 19 * MIB, 0);
    file[lossy + 4..lossy + 8].copy_from_slice(&(19 * MIB as u32).to_le_bytes());
    let whole = (file.len() - 8) as u32;
    file[4..8].copy_from_slice(&whole.to_le_bytes());
    assert_eq!(refused("webp", &file), None);
}
