//! The day on which a provider stops offering a model.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Timestamp;

const DAY_MS: i64 = 24 * 3_600_000;

/// A day in UTC, written as `2026-12-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Timestamp);

impl Day {
    /// Parses a day.
    pub fn parse(text: &str) -> Option<Self> {
        const LENGTH: usize = "2026-12-01".len();
        let start = Timestamp::parse(&format!("{text}T00:00:00Z"))?;
        (text.len() == LENGTH).then_some(Self(start))
    }

    /// Whether the day has begun at `now`.
    pub fn has_come(self, now: Timestamp) -> bool {
        now >= self.0
    }

    /// Whole days from `now` to the start of the day, rounded up; 0 once it has begun.
    pub fn days_left(self, now: Timestamp) -> i64 {
        let left_ms = self.0.0.saturating_sub(now.0).max(0);
        left_ms / DAY_MS + i64::from(left_ms % DAY_MS > 0)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.0.to_string();
        f.write_str(start.split('T').next().unwrap_or(&start))
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || format!("{text:?} is not a date; write it as \"2026-12-01\"");
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(wrong()))
    }
}
