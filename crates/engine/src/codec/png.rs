//! PNG of every color type and depth, interlaced or not. Of an animation, the default image is
//! read.

mod chunks;
mod plain;
mod unfilter;

use super::raster::{Decoded, Model, Raster, widen_rgb};
use super::{DecodeError, Format, Header, ifd};
use crate::{Depth, Sample};
pub(super) use chunks::Chunks;
use png::{BitDepth, ColorType, DecodingError, Info, InterlaceInfo, Transformations};
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
        depth: if chunks.bits > 8 { Depth::Sixteen } else { Depth::Eight },
        decode_bytes: 0,
    };
    let header = header.with_pixel_bytes(header.depth.pixel_bytes());
    let exif_bytes = EXIF_COPIES * chunks.exif_bytes_max as u64;
    Ok(Header { decode_bytes: header.decode_bytes.saturating_add(exif_bytes), ..header })
}

/// Decodes row by row into the raster, which avoids a second copy of the image.
pub(super) fn decode<S: Sample>(bytes: &[u8]) -> Result<Decoded<S>, DecodeError> {
    let chunks = Chunks::read(bytes)?;
    let mut raster = match plain::decode(bytes) {
        Some(raster) => raster,
        None => by_rows(bytes, (chunks.width, chunks.height))?,
    };
    raster.profile = chunks.profile();
    Ok((raster, ifd::orientation(chunks.exif.unwrap_or_default())))
}

/// Decodes any kind of PNG row by row.
fn by_rows<S: Sample>(bytes: &[u8], size: (u32, u32)) -> Result<Raster<S>, DecodeError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // Text and profiles can inflate without bound. `chunks` reads the profile with a limit.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|error| refusal(&error))?;
    let (color, depth) = reader.output_color_type();
    let is_gray = matches!(color, ColorType::Grayscale | ColorType::GrayscaleAlpha);
    let model = if is_gray { Model::Gray } else { Model::Rgb };
    let mut raster = Raster::new(size.0, size.1, model);
    match reader.info().interlaced {
        true => read_passes(&mut reader, &mut raster, (color, depth))?,
        false => read_rows(&mut reader, &mut raster, (color, depth))?,
    }
    if let Some(level) = clear_level(reader.info()) {
        let pixels = raster.pixels.as_chunks_mut::<4>().0.iter_mut();
        pixels.filter(|pixel| pixel[0] == S::of(level)).for_each(|pixel| pixel[3] = S::default());
    }
    Ok(raster)
}

/// The gray level that is transparent in images with fewer than 8 bits per sample. Only the lowest
/// bits of the stored number count (PNG, third edition, section 11.3.1.1), but the decoder compares
/// all of them.
fn clear_level(info: &Info<'_>) -> Option<u8> {
    let most = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, BitDepth::One) => 1,
        (ColorType::Grayscale, BitDepth::Two) => 3,
        (ColorType::Grayscale, BitDepth::Four) => 15,
        _ => return None,
    };
    let number = info.trns.as_deref()?.first()?;
    Some((number & most) * (255 / most))
}

/// Reads rows. Those of 8-bit RGBA go directly into the raster; others are converted on the way.
fn read_rows<S: Sample>(
    reader: &mut Rows<'_>,
    raster: &mut Raster<S>,
    kind: Kind,
) -> Result<(), DecodeError> {
    let mut row = vec![0; raster.width as usize * kind.0.samples() * sample_bytes(kind.1)];
    for place in raster.rows_mut() {
        if (kind, S::DEPTH) == ((ColorType::Rgba, BitDepth::Eight), Depth::Eight) {
            reader.read_row(bytemuck::cast_slice_mut(place)).map_err(|error| refusal(&error))?;
        } else {
            reader.read_row(&mut row).map_err(|error| refusal(&error))?;
            widen(&row, kind, place);
        }
    }
    // The end of the data and its checksum follow the last row.
    reader.read_row(&mut row).map_err(|error| refusal(&error)).map(drop)
}

