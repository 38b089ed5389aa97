//! Deep files, and how results are judged against double precision.

use crate::tones::reference::rolled_off;
use retouch_engine::codec::{Limits, decode, decode_any};
use retouch_engine::{AnyPicture, Context, Picture, execute_any};
use retouch_language::read;
use std::io::Cursor;
use tiff::encoder::{TiffEncoder, colortype};

/// A pixel whose channels go from 0 to 1.
pub(crate) type Pixel = [f64; 4];

/// A picture in double precision.
#[derive(Clone)]
pub(crate) struct Exact {
    pub(crate) width: usize,
    pub(crate) pixels: Vec<Pixel>,
}

impl Exact {
    /// From its samples of 16 bits.
    pub(crate) fn of(width: usize, samples: &[u16]) -> Self {
        let pixel = |pixel: &[u16; 4]| pixel.map(|sample| f64::from(sample) / 65_535.0);
        Self { width, pixels: samples.as_chunks().0.iter().map(pixel).collect() }
    }

    pub(crate) fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Every color changed, alpha kept.
    pub(crate) fn each(mut self, change: impl Fn(f64) -> f64) -> Self {
        for [color @ .., _] in &mut self.pixels {
            *color = color.map(|value| change(value).clamp(0.0, 1.0));
        }
        self
    }

    /// The most that a picture of 8 bits is away from it, in levels; colors of what is clear do
    /// not count.
    pub(crate) fn levels_apart(&self, picture: &Picture) -> f64 {
        assert_eq!(picture.size(), (self.width as u32, self.height() as u32));
        let pairs = self.pixels.iter().zip(picture.pixels().as_chunks::<4>().0);
        let apart = pairs.flat_map(|(exact, pixel)| {
            let colors = if pixel[3] == 0 { 3 } else { 0 };
            let channels = exact.iter().zip(pixel).skip(colors);
            channels.map(|(exact, level)| (exact * 255.0 - f64::from(*level)).abs())
        });
        apart.fold(0.0, f64::max)
    }
}

/// A ramp over a part of the range, each pixel its own value, with alpha from a function.
pub(crate) fn ramp((width, height): (usize, usize), top: u16, alpha: fn(usize) -> u16) -> Vec<u16> {
    let count = width * height;
    let value = |at: usize| u16::try_from(at * usize::from(top) / (count - 1)).unwrap();
    (0..count).flat_map(|at| [value(at), value(count - 1 - at), value(at) / 2, alpha(at)]).collect()
}

pub(crate) fn opaque(_: usize) -> u16 {
    u16::MAX
}

/// A PNG of 16 bits a sample.
pub(crate) fn png(width: usize, samples: &[u16], color: png::ColorType) -> Vec<u8> {
    let height = samples.len() / color.samples() / width;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().unwrap();
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
    writer.write_image_data(&bytes).unwrap();
    writer.finish().unwrap();
    file
}

/// A TIFF of 16 bits a sample.
pub(crate) fn tiff<C: colortype::ColorType<Inner = u16>>(width: usize, samples: &[u16]) -> Vec<u8> {
    let height = samples.len() / C::BITS_PER_SAMPLE.len() / width;
    let mut file = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut file).unwrap();
    encoder.write_image::<C>(width as u32, height as u32, samples).unwrap();
    file.into_inner()
}

/// The file edited, with all its bits.
pub(crate) fn edited(instruction: &str, file: &[u8]) -> Picture {
    done(instruction, decode_any(file, &Limits::default()).unwrap())
}

/// The file edited, but rounded to 8 bits before anything is done.
pub(crate) fn edited_coarsely(instruction: &str, file: &[u8]) -> Picture {
    done(instruction, decode(file, &Limits::default()).unwrap().into())
}

fn done(instruction: &str, picture: AnyPicture) -> Picture {
    let plan = read(instruction, &Context::default())
        .unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    execute_any(&plan, vec![picture])
        .unwrap_or_else(|error| panic!("{instruction}: {error}"))
        .picture
}

/// Asserts that the result is within a level of the reference, which it would not be if the file
/// had been rounded to 8 bits first.
pub(crate) fn follows(instruction: &str, file: &[u8], exact: &Exact) {
    let apart = exact.levels_apart(&edited(instruction, file));
    assert!(apart <= 1.0, "{instruction}: {apart} levels from the reference");
    let coarse = exact.levels_apart(&edited_coarsely(instruction, file));
    assert!(coarse > 1.5, "{instruction}: {coarse} levels, so this would not show banding");
}

pub(crate) fn decoded(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

pub(crate) fn encoded(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// More or less light, in stops.
pub(crate) fn exposed(stops: f64) -> impl Fn(f64) -> f64 {
    let brightened = move |value| encoded(decoded(value) * stops.exp2());
    move |value| rolled_off(brightened(value), brightened(1.0))
}
