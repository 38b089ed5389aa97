//! Encodes images as PNG and JPEG.

mod filter;
mod form;
mod palette;
mod strips;

use crate::Picture;
use crate::limits::PIXEL_BYTES;
use form::{Form, Reader};
use png::{Compression, Encoder, EncodingError, Filter};
use thiserror::Error;

/// Why an image could not be encoded. The encoders write to memory, so this should not happen.
#[derive(Debug, Error)]
pub enum EncodeError {
    /// The PNG encoder failed.
    #[error("the image could not be saved as PNG: {0}")]
    Png(#[from] EncodingError),
    /// The JPEG encoder failed.
    #[error("the image could not be saved as JPEG: {0}")]
    Jpeg(#[from] jpeg_encoder::EncodingError),
}

/// Encodes an image as PNG, in the smallest form that keeps its pixels exactly: gray or a palette
/// with 1, 2, 4 or 8 bits per pixel, gray with alpha, RGB, or RGBA. The same image always gives the
/// same bytes, on any number of threads, and they contain no metadata.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub fn encode_png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    written(picture, Reader::Any)
}

/// Encodes an image as PNG in the forms that every reader supports: 8 bits per sample and no
/// palette.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub(super) fn encode_plain_png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    written(picture, Reader::Plain)
}

/// Upper bound of the peak memory of [`encode_png`] for an image of this size in pixels, in bytes.
/// It includes the image and the file. The server reserves this much memory before it encodes.
#[must_use]
pub fn encode_png_bytes(size: (u32, u32)) -> u64 {
    u64::from(size.0) * u64::from(size.1) * PIXEL_BYTES + png_bytes(size) + ENCODER_BYTES
}

/// Small allocations that are the same for every image.
const ENCODER_BYTES: u64 = 2 * 1024 * 1024;

/// Upper bound of the peak memory of encoding an image of this size in pixels as PNG, in bytes. It
/// includes the file, but not the image.
pub(super) fn png_bytes((width, height): (u32, u32)) -> u64 {
    // No form of PNG has longer rows than RGBA.
    let (file, strips) = strips::bytes_max(width as usize * PIXEL_BYTES as usize, height);
    let threads = rayon::current_num_threads().min(strips);
    u64::try_from(file + threads * THREAD_BYTES).unwrap_or(u64::MAX)
}

/// What each thread needs: a strip of 256 KiB or one long row, its filtered copy, its runs, and the
/// compressed result.
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

/// Compresses as well as possible, which takes ten times as long.
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

/// Up to this size the thorough encoder takes at most 2 ms.
const SMALL_BYTES_MAX: usize = 64 * 1024;

/// Encodes an image as JPEG without metadata and ignores its alpha channel. From quality 90 on,
/// color has full resolution; below that, half.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub(super) fn encode_jpeg(picture: &Picture, quality: u8) -> Result<Vec<u8>, EncodeError> {
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let (width, height) = (side(picture.width()), side(picture.height()));
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, quality);
    encoder.set_chroma_subsampling_method(jpeg_encoder::ChromaSubsamplingMethod::Average);
    encoder.encode(picture.pixels(), width, height, jpeg_encoder::ColorType::Rgba)?;
    Ok(bytes)
}
