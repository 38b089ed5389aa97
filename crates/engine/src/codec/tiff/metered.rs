//! A file that is read so far and no further.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// The bytes of a file, of which only so many are given out, those that are read twice counted twice: a
/// decoder that begins anew for each part can be made to read a whole file for each.
#[derive(Debug)]
pub(super) struct Metered<'a> {
    bytes: Cursor<&'a [u8]>,
    left: u64,
}

impl<'a> Metered<'a> {
    pub(super) fn new(bytes: &'a [u8], left: u64) -> Self {
        Self { bytes: Cursor::new(bytes), left }
    }

    /// From now on so many may be read.
    pub(super) fn allow(&mut self, left: u64) {
        self.left = left;
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| io::Error::other("the same bytes are read for many parts"))?;
        Ok(count)
    }
}

impl Seek for Metered<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}
