//! A fast deflate encoder (RFC 1951) for the rows of images: one greedy search for repetitions, and
//! separate codes for each part. Parts are independent and are encoded in parallel.
//!
//! Photos have hardly any repetitions, and most of the time goes into writing literals. Drawings
//! are nearly all repetitions. So the search takes longer and longer steps while it finds nothing,
//! and literals are written four at a time.

mod bits;
mod block;
mod codes;
mod matches;
mod symbols;

pub(super) use matches::{Search, Sought};

use bits::Bits;

/// Codes one part, as a stream of its own whose end is on a whole byte, so that parts can be put
/// one behind the other (RFC 1951, section 3.2.4: an empty stored block). `is_last` ends the whole.
pub(super) fn part(
    (bytes, sought): (&[u8], Sought),
    is_last: bool,
    search: &mut Search,
) -> Vec<u8> {
    let mut bits = Bits::new(bytes.len() / RATIO_EXPECTED);
    let mut rest = bytes;
    let mut runs = search.runs(bytes, sought);
    while !runs.is_empty() {
        let (block, later) = runs.split_at(runs.len().min(RUNS_PER_BLOCK));
        let length = block.iter().map(matches::Run::bytes).sum::<usize>();
        let (data, behind) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        block::write(&mut bits, data, block);
        (rest, runs) = (behind, later);
    }
    bits.end_part(is_last);
    bits.into_bytes()
}

/// The most bytes that [`part`] makes of so many: what cannot be made shorter is stored, and each
/// stored piece and each block has a head of up to 6 bytes. A piece has 64 KiB and a block more
/// than 16 KiB, but for the last; the end is one of no bytes.
pub(super) fn part_bytes_max(bytes: usize) -> usize {
    bytes + bytes / 1024 + 64
}

/// Photographs shrink to about half; a first guess that spares most regrowth.
const RATIO_EXPECTED: usize = 2;

/// Codes are made anew after so many repetitions: often enough to follow the picture, seldom
/// enough that the codes themselves, about 80 bytes, do not weigh.
const RUNS_PER_BLOCK: usize = 16 * 1024;
