//! Decodes and encodes images. The bytes come from users and aren't trusted.
//!
//! Every decoder returns a whole image in sRGB, upright and without metadata, or an error. It never
//! returns part of an image or memory that it did not write. Sizes are checked before anything is
//! allocated for them, and panics of decoders are caught.

mod animation;
mod bmp;
mod color;
mod convert;
mod deflate;
mod encode;
mod error;
mod excess;
mod fit;
mod foreign;
mod format;
mod gif;
mod header;
mod ifd;
mod jpeg;
mod limits;
mod mp4;
mod orientation;
mod png;
mod raster;
mod result;
mod strip;
mod tiff;
mod webp;
mod whole;
mod within;
mod ycc;

pub use animation::is_animated;
pub use convert::{convert, convert_bytes};
pub use encode::{
    EncodeError, Encoded, Encoding, encode, encode_bytes, encode_png, encode_png_bytes,
};
pub use error::DecodeError;
pub use excess::Excess;
pub use fit::{FitRules, Fitted, fit, fit_bytes};
pub use format::Format;
pub use header::Header;
pub use limits::{
    DECODE_BYTES_MAX, ENCODED_BYTES_MAX, JPEG_SCAN_PIXELS_MAX, JPEG_SCANS_MAX, Limits,
    PROFILE_BYTES_MAX,
};
pub use mp4::{Mp4Error, Mp4Info, verify_mp4};
pub use orientation::Orientation;
pub use result::{Png, to_png, to_png_bytes};
pub use within::{FileRules, encode_within, encode_within_bytes};

use crate::{AnyPicture, Depth, Picture};
use color::Convertible;
use raster::Decoded;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reads the header of an image without decoding it. The caller uses it to reserve the memory that
/// decoding needs.
///
/// # Errors
/// [`DecodeError`] when the format is unknown, the header is broken, or the image exceeds a limit.
pub fn probe(bytes: &[u8], limits: &Limits) -> Result<Header, DecodeError> {
    limits.check_encoded(bytes)?;
    let format = known_format(bytes)?;
    let header = guarded(format, || match format {
        Format::Jpeg => jpeg::probe(bytes),
        Format::Png => png::probe(bytes),
        Format::WebP => webp::probe(bytes),
        Format::Gif => gif::probe(bytes),
        Format::Bmp => bmp::probe(bytes),
        Format::Tiff => tiff::probe(bytes),
    })?;
    limits.check(&header)?;
    Ok(header)
}

/// Decodes an image: upright, in sRGB, without metadata, with 8 bits per channel.
///
/// # Errors
/// [`DecodeError`] when it exceeds a limit or is incomplete, damaged or not supported.
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<Picture, DecodeError> {
    levels(bytes, probe(bytes, limits)?.format)
}

/// Decodes an image like [`decode`], but with 16 bits per channel if the file has more than 8.
///
/// # Errors
/// As [`decode`].
pub fn decode_any(bytes: &[u8], limits: &Limits) -> Result<AnyPicture, DecodeError> {
    let header = probe(bytes, limits)?;
    let stored = match (header.depth, header.format) {
        (Depth::Sixteen, Format::Png) => png::decode::<u16>,
        (Depth::Sixteen, Format::Tiff) => tiff::decode::<u16>,
        _ => return levels(bytes, header.format).map(AnyPicture::Eight),
    };
    guarded(header.format, || finished(stored(bytes)?, header.format)).map(AnyPicture::Sixteen)
}

fn levels(bytes: &[u8], format: Format) -> Result<Picture, DecodeError> {
    guarded(format, || finished(decode_stored(bytes, format)?, format))
}

/// Converts the stored pixels to sRGB and turns them upright.
fn finished<S: Convertible>(
    (mut raster, turn): Decoded<S>,
    format: Format,
) -> Result<Picture<S>, DecodeError> {
    color::to_srgb(&mut raster);
    let raster = orientation::upright(raster, turn);
    Picture::from_rgba(raster.width, raster.height, raster.pixels)
        .map_err(|error| DecodeError::damaged(format, error))
}

fn decode_stored(bytes: &[u8], format: Format) -> Result<Decoded, DecodeError> {
    match format {
        Format::Jpeg => jpeg::decode(bytes),
        Format::Png => png::decode(bytes),
        Format::WebP => webp::decode(bytes),
        Format::Gif => gif::decode(bytes),
        Format::Bmp => bmp::decode(bytes),
        Format::Tiff => tiff::decode(bytes),
    }
}

fn known_format(bytes: &[u8]) -> Result<Format, DecodeError> {
    if bytes.is_empty() {
        return Err(DecodeError::Empty);
    }
    Format::of(bytes).ok_or_else(|| DecodeError::unknown_format(bytes))
}

/// Runs third-party decoders, which may panic on hostile bytes.
fn guarded<T>(
    format: Format,
    work: impl FnOnce() -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(DecodeError::damaged(format, "it can't be decoded")))
}
