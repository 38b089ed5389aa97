//! Provider costs in millionths of a dollar, which are exact where floats would not be.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// How many decimals of a dollar are kept. Providers list prices with up to five.
const DECIMALS: usize = 6;
/// How many millionths are in a dollar.
const DOLLAR: u64 = 1_000_000;
/// The maximum number of digits before the decimal point, so that sums over many results can't
/// overflow.
const WHOLE_DIGITS_MAX: usize = 6;

/// An amount of US dollars in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroDollars(pub u64);

/// A text that is not an amount in dollars.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not an amount in dollars; write a decimal number as a string, such as \"0.039\"")]
pub struct BadDollars(String);

impl FromStr for MicroDollars {
    type Err = BadDollars;

    fn from_str(text: &str) -> Result<Self, BadDollars> {
        let bad = || BadDollars(text.chars().take(40).collect());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str, most: usize| {
            let right =
                (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            right.then(|| part.parse::<u64>().ok()).flatten()
        };
        let dollars = digits(whole, WHOLE_DIGITS_MAX).ok_or_else(bad)?;
        digits(fraction, DECIMALS).ok_or_else(bad)?;
        let micros = digits(&format!("{fraction:0<DECIMALS$}"), DECIMALS).ok_or_else(bad)?;
        Ok(Self(dollars * DOLLAR + micros))
    }
}

impl fmt::Display for MicroDollars {
    /// Writes at least two decimals, and more only if needed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = format!("{:0DECIMALS$}", self.0 % DOLLAR);
        let (cents, rest) = micros.split_at(2);
        write!(f, "{}.{cents}{}", self.0 / DOLLAR, rest.trim_end_matches('0'))
    }
}

impl<'de> Deserialize<'de> for MicroDollars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for MicroDollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
