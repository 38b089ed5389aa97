//! Decodes common PNGs on two threads: while one inflates a band of rows, the other undoes the
//! filters of the previous band. Checking that one is complete needs no filters undone.
//!
//! This only covers valid files with 8 bits per sample and no palette, interlacing or transparent
//! color. Everything else, including error messages, is left to the decoder that reads row by row.

use super::chunks::{Chunk, SIGNATURE_BYTES};
use super::unfilter::{FILTER_MAX, unfilter};
use super::{Raster, widen_levels};
use crate::codec::raster::Model;
use crate::{Depth, Sample};
use fdeflate::Decompressor;
use png::ColorType;

/// Bytes in a band of rows. Handing a band to another thread takes little time compared with its
/// work.
const BAND_BYTES: usize = 512 * 1024;
/// Bytes in a band that is only checked: few enough to stay in a core's cache.
const CHECKED_BAND_BYTES: usize = 128 * 1024;
/// How far back deflate data can refer (RFC 1951, section 2).
const WINDOW_BYTES: usize = 32 * 1024;

/// Decodes a common PNG. Returns `None` for all other images and for files with any defect.
pub(super) fn decode<S: Sample>(bytes: &[u8]) -> Option<Raster<S>> {
    let (shape, rest) = Shape::read(bytes)?;
    if S::DEPTH != Depth::Eight {
        return None;
    }
    let model = match shape.color {
        ColorType::Grayscale | ColorType::GrayscaleAlpha => Model::Gray,
        _ => Model::Rgb,
    };
    let mut raster = Raster::new(shape.width, shape.height, model);
    let mut data = Data::of(rest);
    let mut rows = Rows { shape: &shape, above: vec![0; shape.stride() - 1] };
    let row_samples = shape.width as usize * 4;
    let rows_in_band = (BAND_BYTES / shape.stride()).max(1);
    let places = bytemuck::cast_slice_mut::<S, u8>(&mut raster.pixels);
    let mut places = places.chunks_mut(row_samples * rows_in_band);
    let bytes_for = |place: &[u8]| place.len() / row_samples * shape.stride();
    let mut ready = places.next()?;
    let (mut band, mut coming) = (Band::default(), Band::default());
    band.begin(&[], bytes_for(ready));
    data.inflate_all(&mut band)?;
    for next in places {
        coming.begin(band.window()?, bytes_for(next));
        let (inflated, written) =
            rayon::join(|| data.inflate_all(&mut coming), || rows.write(&mut band, ready));
        inflated.and(written)?;
        std::mem::swap(&mut band, &mut coming);
        ready = next;
    }
    rows.write(&mut band, ready)?;
    data.is_at_its_end(&mut band).then_some(raster)
}

/// Inflates a common PNG to its end. Returns `None` for all other images and for files with any
/// defect.
pub(super) fn verify(bytes: &[u8]) -> Option<()> {
    let (shape, rest) = Shape::read(bytes)?;
    let mut data = Data::of(rest);
    let rows_in_band = (CHECKED_BAND_BYTES / shape.stride()).max(1);
    let (mut band, mut coming) = (Band::default(), Band::default());
    let mut rows_left = shape.height as usize;
    let mut window: &[u8] = &[];
    while rows_left > 0 {
        let rows = rows_left.min(rows_in_band);
        coming.begin(window, rows * shape.stride());
        data.inflate_all(&mut coming)?;
        if !coming.rows(shape.stride()).all(|row| row.first().is_some_and(|it| *it <= FILTER_MAX)) {
            return None;
        }
        rows_left -= rows;
        std::mem::swap(&mut band, &mut coming);
        window = if rows_left > 0 { band.window()? } else { &[] };
    }
    data.is_at_its_end(&mut band).then_some(())
}

/// The properties in the header.
struct Shape {
    width: u32,
    height: u32,
    color: ColorType,
}

impl Shape {
    /// Reads the shape of a common image, and returns it with the chunks after the header.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (header, rest) = Chunk::first(bytes.get(SIGNATURE_BYTES..)?)?;
        let (size, [bits, color, method, filters, interlacing]) =
            header.content().split_first_chunk::<8>()?
        else {
            return None;
        };
        let usual = (*bits, *method, *filters, *interlacing) == (8, 0, 0, 0);
        let color = match color {
            0 => ColorType::Grayscale,
            2 => ColorType::Rgb,
            4 => ColorType::GrayscaleAlpha,
            6 => ColorType::Rgba,
            _ => return None,
        };
        let (width, height) = size.split_first_chunk::<4>()?;
        let [width, height] = [*width, height.try_into().ok()?].map(u32::from_be_bytes);
        let shape = Self { width, height, color };
        (usual && header.is(b"IHDR") && header.is_whole() && width > 0).then_some((shape, rest))
    }

    /// Bytes of a row, including the number of its filter.
    fn stride(&self) -> usize {
        self.width as usize * self.color.samples() + 1
    }
}

