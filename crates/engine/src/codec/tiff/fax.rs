//! Group 4 fax (ITU-T T.6), which scanners use for pages. Decoding takes time proportional to the
//! data and the pixels.

mod codes;

use super::super::{DecodeError, Format};
use codes::Bits;

/// Where the pixels of one part go: packed rows, highest bit first, where 1 is black.
pub(super) struct Rows<'a> {
    pub(super) bytes: &'a mut [u8],
    /// Bytes from one row to the next.
    pub(super) stride: usize,
    /// Bytes of a row that belong to the part.
    pub(super) room: usize,
    /// Pixels of a row as the part codes it.
    pub(super) width: u32,
}

/// Decodes one part. Rows after the end mark of the data stay white.
///
/// # Errors
/// [`DecodeError`] when the data ends before its rows do, or breaks the rules.
pub(super) fn decode(data: &[u8], is_reversed: bool, rows: Rows<'_>) -> Result<(), DecodeError> {
    let Rows { bytes, stride, room, width } = rows;
    let mut bits = Bits::new(data, is_reversed);
    let (mut above, mut row) = (Vec::new(), Vec::new());
    for place in bytes.chunks_mut(stride.max(1)) {
        let room = room.min(place.len());
        row.clear();
        match read_row(&mut bits, (&above, &mut row), width) {
            Some(Row::Read) => {}
            Some(Row::End) => break,
            Some(Row::Extended) => {
                let reason = "its fax data uses an extension, such as uncompressed rows";
                return Err(DecodeError::unsupported(Format::Tiff, reason));
            }
            None => {
                let reason = "its fax data ends too early or is invalid";
                return Err(DecodeError::damaged(Format::Tiff, reason));
            }
        }
        for run in row.chunks(2) {
            let (start, end) = match run {
                [start, end] => (*start, *end),
                _ => (run.first().copied().unwrap_or_default(), width),
            };
            blacken(place.get_mut(..room).unwrap_or_default(), start as usize, end as usize);
        }
        std::mem::swap(&mut above, &mut row);
    }
    Ok(())
}

/// What the data has in place of the next row.
enum Row {
    Read,
    End,
    Extended,
}

/// Reads the positions where a row changes color, given those of the row above. The first change
/// is from white to black.
fn read_row(bits: &mut Bits<'_>, (above, row): (&[u32], &mut Vec<u32>), width: u32) -> Option<Row> {
    // The last known position, none at first. Both only move forward, so that a row costs no more
    // than its codes and the changes above it.
    let (mut at, mut index) = (None, 0);
    let mut is_black = false;
    while at.is_none_or(|at| at < width) {
        let start = at.unwrap_or_default();
        while above.get(index).is_some_and(|change| at.is_some_and(|at| *change <= at)) {
            index += 1;
        }
        // The next change to the other color in the row above. Changes to black have even indices.
        let next = index + usize::from((index % 2 == 1) != is_black);
        let change = |index: usize| above.get(index).copied().unwrap_or(width);
        match read_mode(bits)? {
            Mode::Pass => at = Some(change(next + 1)),
            Mode::Vertical(offset) => {
                let place = change(next).checked_add_signed(offset)?;
                if place < start || place > width {
                    return None;
                }
                push(row, place, width);
                at = Some(place);
                is_black = !is_black;
            }
            Mode::Horizontal => {
                let first = start.saturating_add(bits.run(is_black)?).min(width);
                let second = first.saturating_add(bits.run(!is_black)?).min(width);
                push(row, first, width);
                push(row, second, width);
                at = Some(second);
            }
            Mode::End if at.is_none() => return Some(Row::End),
            Mode::End => return None,
            Mode::Extension => return Some(Row::Extended),
        }
    }
    Some(Row::Read)
}

/// Adds a change. Two changes at one position cancel out, and the end of a row isn't a change.
fn push(row: &mut Vec<u32>, place: u32, width: u32) {
    if place >= width {
        return;
    }
    if row.last() == Some(&place) {
        row.pop();
    } else {
        row.push(place);
    }
}

/// How the next change is coded (T.6, table 1).
enum Mode {
    Pass,
    Horizontal,
    Vertical(i32),
    Extension,
    End,
}

fn read_mode(bits: &mut Bits<'_>) -> Option<Mode> {
    let next = bits.peek(MODE_BITS_MAX);
    let (mode, count) = match next {
        0b100_0000.. => (Mode::Vertical(0), 1),
        0b011_0000.. => (Mode::Vertical(1), 3),
        0b010_0000.. => (Mode::Vertical(-1), 3),
        0b001_0000.. => (Mode::Horizontal, 3),
        0b000_1000.. => (Mode::Pass, 4),
        0b000_0110.. => (Mode::Vertical(2), 6),
        0b000_0100.. => (Mode::Vertical(-2), 6),
        0b000_0011 => (Mode::Vertical(3), 7),
        0b000_0010 => (Mode::Vertical(-3), 7),
        0b000_0001 => (Mode::Extension, 7),
        _ if bits.peek(END_BITS) == 1 => (Mode::End, END_BITS),
        _ => return None,
    };
    bits.skip(count)?;
    Some(mode)
}

/// Sets the bits from `start` to `end`, as far as the row has room.
fn blacken(row: &mut [u8], start: usize, end: usize) {
    let end = end.min(row.len() * 8);
    if start >= end {
        return;
    }
    let (first, last) = (start / 8, (end - 1) / 8);
    let (head, tail) = (0xFF_u8 >> (start % 8), 0xFF_u8 << (7 - (end - 1) % 8));
    match row.get_mut(first..=last) {
        Some([only]) => *only |= head & tail,
        Some([one, middle @ .., other]) => {
            *one |= head;
            middle.fill(0xFF);
            *other |= tail;
        }
        _ => {}
    }
}

const MODE_BITS_MAX: u32 = 7;
/// Half of the end mark.
const END_BITS: u32 = 12;
