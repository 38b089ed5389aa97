//! Files of very many parts, of parts that are far too large, and of parts that belong to another
//! format. Nobody publishes these; they are made here.

use crate::codec::riff::{number24, riff_chunk, riff_head};
use crate::codec::support::{fixture, open, png_chunk};
use flate2::Compression;
use retouch_engine::Picture;
use retouch_engine::codec::{DecodeError, ENCODED_BYTES_MAX};
use std::io::Write;

const MANY_FRAMES: usize = 100_000;
const MANY_CHUNKS: usize = 1_000_000;
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// The bytes of a PNG before its image data, and those data as one stream.
fn png_parts(name: &str) -> (Vec<u8>, Vec<u8>) {
    let bytes = fixture(name);
    let (mut head, mut data, mut at) = (SIGNATURE.to_vec(), Vec::new(), SIGNATURE.len());
    while at < bytes.len() {
        let length = u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        match &bytes[at + 4..at + 8] {
            b"IDAT" => data.extend_from_slice(&bytes[at + 8..at + 8 + length]),
            b"IEND" => {}
            _ => head.extend_from_slice(&bytes[at..at + 12 + length]),
        }
        at += 12 + length;
    }
    (head, data)
}

#[test]
fn a_png_in_a_million_chunks_is_the_same_picture() {
    let (head, data) = png_parts("rgb.png");
    let whole = open(&fixture("rgb.png")).unwrap();
    let single: Vec<u8> = data.iter().flat_map(|byte| png_chunk(b"IDAT", &[*byte])).collect();
    let empty = png_chunk(b"IDAT", &[]).repeat(MANY_CHUNKS);
    let end = png_chunk(b"IEND", &[]);
    assert!(open(&[head.as_slice(), &single, &end].concat()).unwrap() == whole);
    assert!(open(&[head.as_slice(), &empty, &single, &end].concat()).unwrap() == whole);
    let strange = png_chunk(b"teXt", &[]).repeat(MANY_CHUNKS);
    assert!(open(&[head.as_slice(), &strange, &single, &end].concat()).unwrap() == whole);
}

#[test]
fn of_a_png_of_many_frames_only_the_first_is_read() {
    let (head, data) = png_parts("rgb.png");
    let whole = open(&fixture("rgb.png")).unwrap();
    let control = |number: u32| {
        let place = [24, 16, 0, 0].map(u32::to_be_bytes).concat();
        png_chunk(b"fcTL", &[number.to_be_bytes().as_slice(), &place, &[0, 1, 0, 1, 0, 0]].concat())
    };
    let animation = png_chunk(b"acTL", &[(MANY_FRAMES as u32 + 1).to_be_bytes(), [0; 4]].concat());
    let mut bytes = [head, animation, control(0), png_chunk(b"IDAT", &data)].concat();
    for frame in 0..MANY_FRAMES as u32 {
        bytes.extend(control(2 * frame + 1));
        // Nothing that could be inflated: whoever looks at it is told so.
        let number = (2 * frame + 2).to_be_bytes();
        bytes.extend(png_chunk(b"fdAT", &[&number, b"not zlib".as_slice()].concat()));
    }
    bytes.extend(png_chunk(b"IEND", &[]));
    assert!(open(&bytes).unwrap() == whole);
}

#[test]
fn of_a_gif_of_many_frames_only_the_first_is_read() {
    let mut bytes = fixture("palette.gif");
    let whole = open(&bytes).unwrap();
    assert_eq!(bytes.pop(), Some(b';'), "the trailer");
    // One pixel each, whose data are of a code that cannot be.
    let frame = *b"\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\xFF\xFF\0";
    bytes.extend(frame.repeat(MANY_FRAMES));
    bytes.push(b';');
    assert!(open(&bytes).unwrap() == whole);
}

#[test]
fn of_a_webp_of_many_frames_only_the_first_is_read() {
    let mut still = Vec::new();
    image_webp::WebPEncoder::new(&mut still)
        .encode(&[1, 2, 3], 1, 1, image_webp::ColorType::Rgb8)
        .unwrap();
    let place = [[0; 3], [0; 3], number24(0), number24(0), number24(40)].concat();
    let frame = riff_chunk(b"ANMF", &[place.as_slice(), &[0], &still[12..]].concat());
    let canvas = [[0x02, 0, 0, 0].as_slice(), &number24(0), &number24(0)].concat();
    let animation = riff_chunk(b"ANIM", &[0; 6]);
    let chunks = [riff_chunk(b"VP8X", &canvas), animation, frame.repeat(MANY_FRAMES)].concat();
    let bytes = [riff_head(chunks.len(), b"WEBP"), chunks].concat();
    assert!(bytes.len() < ENCODED_BYTES_MAX);
    assert_eq!(open(&bytes).unwrap().pixel(0, 0), Some([1, 2, 3, 255]));
}

