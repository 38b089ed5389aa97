//! Encodes one block in the shortest of three ways: stored, with the fixed codes, or with its own.

use super::bits::{Bits, stored_bits};
use super::codes::Codes;
use super::matches::Run;
use super::symbols::{DISTANCE_SYMBOLS, END, LITERAL_SYMBOLS, of_distance, of_length};

/// Writes the data that the runs describe as one block.
pub(super) fn write(bits: &mut Bits, data: &[u8], runs: &[Run]) {
    let counts = Counts::of(data, runs);
    let own = Coding::of(&counts);
    let common = Coding::common();
    let (head, own_cost) = (Head::of(&own), own.cost(&counts));
    let (own_cost, common_cost) = (own_cost + head.cost(), common.cost(&counts));
    if stored_bits(data.len()) <= own_cost.min(common_cost) {
        bits.store(data);
    } else if common_cost <= own_cost {
        bits.reserve(common_cost + BLOCK_BITS);
        bits.put(COMMON_CODES, 3);
        common.write(bits, data, runs);
    } else {
        bits.reserve(own_cost + BLOCK_BITS);
        bits.put(OWN_CODES, 3);
        head.write(bits);
        own.write(bits, data, runs);
    }
}

/// How often each symbol occurs, and the number of extra bits, which doesn't depend on the codes.
struct Counts {
    literals: [u32; LITERAL_SYMBOLS],
    distances: [u32; DISTANCE_SYMBOLS],
    extra_bits: u64,
}

impl Counts {
    fn of(data: &[u8], runs: &[Run]) -> Self {
        let mut counts = Self {
            literals: [0; LITERAL_SYMBOLS],
            distances: [0; DISTANCE_SYMBOLS],
            extra_bits: 0,
        };
        let mut quarters = [[0_u32; 256]; 4];
        let mut rest = data;
        for run in runs {
            let (literals, after) = rest.split_at(run.literals as usize);
            count(literals, &mut quarters);
            rest = after.get(usize::from(run.length)..).unwrap_or_default();
            if run.length > 0 {
                let (length, _, length_bits) = of_length(run.length);
                let (distance, _, distance_bits) = of_distance(run.distance);
                counts.literals[length] += 1;
                counts.distances[distance] += 1;
                counts.extra_bits += u64::from(length_bits + distance_bits);
            }
        }
        counts.literals[END] = 1;
        for quarter in quarters {
            counts.literals.iter_mut().zip(quarter).for_each(|(sum, count)| *sum += count);
        }
        counts
    }
}

/// Counts bytes in four tables, so that equal neighbors don't have to wait for each other.
fn count(literals: &[u8], quarters: &mut [[u32; 256]; 4]) {
    let [first, second, third, fourth] = quarters;
    let (fours, rest) = literals.as_chunks::<4>();
    for [a, b, c, d] in fours {
        first[usize::from(*a)] += 1;
        second[usize::from(*b)] += 1;
        third[usize::from(*c)] += 1;
        fourth[usize::from(*d)] += 1;
    }
    rest.iter().for_each(|byte| first[usize::from(*byte)] += 1);
}

/// The codes of one block.
struct Coding {
    literals: Codes<LITERAL_SYMBOLS>,
    distances: Codes<DISTANCE_SYMBOLS>,
}

impl Coding {
    fn of(counts: &Counts) -> Self {
        Self {
            literals: Codes::of(&counts.literals, LITERAL_BITS_MAX),
            distances: Codes::of(&counts.distances, DISTANCE_BITS_MAX),
        }
    }

    /// The fixed codes, which the block doesn't have to contain (RFC 1951, section 3.2.6).
    fn common() -> Self {
        let mut lengths = [8; LITERAL_SYMBOLS];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        let literals = Codes::with_lengths(lengths);
        Self { literals, distances: Codes::with_lengths([5; DISTANCE_SYMBOLS]) }
    }

    fn cost(&self, counts: &Counts) -> u64 {
        let symbols = self.literals.cost(&counts.literals) + self.distances.cost(&counts.distances);
        symbols + counts.extra_bits
    }

    fn write(&self, bits: &mut Bits, data: &[u8], runs: &[Run]) {
        let packed: [(u16, u8); 256] =
            std::array::from_fn(|at| (self.literals.bits[at], self.literals.lengths[at]));
        let mut rest = data;
        for run in runs {
            let (literals, after) = rest.split_at(run.literals as usize);
            write_literals(bits, literals, &packed);
            rest = after.get(usize::from(run.length)..).unwrap_or_default();
            if run.length > 0 {
                self.write_repetition(bits, *run);
            }
        }
        let (end, count) = self.literals.code(END);
        bits.put(end, count);
    }

    #[inline]
    fn write_repetition(&self, bits: &mut Bits, run: Run) {
        let (length, extra, count) = of_length(run.length);
        bits.hold(self.literals.code(length));
        bits.hold((u64::from(extra), count));
        let (distance, extra, count) = of_distance(run.distance);
        bits.hold(self.distances.code(distance));
        bits.hold((u64::from(extra), count));
        bits.flush();
    }
}

