//! Finds repetitions of earlier bytes.

/// Some literal bytes, followed by a repetition of earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Run {
    /// The number of literal bytes.
    pub(super) literals: u32,
    /// The number of repeated bytes. It is 0 at the end of the data, where no repetition follows.
    pub(super) length: u16,
    /// How far back the repeated bytes are.
    pub(super) distance: u16,
}

impl Run {
    pub(super) fn bytes(&self) -> usize {
        self.literals as usize + usize::from(self.length)
    }
}

/// Which repetitions to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Sought {
    /// Any repetition in the window that is long enough.
    Anywhere {
        /// The fewest bytes of a repetition, from 4 to 8.
        bytes_min: usize,
    },
    /// Only repetitions at one fixed distance, which is many times faster. In a filtered photo all
    /// other repetitions are accidental and cost more than the literals.
    At {
        /// How far back to look, in bytes; at least 1.
        distance: usize,
    },
}

/// Where each hash of a few bytes was last seen, and the runs found. It is kept between parts only
/// to avoid allocations; nothing in it is used across parts.
pub(in super::super) struct Search {
    places: Vec<u16>,
    runs: Vec<Run>,
    /// Selects the bytes of a word that have to match at the start of a repetition.
    mask: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self { places: vec![0; 1 << HASH_BITS], runs: Vec::new(), mask: 0 }
    }
}

impl Search {
    /// Splits the data into runs.
    pub(super) fn runs(&mut self, data: &[u8], sought: Sought) -> &[Run] {
        self.runs.clear();
        let pending = match sought {
            Sought::Anywhere { bytes_min } => self.anywhere(data, bytes_min),
            Sought::At { distance } => self.at(data, distance),
        };
        self.rest(data.len() - pending);
        &self.runs
    }

    fn anywhere(&mut self, data: &[u8], bytes_min: usize) -> usize {
        self.places.fill(0);
        self.mask = u64::MAX >> (64 - 8 * bytes_min.clamp(4, 8));
        let mut state = State { at: 1, pending: 0, misses: 0, last_distance: 1 };
        while let Some(next) = word(data, state.at) {
            match self.find(data, &state, next) {
                Some(found) => self.take(data, &mut state, found),
                None => state.miss(),
            }
        }
        state.pending
    }

    fn at(&mut self, data: &[u8], distance: usize) -> usize {
        let mut state = State { at: distance, pending: 0, misses: 0, last_distance: distance };
        while let Some(next) = word(data, state.at) {
            if word(data, state.at - distance) == Some(next) {
                let length = extent(data, state.at, distance);
                self.take(data, &mut state, (length, distance));
            } else {
                state.at += WORDS_STEP;
            }
        }
        state.pending
    }

    /// The repetition at this position, if it is worth its bits.
    #[inline]
    fn find(&mut self, data: &[u8], state: &State, next: u64) -> Option<(usize, usize)> {
        let again = (state.at >= state.last_distance)
            .then(|| word(data, state.at - state.last_distance))
            .flatten();
        let place = &mut self.places[hash(next & self.mask)];
        let behind = (state.at as u16).wrapping_sub(*place);
        *place = state.at as u16;
        if again.is_some_and(|word| (word ^ next) & self.mask == 0) {
            let length = extent(data, state.at, state.last_distance);
            return Some((length, state.last_distance));
        }
        let distance = usize::from(behind);
        if distance == 0 || distance > DISTANCE_MAX || distance > state.at {
            return None;
        }
        let earlier = word(data, state.at - distance)?;
        if (earlier ^ next) & self.mask != 0 {
            return None;
        }
        let length = extent(data, state.at, distance);
        (length >= least_length(distance)).then_some((length, distance))
    }

    /// Adds a repetition. If the search found it late, the repetition is extended to its start.
    fn take(&mut self, data: &[u8], state: &mut State, (length, distance): (usize, usize)) {
        let mut start = state.at;
        let room = LENGTH_MAX.saturating_sub(length).min(start - state.pending);
        for _ in 0..room {
            match (start - distance).checked_sub(1).and_then(|before| data.get(before)) {
                Some(byte) if data.get(start - 1) == Some(byte) => start -= 1,
                _ => break,
            }
        }
        let length = length + (state.at - start);
        self.runs.push(Run {
            literals: (start - state.pending) as u32,
            length: length as u16,
            distance: (distance & 0xFFFF) as u16,
        });
        state.at = start + length;
        state.pending = state.at;
        state.misses = 0;
        state.last_distance = distance;
    }

    fn rest(&mut self, literals: usize) {
        if literals > 0 {
            self.runs.push(Run { literals: literals as u32, length: 0, distance: 0 });
        }
    }
}

/// How far the search has progressed.
struct State {
    at: usize,
    /// The first byte that is not part of a run yet.
    pending: usize,
    misses: usize,
    last_distance: usize,
}

impl State {
    /// Moves on. The longer the search has found nothing, the larger the step.
    #[inline]
    fn miss(&mut self) {
        self.at += 1 + (self.misses >> PATIENCE_BITS).min(STEP_MAX);
        self.misses += 1;
    }
}

#[inline]
fn word(data: &[u8], at: usize) -> Option<u64> {
    data.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

#[inline]
fn hash(word: u64) -> usize {
    (word.wrapping_mul(HASH_FACTOR) >> (u64::BITS - HASH_BITS)) as usize
}

/// How many bytes equal those `distance` before them, from 4 to [`LENGTH_MAX`].
#[inline]
fn extent(data: &[u8], at: usize, distance: usize) -> usize {
    let mut length = 4;
    while length + 8 <= LENGTH_MAX {
        let (Some(here), Some(there)) =
            (word(data, at + length), word(data, at + length - distance))
        else {
            break;
        };
        let differing = here ^ there;
        if differing != 0 {
            return length + (differing.trailing_zeros() / 8) as usize;
        }
        length += 8;
    }
    let tail = data.get(at + length..).unwrap_or_default();
    let earlier = data.get(at + length - distance..).unwrap_or_default();
    let same = tail.iter().zip(earlier).take(LENGTH_MAX - length).take_while(|(a, b)| a == b);
    length + same.count()
}

/// The fewest bytes of a worthwhile repetition at this distance. A distant repetition costs up to
/// 13 bits more than a near one, as much as two or three literals of a filtered image.
#[inline]
fn least_length(distance: usize) -> usize {
    match distance {
        0..256 => 4,
        256..4096 => 5,
        _ => 6,
    }
}

/// RFC 1951, section 3.2.5.
const LENGTH_MAX: usize = 258;
const DISTANCE_MAX: usize = 32 * 1024;
/// The table takes 32 KiB, so that it stays in the first-level cache.
const HASH_BITS: u32 = 14;
/// Knuth's multiplier, 2^64 divided by the golden ratio.
const HASH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
/// With this step, every repetition of at least 11 bytes is found.
const WORDS_STEP: usize = 4;
/// The step grows by one byte after every 32 misses in a row.
const PATIENCE_BITS: u32 = 5;
/// The most that misses add to a step, so that the search doesn't miss the start of new repetitions
/// for long.
const STEP_MAX: usize = 31;
