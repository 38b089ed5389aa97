//! Finding what was there before.

/// Some bytes as they are, and then a repetition of earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Run {
    /// Bytes as they are.
    pub(super) literals: u32,
    /// Bytes repeated; 0 at the end of the data and where a run of literals had to be cut.
    pub(super) length: u16,
    /// How far back they are.
    pub(super) distance: u16,
}

impl Run {
    pub(super) fn bytes(&self) -> usize {
        self.literals as usize + usize::from(self.length)
    }
}

/// Which repetitions are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Sought {
    /// Any in the window, of so many bytes or more, 4 to 8.
    Anywhere {
        /// Their fewest bytes.
        bytes_min: usize,
    },
    /// Only those of what was so many bytes before, which is found out many times faster. In a
    /// filtered photograph all others are chance, and cost more than the literals.
    At {
        /// How far back, in bytes; at least 1.
        distance: usize,
    },
}

/// Where a few bytes were seen last, by their hash, and the runs found; kept between parts to
/// spare allocations, and never read across them.
pub(in super::super) struct Search {
    places: Vec<u16>,
    runs: Vec<Run>,
    /// The bytes of a word that a repetition begins with.
    mask: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self { places: vec![0; 1 << HASH_BITS], runs: Vec::new(), mask: 0 }
    }
}

impl Search {
    /// Parts the data into runs.
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

    /// The repetition at this place, if it is worth its bits.
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

    /// Takes a repetition, longer to the front where it was found late.
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

/// How far the search has come.
struct State {
    at: usize,
    /// The first byte that no run holds yet.
    pending: usize,
    misses: usize,
    last_distance: usize,
}

impl State {
    /// Goes on, the further the longer nothing was found.
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

/// How many bytes are the same as those `distance` before, from four to [`LENGTH_MAX`].
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

/// A far repetition costs up to 13 bits more than a near one: as much as two or three literals of
/// a filtered picture.
#[inline]
fn least_length(distance: usize) -> usize {
    match distance {
        0..256 => 4,
        256..4096 => 5,
        _ => 6,
    }
}

/// Section 3.2.5.
const LENGTH_MAX: usize = 258;
const DISTANCE_MAX: usize = 32 * 1024;
/// 32 KiB of places, which stay in the nearest cache.
const HASH_BITS: u32 = 14;
/// Knuth's multiplier, 2^64 divided by the golden ratio.
const HASH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
/// What lasts for eleven bytes is found at this step.
const WORDS_STEP: usize = 4;
/// Steps grow by a byte after 32 misses in a row.
const PATIENCE_BITS: u32 = 5;
/// Longest step over what shows no repetition, so that its end is not missed for long.
const STEP_MAX: usize = 31;
