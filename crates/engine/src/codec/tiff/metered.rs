//! A file of which only a limited number of bytes may be read.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// The bytes of a file, with a budget for reads. Bytes that are read twice count twice: a hostile
/// file can make a decoder read the whole file for each part.
#[derive(Debug)]
pub(super) struct Metered<'a> {
    bytes: Cursor<&'a [u8]>,
    left: u64,
}

impl<'a> Metered<'a> {
    pub(super) fn new(bytes: &'a [u8], left: u64) -> Self {
        Self { bytes: Cursor::new(bytes), left }
    }

    /// Sets how many bytes may be read from now on.
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
            .ok_or_else(|| io::Error::other("too many strips or tiles share the same bytes"))?;
        Ok(count)
    }
}

impl Seek for Metered<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}
