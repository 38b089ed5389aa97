//! The input images: the sample photo, enlarged and with camera noise, so that a pixel costs as
//! much as a real photo's. Generated here, identical in every run.

use std::path::{Path, PathBuf};

use retouch_core::{Entropy, SeededEntropy};
use retouch_engine::codec::{Limits, decode, encode_png};
use retouch_engine::{Context, Picture, execute};
use retouch_language::read;

use crate::Fallible;

pub(super) struct Input {
    /// Its size and format.
    pub(super) name: String,
    /// Its path.
    pub(super) path: PathBuf,
}

/// Writes each size as JPEG (quality 90, chroma at half the resolution) and as PNG.
pub(super) fn write(folder: &Path, megapixels: Option<u32>) -> Fallible<Vec<Input>> {
    let mut inputs = Vec::new();
    for (million, width) in
        SIZES.into_iter().filter(|size| megapixels.is_none_or(|it| it == size.0))
    {
        let photograph = photograph(width)?;
        for (format, bytes) in [("JPEG", jpeg(&photograph)?), ("PNG", encode_png(&photograph)?)] {
            let name = format!("{million} MP {format}");
            let path = folder.join(name.replace(' ', "-"));
            std::fs::write(&path, bytes)?;
            inputs.push(Input { name, path });
        }
    }
    Ok(inputs)
}

/// Megapixels, and the width in pixels that gives them at 3:2.
const SIZES: [(u32, u32); 2] = [(1, 1_224), (12, 4_242)];
const SAMPLE: &[u8] = include_bytes!("../../../samples/coffee.jpg");

fn photograph(width: u32) -> Fallible<Picture> {
    let sample = decode(SAMPLE, &Limits::default())?;
    let words = format!("resize to {width} pixels wide");
    let plan = read(&words, &Context { inputs: 1, ..Context::default() })?;
    let mut picture = execute(&plan, vec![sample])?.picture;
    let mut noise = vec![0; picture.pixels().len() / 4 * NOISE_BYTES];
    SeededEntropy::new(u64::from(width)).fill(&mut noise);
    let pixels = picture.pixels_mut().as_chunks_mut::<4>().0.iter_mut();
    for (pixel, noise) in pixels.zip(noise.as_chunks::<NOISE_BYTES>().0) {
        let all = bits(noise[0]) + bits(noise[1]) - 8;
        for (level, own) in pixel.iter_mut().zip(&noise[2..]) {
            *level = level.saturating_add_signed((all + bits(*own) - 4) / 2);
        }
    }
    Ok(picture)
}

/// Bytes of noise per pixel: two for the noise that channels share, and one for each channel.
const NOISE_BYTES: usize = 5;

/// The number of one bits in `byte`, 0 to 8, as if eight coins had been tossed.
fn bits(byte: u8) -> i8 {
    byte.count_ones().try_into().unwrap_or(0)
}

fn jpeg(picture: &Picture) -> Fallible<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_2_2);
    let (width, height) = (u16::try_from(picture.width())?, u16::try_from(picture.height())?);
    encoder.encode(picture.pixels(), width, height, jpeg_encoder::ColorType::Rgba)?;
    Ok(bytes)
}
