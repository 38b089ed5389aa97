//! Files that are read, made fit and written, within what their header announces.

use crate::{MEASURING, peak_bytes};
use retouch_engine::Picture;
use retouch_engine::codec::{
    Encoding, FileRules, FitRules, Format, Limits, decode, decode_any, encode_png,
    encode_png_bytes, encode_within, encode_within_bytes, fit, fit_bytes, probe, to_png,
    to_png_bytes,
};
use std::path::PathBuf;

fn fixtures() -> Vec<PathBuf> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "pictures"].iter().collect();
    let files = std::fs::read_dir(folder).expect("the fixtures are there");
    let paths = files.map(|file| file.expect("it can be listed").path());
    paths.filter(|path| path.extension().is_some_and(|kind| kind != "md")).collect()
}

#[test]
fn decoding_stays_within_what_the_header_announces() {
    let _alone = MEASURING.lock();
    for path in fixtures() {
        let bytes = std::fs::read(&path).expect("it can be read");
        let announced = probe(&bytes, &Limits::default()).expect("it is lawful").decode_bytes;
        let (_, peak) = peak_bytes(|| decode(&bytes, &Limits::default()));
        assert!(peak <= announced, "{}: {peak} bytes, {announced} announced", path.display());
    }
}

/// Large pictures of every format, so that what is taken for each pixel shows.
#[test]
fn large_pictures_stay_within_it_too() {
    let _alone = MEASURING.lock();
    for (name, bytes) in large() {
        let announced = probe(&bytes, &Limits::default()).expect(&name).decode_bytes;
        let (decoded, peak) = peak_bytes(|| decode(&bytes, &Limits::default()));
        decoded.expect(&name);
        let announced = announced - WORKING_BYTES + SMALL_BYTES;
        assert!(peak <= announced, "{name}: {peak} bytes, {announced} announced");
    }
}

/// With all their bits, and rounded to 8; as noise, which is the longest file.
#[test]
fn deep_pictures_stay_within_it_too() {
    const SIDE: u32 = 1_200;
    let _alone = MEASURING.lock();
    let mut state = 1_u64;
    let samples: Vec<u16> = (0..SIDE * SIDE * 4)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 48) as u16
        })
        .collect();
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().expect("it can be written");
    writer.write_image_data(&bytes).expect("it can be written");
    writer.finish().expect("it can be written");
    let mut tiff = std::io::Cursor::new(Vec::new());
    tiff::encoder::TiffEncoder::new(&mut tiff)
        .and_then(|mut file| {
            file.write_image::<tiff::encoder::colortype::RGBA16>(SIDE, SIDE, &samples)
        })
        .expect("it can be written");
    for (name, bytes) in [("png", file), ("tiff", tiff.into_inner())] {
        let limits = Limits::default();
        let announced = probe(&bytes, &limits).expect(name).decode_bytes;
        let announced = announced - WORKING_BYTES + SMALL_BYTES;
        let (_, all) = peak_bytes(|| decode_any(&bytes, &limits).expect(name));
        let (_, rounded) = peak_bytes(|| decode(&bytes, &limits).expect(name));
        assert!(all <= announced, "{name}: {all} bytes, {announced} announced");
        assert!(rounded <= announced, "{name}: {rounded} bytes, {announced} announced");
    }
}

#[test]
fn fitting_and_results_stay_within_what_is_announced() {
    let _alone = MEASURING.lock();
    let scaled = FitRules {
        formats: &[Format::Png, Format::Jpeg],
        bytes_max: 4 << 20,
        side_px_min: 1,
        side_px_max: 2_000,
        pixels_max: 50_000_000,
    };
    let whole = FitRules { side_px_max: 16_384, bytes_max: 20 << 20, ..scaled };
    for (name, bytes) in large() {
        let header = probe(&bytes, &Limits::default()).expect(&name);
        for rules in [scaled, whole] {
            let (_, peak) = peak_bytes(|| fit(&bytes, &Limits::default(), &rules).expect(&name));
            let announced = fit_bytes(&header, &rules);
            assert!(peak <= announced, "{name}: {peak} bytes, {announced} announced");
        }
        to_png_stays_within(&name, &bytes);
    }
}

/// What cannot be made shorter is the worst that the encoder meets; a BMP is written anew.
#[test]
fn writing_what_cannot_be_made_shorter_stays_within_it() {
    let _alone = MEASURING.lock();
    let mut bytes = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bytes.extend_from_slice(&2_000_i32.to_le_bytes());
    bytes.extend_from_slice(&2_000_i32.to_le_bytes());
    bytes.extend_from_slice(&[1, 0, 24, 0]);
    bytes.resize(54, 0);
    let mut state = 1_u64;
    bytes.extend((0..2_000 * 2_000 * 3).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    }));
    to_png_stays_within("noise", &bytes);
}

