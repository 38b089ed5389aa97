//! Checks the strips and tiles of a TIFF before any is decoded, because the decoder trusts what the
//! file claims about them. This file calls both of them parts.

use super::super::jpeg::{Outline, TABLES_MARKERS, are_tables};
use super::super::limits::{JPEG_SCAN_PIXELS_MAX, JPEG_SCANS_MAX};
use super::super::{DecodeError, Format};
use super::fax::{self, Rows};
use super::{Reader, refusal};
use tiff::decoder::ChunkType;
use tiff::tags::{CompressionMethod, Tag, Type, ValueBuffer};

/// The parts of a file, as its directory describes them.
pub(super) struct Chunks<'a> {
    bytes: &'a [u8],
    starts: Vec<u64>,
    lengths: Vec<u64>,
    compression: Option<u16>,
    /// Width and height in pixels of each part except the last ones.
    size: (u32, u32),
    /// Samples per pixel in one part.
    samples: u16,
    /// Bytes of the longest row of a part.
    row_bytes: u64,
    /// Uncompressed bytes of all parts, including padding.
    stored_bytes: u64,
}

impl<'a> Chunks<'a> {
    pub(super) fn of(reader: &mut Reader<'_>, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let (width, height) = reader.dimensions().map_err(refusal)?;
        let bits = u64::from(reader.colortype().map_err(refusal)?.bit_depth());
        let mut numbers = |tag| reader.find_tag_unsigned_vec::<u64>(tag).ok().flatten();
        let lengths = numbers(Tag::StripByteCounts).or_else(|| numbers(Tag::TileByteCounts));
        let starts = numbers(Tag::StripOffsets).or_else(|| numbers(Tag::TileOffsets));
        let (lengths, starts) = (lengths.unwrap_or_default(), starts.unwrap_or_default());
        let mut number = |tag| reader.find_tag_unsigned::<u16>(tag).ok().flatten();
        let compression = number(Tag::Compression);
        let of_pixel = number(Tag::SamplesPerPixel).unwrap_or(1);
        let is_planar = number(Tag::PlanarConfiguration) == Some(super::samples::PLANAR);
        let (across, down) = reader.chunk_dimensions();
        let (size, pixels) = match reader.get_chunk_type() {
            ChunkType::Strip => {
                let rows = down.min(height.saturating_add(STRIP_ROWS_OVER));
                ((across, rows), area(width, height))
            }
            ChunkType::Tile => {
                ((across, down), area(across, down).saturating_mul(lengths.len() as u64))
            }
        };
        let samples = if is_planar { 1 } else { of_pixel };
        let row_bytes = u64::from(size.0).saturating_mul(u64::from(samples) * bits).div_ceil(8);
        let stored_bytes = pixels.saturating_mul(u64::from(of_pixel) * bits).div_ceil(8);
        Ok(Self { bytes, starts, lengths, compression, size, samples, row_bytes, stored_bytes })
    }

    /// Memory that reading needs in addition to the image: a row for parts that store more than is
    /// used, and one JPEG part with what its decoder keeps of it.
    pub(super) fn working_bytes(&self) -> Result<u64, DecodeError> {
        let rows_bytes = self.row_bytes.saturating_mul(2);
        if self.compression != Some(CompressionMethod::ModernJPEG.to_u16()) {
            return Ok(rows_bytes);
        }
        let of_part = |part: &[u8]| {
            let outline = Outline::read(part)?;
            let decoded = area(outline.width, outline.height) * u64::from(outline.components);
            let read = part.len() as u64 * JPEG_PART_COPIES;
            Ok::<_, DecodeError>(decoded + outline.coefficient_bytes + read)
        };
        let mut most = 0;
        for part in self.parts()? {
            most = most.max(of_part(part)?);
        }
        Ok(rows_bytes.saturating_add(most))
    }

    /// How many bytes of the file may be read for all parts: each part once, and the bytes that are
    /// read ahead beyond its end.
    pub(super) fn read_bytes(&self) -> u64 {
        let ahead = self.lengths.len() as u64 * READ_AHEAD_BYTES;
        self.bytes.len() as u64 + ahead.min(READ_AHEAD_BYTES_MAX)
    }

    /// Rejects a file if reading its parts would cost more than its bytes and pixels explain: if
    /// parts overlap, so that the same bytes are read many times; if parts are padded to many times
    /// the image; or if JPEG parts have many scans or a size that contradicts the directory.
    pub(super) fn check(&self, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.check_lengths()?;
        if self.stored_bytes > STORED_BYTES_MAX {
            let stored = self.stored_bytes;
            let reason = format!(
                "its strips or tiles decompress to {stored} bytes; the limit is {STORED_BYTES_MAX}"
            );
            return Err(DecodeError::unsupported(Format::Tiff, reason));
        }
        match self.compression.map(CompressionMethod::from_u16_exhaustive) {
            Some(CompressionMethod::ModernJPEG) => {
                check_tables(reader, self.lengths.len())?;
                self.check_jpegs()
            }
            _ => Ok(()),
        }
    }

    fn check_lengths(&self) -> Result<(), DecodeError> {
        let whole = self.lengths.iter().fold(0_u64, |sum, length| sum.saturating_add(*length));
        if whole > self.bytes.len() as u64 {
            let reason = "its strips or tiles are together longer than the file";
            return Err(DecodeError::damaged(Format::Tiff, reason));
        }
        Ok(())
    }

