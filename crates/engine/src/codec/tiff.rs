//! TIFF: the first page, in gray, palette, RGB, CMYK or YCbCr, with 1 to 32 bits per sample.

mod chunks;
mod fax;
mod metered;
mod palette;
mod samples;
mod tables;

use super::header::WORKING_BYTES;
use super::limits::DECODE_BYTES_MAX;
use super::raster::Decoded;
use super::{DecodeError, Format, Header, Orientation};
use crate::Sample;
use chunks::Chunks;
use metered::Metered;
use samples::Layout;
use std::borrow::Cow;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

type Reader<'a> = Decoder<Metered<'a>>;

/// Reads the first directory.
pub(super) fn probe(bytes: &[u8]) -> Result<Header, DecodeError> {
    let (bytes, is_palette) = readable(bytes);
    let mut reader = open(&bytes)?;
    let (width, height) = reader.dimensions().map_err(refusal)?;
    let color = reader.colortype().map_err(refusal)?;
    let layout = Layout::of(&mut reader, is_palette)?;
    let header = Header {
        format: Format::Tiff,
        width,
        height,
        orientation: orientation(&mut reader),
        has_alpha: layout.has_alpha(),
        depth: layout.depth(),
        decode_bytes: 0,
    };
    // Per pixel: the samples as stored, those of the part that is being decoded, and the raster.
    let bits = u64::from(color.bit_depth()) * u64::from(color.num_samples());
    let header = header.with_pixel_bytes(header.depth.pixel_bytes() + 2 * bits.div_ceil(8));
    let copied = if is_palette { bytes.len() as u64 } else { 0 };
    let working = Chunks::of(&mut reader, &bytes)?.working_bytes()?.saturating_add(copied);
    Ok(Header { decode_bytes: header.decode_bytes.saturating_add(working), ..header })
}

/// Decodes the first page.
pub(super) fn decode<S: Sample>(bytes: &[u8]) -> Result<Decoded<S>, DecodeError> {
    let (bytes, is_palette) = readable(bytes);
    let mut reader = open(&bytes)?;
    let chunks = Chunks::of(&mut reader, &bytes)?;
    chunks.check(&mut reader)?;
    let layout = Layout::of(&mut reader, is_palette)?;
    let stored = match chunks.is_fax() {
        true => DecodingResult::U8(read_fax(&mut reader, &chunks)?),
        false => {
            reader.inner().allow(chunks.read_bytes());
            let mut stored = DecodingResult::U8(Vec::new());
            reader.read_image_to_buffer(&mut stored).map_err(refusal)?;
            stored
        }
    };
    let mut raster = layout.raster(stored)?;
    raster.profile = tables::profile(&mut reader);
    Ok((raster, orientation(&mut reader)))
}

/// The packed samples of a fax page, in the layout that the decoder would return.
fn read_fax(reader: &mut Reader<'_>, chunks: &Chunks<'_>) -> Result<Vec<u8>, DecodeError> {
    let mut number = |tag| reader.find_tag_unsigned::<u16>(tag).ok().flatten();
    let is_reversed = number(Tag::FillOrder) == Some(samples::LOWEST_FIRST);
    let is_white_zero = number(Tag::PhotometricInterpretation) == Some(WHITE_IS_ZERO);
    let mut stored = chunks.read_fax(reader.dimensions().map_err(refusal)?, is_reversed)?;
    if is_white_zero {
        stored.iter_mut().for_each(|byte| *byte = !*byte);
    }
    Ok(stored)
}

/// The decoder doesn't support palettes, so such a file is read as gray, whose levels are indices.
fn readable(bytes: &[u8]) -> (Cow<'_, [u8]>, bool) {
    match palette::as_gray(bytes) {
        Some(gray) => (Cow::Owned(gray), true),
        None => (Cow::Borrowed(bytes), false),
    }
}

fn open(bytes: &[u8]) -> Result<Reader<'_>, DecodeError> {
    tables::check(bytes)?;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = (DECODE_BYTES_MAX - WORKING_BYTES) as usize;
    limits.intermediate_buffer_size = super::limits::ENCODED_BYTES_MAX;
    let file = Metered::new(bytes, DIRECTORY_READ_BYTES_MAX);
    let reader = Decoder::new(file).map_err(refusal)?;
    Ok(reader.with_limits(limits))
}

/// A value of the tag `PhotometricInterpretation`.
const WHITE_IS_ZERO: u16 = 0;

/// How many bytes may be read for a directory, counting each table as often as it is read: 16 MiB
/// of entries, and tables of 2 MiB each.
const DIRECTORY_READ_BYTES_MAX: u64 = 128 * 1024 * 1024;

fn orientation(reader: &mut Reader<'_>) -> Orientation {
    let tag = reader.find_tag_unsigned(Tag::Orientation).ok().flatten();
    tag.map_or(Orientation::Upright, Orientation::from_exif)
}

fn refusal(error: TiffError) -> DecodeError {
    let format = Format::Tiff;
    match error {
        TiffError::IoError(error) => DecodeError::from_io(format, &error),
        TiffError::UnsupportedError(kind) => DecodeError::unsupported(format, kind),
        TiffError::LimitsExceeded => DecodeError::unsupported(format, "its parts are too large"),
        other => DecodeError::damaged(format, other),
    }
}

fn unsupported_color(color: ColorType) -> DecodeError {
    DecodeError::unsupported(Format::Tiff, format!("the color type {color:?}"))
}
