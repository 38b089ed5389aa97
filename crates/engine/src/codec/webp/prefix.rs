//! Prefix codes of lossless WebP data (RFC 9649, section 3.7.2), and the memory that the decoder's
//! tables for them take.

use super::bits::Bits;

/// One code: the number of symbols of each length, and the symbols in the order of their codes.
pub(super) struct Prefix {
    counts: [u16; LENGTHS],
    symbols: Vec<u16>,
}

impl Prefix {
    /// Reads the code for an alphabet; `None` if it is incomplete or invalid.
    pub(super) fn read(bits: &mut Bits<'_>, alphabet: usize) -> Option<Self> {
        if bits.flag()? {
            Self::read_simple(bits, alphabet)
        } else {
            Self::read_full(bits, alphabet)
        }
    }

    /// The next symbol. A code with a single symbol has no bits.
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Option<u16> {
        if let [symbol] = self.symbols.as_slice() {
            return Some(*symbol);
        }
        // Codes of one length are consecutive; the first of the next length is twice their end.
        let (mut code, mut first, mut index) = (0_u32, 0_u32, 0_usize);
        for count in self.counts.iter().skip(1) {
            code |= bits.read(1)?;
            let count = u32::from(*count);
            if code < first + count {
                return self.symbols.get(index + (code - first) as usize).copied();
            }
            index += count as usize;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }

    /// Memory in bytes that the decoder takes for the code (`image-webp` 0.2.4, `huffman.rs`): a table
    /// for the first ten bits, and two nodes for each longer symbol.
    pub(super) fn decoder_bytes(&self) -> u64 {
        let longest = self.counts.iter().rposition(|count| *count > 0).unwrap_or_default();
        let longer: u64 =
            self.counts.iter().skip(TABLE_BITS + 1).map(|count| u64::from(*count)).sum();
        (TABLE_ENTRY_BYTES << longest.min(TABLE_BITS)) + longer * LONG_SYMBOL_BYTES
    }

    /// One or two symbols, listed directly.
    fn read_simple(bits: &mut Bits<'_>, alphabet: usize) -> Option<Self> {
        let is_pair = bits.flag()?;
        let first_bits = if bits.flag()? { 8 } else { 1 };
        let mut symbols = vec![bits.read(first_bits)? as u16];
        let mut counts = [0; LENGTHS];
        if is_pair {
            symbols.push(bits.read(8)? as u16);
            counts[1] = 2;
        }
        symbols
            .iter()
            .all(|symbol| usize::from(*symbol) < alphabet)
            .then_some(Self { counts, symbols })
    }

    fn read_full(bits: &mut Bits<'_>, alphabet: usize) -> Option<Self> {
        let mut lengths = [0; LENGTH_CODE_ORDER.len()];
        let told = 4 + bits.read(4)? as usize;
        for place in LENGTH_CODE_ORDER.iter().take(told) {
            *lengths.get_mut(*place)? = bits.read(3)? as u8;
        }
        let code = Self::of_lengths(&lengths)?;
        Self::of_lengths(&read_lengths(bits, &code, alphabet)?)
    }

    /// The code whose symbols have these lengths; `None` unless it is complete.
    fn of_lengths(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0_u16; LENGTHS];
        lengths.iter().for_each(|length| counts[usize::from(length & 15)] += 1);
        counts[0] = 0;
        let mut starts = [0_u16; LENGTHS + 1];
        for (length, count) in counts.iter().enumerate() {
            starts[length + 1] = starts[length] + count;
        }
        let mut symbols = vec![0; usize::from(starts[LENGTHS])];
        for (symbol, length) in (0..).zip(lengths).filter(|(_, length)| **length > 0) {
            let start = starts.get_mut(usize::from(*length))?;
            *symbols.get_mut(usize::from(*start))? = symbol;
            *start += 1;
        }
        let shares = counts.iter().enumerate().skip(1);
        let taken: u32 = shares.map(|(length, count)| u32::from(*count) << (15 - length)).sum();
        let is_complete = taken == 1 << 15 || symbols.len() == 1;
        if symbols.len() == 1 {
            counts = [0; LENGTHS];
        }
        is_complete.then_some(Self { counts, symbols })
    }
}

/// The code lengths of an alphabet, which are themselves coded.
fn read_lengths(bits: &mut Bits<'_>, code: &Prefix, alphabet: usize) -> Option<Vec<u8>> {
    let mut told = alphabet;
    if bits.flag()? {
        let count_bits = 2 + 2 * bits.read(3)?;
        told = 2 + bits.read(count_bits)? as usize;
        if told > alphabet {
            return None;
        }
    }
    let (mut lengths, mut last) = (Vec::with_capacity(alphabet), DEFAULT_LENGTH);
    while lengths.len() < alphabet && told > 0 {
        told -= 1;
        let (length, times) = match code.symbol(bits)? {
            16 => (last, 3 + bits.read(2)? as usize),
            17 => (0, 3 + bits.read(3)? as usize),
            18 => (0, 11 + bits.read(7)? as usize),
            length => (length as u8, 1),
        };
        if length > 0 {
            last = length;
        }
        if lengths.len() + times > alphabet {
            return None;
        }
        lengths.resize(lengths.len() + times, length);
    }
    Some(lengths)
}

/// Code lengths, 0 to 15.
const LENGTHS: usize = 16;
const LENGTH_CODE_ORDER: [usize; 19] =
    [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// What a repetition repeats before any length has been read.
const DEFAULT_LENGTH: u8 = 8;
const TABLE_BITS: usize = 10;
const TABLE_ENTRY_BYTES: u64 = 4;
const LONG_SYMBOL_BYTES: u64 = 32;
