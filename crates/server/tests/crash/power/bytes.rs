//! Undoes writes to a file that were not made durable.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::log::Write;
use super::loss::Loss;
use crate::calls::Random;

/// Size of the pages in which mapped memory is written back, in bytes.
const PAGE_BYTES: u64 = 4096;

/// Gives the file a state that it may have after a failure: each block, and the length, as it was
/// after some of the `pending` writes, which are those since the last sync. Returns the number of
/// writes that the file has lost at least partly.
///
/// A truncation cannot be reordered with other writes: if it stays, what it removed cannot stay,
/// and if it is lost, what came after it cannot stay.
pub(super) fn lose(path: &Path, pending: &[Write], loss: Loss, random: &mut Random) -> usize {
    let file = OpenOptions::new().read(true).write(true).open(path).unwrap();
    let staying = loss.stay((0, pending.len()), random);
    let length = match pending.get(staying) {
        Some(first_lost) => first_lost.length,
        None => file.metadata().unwrap().len(),
    };
    let cut_at = |number: &usize| pending[*number].cuts;
    let least = (0..staying).rev().find(cut_at).map_or(0, |number| number + 1);
    let most = (staying..pending.len()).find(cut_at).unwrap_or(pending.len());
    let mut blocks = HashMap::new();
    let mut lost = 0;
    for (number, write) in pending.iter().enumerate().rev() {
        let mut loses = number >= staying && write.length < write.end;
        for block in write.at / loss.block_bytes()..write.end.div_ceil(loss.block_bytes()) {
            let kept = blocks.entry(block).or_insert_with(|| loss.stay((least, most), random));
            if *kept <= number {
                let start = block * loss.block_bytes();
                take_back(&file, write, start..start + loss.block_bytes());
                loses = true;
            }
        }
        lost += usize::from(loses);
    }
    file.set_len(length).unwrap();
    lost
}

/// Restores what the write changed in the block. There were no bytes behind the end of the file.
fn take_back(file: &File, write: &Write, block: Range<u64>) {
    let (start, end) = (block.start.max(write.at), block.end.min(write.end));
    let old_end = end.min(write.length).max(start);
    let old = (start - write.at) as usize..(old_end - write.at) as usize;
    let old = write.before.get(old).unwrap_or_default();
    let nothing = vec![0; (end - start) as usize - old.len()];
    file.write_all_at(&[old, &nothing].concat(), start).unwrap();
}

/// Undoes writes through mapped memory. When they happened is unknown and no sync covers them, so
/// any page may look as if it had never been written.
pub(super) fn lose_memory(path: &Path, loss: Loss, random: &mut Random) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    for page in 0..length.div_ceil(PAGE_BYTES) {
        if loss.stay((0, 1), random) == 0 {
            let at = page * PAGE_BYTES;
            let nothing = vec![0; (length - at).min(PAGE_BYTES) as usize];
            file.write_all_at(&nothing, at).unwrap();
        }
    }
}
