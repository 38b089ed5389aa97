//! Bits of lossless WebP data, lowest first (RFC 9649, section 3.2).

/// The data that has not been read yet.
pub(super) struct Bits<'a> {
    rest: &'a [u8],
    held: u64,
    held_count: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self { rest: data, held: 0, held_count: 0 }
    }

    /// The next bits as a number, up to 32 of them; `None` if the data ends before them.
    pub(super) fn read(&mut self, count: u32) -> Option<u32> {
        while self.held_count < count {
            let (byte, rest) = self.rest.split_first()?;
            self.held |= u64::from(*byte) << self.held_count;
            self.held_count += 8;
            self.rest = rest;
        }
        let value = self.held & ((1 << count) - 1);
        self.held >>= count;
        self.held_count -= count;
        Some(value as u32)
    }

    /// The next bit as a boolean.
    pub(super) fn flag(&mut self) -> Option<bool> {
        Some(self.read(1)? == 1)
    }
}
