//! A fast deflate encoder (RFC 1951) for the rows of images. It searches greedily for repetitions
//! and uses separate codes for each block. Parts are independent and are encoded in parallel.
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

/// Encodes one part as an independent stream that ends on a byte boundary, so that parts can be
/// concatenated (RFC 1951, section 3.2.4: an empty stored block). `is_last` ends the whole stream.
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

/// The most bytes that [`part`] returns for this many bytes. Data that can't be compressed is
/// stored, and each stored piece and each block has a header of up to 6 bytes. Except for the last
/// ones, a piece has 64 KiB and a block more than 16 KiB. The end is a stored piece without data.
pub(super) fn part_bytes_max(bytes: usize) -> usize {
    bytes + bytes / 1024 + 64
}

/// The expected compression ratio, which sets the initial capacity. Photos shrink to about half, so
/// most buffers never have to grow.
const RATIO_EXPECTED: usize = 2;

/// How many runs share one set of codes. This is few enough that the codes follow the changes
/// within an image, and enough that the codes themselves, about 80 bytes, hardly count.
const RUNS_PER_BLOCK: usize = 16 * 1024;
