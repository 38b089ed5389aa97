//! Pictures to PNG and JPEG.

use crate::Picture;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use thiserror::Error;

/// Why a picture could not be written; with memory to write to, it does not happen.
#[derive(Debug, Error)]
pub enum EncodeError {
    /// The encoder refused.
    #[error("the picture could not be written as PNG: {0}")]
    Png(#[from] EncodingError),
    /// The encoder of JPEG refused.
    #[error("the picture could not be written as JPEG: {0}")]
    Jpeg(#[from] jpeg_encoder::EncodingError),
}

/// Writes a picture as PNG with 8 bits a sample in the fewest channels that hold it: gray, RGB,
/// or RGBA. The same picture always gives the same bytes, and they carry no metadata.
///
/// # Errors
/// [`EncodeError`] when the encoder refuses.
pub fn encode_png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    let colour = fewest_channels(picture.pixels());
    let samples = pack(picture.pixels(), colour);
    let mut bytes = Vec::with_capacity(samples.len() / RATIO_EXPECTED);
    let mut encoder = Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    let is_small = samples.len() <= SMALL_BYTES_MAX;
    encoder.set_compression(if is_small { Compression::Balanced } else { Compression::Fast });
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&samples)?;
    writer.finish()?;
    Ok(bytes)
}

/// Writes a picture as JPEG without metadata, its transparency left out; from quality 90 on with
/// whole colour, below with colour at half the resolution.
///
/// # Errors
/// [`EncodeError`] when the encoder refuses.
pub(super) fn encode_jpeg(picture: &Picture, quality: u8) -> Result<Vec<u8>, EncodeError> {
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let (width, height) = (side(picture.width()), side(picture.height()));
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, quality);
    encoder.set_chroma_subsampling_method(jpeg_encoder::ChromaSubsamplingMethod::Average);
    encoder.encode(picture.pixels(), width, height, jpeg_encoder::ColorType::Rgba)?;
    Ok(bytes)
}

/// Up to here the fast encoder may swell a picture and the thorough one takes no time
/// (image-png issue 611).
const SMALL_BYTES_MAX: usize = 256 * 1024;

/// Photographs shrink to about half; a first guess that spares most regrowth.
const RATIO_EXPECTED: usize = 2;

fn fewest_channels(pixels: &[u8]) -> ColorType {
    let pixels = pixels.as_chunks::<4>().0;
    let is_opaque = pixels.iter().all(|pixel| pixel[3] == 255);
    let is_gray = is_opaque && pixels.iter().all(|p| p[0] == p[1] && p[1] == p[2]);
    match (is_gray, is_opaque) {
        (true, _) => ColorType::Grayscale,
        (false, true) => ColorType::Rgb,
        (false, false) => ColorType::Rgba,
    }
}

fn pack(pixels: &[u8], colour: ColorType) -> std::borrow::Cow<'_, [u8]> {
    let chunks = pixels.as_chunks::<4>().0.iter();
    match colour {
        ColorType::Grayscale => chunks.map(|pixel| pixel[0]).collect::<Vec<u8>>().into(),
        ColorType::Rgb => {
            let mut packed = Vec::with_capacity(pixels.len() / 4 * 3);
            chunks.for_each(|pixel| packed.extend_from_slice(&pixel[..3]));
            packed.into()
        }
        _ => pixels.into(),
    }
}
