//! What an API key has used of its limits: over its life, and in the current day and month (UTC).

use jiff::tz::TimeZone;

use super::Credits;
use crate::Timestamp;

/// Milliseconds in a day.
const DAY_MS: i64 = 24 * 3_600_000;
const MONTHS_IN_A_YEAR: i64 = 12;

/// For how long a limit of a key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPeriod {
    /// As long as the key exists.
    Life,
    /// A day, in UTC.
    Day,
    /// A calendar month, in UTC.
    Month,
}

/// The spending limits of a key. None for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyLimits {
    /// The most it may hold and be charged in total.
    pub life: Option<Credits>,
    /// The most that calls of one day may hold and be charged.
    pub day: Option<Credits>,
    /// The most that calls of one month may hold and be charged.
    pub month: Option<Credits>,
}

/// What a key has used: its charges, and the holds that have not ended. A hold counts in the day
/// and the month in which it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyUse {
    /// In total.
    pub life: Credits,
    /// On the last day on which it began a hold.
    pub day: PeriodUse,
    /// In the last month in which it began a hold.
    pub month: PeriodUse,
}

/// What a key has used in one day or month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeriodUse {
    /// The number of the day since 1970-01-01, or of the month since January of the year 0.
    pub number: i64,
    /// How many credits.
    pub credits: Credits,
}

impl KeyUse {
    /// What counts at `at` toward a limit on `period`.
    pub fn counted(&self, period: KeyPeriod, at: Timestamp) -> Credits {
        match period {
            KeyPeriod::Life => self.life,
            KeyPeriod::Day => self.day.at(day(at)).credits,
            KeyPeriod::Month => self.month.at(month(at)).credits,
        }
    }

    /// Counts a hold that begins at `at`, unless the sum is too large.
    pub(super) fn reserve(&self, credits: Credits, at: Timestamp) -> Option<Self> {
        Some(Self {
            life: self.life.checked_add(credits)?,
            day: self.day.at(day(at)).changed_by(credits.get())?,
            month: self.month.at(month(at)).changed_by(credits.get())?,
        })
    }

    /// Takes back what a hold that began at `at` did not charge. A day or month that is over no
    /// longer counts.
    pub(super) fn give_back(&self, credits: Credits, at: Timestamp) -> Option<Self> {
        let of = |counted: PeriodUse, number: i64| match counted.number == number {
            true => counted.changed_by(-credits.get()),
            false => Some(counted),
        };
        Some(Self {
            life: self.life.checked_sub(credits)?,
            day: of(self.day, day(at))?,
            month: of(self.month, month(at))?,
        })
    }
}

impl PeriodUse {
    /// What has been used in the period `number`.
    fn at(self, number: i64) -> Self {
        if self.number == number { self } else { Self { number, credits: Credits::ZERO } }
    }

    fn changed_by(self, change: i64) -> Option<Self> {
        Some(Self { credits: self.credits.changed_by(change)?, ..self })
    }
}

fn day(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MS)
}

fn month(at: Timestamp) -> i64 {
    // Outside the years that have a calendar, all moments are in one month.
    let date = jiff::Timestamp::from_millisecond(at.0).map(|at| at.to_zoned(TimeZone::UTC).date());
    date.map_or(0, |date| i64::from(date.year()) * MONTHS_IN_A_YEAR + i64::from(date.month()) - 1)
}
