//! PNG of every colour type and depth, interlaced or not; an animation's default image.

mod chunks;

use super::raster::{Decoded, Model, Raster, narrow};
use super::{DecodeError, Format, Header, ifd};
pub(super) use chunks::Chunks;
use png::{BitDepth, ColorType, DecodingError, InterlaceInfo, Transformations};
use std::io::Cursor;

/// Reads the header from the chunks.
pub(super) fn probe(bytes: &[u8]) -> Result<Header, DecodeError> {
    let chunks = Chunks::read(bytes)?;
    let header = Header {
        format: Format::Png,
        width: chunks.width,
        height: chunks.height,
        orientation: ifd::orientation(chunks.exif.unwrap_or_default()),
        has_alpha: chunks.has_alpha,
        decode_bytes: 0,
    };
    Ok(header.with_pixel_bytes(4))
}

/// Decodes row by row into the raster, so that no second copy of the picture is made.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let chunks = Chunks::read(bytes)?;
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // Text and profiles can inflate without bound; the profile is read with one in `chunks`.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|error| refusal(&error))?;
    let (colour, depth) = reader.output_color_type();
    let is_gray = matches!(colour, ColorType::Grayscale | ColorType::GrayscaleAlpha);
    let model = if is_gray { Model::Gray } else { Model::Rgb };
    let mut raster = Raster::new(chunks.width, chunks.height, model);
    let row_bytes = raster.width as usize * 4;
    let mut pass_row = vec![0; row_bytes];
    let mut y = 0;
    while let Some(row) = reader.next_interlaced_row().map_err(|error| refusal(&error))? {
        match row.interlace() {
            InterlaceInfo::Null(_) => {
                if let Some(place) = raster.pixels.chunks_exact_mut(row_bytes).nth(y) {
                    widen(row.data(), (colour, depth), place);
                }
                y += 1;
            }
            InterlaceInfo::Adam7(pass) => {
                widen(row.data(), (colour, depth), &mut pass_row);
                let filled = row.data().len() / (colour.samples() * sample_bytes(depth)) * 4;
                let data = pass_row.get(..filled).unwrap_or_default();
                png::expand_interlaced_row(&mut raster.pixels, row_bytes, data, pass, PIXEL_BITS);
            }
        }
    }
    raster.profile = chunks.profile();
    Ok((raster, ifd::orientation(chunks.exif.unwrap_or_default())))
}

/// Inflates and unfilters row by row and keeps none; check sums are checked.
pub(super) fn verify(bytes: &[u8]) -> Result<(), DecodeError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.ignore_checksums(false);
    let mut reader = decoder.read_info().map_err(|error| refusal(&error))?;
    while reader.next_interlaced_row().map_err(|error| refusal(&error))?.is_some() {}
    reader.finish().map_err(|error| refusal(&error))
}

/// Writes a row of any expanded kind as RGBA.
fn widen(row: &[u8], (colour, depth): (ColorType, BitDepth), out: &mut [u8]) {
    let pixels = out.as_chunks_mut::<4>().0.iter_mut();
    let stride = colour.samples() * sample_bytes(depth);
    for (pixel, stored) in pixels.zip(row.chunks_exact(stride)) {
        let mut samples = [255; 4];
        match depth {
            BitDepth::Sixteen => {
                for (sample, wide) in samples.iter_mut().zip(stored.as_chunks::<2>().0) {
                    *sample = narrow(u16::from_be_bytes(*wide));
                }
            }
            _ => samples.iter_mut().zip(stored).for_each(|(sample, byte)| *sample = *byte),
        }
        *pixel = match colour {
            ColorType::Grayscale => [samples[0], samples[0], samples[0], 255],
            ColorType::GrayscaleAlpha => [samples[0], samples[0], samples[0], samples[1]],
            _ => samples,
        };
    }
}

fn sample_bytes(depth: BitDepth) -> usize {
    if depth == BitDepth::Sixteen { 2 } else { 1 }
}

fn refusal(error: &DecodingError) -> DecodeError {
    match error {
        DecodingError::IoError(error) => DecodeError::from_io(Format::Png, error),
        other => DecodeError::damaged(Format::Png, other),
    }
}

const PIXEL_BITS: u8 = 32;
