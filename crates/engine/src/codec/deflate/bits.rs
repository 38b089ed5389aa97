//! Bits packed into bytes, lowest first (RFC 1951, section 3.1.1).

/// The bits written so far.
pub(super) struct Bits {
    bytes: Vec<u8>,
    /// How many of `bytes` have been written. The rest is reserved space.
    end: usize,
    held: u64,
    held_count: u32,
}

impl Bits {
    pub(super) fn new(bytes_expected: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes_expected), end: 0, held: 0, held_count: 0 }
    }

    /// Reserves space for this many bits, so that writing them needs no further check.
    pub(super) fn reserve(&mut self, bits: u64) {
        let bytes = usize::try_from(bits / 8).unwrap_or(usize::MAX).saturating_add(2 * WORD_BYTES);
        self.bytes.resize(self.end.saturating_add(bytes), 0);
    }

    /// Adds up to 56 bits to the word that is held. Call [`Self::flush`] before holding more.
    #[inline]
    pub(super) fn hold(&mut self, (value, count): (u64, u32)) {
        self.held |= value << self.held_count;
        self.held_count += count;
    }

    /// Writes all whole bytes of the bits that are held. At most 7 bits stay.
    #[inline]
    pub(super) fn flush(&mut self) {
        if let Some(room) = self.bytes.get_mut(self.end..self.end + WORD_BYTES) {
            room.copy_from_slice(&self.held.to_le_bytes());
        }
        let whole = self.held_count & !7;
        self.end += (whole / 8) as usize;
        self.held >>= whole;
        self.held_count &= 7;
    }

    /// Writes up to 56 bits.
    #[inline]
    pub(super) fn put(&mut self, value: u64, count: u32) {
        self.hold((value, count));
        self.flush();
    }

    /// Writes bytes uncompressed, in stored blocks, which end on a byte boundary.
    pub(super) fn store(&mut self, data: &[u8]) {
        for piece in data.chunks(STORED_BYTES_MAX) {
            self.begin_stored(piece.len(), false);
            self.bytes.truncate(self.end);
            self.bytes.extend_from_slice(piece);
            self.end = self.bytes.len();
        }
    }

    /// Ends a part on a byte boundary.
    pub(super) fn end_part(&mut self, is_last: bool) {
        self.begin_stored(0, is_last);
    }

    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.end);
        self.bytes
    }

    fn begin_stored(&mut self, length: usize, is_last: bool) {
        self.reserve(STORED_HEAD_BITS);
        self.put(u64::from(is_last), 3);
        self.put(0, (8 - self.held_count) % 8);
        let length = length as u64 & 0xFFFF;
        self.put(length | (length ^ 0xFFFF) << 16, 32);
    }
}

const WORD_BYTES: usize = 8;
/// Section 3.2.4: the length has 16 bits.
const STORED_BYTES_MAX: usize = 0xFFFF;
const STORED_HEAD_BITS: u64 = 3 + 7 + 32;

/// The most bits that storing this many bytes takes, headers included.
pub(super) fn stored_bits(length: usize) -> u64 {
    length as u64 * 8 + length.div_ceil(STORED_BYTES_MAX) as u64 * STORED_HEAD_BITS
}
