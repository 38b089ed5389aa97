//! Pseudorandom numbers that are the same for the same seed (splitmix64).

pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let below = (mixed ^ (mixed >> 31)) % end as u64;
        usize::try_from(below).unwrap_or_default()
    }

    pub(crate) fn pick<'a>(&mut self, all: &'a [&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}
