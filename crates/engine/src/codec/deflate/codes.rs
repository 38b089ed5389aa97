//! Prefix codes for counted symbols (RFC 1951, section 3.2.2).

/// The code of each symbol: its bits, in the order in which they are written, and their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Codes<const SYMBOLS: usize> {
    pub(super) bits: [u16; SYMBOLS],
    pub(super) lengths: [u8; SYMBOLS],
}

impl<const SYMBOLS: usize> Codes<SYMBOLS> {
    /// Creates codes of at most `length_max` bits. The more often a symbol is counted, the shorter
    /// is its code.
    pub(super) fn of(counts: &[u32; SYMBOLS], length_max: u8) -> Self {
        Self::with_lengths(lengths(counts, length_max))
    }

    pub(super) fn with_lengths(lengths: [u8; SYMBOLS]) -> Self {
        let mut next = first_codes(&lengths);
        let mut bits = [0; SYMBOLS];
        for (bits, length) in bits.iter_mut().zip(lengths) {
            if length > 0 {
                let code = &mut next[usize::from(length & 15)];
                *bits = code.reverse_bits() >> (16 - u32::from(length));
                *code = code.wrapping_add(1);
            }
        }
        Self { bits, lengths }
    }

    /// How many bits all counted symbols take.
    pub(super) fn cost(&self, counts: &[u32; SYMBOLS]) -> u64 {
        let each = counts.iter().zip(self.lengths);
        each.map(|(count, length)| u64::from(*count) * u64::from(length)).sum()
    }

    /// The bits of one symbol's code, and their number.
    #[inline]
    pub(super) fn code(&self, symbol: usize) -> (u64, u32) {
        (u64::from(self.bits[symbol]), u32::from(self.lengths[symbol]))
    }
}

/// The first code of each length.
fn first_codes(lengths: &[u8]) -> [u16; 16] {
    let mut counts = [0_u16; 16];
    lengths.iter().for_each(|length| counts[usize::from(length & 15)] += 1);
    counts[0] = 0;
    let mut next = [0_u16; 16];
    for length in 1..16 {
        next[length] = next[length - 1].wrapping_add(counts[length - 1]) << 1;
    }
    next
}

/// The lengths of a Huffman code, limited to `length_max`. Codes that are too long are cut, and the
/// rarest codes below the limit become longer until all fit (Kraft's inequality).
fn lengths<const SYMBOLS: usize>(counts: &[u32; SYMBOLS], length_max: u8) -> [u8; SYMBOLS] {
    let mut used: Vec<(u32, usize)> =
        counts.iter().copied().zip(0..).filter(|(count, _)| *count > 0).collect();
    used.sort_unstable();
    let mut lengths = [0; SYMBOLS];
    // Decoders expect at least two codes, even where only one symbol or none is used.
    if used.len() < 2 {
        lengths[0] = 1;
        lengths[1] = 1;
        if let Some((_, symbol @ 2..)) = used.first() {
            lengths[1] = 0;
            lengths[*symbol] = 1;
        }
        return lengths;
    }
    let weights: Vec<u32> = used.iter().map(|(count, _)| *count).collect();
    let mut depths = depths(&weights);
    limit(&mut depths, length_max);
    for ((_, symbol), depth) in used.iter().zip(depths) {
        lengths[*symbol] = depth;
    }
    lengths
}

/// The depths of the leaves in the Huffman tree of increasing weights, built with two queues.
fn depths(weights: &[u32]) -> Vec<u8> {
    let count = weights.len();
    let mut parents = vec![0_usize; 2 * count - 1];
    let mut sums: Vec<u64> = weights.iter().map(|weight| u64::from(*weight)).collect();
    let (mut leaf, mut node) = (0, count);
    for parent in count..2 * count - 1 {
        let mut sum = 0;
        for _ in 0..2 {
            let is_leaf = leaf < count && (node >= parent || sums[leaf] <= sums[node]);
            let lightest = if is_leaf { &mut leaf } else { &mut node };
            sum += sums[*lightest];
            parents[*lightest] = parent;
            *lightest += 1;
        }
        sums.push(sum);
    }
    let mut depths = vec![0_u8; 2 * count - 1];
    for at in (0..2 * count - 2).rev() {
        depths[at] = depths[parents[at]].saturating_add(1);
    }
    depths.truncate(count);
    depths
}

/// Limits depths, which are sorted with the deepest first.
fn limit(depths: &mut [u8], length_max: u8) {
    let share = |depth: u8| 1_u32 << (length_max - depth.min(length_max));
    depths.iter_mut().for_each(|depth| *depth = (*depth).min(length_max));
    let mut taken: u32 = depths.iter().map(|depth| share(*depth)).sum();
    let room = 1_u32 << length_max;
    // First lengthen the rarest codes until all fit: each one that grows by a bit gives back half
    // of its share. Then shorten the most frequent codes into what is left.
    while taken > room {
        let Some(depth) = depths.iter_mut().find(|depth| **depth < length_max) else { return };
        taken -= share(*depth) / 2;
        *depth += 1;
    }
    for depth in depths.iter_mut().rev() {
        while *depth > 1 && taken + share(*depth) <= room {
            taken += share(*depth);
            *depth -= 1;
        }
    }
}