/// Writes four literals at a time. With less than a byte held, their codes fit in one word. They
/// are joined in pairs, so that the processor doesn't have to add them one after the other.
fn write_literals(bits: &mut Bits, literals: &[u8], codes: &[(u16, u8); 256]) {
    let code = |byte: u8| {
        let (code, count) = codes[usize::from(byte)];
        (u64::from(code), u32::from(count))
    };
    let pair = |first: u8, second: u8| {
        let ((first, count), (second, more)) = (code(first), code(second));
        (first | second << count, count + more)
    };
    let (fours, rest) = literals.as_chunks::<4>();
    for [a, b, c, d] in fours {
        bits.hold(pair(*a, *b));
        bits.hold(pair(*c, *d));
        bits.flush();
    }
    rest.iter().for_each(|byte| bits.hold(code(*byte)));
    bits.flush();
}

/// The description of a block's own codes (RFC 1951, section 3.2.7): the lengths of the codes, with
/// runs of equal lengths shortened, in a code of their own.
struct Head {
    literals: usize,
    distances: usize,
    /// Symbol, extra bits, and how many of them.
    lengths: Vec<(usize, u64, u32)>,
    codes: Codes<LENGTH_SYMBOLS>,
    /// How many lengths of `codes` are written.
    told: usize,
}

impl Head {
    fn of(coding: &Coding) -> Self {
        let literals = used(&coding.literals.lengths).max(END + 1);
        let distances = used(&coding.distances.lengths).max(1);
        let all = coding.literals.lengths.iter().take(literals);
        let all: Vec<u8> =
            all.chain(coding.distances.lengths.iter().take(distances)).copied().collect();
        let lengths = shortened(&all);
        let mut counts = [0; LENGTH_SYMBOLS];
        lengths.iter().for_each(|(symbol, ..)| counts[*symbol] += 1);
        let codes = Codes::of(&counts, LENGTH_BITS_MAX);
        let told = LENGTH_ORDER.map(|symbol| codes.lengths[symbol]);
        Self { literals, distances, lengths, codes, told: used(&told).max(4) }
    }

    fn cost(&self) -> u64 {
        let each = self.lengths.iter();
        let lengths: u64 =
            each.map(|(symbol, _, count)| u64::from(self.codes.code(*symbol).1 + count)).sum();
        lengths + 14 + 3 * self.told as u64
    }

    fn write(&self, bits: &mut Bits) {
        bits.put(self.literals as u64 - 257, 5);
        bits.put(self.distances as u64 - 1, 5);
        bits.put(self.told as u64 - 4, 4);
        for symbol in LENGTH_ORDER.iter().take(self.told) {
            bits.put(u64::from(self.codes.lengths[*symbol]), 3);
        }
        for (symbol, extra, count) in &self.lengths {
            bits.hold(self.codes.code(*symbol));
            bits.put(*extra, *count);
        }
    }
}

/// The number of lengths up to and including the last one that is not zero.
fn used(lengths: &[u8]) -> usize {
    lengths.iter().rposition(|length| *length > 0).map_or(0, |last| last + 1)
}

/// Encodes lengths, with runs as symbols 16 (repeats the previous length 3 to 6 times), 17 and 18
/// (runs of zeros).
fn shortened(lengths: &[u8]) -> Vec<(usize, u64, u32)> {
    let mut symbols = Vec::new();
    for run in lengths.chunk_by(|left, right| left == right) {
        let length = run.first().copied().unwrap_or_default();
        let mut left = run.len();
        if length > 0 {
            symbols.push((usize::from(length), 0, 0));
            left -= 1;
        }
        while left > 0 {
            let (taken, symbol) = match (length, left) {
                (_, 1 | 2) => (1, (usize::from(length), 0, 0)),
                (0, 3..=10) => (left, (17, left as u64 - 3, 3)),
                (0, _) => (left.min(138), (18, left.min(138) as u64 - 11, 7)),
                _ => (left.min(6), (16, left.min(6) as u64 - 3, 2)),
            };
            symbols.push(symbol);
            left -= taken;
        }
    }
    symbols
}

/// With this limit, the codes of four literals and the bits of an incomplete byte fit in a word.
const LITERAL_BITS_MAX: u8 = 14;
const DISTANCE_BITS_MAX: u8 = 14;
/// RFC 1951, section 3.2.7.
const LENGTH_BITS_MAX: u8 = 7;
const LENGTH_SYMBOLS: usize = 19;
const LENGTH_ORDER: [usize; LENGTH_SYMBOLS] =
    [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/// The first three bits of a block that is not the last.
const COMMON_CODES: u64 = 0b010;
const OWN_CODES: u64 = 0b100;
const BLOCK_BITS: u64 = 3;
