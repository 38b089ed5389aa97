//! Writes a PNG file from strips of rows, which are filtered and compressed in parallel.
//!
//! The strips depend only on their size, so the bytes don't depend on the number of threads.

use super::filter::{Choice, Rows};
use super::form::Form;
use super::{Dpi, resolution};
use crate::Picture;
use crate::codec::deflate::{Search, Sought, part, part_bytes_max};
use png::{EncodingError, PixelDimensions};
use rayon::prelude::*;

/// Writes an image as PNG in a form that can hold it.
///
/// Each strip is written to its own part of the file buffer, which has space for the longest
/// possible strip. When all strips are there, the gaps are closed. So no memory beyond the file is
/// needed.
///
/// # Errors
/// [`EncodingError`] when a strip became longer than that.
pub(super) fn write(picture: &Picture, form: &Form, dpi: Dpi) -> Result<Vec<u8>, EncodingError> {
    let strips = Strips::of(picture, form);
    let head = head(picture, form, dpi);
    let mut file = vec![0; head.len() + strips.cut.room_bytes() + TAIL_BYTES];
    let (front, rooms) = file.split_at_mut(head.len());
    front.copy_from_slice(&head);
    let written: Vec<Strip> = (0..strips.cut.count)
        .into_par_iter()
        .zip(rooms.par_chunks_mut(strips.cut.strip_bytes_max()))
        .map_init(Bench::default, |bench, (index, room)| strips.write(index, bench).put_in(room))
        .collect::<Result<_, _>>()?;
    let mut end = head.len();
    for (index, strip) in written.iter().enumerate() {
        let start = head.len() + index * strips.cut.strip_bytes_max();
        file.copy_within(start..start + strip.chunk_bytes, end);
        end += strip.chunk_bytes;
    }
    file.truncate(end);
    let check = written.iter().fold(1, |check, strip| joined(check, strip.check, strip.bytes));
    chunk(&mut file, b"IDAT", |content| content.extend_from_slice(&check.to_be_bytes()));
    chunk(&mut file, b"IEND", |_| {});
    file.shrink_to_fit();
    Ok(file)
}

/// Upper bound of the file's size in bytes, and the number of strips. Without the buffers of the
/// threads, the size is also the peak memory of [`write()`].
pub(super) fn bytes_max(row_bytes: usize, height: u32) -> (usize, usize) {
    let cut = Cut::of(row_bytes, height);
    (cut.room_bytes() + HEAD_BYTES_MAX + TAIL_BYTES, cut.count)
}

/// How the rows are divided into strips.
struct Cut {
    /// Bytes of a row, including the number of its filter.
    row_bytes: usize,
    /// Rows of a strip. The last strip may have fewer.
    rows: usize,
    count: usize,
}

impl Cut {
    fn of(row_bytes: usize, height: u32) -> Self {
        let (row_bytes, height) = (row_bytes + 1, height as usize);
        let rows = (STRIP_BYTES / row_bytes).clamp(1, height.max(1));
        Self { row_bytes, rows, count: height.div_ceil(rows) }
    }

    /// The most bytes that the chunk of a strip can have.
    fn strip_bytes_max(&self) -> usize {
        part_bytes_max(self.rows * self.row_bytes) + AROUND_BYTES
    }

    fn room_bytes(&self) -> usize {
        self.count * self.strip_bytes_max()
    }
}

/// An image and its division into strips.
struct Strips<'a> {
    picture: &'a Picture,
    form: &'a Form,
    cut: Cut,
}

/// The compressed data of one strip as a chunk of the file, with what its checksum contributes to
/// that of the whole.
struct Coded {
    chunk: Vec<u8>,
    check: u32,
    bytes: usize,
}

impl Coded {
    /// Whether the strip is so short that another attempt could save next to nothing.
    fn is_slight(&self) -> bool {
        self.chunk.len() < self.bytes / SLIGHT_SHARE
    }

    /// Copies the chunk to its part of the file buffer.
    fn put_in(self, room: &mut [u8]) -> Result<Strip, EncodingError> {
        let Some(place) = room.get_mut(..self.chunk.len()) else {
            return Err(EncodingError::LimitsExceeded);
        };
        place.copy_from_slice(&self.chunk);
        Ok(Strip { chunk_bytes: self.chunk.len(), check: self.check, bytes: self.bytes })
    }
}

/// What is remembered of a strip that is in the file.
struct Strip {
    chunk_bytes: usize,
    check: u32,
    /// Bytes of the strip's data before compression.
    bytes: usize,
}

impl<'a> Strips<'a> {
    fn of(picture: &'a Picture, form: &'a Form) -> Self {
        let cut = Cut::of(form.row_bytes(picture.width()), picture.height());
        Self { picture, form, cut }
    }

    fn write(&self, index: usize, bench: &mut Bench) -> Coded {
        let is_drawing = self.is_drawing(index);
        let mut strip = match is_drawing {
            false => self.coded((index, Choice::Smallest), self.steady(), bench),
            true => self.coded((index, Choice::Never), self.anywhere(), bench),
        };
        // In a drawing, repetitions may save more than small differences, or less. Try both.
        if is_drawing && !self.form.is_numbers() && !strip.is_slight() {
            let other = self.coded((index, Choice::Smallest), self.anywhere(), bench);
            if other.chunk.len() < strip.chunk.len() {
                strip = other;
            }
        }
        strip
    }

    fn coded(&self, (index, choice): (usize, Choice), sought: Sought, bench: &mut Bench) -> Coded {
        self.filter((index, choice), bench);
        let is_last = index + 1 == self.cut.count;
        let coded = part((&bench.data, sought), is_last, &mut bench.search);
        let mut made = Vec::with_capacity(coded.len() + AROUND_BYTES);
        chunk(&mut made, b"IDAT", |content| {
            if index == 0 {
                content.extend_from_slice(&ZLIB_HEAD);
            }
            content.extend_from_slice(&coded);
        });
        Coded { chunk: made, check: adler(&bench.data), bytes: bench.data.len() }
    }

