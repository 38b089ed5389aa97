//! Encodes images as PNG, JPEG and WebP.

mod filter;
mod form;
mod palette;
mod resolution;
mod strips;

use crate::Picture;
use crate::limits::PIXEL_BYTES;
use form::{Form, Reader};
use image_webp::WebPEncoder;
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
    /// The WebP encoder failed.
    #[error("the image could not be saved as WebP: {0}")]
    WebP(#[from] image_webp::EncodingError),
    /// The image could not be reduced.
    #[error("the image could not be reduced so that the file is small enough")]
    Reduced,
}

/// How an image is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// PNG, in the smallest form that keeps the pixels.
    Png,
    /// JPEG. Transparent parts become white.
    Jpeg {
        /// The quality, from 1 to 100.
        quality: u8,
    },
    /// WebP without loss.
    WebP,
}

impl Encoding {
    /// JPEG with a quality from 1 to 100, by default one without visible loss.
    #[must_use]
    pub fn jpeg(quality: Option<u8>) -> Self {
        Self::Jpeg { quality: quality.unwrap_or(QUALITY).clamp(1, 100) }
    }
}

/// The pixels of an inch of the printed image, if the file should say so.
pub(super) type Dpi = Option<u16>;

/// The JPEG quality unless another one is asked for: at half the size of 95, the loss is not
/// visible in photos.
const QUALITY: u8 = 90;

/// An encoded image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The file, without metadata other than its resolution.
    pub bytes: Vec<u8>,
    /// Whether transparent parts became white, because the format has no transparency.
    pub flattened: bool,
    /// Width and height in pixels, if the image was reduced so that the file is small enough.
    pub reduced_to: Option<(u32, u32)>,
}

/// Encodes an image. The same image always gives the same bytes.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub fn encode(picture: &Picture, encoding: Encoding) -> Result<Encoded, EncodeError> {
    encode_at(picture, encoding, None)
}

/// Encodes an image in a file that says how many pixels are an inch, if that is known.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub(super) fn encode_at(
    picture: &Picture,
    encoding: Encoding,
    dpi: Dpi,
) -> Result<Encoded, EncodeError> {
    let kept = |bytes| Encoded { bytes, flattened: false, reduced_to: None };
    match encoding {
        Encoding::Png => written(picture, Reader::Any, dpi).map(kept),
        Encoding::WebP => encode_webp(picture, dpi).map(kept),
        Encoding::Jpeg { quality } if is_opaque(picture) => {
            encode_jpeg(picture, quality, dpi).map(kept)
        }
        Encoding::Jpeg { quality } => {
            let bytes = encode_jpeg(&on_white(picture), quality, dpi)?;
            Ok(Encoded { flattened: true, ..kept(bytes) })
        }
    }
}

/// Upper bound of the peak memory of [`encode`] for an image of this size in pixels, in bytes. It
/// includes the image and the file.
#[must_use]
pub fn encode_bytes(size: (u32, u32), encoding: Encoding) -> u64 {
    let pixels = u64::from(size.0) * u64::from(size.1);
    match encoding {
        Encoding::Png => encode_png_bytes(size),
        // The image, a copy on white, and the file, which doubles when it grows.
        Encoding::Jpeg { .. } => pixels * (2 * PIXEL_BYTES + 12) + ENCODER_BYTES,
        // The image, its colors without alpha, the encoder's copy, and the file, which doubles when
        // it grows and is copied into its container.
        Encoding::WebP => pixels * (3 * PIXEL_BYTES + 20) + ENCODER_BYTES,
    }
}

/// Encodes an image as WebP without loss.
fn encode_webp(picture: &Picture, dpi: Dpi) -> Result<Vec<u8>, EncodeError> {
    let (width, height) = picture.size();
    let mut bytes = Vec::new();
    let mut encoder = WebPEncoder::new(&mut bytes);
    encoder.set_exif_metadata(dpi.map(resolution::exif).unwrap_or_default());
    if is_opaque(picture) {
        let pixels = picture.pixels().as_chunks::<4>().0;
        let colors: Vec<u8> =
            pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
        encoder.encode(&colors, width, height, image_webp::ColorType::Rgb8)?;
    } else {
        encoder.encode(picture.pixels(), width, height, image_webp::ColorType::Rgba8)?;
    }
    Ok(bytes)
}

pub(super) fn is_opaque(picture: &Picture) -> bool {
    picture.pixels().as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255)
}

/// The image with white behind its transparent parts.
pub(super) fn on_white(picture: &Picture) -> Picture {
    let mut flat = picture.clone();
    for pixel in flat.pixels_mut().as_chunks_mut::<4>().0 {
        let alpha = u32::from(pixel[3]);
        let over = |level: u8| (u32::from(level) * alpha + 255 * (255 - alpha) + 127) / 255;
        *pixel = pixel.map(|level| u8::try_from(over(level)).unwrap_or(255));
        pixel[3] = 255;
    }
    flat
}

/// Encodes an image as PNG, in the smallest form that keeps its pixels exactly: gray or a palette
/// with 1, 2, 4 or 8 bits per pixel, gray with alpha, RGB, or RGBA. The same image always gives the
/// same bytes, on any number of threads, and they contain no metadata.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub fn encode_png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    written(picture, Reader::Any, None)
}

/// Encodes an image as PNG in the forms that every reader supports: 8 bits per sample and no
/// palette.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub(super) fn encode_plain_png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    written(picture, Reader::Plain, None)
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

fn written(picture: &Picture, reader: Reader, dpi: Dpi) -> Result<Vec<u8>, EncodeError> {
    let form = Form::of(picture, reader);
    let quick = strips::write(picture, &form, dpi)?;
    if form.row_bytes(picture.width()) * picture.height() as usize > SMALL_BYTES_MAX {
        return Ok(quick);
    }
    let thorough = thorough(picture, &form, dpi)?;
    Ok(if thorough.len() < quick.len() { thorough } else { quick })
}

/// Compresses as well as possible, which takes ten times as long.
fn thorough(picture: &Picture, form: &Form, dpi: Dpi) -> Result<Vec<u8>, EncodeError> {
    let row_bytes = form.row_bytes(picture.width());
    let mut samples = vec![0; row_bytes * picture.height() as usize];
    let rows = samples.chunks_exact_mut(row_bytes);
    rows.zip(picture.rows()).for_each(|(row, pixels)| form.pack(pixels, row));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(form.color_type());
    encoder.set_depth(form.depth());
    encoder.set_pixel_dims(dpi.map(resolution::per_meter));
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

/// Encodes an image as JPEG and ignores its alpha channel. From quality 90 on, color has full
/// resolution; below that, half.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub(super) fn encode_jpeg(
    picture: &Picture,
    quality: u8,
    dpi: Dpi,
) -> Result<Vec<u8>, EncodeError> {
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let (width, height) = (side(picture.width()), side(picture.height()));
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, quality);
    encoder.set_chroma_subsampling_method(jpeg_encoder::ChromaSubsamplingMethod::Average);
    encoder.set_density(dpi.map_or_else(Default::default, jpeg_encoder::PixelDensity::dpi));
    encoder.encode(picture.pixels(), width, height, jpeg_encoder::ColorType::Rgba)?;
    Ok(bytes)
}