/// The picture in hand, as noise in every form: the file is never held twice.
#[test]
fn writing_takes_the_picture_the_file_and_little_more() {
    const SIZE: (u32, u32) = (3_000, 2_000);
    const PIXELS: u64 = SIZE.0 as u64 * SIZE.1 as u64;
    let _alone = MEASURING.lock();
    let threads_bytes = rayon::current_num_threads() as u64 * (2 << 20);
    for (form, file_bytes) in [(Form::Rgba, 4), (Form::Rgb, 3), (Form::GrayAlpha, 2)] {
        let picture = noise(SIZE, form);
        // Once for threads, which stay.
        let _ = encode_png(&picture).expect("it can be written");
        let (file, peak) = peak_bytes(|| encode_png(&picture).expect("it can be written"));
        let most = PIXELS * file_bytes * 101 / 100 + threads_bytes + (1 << 20);
        assert!(file.len() as u64 > PIXELS * file_bytes * 99 / 100, "it is noise");
        assert_eq!(file.capacity(), file.len());
        assert!(peak <= most, "{form:?}: {peak} bytes, not {most}");
        assert!(peak + PIXELS * 4 <= encode_png_bytes(SIZE), "{form:?}: {peak} bytes");
    }
    assert!(encode_png_bytes(SIZE) <= PIXELS * 81 / 10 + threads_bytes + (4 << 20));
}

/// What has to fit is encoded several times, and perhaps reduced.
#[test]
fn writing_a_file_of_a_limited_size_stays_within_it() {
    const SIZE: (u32, u32) = (1_500, 1_000);
    const BYTES_MAX: u64 = 100_000;
    const RULES: FileRules = FileRules { bytes_max: Some(BYTES_MAX), dpi: Some(300) };
    let _alone = MEASURING.lock();
    let given = u64::from(SIZE.0 * SIZE.1) * 4;
    for encoding in [Encoding::Png, Encoding::WebP, Encoding::jpeg(None)] {
        let picture = noise(SIZE, Form::Rgba);
        let write = || encode_within(&picture, encoding, RULES);
        // Once for threads, which stay.
        let _ = write().expect("it can be written");
        let (file, peak) = peak_bytes(|| write().expect("it can be written"));
        assert!(file.bytes.len() as u64 <= BYTES_MAX && file.reduced_to.is_some());
        let announced = encode_within_bytes(SIZE, encoding, RULES);
        assert!(peak + given <= announced, "{encoding:?}: {peak} bytes, {announced} announced");
    }
}

#[derive(Debug, Clone, Copy)]
enum Form {
    Rgba,
    Rgb,
    GrayAlpha,
}

fn noise((width, height): (u32, u32), form: Form) -> Picture {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 32).to_le_bytes()
    };
    let pixels = (0..width * height).flat_map(|_| match (form, next()) {
        (Form::Rgba, [a, b, c, d, ..]) => [a, b, c, d],
        (Form::Rgb, [a, b, c, ..]) => [a, b, c, 255],
        (Form::GrayAlpha, [a, .., d, _, _, _, _]) => [a, a, a, d],
    });
    Picture::from_rgba(width, height, pixels.collect()).expect("a lawful size")
}

fn to_png_stays_within(name: &str, bytes: &[u8]) {
    let header = probe(bytes, &Limits::default()).expect(name);
    let (_, peak) = peak_bytes(|| to_png(bytes, &Limits::default()).expect(name));
    let announced = to_png_bytes(&header);
    assert!(peak <= announced, "{name}: {peak} bytes, {announced} announced");
}

/// What the codec adds for tables, of which small pictures without profiles need little.
const WORKING_BYTES: u64 = 12 * 1024 * 1024;
const SMALL_BYTES: u64 = 4 * 1024 * 1024;

const SIDE_PX: u32 = 3_000;

fn large() -> Vec<(String, Vec<u8>)> {
    let pixels: Vec<u8> = (0..SIDE_PX * SIDE_PX)
        .flat_map(|at| [at as u8, (at >> 8) as u8, (at >> 4) as u8, 255])
        .collect();
    let rgb: Vec<u8> = pixels.as_chunks::<4>().0.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut webp = Vec::new();
    image_webp::WebPEncoder::new(&mut webp)
        .encode(&rgb, SIDE_PX, SIDE_PX, image_webp::ColorType::Rgb8)
        .expect("it can be written");
    let mut webp_alpha = Vec::new();
    image_webp::WebPEncoder::new(&mut webp_alpha)
        .encode(&pixels, SIDE_PX, SIDE_PX, image_webp::ColorType::Rgba8)
        .expect("it can be written");
    let mut tiff = std::io::Cursor::new(Vec::new());
    tiff::encoder::TiffEncoder::new(&mut tiff)
        .and_then(|mut file| {
            file.write_image::<tiff::encoder::colortype::RGB8>(
                SIDE_PX / 3,
                SIDE_PX / 3,
                &rgb[..(SIDE_PX * SIDE_PX / 3) as usize],
            )
        })
        .expect("it can be written");
    let picture = Picture::from_rgba(SIDE_PX, SIDE_PX, pixels).expect("lawful");
    let png = encode_png(&picture).expect("it can be written");
    let jpegs = fixtures().into_iter().filter(|path| path.to_string_lossy().contains("large_"));
    jpegs
        .map(|path| (path.display().to_string(), std::fs::read(&path).expect("it can be read")))
        .chain([("webp".into(), webp), ("webp_alpha".into(), webp_alpha)])
        .chain([("tiff".into(), tiff.into_inner()), ("png".into(), png)])
        .collect()
}
