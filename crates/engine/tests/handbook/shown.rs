//! The image of an example: edited, scaled down or cropped to a detail, and encoded as JPEG.

use crate::handbook::chapters::{Entry, Input, View};
use retouch_engine::codec::{self, Limits};
use retouch_engine::{Context, Picture, Plan, execute};
use retouch_language::read;
use std::path::PathBuf;

/// Largest width and height of the images in the handbook.
const SHOWN_PX: (u32, u32) = (240, 240);
/// Width and height of a detail at actual size.
const DETAIL_PX: (u32, u32) = (240, 160);
/// JPEG quality: good for photos, with small files.
const QUALITY: u8 = 76;
/// The grays and the square size of the checkerboard behind transparent areas.
const BOARD: ([u8; 2], u32) = ([255, 214], 8);

/// The `docs` folder.
pub(crate) fn documents() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs")
}

/// The images that an example is applied to.
pub(crate) fn inputs(entry: &Entry) -> Vec<Picture> {
    let made = |input: &Input| match input {
        Input::Photograph => photograph(),
        Input::After(words) => edited(words, vec![photograph()]),
        Input::Made(words) => edited(words, Vec::new()),
    };
    entry.inputs.iter().map(made).collect()
}

/// The plan of an instruction for a number of images.
pub(crate) fn plan(words: &str, inputs: usize) -> Plan {
    let context = Context { inputs, ..Context::default() };
    read(words, &context).unwrap_or_else(|refusal| panic!("{words}: {refusal}"))
}

/// The result of an example.
pub(crate) fn result(entry: &Entry) -> Picture {
    edited(entry.shown, inputs(entry))
}

/// The part of the result that the handbook shows.
pub(crate) fn shown(entry: &Entry) -> Picture {
    let result = result(entry);
    let (width, height) = SHOWN_PX;
    let view = match entry.view {
        View::Detail(x, y) => {
            format!("crop to a {}x{} box at {x},{y}", DETAIL_PX.0, DETAIL_PX.1)
        }
        View::Whole => format!("make it no larger than {width}x{height}"),
    };
    boarded(&edited(&view, vec![result]))
}

/// The unedited sample photo, for comparison.
pub(crate) fn original() -> Picture {
    let (width, height) = SHOWN_PX;
    edited(&format!("make it no larger than {width}x{height}"), vec![photograph()])
}

pub(crate) fn edited(words: &str, pictures: Vec<Picture>) -> Picture {
    let plan = plan(words, pictures.len());
    execute(&plan, pictures).unwrap_or_else(|error| panic!("{words}: {error}")).picture
}

/// Encodes an image as JPEG.
pub(crate) fn jpeg(picture: &Picture) -> Vec<u8> {
    let side = |side: u32| u16::try_from(side).unwrap();
    let (width, height) = (side(picture.width()), side(picture.height()));
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, QUALITY);
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_2_2);
    encoder.set_optimized_huffman_tables(true);
    encoder.encode(picture.pixels(), width, height, jpeg_encoder::ColorType::Rgba).unwrap();
    bytes
}

pub(crate) fn decoded(bytes: &[u8]) -> Picture {
    codec::decode(bytes, &Limits::default()).unwrap()
}

fn photograph() -> Picture {
    let path = documents().join("../samples/coffee.jpg");
    decoded(&std::fs::read(path).unwrap())
}

/// Puts a checkerboard behind an image to make transparent areas visible.
fn boarded(picture: &Picture) -> Picture {
    let (grays, square_px) = BOARD;
    let mut boarded = picture.clone();
    let width = picture.width();
    for (at, pixel) in (0_u32..).zip(boarded.pixels_mut().as_chunks_mut::<4>().0) {
        let (x, y) = (at % width, at / width);
        let gray = u32::from(grays[((x / square_px + y / square_px) % 2) as usize]);
        let alpha = u32::from(pixel[3]);
        for channel in &mut pixel[..3] {
            *channel =
                u8::try_from((u32::from(*channel) * alpha + gray * (255 - alpha) + 127) / 255)
                    .unwrap();
        }
        pixel[3] = 255;
    }
    boarded
}
