//! Amounts of credits: whole and never negative.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An amount of credits: whole, never negative, and with checked arithmetic only, so that a
/// balance can neither overflow nor lose a fraction.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "i64", into = "i64")]
pub struct Credits(i64);

/// A number that is not an amount of credits.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0} is not an amount of credits: a whole number from 0 to {max}", max = Credits::MAX)]
pub struct NotCredits(i64);

impl Credits {
    /// Zero credits.
    pub const ZERO: Self = Self(0);
    /// The largest amount: 2^53 - 1, the largest integer that every JSON parser keeps exactly (RFC
    /// 8259, section 6).
    pub const MAX: Self = Self((1 << 53) - 1);

    /// The amount `credits`, unless it is negative or above [`Credits::MAX`].
    pub const fn new(credits: i64) -> Option<Self> {
        if credits < 0 || credits > Self::MAX.0 { None } else { Some(Self(credits)) }
    }

    /// The plain number, for a column or a message.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Whether it is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum of both amounts, unless it is above [`Credits::MAX`].
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        self.changed_by(other.0)
    }

    /// This amount minus `other`, unless `other` is larger.
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        Self::new(self.0 - other.0)
    }

    /// The amount after a signed change, unless the result is negative or above [`Credits::MAX`].
    pub const fn changed_by(self, change: i64) -> Option<Self> {
        match self.0.checked_add(change) {
            Some(sum) => Self::new(sum),
            None => None,
        }
    }
}

impl From<u32> for Credits {
    fn from(credits: u32) -> Self {
        Self(i64::from(credits))
    }
}

impl TryFrom<i64> for Credits {
    type Error = NotCredits;

    fn try_from(credits: i64) -> Result<Self, NotCredits> {
        Self::new(credits).ok_or(NotCredits(credits))
    }
}

impl From<Credits> for i64 {
    fn from(credits: Credits) -> Self {
        credits.0
    }
}

impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
