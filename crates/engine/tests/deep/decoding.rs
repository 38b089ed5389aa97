//! What files give: their own depth, and the same picture in 8 bits where that is asked for.

use crate::deep::support::{Exact, decoded, encoded, exposed, follows, opaque, png, ramp};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use moxcms::ColorProfile;
use png::ColorType;
use retouch_engine::codec::{Limits, decode, decode_any, probe};
use retouch_engine::{AnyPicture, Context, Depth, Picture, execute_any};
use retouch_language::read;
use std::io::Write;

const SIZE: (usize, usize) = (128, 96);

fn deep() -> Vec<u8> {
    png(SIZE.0, &ramp(SIZE, u16::MAX, opaque), ColorType::Rgba)
}

#[test]
fn a_file_is_as_deep_as_its_header_says() {
    let limits = Limits::default();
    assert_eq!(probe(&deep(), &limits).unwrap().depth, Depth::Sixteen);
    let any = decode_any(&deep(), &limits).unwrap();
    let AnyPicture::Sixteen(picture) = &any else { panic!("{any:?}") };
    assert_eq!(picture.pixels(), ramp(SIZE, u16::MAX, opaque));
    assert_eq!(any.clone().narrowed(), decode(&deep(), &limits).unwrap());
    let flat = Picture::from_rgba(2, 1, vec![1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let file = retouch_engine::codec::encode_png(&flat).unwrap();
    assert_eq!(probe(&file, &limits).unwrap().depth, Depth::Eight);
    assert_eq!(decode_any(&file, &limits).unwrap(), AnyPicture::Eight(flat));
}

#[test]
fn turned_files_are_as_deep() {
    let samples = ramp(SIZE, u16::MAX, opaque);
    // Upside down: little-endian TIFF, one entry, orientation 3.
    let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0\0\0\0\0";
    let file = with_info(&samples, |info| info.exif_metadata = Some(exif.to_vec().into()));
    let AnyPicture::Sixteen(picture) = decode_any(&file, &Limits::default()).unwrap() else {
        panic!("it is deep")
    };
    let turned: Vec<[u16; 4]> = samples.as_chunks::<4>().0.iter().rev().copied().collect();
    assert_eq!(picture.pixels().as_chunks::<4>().0, turned);
}

/// A PNG of 16 bits a sample with more in its header.
fn with_info(samples: &[u16], more: impl FnOnce(&mut png::Info<'static>)) -> Vec<u8> {
    let mut file = Vec::new();
    let mut info = png::Info::with_size(SIZE.0 as u32, SIZE.1 as u32);
    info.color_type = ColorType::Rgba;
    info.bit_depth = png::BitDepth::Sixteen;
    more(&mut info);
    let mut writer = png::Encoder::with_info(&mut file, info).unwrap().write_header().unwrap();
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
    writer.write_image_data(&bytes).unwrap();
    writer.finish().unwrap();
    file
}

/// First column and row of Adam7's passes, and how far apart their columns and rows are.
const PASSES: [(usize, usize, usize, usize); 7] = [
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
];

#[test]
fn interlaced_files_are_as_deep() {
    let samples = ramp(SIZE, u16::MAX, opaque);
    let mut data = ZlibEncoder::new(Vec::new(), Compression::fast());
    for (left, top, across, down) in PASSES {
        for y in (top..SIZE.1).step_by(down) {
            data.write_all(&[0]).unwrap();
            for x in (left..SIZE.0).step_by(across) {
                let at = (y * SIZE.0 + x) * 4;
                for sample in &samples[at..at + 4] {
                    data.write_all(&sample.to_be_bytes()).unwrap();
                }
            }
        }
    }
    let mut head = Vec::new();
    head.extend((SIZE.0 as u32).to_be_bytes());
    head.extend((SIZE.1 as u32).to_be_bytes());
    head.extend([16, 6, 0, 0, 1]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, b"IHDR", &head);
    chunk(&mut file, b"IDAT", &data.finish().unwrap());
    chunk(&mut file, b"IEND", &[]);
    let AnyPicture::Sixteen(picture) = decode_any(&file, &Limits::default()).unwrap() else {
        panic!("it is deep")
    };
    assert_eq!(picture.pixels(), samples);
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(content);
    let sum = crc32fast::hash(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// Display P3 to sRGB, both in linear light (from the primaries of SMPTE EG 432-1 and BT.709).
const P3_TO_SRGB: [[f64; 3]; 3] = [
    [1.224_940_1, -0.224_940_4, 0.0],
    [-0.042_056_9, 1.042_057_1, 0.0],
    [-0.019_637_6, -0.078_636_1, 1.098_273_5],
];

#[test]
fn profiles_are_applied_to_all_bits() {
    let samples: Vec<u16> = (0..SIZE.0 * SIZE.1)
        .flat_map(|at| [at / 3 + 500, at / 4 + 600, at / 5 + 700, 65_535].map(|value| value as u16))
        .collect();
    let profile = ColorProfile::new_display_p3().encode().unwrap();
    let file = with_info(&samples, |info| info.icc_profile = Some(profile.into()));
    let mut exact = Exact::of(SIZE.0, &samples);
    for [red, green, blue, _] in &mut exact.pixels {
        let light = [*red, *green, *blue].map(decoded);
        let mixed = |row: [f64; 3]| row.iter().zip(light).map(|(part, light)| part * light).sum();
        [*red, *green, *blue] =
            P3_TO_SRGB.map(mixed).map(|light: f64| encoded(light.clamp(0.0, 1.0)));
    }
    follows("increase the exposure by 2 stops", &file, &exact.each(exposed(2.0)));
}

#[test]
fn pictures_of_both_depths_work_together() {
    let context = Context { inputs: 2, ..Context::default() };
    let plan = read("put them side by side", &context).unwrap();
    let deep = decode_any(&deep(), &Limits::default()).unwrap();
    let flat = deep.clone().narrowed();
    let mixed = execute_any(&plan, vec![flat.clone().into(), deep]).unwrap().picture;
    let same = execute_any(&plan, vec![flat.clone().into(), flat.into()]).unwrap().picture;
    assert_eq!(mixed, same);
}
