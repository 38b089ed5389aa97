//! GIF: the first frame, placed on the canvas.

use super::raster::{Decoded, Model, Raster};
use super::{DecodeError, Excess, Format, Header, Orientation};
use crate::Depth;
use crate::limits::PIXELS_MAX;
use gif::{ColorOutput, DecodeOptions, Decoder, DecodingError, Frame};
use std::io::Cursor;

type Reader<'a> = Decoder<Cursor<&'a [u8]>>;

/// Reads the file header and the header of the first frame. Later frames are ignored.
pub(super) fn probe(bytes: &[u8]) -> Result<Header, DecodeError> {
    let mut reader = open(bytes)?;
    let (width, height) = (u32::from(reader.width()), u32::from(reader.height()));
    let frame = first_frame(&mut reader)?;
    let frame_bytes = u64::from(frame.width) * u64::from(frame.height) * FRAME_PIXEL_BYTES;
    let covers = frame.left == 0
        && frame.top == 0
        && frame.width >= reader.width()
        && frame.height >= reader.height();
    let header = Header {
        format: Format::Gif,
        width,
        height,
        orientation: Orientation::Upright,
        has_alpha: frame.transparent.is_some() || !covers,
        depth: Depth::Eight,
        decode_bytes: 0,
    };
    let header = header.with_pixel_bytes(4);
    let metadata_bytes = METADATA_COPIES * bytes.len() as u64;
    Ok(Header { decode_bytes: header.decode_bytes + frame_bytes + metadata_bytes, ..header })
}

/// Decodes the first frame. The parts of the canvas that it doesn't cover are transparent.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let mut reader = open(bytes)?;
    let canvas = (u32::from(reader.width()), u32::from(reader.height()));
    let frame = first_frame(&mut reader)?;
    let mut indices = vec![0; usize::from(frame.width) * usize::from(frame.height)];
    reader.read_into_buffer(&mut indices).map_err(|error| refusal(&error))?;
    let palette = reader.palette().map_err(|error| refusal(&error))?;
    let colors = colors(palette, frame.transparent);
    let mut raster = Raster::new(canvas.0, canvas.1, Model::Rgb);
    lay(&mut raster, &frame, (&indices, &colors));
    raster.profile = reader.icc_profile().map(<[u8]>::to_vec);
    Ok((raster, Orientation::Upright))
}

fn open(bytes: &[u8]) -> Result<Reader<'_>, DecodeError> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let reader = options.read_info(Cursor::new(bytes)).map_err(|error| refusal(&error))?;
    if reader.width() == 0 || reader.height() == 0 {
        return Err(DecodeError::damaged(Format::Gif, "its canvas has no size"));
    }
    Ok(reader)
}

fn first_frame(reader: &mut Reader<'_>) -> Result<Frame<'static>, DecodeError> {
    let frame = match reader.next_frame_info() {
        Ok(Some(frame)) => frame.clone(),
        Ok(None) => return Err(DecodeError::damaged(Format::Gif, "it has no frame")),
        Err(error) => return Err(refusal(&error)),
    };
    // The declared size of a frame is independent of the canvas, so it needs its own check.
    let (width, height) = (u32::from(frame.width), u32::from(frame.height));
    match u64::from(width) * u64::from(height) {
        0 => Err(DecodeError::damaged(Format::Gif, "its first frame has no size")),
        1..=PIXELS_MAX => Ok(frame),
        _ => Err(Excess::Pixels { width, height, pixels_max: PIXELS_MAX }.into()),
    }
}

/// The colors of all 256 possible indices. Indices outside the palette are transparent.
fn colors(palette: &[u8], transparent: Option<u8>) -> [[u8; 4]; 256] {
    let mut colors = [[0; 4]; 256];
    for (color, [red, green, blue]) in colors.iter_mut().zip(palette.as_chunks::<3>().0) {
        *color = [*red, *green, *blue, 255];
    }
    if let Some(color) = transparent.and_then(|index| colors.get_mut(usize::from(index))) {
        *color = [0; 4];
    }
    colors
}

/// Places the frame on the canvas. Like browsers, it cuts off what extends beyond the canvas.
fn lay(raster: &mut Raster, frame: &Frame<'_>, (indices, colors): (&[u8], &[[u8; 4]; 256])) {
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let stored = indices.chunks_exact(usize::from(frame.width));
    for (row, indices) in raster.rows_mut().skip(top).zip(stored) {
        let pixels = row.as_chunks_mut::<4>().0.iter_mut().skip(left);
        for (pixel, index) in pixels.zip(indices) {
            *pixel = colors[usize::from(*index)];
        }
    }
}

fn refusal(error: &DecodingError) -> DecodeError {
    match error {
        DecodingError::Io(error) => DecodeError::from_io(Format::Gif, error),
        DecodingError::DecoderNotFound
        | DecodingError::EndCodeNotFound
        | DecodingError::UnexpectedEof => DecodeError::Truncated { format: Format::Gif },
        other => DecodeError::damaged(Format::Gif, other),
    }
}

/// Two bytes per pixel: the decoded indices, and a copy while the rows of an interlaced frame are
/// put in order.
const FRAME_PIXEL_BYTES: u64 = 2;
/// The decoder collects the profile and the XMP metadata in a buffer that doubles when full, and
/// the profile is copied once.
const METADATA_COPIES: u64 = 3;
