//! The run lengths of 4-bit and 8-bit bitmaps (`BI_RLE4`, `BI_RLE8`).

use super::head::Head;
use super::{DecodeError, TRUNCATED};

/// Unpacks runs to one index per pixel, in stored row order. Skipped pixels keep index 0.
pub(super) fn decode(data: &[u8], head: &Head, bits: u32) -> Result<Vec<u8>, DecodeError> {
    let mut canvas = Canvas::new(head);
    let mut rest = data;
    while canvas.y < canvas.height {
        let (&[count, value], after) = rest.split_first_chunk::<2>().ok_or(TRUNCATED)?;
        rest = after;
        match (count, value) {
            (0, END_OF_LINE) => canvas.next_line(),
            (0, END_OF_BITMAP) => break,
            (0, DELTA) => {
                let (&[right, up], after) = rest.split_first_chunk::<2>().ok_or(TRUNCATED)?;
                rest = after;
                canvas.skip(right, up);
            }
            (0, literals) => {
                let packed = usize::from(literals) * bits as usize;
                let length = packed.div_ceil(16) * 2;
                let (stored, after) = rest.split_at_checked(length).ok_or(TRUNCATED)?;
                rest = after;
                let pixels = usize::from(literals);
                (0..pixels).for_each(|x| canvas.put(super::index_at(stored, x, bits)));
            }
            (count, value) => {
                let run = [value; RUN_BYTES_MAX];
                (0..usize::from(count)).for_each(|x| canvas.put(super::index_at(&run, x, bits)));
            }
        }
    }
    Ok(canvas.indices)
}

struct Canvas {
    indices: Vec<u8>,
    width: usize,
    height: usize,
    x: usize,
    y: usize,
}

impl Canvas {
    fn new(head: &Head) -> Self {
        let (width, height) = (head.width as usize, head.height as usize);
        Self { indices: vec![0; width * height], width, height, x: 0, y: 0 }
    }

    /// Writes a pixel. Pixels beyond the end of a row are dropped, as in other readers.
    fn put(&mut self, index: u8) {
        if self.x < self.width && self.y < self.height {
            if let Some(place) = self.indices.get_mut(self.y * self.width + self.x) {
                *place = index;
            }
            self.x += 1;
        }
    }

    fn next_line(&mut self) {
        self.x = 0;
        self.y += 1;
    }

    fn skip(&mut self, right: u8, up: u8) {
        self.x += usize::from(right);
        self.y += usize::from(up);
    }
}

const END_OF_LINE: u8 = 0;
const END_OF_BITMAP: u8 = 1;
const DELTA: u8 = 2;
/// The length of a run, rounded up: it has at most 255 pixels of at most one byte each.
const RUN_BYTES_MAX: usize = 256;