fn read_passes<S: Sample>(
    reader: &mut Rows<'_>,
    raster: &mut Raster<S>,
    kind: Kind,
) -> Result<(), DecodeError> {
    let row_samples = raster.width as usize * 4;
    let mut pass_row = vec![S::default(); row_samples];
    let pixel_bits = u8::try_from(S::DEPTH.pixel_bytes() * 8).unwrap_or(u8::MAX);
    while let Some(row) = reader.next_interlaced_row().map_err(|error| refusal(&error))? {
        let InterlaceInfo::Adam7(pass) = row.interlace() else { continue };
        let filled = row.data().len() / (kind.0.samples() * sample_bytes(kind.1)) * 4;
        let (data, _) = pass_row.split_at_mut(filled.min(row_samples));
        widen(row.data(), kind, data);
        let (whole, data) =
            (bytemuck::cast_slice_mut(&mut raster.pixels), bytemuck::cast_slice(data));
        png::expand_interlaced_row(whole, row_samples * size_of::<S>(), data, pass, pixel_bits);
    }
    Ok(())
}

type Rows<'a> = png::Reader<Cursor<&'a [u8]>>;
type Kind = (ColorType, BitDepth);

/// Checks that the data can be inflated and unfiltered. Verifies the checksums and keeps no rows.
pub(super) fn verify(bytes: &[u8]) -> Result<(), DecodeError> {
    if plain::verify(bytes).is_some() {
        return Ok(());
    }
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.ignore_checksums(false);
    let mut reader = decoder.read_info().map_err(|error| refusal(&error))?;
    while reader.next_interlaced_row().map_err(|error| refusal(&error))?.is_some() {}
    reader.finish().map_err(|error| refusal(&error))
}

/// Converts a row of any expanded kind to RGBA.
fn widen<S: Sample>(row: &[u8], (color, depth): Kind, out: &mut [S]) {
    match (depth, S::DEPTH) {
        (BitDepth::Sixteen, _) => widen_deep(row, color, out),
        (_, Depth::Eight) => widen_levels(row, color, bytemuck::cast_slice_mut(out)),
        (_, Depth::Sixteen) => {
            let mut levels = vec![0; out.len()];
            widen_levels(row, color, &mut levels);
            out.iter_mut().zip(levels).for_each(|(sample, level)| *sample = S::of(level));
        }
    }
}

/// Converts a row with 8 bits per sample to RGBA.
fn widen_levels(row: &[u8], color: ColorType, out: &mut [u8]) {
    let pixels = out.as_chunks_mut::<4>().0.iter_mut();
    match color {
        ColorType::Grayscale => {
            pixels.zip(row).for_each(|(pixel, gray)| *pixel = [*gray, *gray, *gray, 255]);
        }
        ColorType::GrayscaleAlpha => {
            let pairs = row.as_chunks::<2>().0;
            pixels.zip(pairs).for_each(|(pixel, [gray, alpha])| {
                *pixel = [*gray, *gray, *gray, *alpha];
            });
        }
        ColorType::Rgb => widen_rgb(row, out),
        _ => pixels.zip(row.as_chunks().0).for_each(|(pixel, stored)| *pixel = *stored),
    }
}

/// Converts a row with 16 bits per sample to RGBA.
fn widen_deep<S: Sample>(row: &[u8], color: ColorType, out: &mut [S]) {
    let stored = row.chunks_exact(color.samples() * 2);
    for (pixel, stored) in out.as_chunks_mut::<4>().0.iter_mut().zip(stored) {
        let mut samples = [S::FULL; 4];
        for (sample, wide) in samples.iter_mut().zip(stored.as_chunks::<2>().0) {
            *sample = S::of_sixteen(u16::from_be_bytes(*wide));
        }
        *pixel = match color {
            ColorType::Grayscale => [samples[0], samples[0], samples[0], S::FULL],
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

/// The decoder collects Exif data in a buffer that doubles when full, and then copies it.
const EXIF_COPIES: u64 = 3;
