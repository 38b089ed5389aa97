//! JPEG: sequential and progressive, gray, YCbCr, RGB, CMYK and YCCK.

mod apart;
mod markers;

use super::color::spread_rgb;
use super::header::WORKING_BYTES;
use super::limits::{JPEG_SCAN_PIXELS_MAX, JPEG_SCANS_MAX};
use super::raster::{Decoded, Model, Raster};
use super::{DecodeError, Excess, Format, Header, ifd};
use crate::Depth;
pub(super) use markers::{Outline, SEGMENTS_MAX, TABLES_MARKERS, are_tables};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

/// Reads the header from the markers and checks the number of scans.
pub(super) fn probe(bytes: &[u8]) -> Result<Header, DecodeError> {
    let outline = Outline::read(bytes)?;
    check_scans(&outline)?;
    check_sampling(&outline)?;
    let header = header(&outline);
    // The file without metadata; and while a scan is decoded alone, that scan twice.
    let copies = if outline.has_planes() { 3 } else { 1 };
    Ok(Header { decode_bytes: header.decode_bytes + copies * bytes.len() as u64, ..header })
}

/// Decodes the image. Incomplete images are rejected.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let outline = whole(bytes)?;
    let bare = outline.bare();
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bare), options(&outline));
    decoder.decode_headers().map_err(refusal)?;
    let input = decoder.input_colorspace().unwrap_or(ColorSpace::YCbCr);
    let (output, model) = match input {
        ColorSpace::Luma => (ColorSpace::RGBA, Model::Gray),
        ColorSpace::CMYK | ColorSpace::YCCK => (input, Model::Cmyk),
        ColorSpace::RGB => (ColorSpace::RGB, Model::Rgb),
        _ => (ColorSpace::RGBA, Model::Rgb),
    };
    let with_output = decoder.options().jpeg_set_out_colorspace(output);
    let mut raster = Raster::new(outline.width, outline.height, model);
    if outline.has_planes() {
        apart::fill(&apart::planes(&outline)?, input, outline.width as usize, &mut raster.pixels);
        let input = if input == ColorSpace::RGB { ColorSpace::RGBA } else { input };
        finish(&mut raster, input, outline.has_adobe);
    } else {
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bare), with_output);
        let length = raster.pixels.len() / 4 * output.num_components();
        let pixels = raster.pixels.get_mut(..length).unwrap_or_default();
        decoder.decode_into(pixels).map_err(refusal)?;
        finish(&mut raster, input, outline.has_adobe);
    }
    raster.profile = outline.profile();
    let turn = ifd::orientation(outline.exif.unwrap_or_default());
    Ok((raster, turn))
}

/// Checks that the image can be decoded completely. Only its brightness is decoded, one byte per
/// pixel.
pub(super) fn verify(bytes: &[u8]) -> Result<(), DecodeError> {
    let outline = whole(bytes)?;
    match outline.has_planes() {
        true => apart::planes(&outline).map(drop),
        false => luma(&outline).map(drop),
    }
}

/// Decodes an image of one component.
fn gray(bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    luma(&whole(bytes)?)
}

fn luma(outline: &Outline<'_>) -> Result<Vec<u8>, DecodeError> {
    let (bare, options) = (outline.bare(), options(outline));
    let options = options.jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bare), options);
    let mut pixels = vec![0; outline.width as usize * outline.height as usize];
    decoder.decode_into(&mut pixels).map_err(refusal)?;
    Ok(pixels)
}

/// Reads the outline of an image. Returns an error if the markers show that data is missing.
fn whole(bytes: &[u8]) -> Result<Outline<'_>, DecodeError> {
    let outline = Outline::read(bytes)?;
    check_sampling(&outline)?;
    match outline.is_ended && !outline.lacks_restarts() {
        true => Ok(outline),
        false => Err(DecodeError::Truncated { format: Format::Jpeg }),
    }
}

fn options(outline: &Outline<'_>) -> DecoderOptions {
    DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(outline.width as usize)
        .set_max_height(outline.height as usize)
        .jpeg_set_max_scans(JPEG_SCANS_MAX as usize)
}

/// Converts the decoder's channels to those of the raster's model.
fn finish(raster: &mut Raster, input: ColorSpace, is_inverted: bool) {
    match input {
        ColorSpace::RGB => spread_rgb(&mut raster.pixels),
        ColorSpace::YCCK => raster.pixels.as_chunks_mut().0.iter_mut().for_each(ycc_to_inks),
        _ => {}
    }
    // Programs by Adobe store inverted ink values and mark such files (libjpeg.txt, CMYK).
    if raster.model == Model::Cmyk && is_inverted {
        raster.pixels.iter_mut().for_each(|ink| *ink = 255 - *ink);
    }
}

/// Converts YCCK to ink values. The YCC channels hold the complement of the inks (Adobe Technical
/// Note 5116; BT.601 full range).
fn ycc_to_inks(pixel: &mut [u8; 4]) {
    let [cyan, magenta, yellow] = super::ycc::to_rgb([pixel[0], pixel[1], pixel[2]]);
    *pixel = [255 - cyan, 255 - magenta, 255 - yellow, pixel[3]];
}

fn check_scans(outline: &Outline<'_>) -> Result<(), DecodeError> {
    let pixels = u64::from(outline.width) * u64::from(outline.height);
    let by_work = u32::try_from(JPEG_SCAN_PIXELS_MAX / pixels.max(1)).unwrap_or(u32::MAX);
    let scans_max = JPEG_SCANS_MAX.min(by_work.max(1));
    let scans = outline.scans;
    match scans > scans_max {
        true => Err(Excess::Scans { scans, scans_max }.into()),
        false => Ok(()),
    }
}

/// The decoder takes the first component for the one with the most samples in a row. Otherwise, it gives
/// wrong pixels or fails.
fn check_sampling(outline: &Outline<'_>) -> Result<(), DecodeError> {
    if outline.has_planes() || !outline.is_first_coarser {
        return Ok(());
    }
    let reason = "its first component has fewer samples in a row than another one";
    Err(DecodeError::unsupported(Format::Jpeg, reason))
}

fn header(outline: &Outline<'_>) -> Header {
    let pixels = u64::from(outline.width) * u64::from(outline.height);
    let turn = ifd::orientation(outline.exif.unwrap_or_default());
    let header = Header {
        format: Format::Jpeg,
        width: outline.width,
        height: outline.height,
        orientation: turn,
        has_alpha: false,
        depth: Depth::Eight,
        decode_bytes: 0,
    };
    let decoding = pixels * 4 + outline.coefficient_bytes + WORKING_BYTES;
    let header = header.with_pixel_bytes(4);
    Header { decode_bytes: header.decode_bytes.max(decoding), ..header }
}

fn refusal(error: DecodeErrors) -> DecodeError {
    let format = Format::Jpeg;
    match error {
        DecodeErrors::ExhaustedData | DecodeErrors::IoErrors(_) => {
            DecodeError::Truncated { format }
        }
        DecodeErrors::FormatStatic("Premature end of buffer") => DecodeError::Truncated { format },
        DecodeErrors::Format(words) if words == "Unknown marker in bit stream" => {
            DecodeError::Truncated { format }
        }
        DecodeErrors::Unsupported(scheme) => {
            DecodeError::unsupported(format, format!("{scheme:?}"))
        }
        other => DecodeError::damaged(format, format!("{other:?}").trim_matches('"')),
    }
}
