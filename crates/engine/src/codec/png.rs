//! PNG of every colour type and depth, interlaced or not; an animation's default image.

mod chunks;

use super::raster::{Decoded, Model, Raster, narrow, widen_rgb};
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
    match reader.info().interlaced {
        true => read_passes(&mut reader, &mut raster, (colour, depth))?,
        false => read_rows(&mut reader, &mut raster, (colour, depth))?,
    }
    raster.profile = chunks.profile();
    Ok((raster, ifd::orientation(chunks.exif.unwrap_or_default())))
}

/// Rows of 8-bit RGBA go where they belong at once, others are widened there.
fn read_rows(reader: &mut Rows<'_>, raster: &mut Raster, kind: Kind) -> Result<(), DecodeError> {
    let mut row = vec![0; raster.width as usize * kind.0.samples() * sample_bytes(kind.1)];
    for place in raster.rows_mut() {
        if kind == (ColorType::Rgba, BitDepth::Eight) {
            reader.read_row(place).map_err(|error| refusal(&error))?;
        } else {
            reader.read_row(&mut row).map_err(|error| refusal(&error))?;
            widen(&row, kind, place);
        }
    }
    // Behind the last row is the end of the data, with its check sum.
    reader.read_row(&mut row).map_err(|error| refusal(&error)).map(drop)
}

fn read_passes(reader: &mut Rows<'_>, raster: &mut Raster, kind: Kind) -> Result<(), DecodeError> {
    let row_bytes = raster.width as usize * 4;
    let mut pass_row = vec![0; row_bytes];
    while let Some(row) = reader.next_interlaced_row().map_err(|error| refusal(&error))? {
        let InterlaceInfo::Adam7(pass) = row.interlace() else { continue };
        let filled = row.data().len() / (kind.0.samples() * sample_bytes(kind.1)) * 4;
        let (data, _) = pass_row.split_at_mut(filled.min(row_bytes));
        widen(row.data(), kind, data);
        png::expand_interlaced_row(&mut raster.pixels, row_bytes, data, pass, PIXEL_BITS);
    }
    Ok(())
}

type Rows<'a> = png::Reader<Cursor<&'a [u8]>>;
type Kind = (ColorType, BitDepth);

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
fn widen(row: &[u8], (colour, depth): Kind, out: &mut [u8]) {
    let pixels = out.as_chunks_mut::<4>().0.iter_mut();
    match (colour, depth) {
        (_, BitDepth::Sixteen) => widen_deep(row, colour, out),
        (ColorType::Grayscale, _) => {
            pixels.zip(row).for_each(|(pixel, gray)| *pixel = [*gray, *gray, *gray, 255]);
        }
        (ColorType::GrayscaleAlpha, _) => {
            let pairs = row.as_chunks::<2>().0;
            pixels.zip(pairs).for_each(|(pixel, [gray, alpha])| {
                *pixel = [*gray, *gray, *gray, *alpha];
            });
        }
        (ColorType::Rgb, _) => widen_rgb(row, out),
        _ => pixels.zip(row.as_chunks().0).for_each(|(pixel, stored)| *pixel = *stored),
    }
}

/// The same for 16 bits a sample.
fn widen_deep(row: &[u8], colour: ColorType, out: &mut [u8]) {
    let stored = row.chunks_exact(colour.samples() * 2);
    for (pixel, stored) in out.as_chunks_mut::<4>().0.iter_mut().zip(stored) {
        let mut samples = [255; 4];
        for (sample, wide) in samples.iter_mut().zip(stored.as_chunks::<2>().0) {
            *sample = narrow(u16::from_be_bytes(*wide));
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