/// Inflated rows, preceded by the data that they may repeat.
#[derive(Default)]
struct Band {
    bytes: Vec<u8>,
    /// Where the rows begin in `bytes`.
    start: usize,
}

impl Band {
    /// Prepares space for `length` bytes, preceded by those that they may repeat.
    fn begin(&mut self, window: &[u8], length: usize) {
        self.start = window.len();
        self.bytes.clear();
        self.bytes.extend_from_slice(window);
        self.bytes.resize(window.len() + length, 0);
    }

    fn rows(&self, stride: usize) -> impl Iterator<Item = &[u8]> {
        self.bytes.get(self.start..).unwrap_or_default().chunks_exact(stride)
    }

    /// The data that the next band may repeat.
    fn window(&self) -> Option<&[u8]> {
        self.bytes.get(self.bytes.len().checked_sub(WINDOW_BYTES)?..)
    }
}

/// The deflated data of an image, which may be divided among many chunks.
struct Data<'a> {
    /// The chunks that have not been read yet.
    rest: &'a [u8],
    /// The unread part of the current chunk, or `None` before the first chunk.
    piece: Option<&'a [u8]>,
    decompressor: Decompressor,
}

impl<'a> Data<'a> {
    fn of(rest: &'a [u8]) -> Self {
        Self { rest, piece: None, decompressor: Decompressor::new() }
    }

    fn inflate_all(&mut self, band: &mut Band) -> Option<()> {
        let mut filled = band.start;
        while filled < band.bytes.len() {
            filled += self.inflate(&mut band.bytes, filled)?;
        }
        Some(())
    }

    /// Inflates more bytes, possibly none at the end of a chunk. Returns `None` when there is no
    /// more data.
    fn inflate(&mut self, bytes: &mut [u8], filled: usize) -> Option<usize> {
        let goes_on = self.piece.is_none_or(<[u8]>::is_empty) && self.next_piece()?;
        let piece = self.piece?;
        let is_last = piece.is_empty() && !goes_on;
        let (used, made) = self.decompressor.read(piece, bytes, filled, is_last).ok()?;
        self.piece = piece.get(used..);
        (used + made > 0 || goes_on).then_some(made)
    }

    /// Moves on to the next data chunk. Returns `Some(false)` if the next chunk isn't one.
    fn next_piece(&mut self) -> Option<bool> {
        loop {
            let (chunk, after) = Chunk::first(self.rest)?;
            if chunk.is(b"IDAT") {
                (self.rest, self.piece) = (after, Some(chunk.content()));
                return chunk.is_whole().then_some(true);
            }
            if self.piece.is_some() {
                return Some(false);
            }
            self.rest = chunk.is_beside().then_some(after)?;
        }
    }

    /// Whether the data ends after the last row, which is in `band`, its checksum is correct, and
    /// the file ends properly.
    fn is_at_its_end(&mut self, band: &mut Band) -> bool {
        // Space for one byte shows whether there is more data than there should be. It follows the
        // rows, because what comes may repeat them.
        let end = band.bytes.len();
        band.bytes.push(0);
        while !self.decompressor.is_done() {
            if self.inflate(&mut band.bytes, end) != Some(0) {
                return false;
            }
        }
        let mut rest = self.rest;
        while let Some((chunk, after)) = Chunk::first(rest) {
            if chunk.is(b"IEND") {
                return self.piece.is_none_or(<[u8]>::is_empty) && chunk.is_whole();
            }
            if !chunk.is_beside() {
                return false;
            }
            rest = after;
        }
        false
    }
}

impl Chunk<'_> {
    /// Whether the pixels of a common image don't depend on this chunk.
    fn is_beside(&self) -> bool {
        self.kind[0].is_ascii_lowercase() && ![b"tRNS", b"acTL", b"fcTL"].contains(&&self.kind)
    }
}

/// Undoes the filters of one row after another.
struct Rows<'s> {
    shape: &'s Shape,
    /// The last row of the previous band.
    above: Vec<u8>,
}

impl Rows<'_> {
    /// Writes the rows of a band as RGBA.
    fn write(&mut self, band: &mut Band, places: &mut [u8]) -> Option<()> {
        let (_, rows) = band.bytes.split_at_mut_checked(band.start)?;
        let row_samples = self.shape.width as usize * 4;
        let above = std::mem::take(&mut self.above);
        let mut before: &[u8] = &above;
        let rows = rows.chunks_exact_mut(self.shape.stride());
        for (row, place) in rows.zip(places.chunks_exact_mut(row_samples)) {
            let (filter, row) = row.split_first_mut()?;
            unfilter(*filter, row, before, self.shape.color.samples())?;
            widen_levels(row, self.shape.color, place);
            before = &*row;
        }
        self.above = before.to_vec();
        Some(())
    }
}
