//! Checks that every sample of a track is inside the file's data.

use super::Mp4Error;
use super::boxes::{Boxed, long, only, wide};
use super::track::Track;

/// Checks that all chunks of a track are in `data` and returns how many samples it has: 0 if they
/// are in fragments.
pub(super) fn check(track: &Track<'_>, data: &[&Boxed<'_>]) -> Result<u64, Mp4Error> {
    let table = |kind| only(&track.tables, kind).map_or(&[][..], |table| table.content);
    let (sizes, runs) = (Sizes(table(*b"stsz")), table(*b"stsc"));
    let (short, long_offsets) = (table(*b"stco"), table(*b"co64"));
    let chunks = u64::from(long(short, 4).max(long(long_offsets, 4)));
    let entries = short.len().max(long_offsets.len()) as u64 / 4;
    if chunks > entries || !sizes.is_whole() {
        return Err(Mp4Error::Damaged { reason: "a sample table is shorter than it declares" });
    }
    let mut runs = Runs { table: runs, run: 0 };
    let mut sample = 0_u64;
    for chunk in 0..chunks as usize {
        let offset = match short.is_empty() {
            true => wide(long_offsets, 8 + chunk * 8),
            false => u64::from(long(short, 8 + chunk * 4)),
        };
        let count = runs.samples(chunk as u64 + 1).min(sizes.count() - sample);
        let length = sizes.sum(sample, count);
        if !lies_in(data, offset, length) {
            return Err(Mp4Error::Truncated { part: "data".into() });
        }
        sample += count;
    }
    match sample == sizes.count() {
        true => Ok(sample),
        false => Err(Mp4Error::Damaged { reason: "some of its samples are outside its data" }),
    }
}

/// Whether `length` bytes at `offset` lie in one of the data boxes, which are in order.
fn lies_in(data: &[&Boxed<'_>], offset: u64, length: u64) -> bool {
    let behind = data.partition_point(|part| part.at <= offset);
    let Some(part) = behind.checked_sub(1).and_then(|index| data.get(index)) else { return false };
    let end = part.at + part.content.len() as u64;
    offset.checked_add(length).is_some_and(|reach| reach <= end)
}

/// The table of sample sizes (`stsz`).
struct Sizes<'a>(&'a [u8]);

impl Sizes<'_> {
    fn uniform(&self) -> u64 {
        u64::from(long(self.0, 4))
    }

    fn count(&self) -> u64 {
        u64::from(long(self.0, 8))
    }

    fn is_whole(&self) -> bool {
        self.uniform() > 0 || self.count() * 4 + 12 <= self.0.len() as u64 || self.count() == 0
    }

    fn sum(&self, from: u64, count: u64) -> u64 {
        if self.uniform() > 0 {
            return self.uniform().saturating_mul(count);
        }
        let sizes = self.0.as_chunks::<4>().0.iter().skip(3 + from as usize);
        sizes.take(count as usize).map(|size| u64::from(u32::from_be_bytes(*size))).sum()
    }
}

/// The table of samples per chunk (`stsc`). Each entry covers a run of equal chunks.
struct Runs<'a> {
    table: &'a [u8],
    run: usize,
}

impl Runs<'_> {
    /// The number of samples in a chunk. Chunks are counted from 1; call this in ascending order.
    fn samples(&mut self, chunk: u64) -> u64 {
        let next = long(self.table, 8 + (self.run + 1) * 12);
        if next != 0 && u64::from(next) <= chunk {
            self.run += 1;
        }
        u64::from(long(self.table, 8 + self.run * 12 + 4))
    }
}
