//! Pseudorandom numbers that are the same for the same seed.

/// A generator (Steele, Lea, Flood: `SplitMix64`) whose runs repeat with the same seed.
#[derive(Debug)]
pub(crate) struct Chance(u64);

/// The distribution of the times of one kind of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Time {
    /// Always this many microseconds.
    Fixed(f64),
    /// Exponentially distributed, with this mean in microseconds.
    Exponential(f64),
    /// Half of the mean is fixed and half exponentially distributed, as is typical of computers:
    /// never zero and sometimes long. The mean is in microseconds.
    Usual(f64),
}

impl Chance {
    /// The numbers of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A random time with this distribution, in nanoseconds.
    pub(crate) fn time_ns(&mut self, time: Time) -> u64 {
        let us = match time {
            Time::Fixed(us) => us,
            Time::Exponential(mean) => mean * self.exponential(),
            Time::Usual(mean) => mean * f64::midpoint(1.0, self.exponential()),
        };
        nanoseconds(us)
    }

    /// A random number below `count`, or 0 if `count` is 0.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.next().checked_rem(count).unwrap_or(0)
    }

    /// A random number with an exponential distribution and mean 1.
    fn exponential(&mut self) -> f64 {
        // A float holds the upper 53 bits. Adding one avoids 0, which has no logarithm.
        let share = ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        -share.ln()
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }
}

/// Microseconds as whole nanoseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time that is negative or longer than 584 years becomes the nearest possible value"
)]
pub(crate) fn nanoseconds(us: f64) -> u64 {
    (us * 1e3).round() as u64
}