    /// The bytes of each part. Together they are at most as long as the file, so walking through
    /// all of them is cheap.
    fn parts(&self) -> Result<Vec<&'a [u8]>, DecodeError> {
        self.check_lengths()?;
        let ranges = self.starts.iter().zip(&self.lengths).map(|(start, length)| {
            let start = usize::try_from(*start).ok()?;
            self.bytes.get(start..start.checked_add(usize::try_from(*length).ok()?)?)
        });
        let parts: Option<Vec<&[u8]>> = ranges.collect();
        parts.ok_or(DecodeError::Truncated { format: Format::Tiff })
    }

    fn check_jpegs(&self) -> Result<(), DecodeError> {
        let mut work = 0_u64;
        for part in self.parts()? {
            let outline = Outline::read(part)?;
            let pixels = area(outline.width, outline.height);
            work = work.saturating_add(pixels.saturating_mul(u64::from(outline.scans)));
            if outline.scans > JPEG_SCANS_MAX || work > JPEG_SCAN_PIXELS_MAX {
                let reason = "its JPEG parts have too many scans";
                return Err(DecodeError::unsupported(Format::Tiff, reason));
            }
            // Some writers pad the last strip to whole blocks.
            let fits = |side: u32, most: u32| side <= most.saturating_add(JPEG_PADDING_PX);
            if !fits(outline.width, self.size.0)
                || !fits(outline.height, self.size.1)
                || outline.components > u32::from(self.samples)
            {
                let (width, height) = self.size;
                let reason = format!(
                    "a JPEG part has {} x {} pixels and {} colors instead of {width} x {height} and {}",
                    outline.width, outline.height, outline.components, self.samples
                );
                return Err(DecodeError::damaged(Format::Tiff, reason));
            }
        }
        Ok(())
    }

    /// Whether the parts are group 4 fax, which Retouch decodes itself.
    pub(super) fn is_fax(&self) -> bool {
        self.compression == Some(CompressionMethod::Fax4.to_u16())
    }

    /// Decodes fax parts to packed rows of the whole image, where 1 is black.
    pub(super) fn read_fax(
        &self,
        (width, height): (u32, u32),
        is_reversed: bool,
    ) -> Result<Vec<u8>, DecodeError> {
        let (part_width, part_height) = self.size;
        if part_width == 0
            || part_height == 0
            || self.row_bytes != u64::from(part_width.div_ceil(8))
        {
            return Err(DecodeError::damaged(
                Format::Tiff,
                "its fax data does not have one bit per pixel",
            ));
        }
        if part_width < width && !part_width.is_multiple_of(8) {
            let reason = format!("its fax tiles are {part_width} pixels wide");
            return Err(DecodeError::unsupported(Format::Tiff, reason));
        }
        let stride = width.div_ceil(8) as usize;
        let mut pixels = vec![0; stride * height as usize];
        let across = width.div_ceil(part_width) as usize;
        let parts = self.parts()?;
        if parts.len() < across * height.div_ceil(part_height) as usize {
            return Err(DecodeError::damaged(
                Format::Tiff,
                "it has too few strips or tiles for its size",
            ));
        }
        let band_bytes = stride.saturating_mul(part_height as usize);
        for (band, parts) in pixels.chunks_mut(band_bytes).zip(parts.chunks(across)) {
            for (left, part) in (0..).step_by(part_width.div_ceil(8) as usize).zip(parts) {
                let bytes = band.get_mut(left..).unwrap_or_default();
                let room = stride - left;
                fax::decode(part, is_reversed, Rows { bytes, stride, room, width: part_width })?;
            }
        }
        Ok(pixels)
    }
}

/// Checks that the shared tables of JPEG parts contain only tables. The decoder puts them before
/// each part, and if they contained a whole image, it would decode that instead.
fn check_tables(reader: &mut Reader<'_>, parts: usize) -> Result<(), DecodeError> {
    let mut tables = ValueBuffer::empty(Type::BYTE);
    let found = reader.image_ifd().find_tag_buf(Tag::JPEGTables, &mut tables).map_err(refusal)?;
    let length = tables.as_bytes().len();
    if length.saturating_mul(parts) > TABLES_BYTES_MAX {
        let reason = format!("its JPEG tables of {length} bytes apply to {parts} parts");
        return Err(DecodeError::unsupported(Format::Tiff, reason));
    }
    match found.is_none() || are_tables(tables.as_bytes()) {
        true => Ok(()),
        false => {
            let reason = format!("its JPEG tables contain more than {TABLES_MARKERS}");
            Err(DecodeError::damaged(Format::Tiff, reason))
        }
    }
}

fn area(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Uncompressed bytes of all parts: 50 megapixels of four 32-bit samples, padded to two and a half
/// times that. The fastest decoders take a few seconds of one core for this.
const STORED_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// The bytes of the part, their buffer while it grows, and the metadata that the decoder keeps.
const JPEG_PART_COPIES: u64 = 4;

/// Bytes of JPEG tables times the number of parts they are read for: 195,313 parts, which is what
/// 50 megapixels have with the smallest valid tiles, times twice the 600 bytes that libtiff writes.
const TABLES_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Rows that a JPEG strip may have beyond the image: some writers give the last strip its full
/// height.
const STRIP_ROWS_OVER: u32 = 1_024;

/// Two blocks of 8, less one pixel.
const JPEG_PADDING_PX: u32 = 15;

/// Inflating reads 32 KiB ahead (`flate2`).
const READ_AHEAD_BYTES: u64 = 32 * 1024;

/// For all parts together: a few seconds of inflating bytes that are then ignored.
const READ_AHEAD_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