/// Whatever a profile says that is nearly as long as a file may be, it is not used: the pixels are as
/// stored.
#[test]
fn a_profile_of_many_megabytes_is_passed_over() {
    let profile: Vec<u8> =
        (0..15_u32 << 20).map(|at| (at.wrapping_mul(0x9E37_79B1) >> 24) as u8).collect();
    for (name, with_profile) in [
        ("rgb.png", png_with_profile(&profile)),
        ("baseline.jpg", jpeg_with_profile(&profile)),
        ("lossless.webp", webp_with_profile(&profile)),
    ] {
        assert!(with_profile.len() > 12 << 20 && with_profile.len() < ENCODED_BYTES_MAX, "{name}");
        assert!(open(&with_profile).expect(name) == open(&fixture(name)).unwrap(), "{name}");
    }
}

fn png_with_profile(profile: &[u8]) -> Vec<u8> {
    let (head, data) = png_parts("rgb.png");
    let mut content = flate2::write::ZlibEncoder::new(b"large\0\0".to_vec(), Compression::none());
    content.write_all(profile).expect("memory takes all");
    let profile = png_chunk(b"iCCP", &content.finish().expect("memory takes all"));
    [head, profile, png_chunk(b"IDAT", &data), png_chunk(b"IEND", &[])].concat()
}

fn jpeg_with_profile(profile: &[u8]) -> Vec<u8> {
    let (start, rest) = (vec![0xFF, 0xD8], fixture("baseline.jpg")[2..].to_vec());
    let parts: Vec<&[u8]> = profile.chunks(65_000).collect();
    let segments = parts.iter().enumerate().flat_map(|(index, part)| {
        let length = (part.len() as u16 + 16).to_be_bytes();
        let numbers = [index as u8 + 1, parts.len() as u8];
        [b"\xFF\xE2", length.as_slice(), b"ICC_PROFILE\0", &numbers, part].concat()
    });
    [start, segments.collect(), rest].concat()
}

fn webp_with_profile(profile: &[u8]) -> Vec<u8> {
    let still = fixture("lossless.webp");
    let canvas = [[0x20, 0, 0, 0].as_slice(), &number24(23), &number24(15)].concat();
    let chunks =
        [riff_chunk(b"VP8X", &canvas), riff_chunk(b"ICCP", profile), still[12..].to_vec()].concat();
    [riff_head(chunks.len(), b"WEBP"), chunks].concat()
}

fn jpeg_frame_at(bytes: &[u8]) -> usize {
    bytes.windows(2).position(|two| matches!(two, [0xFF, 0xC0])).expect("there is a frame")
}

#[test]
fn rare_kinds_of_jpeg_are_refused_with_what_they_are() {
    let bytes = fixture("baseline.jpg");
    let at = jpeg_frame_at(&bytes);
    let mut twelve_bits = bytes.clone();
    (twelve_bits[at + 1], twelve_bits[at + 4]) = (0xC1, 12);
    let mut arithmetic = bytes.clone();
    arithmetic[at + 1] = 0xC9;
    let mut without_loss = bytes;
    without_loss[at + 1] = 0xC3;
    for (kind, bytes) in
        [("12 bits", twelve_bits), ("arithmetic", arithmetic), ("lossless", without_loss)]
    {
        let refusal = open(&bytes).expect_err(kind);
        let wanted =
            matches!(refusal, DecodeError::Unsupported { .. } | DecodeError::Damaged { .. });
        assert!(wanted, "{kind}: {refusal}");
    }
}

/// A height of 0 promises a DNL segment behind the first scan, where any height could stand.
#[test]
fn a_jpeg_whose_height_comes_afterwards_is_refused() {
    let mut bytes = fixture("baseline.jpg");
    let at = jpeg_frame_at(&bytes);
    bytes[at + 5..at + 7].fill(0);
    for height in [16_u16, 0, u16::MAX] {
        let end = bytes.len() - 2;
        let mut number = bytes[..end].to_vec();
        number.extend_from_slice(&[0xFF, 0xDC, 0, 4]);
        number.extend_from_slice(&height.to_be_bytes());
        number.extend_from_slice(&[0xFF, 0xD9]);
        let refusal = open(&number).expect_err("its height is not known before its pixels");
        assert!(matches!(refusal, DecodeError::Damaged { .. }), "{refusal}");
    }
}

/// Whatever else a file is, here it is the picture that its first bytes say, or none.
#[test]
fn a_picture_that_is_something_else_too_is_only_a_picture() {
    let (head, data) = png_parts("rgb.png");
    let page = png_chunk(b"tEXt", b"comment\0<script>alert(1)</script>");
    let png = [head, page, png_chunk(b"IDAT", &data), png_chunk(b"IEND", &[])].concat();
    let gif = [fixture("palette.gif"), b"PK\x03\x04 a JAR".to_vec()].concat();
    let jpeg = fixture("baseline.jpg");
    let comment = b"\xFF\xFE\x00\x12*/alert(1);/* <!--".as_slice();
    let jpeg = [&jpeg[..2], &comment[..20], &jpeg[2..]].concat();
    for (name, bytes) in [("rgb.png", png), ("palette.gif", gif), ("baseline.jpg", jpeg)] {
        let shown = |bytes: &[u8]| -> Picture { open(bytes).expect(name) };
        assert!(shown(&bytes) == shown(&fixture(name)), "{name}");
    }
    let page = [b"<html>".to_vec(), fixture("rgb.png")].concat();
    assert!(matches!(open(&page), Err(DecodeError::UnknownFormat { .. })));
}
