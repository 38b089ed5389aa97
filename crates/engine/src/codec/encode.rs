//! Pictures to PNG and JPEG.

mod filter;
mod form;
mod palette;
mod strips;

use crate::Picture;
use crate::limits::PIXEL_BYTES;
use form::{Form, Reader};
use png::{Compression, Encoder, EncodingError, Filter};
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

/// Writes a picture as PNG in the form with the fewest bytes that holds its pixels exactly: gray
/// or a table of colors with 1, 2, 4 or 8 bits a pixel, gray with opacity, RGB, or RGBA. The same
/// picture always gives the same bytes, on any number of threads, and they carry no metadata.
///
/// # Errors
/// [`EncodeError`] when the encoder refuses.
pub fn encode_png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    written(picture, Reader::Any)
}

/// The same in the forms that every reader knows: 8 bits a sample and no table.
///
/// # Errors
/// [`EncodeError`] when the encoder refuses.
pub(super) fn encode_plain_png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    written(picture, Reader::Plain)
}

/// Upper bound of the memory that [`encode_png`] takes at its peak for a picture of a size in pixels,
/// in bytes, the picture and the file included; what a pool admits the work by.
#[must_use]
pub fn encode_png_bytes(size: (u32, u32)) -> u64 {
    u64::from(size.0) * u64::from(size.1) * PIXEL_BYTES + png_bytes(size) + ENCODER_BYTES
}

/// What is little and the same for every picture.
const ENCODER_BYTES: u64 = 2 * 1024 * 1024;

/// Upper bound of the memory that writing a picture of a size in pixels as PNG takes at its peak,
/// in bytes, the file included and the picture not.
pub(super) fn png_bytes((width, height): (u32, u32)) -> u64 {
    // No form has longer rows than RGBA.
    let (file, strips) = strips::bytes_max(width as usize * PIXEL_BYTES as usize, height);
    let threads = rayon::current_num_threads().min(strips);
    u64::try_from(file + threads * THREAD_BYTES).unwrap_or(u64::MAX)
}

/// A strip of a quarter of a megabyte or one long row, filtered, its runs, and it coded.
const THREAD_BYTES: usize = 2 * 1024 * 1024;

fn written(picture: &Picture, reader: Reader) -> Result<Vec<u8>, EncodeError> {
    let form = Form::of(picture, reader);
    let quick = strips::write(picture, &form)?;
    if form.row_bytes(picture.width()) * picture.height() as usize > SMALL_BYTES_MAX {
        return Ok(quick);
    }
    let thorough = thorough(picture, &form)?;
    Ok(if thorough.len() < quick.len() { thorough } else { quick })
}

/// Looks for every repetition, which takes ten times as long.
fn thorough(picture: &Picture, form: &Form) -> Result<Vec<u8>, EncodeError> {
    let row_bytes = form.row_bytes(picture.width());
    let mut samples = vec![0; row_bytes * picture.height() as usize];
    let rows = samples.chunks_exact_mut(row_bytes);
    rows.zip(picture.rows()).for_each(|(row, pixels)| form.pack(pixels, row));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(form.color_type());
    encoder.set_depth(form.depth());
    if let Form::Palette(palette) = form {
        encoder.set_palette(palette.table());
        let opacities = palette.opacities();
        if !opacities.is_empty() {
            encoder.set_trns(opacities);
        }
    }
    encoder.set_compression(Compression::Balanced);
    if form.is_numbers() {
        encoder.set_filter(Filter::NoFilter);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&samples)?;
    writer.finish()?;
    Ok(bytes)
}

/// Up to here the thorough encoder takes no time that anybody notices: 2 ms.
const SMALL_BYTES_MAX: usize = 64 * 1024;

/// Writes a picture as JPEG without metadata, its transparency left out; from quality 90 on with
/// whole color, below with color at half the resolution.
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