    /// Looks for bytes that repeat from pixel to pixel.
    fn steady(&self) -> Sought {
        Sought::At { distance: self.form.pixel_bytes() }
    }

    fn anywhere(&self) -> Sought {
        Sought::Anywhere { bytes_min: if self.form.pixel_bytes() == 1 { 6 } else { 8 } }
    }

    /// Whether most pixels equal their neighbor.
    fn is_drawing(&self, index: usize) -> bool {
        if self.form.is_numbers() {
            return true;
        }
        let row_bytes = self.picture.row_samples();
        let start = index * self.cut.rows * row_bytes;
        let rows = self.picture.pixels().get(start..).unwrap_or_default();
        let looked_at = rows.chunks_exact(row_bytes).take(self.cut.rows).step_by(ROWS_LOOKED_AT);
        let (mut same, mut all) = (0, 0);
        for row in looked_at {
            let pixels = row.as_chunks::<4>().0;
            let pairs = pixels.iter().zip(pixels.iter().skip(1));
            same += pairs.filter(|(left, right)| left == right).count();
            all += pixels.len();
        }
        same * 2 > all
    }

    fn filter(&self, (index, choice): (usize, Choice), bench: &mut Bench) {
        let row_bytes = self.form.row_bytes(self.picture.width());
        let mut rows = Rows::new(row_bytes, self.form.pixel_bytes());
        let first = index * self.cut.rows;
        let pixels = self.picture.pixels().chunks_exact(self.picture.row_samples());
        bench.data.clear();
        if let Some(above) = first.checked_sub(1).and_then(|above| pixels.clone().nth(above)) {
            rows.next(|row| self.form.pack(above, row));
        }
        for pixels in pixels.skip(first).take(self.cut.rows) {
            rows.next(|row| self.form.pack(pixels, row));
            rows.filter(choice, &mut bench.data);
        }
    }
}

/// The buffers that a thread uses for one strip after another.
#[derive(Default)]
struct Bench {
    search: Search,
    data: Vec<u8>,
}

/// The part of the file before the strips.
fn head(picture: &Picture, form: &Form, dpi: Dpi) -> Vec<u8> {
    let mut head = b"\x89PNG\r\n\x1A\n".to_vec();
    chunk(&mut head, b"IHDR", |content| {
        content.extend_from_slice(&picture.width().to_be_bytes());
        content.extend_from_slice(&picture.height().to_be_bytes());
        content.extend_from_slice(&[form.depth() as u8, form.color_type() as u8, 0, 0, 0]);
    });
    if let Some(dpi) = dpi {
        let PixelDimensions { xppu, yppu, unit } = resolution::per_meter(dpi);
        chunk(&mut head, b"pHYs", |content| {
            content.extend_from_slice(&xppu.to_be_bytes());
            content.extend_from_slice(&yppu.to_be_bytes());
            content.push(unit as u8);
        });
    }
    let Form::Palette(palette) = form else { return head };
    chunk(&mut head, b"PLTE", |content| content.extend_from_slice(&palette.table()));
    let opacities = palette.opacities();
    if !opacities.is_empty() {
        chunk(&mut head, b"tRNS", |content| content.extend_from_slice(&opacities));
    }
    head
}

/// Appends a chunk whose content `fill` writes: its length, type, content and checksum.
fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let start = file.len();
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(kind);
    fill(file);
    let length = u32::try_from(file.len() - start - 8).unwrap_or(u32::MAX);
    if let Some(place) = file.get_mut(start..start + 4) {
        place.copy_from_slice(&length.to_be_bytes());
    }
    let sum = crc32fast::hash(file.get(start + 4..).unwrap_or_default());
    file.extend_from_slice(&sum.to_be_bytes());
}

fn adler(bytes: &[u8]) -> u32 {
    let mut sum = simd_adler32::Adler32::new();
    sum.write(bytes);
    sum.finish()
}

/// The Adler-32 of two concatenated byte strings, from the checksums of both and the length of the
/// second (RFC 1950, section 8.2).
fn joined(first: u32, second: u32, second_bytes: usize) -> u32 {
    let (low, high) = (|sum: u32| u64::from(sum & 0xFFFF), |sum: u32| u64::from(sum >> 16));
    let length = second_bytes as u64 % ADLER_BASE;
    let sum = (low(first) + low(second) + ADLER_BASE - 1) % ADLER_BASE;
    let moved = length * (low(first) + ADLER_BASE - 1);
    let sums = (high(first) + high(second) + moved) % ADLER_BASE;
    (sums << 16 | sum) as u32
}

const ADLER_BASE: u64 = 65_521;
/// Deflate with the largest window and the fastest algorithm (RFC 1950, section 2.2).
const ZLIB_HEAD: [u8; 2] = [0x78, 0x01];
/// A strip has whole rows of about this many bytes: enough for good codes, and few enough for the
/// cache.
const STRIP_BYTES: usize = 256 * 1024;
/// One in this many rows is examined to decide whether a strip is a drawing.
const ROWS_LOOKED_AT: usize = 4;
/// If compression divides the size of a strip by more than this, a second attempt isn't worth the
/// time.
const SLIGHT_SHARE: usize = 32;
/// The length, type and checksum of a chunk, and the header of all data.
const AROUND_BYTES: usize = 14;
/// The longest header: with a resolution and a palette of 256 colors and opacities.
const HEAD_BYTES_MAX: usize = 2048;
/// The bytes after the strips: the chunks for the checksum and the end.
const TAIL_BYTES: usize = 28;
