//! Months by the calendar, in UTC.

use jiff::ToSpan;
use jiff::tz::TimeZone;

use crate::Timestamp;

/// A month of a subscription: from its beginning until just before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Its first moment.
    pub from: Timestamp,
    /// The first moment of the next one.
    pub to: Timestamp,
}

/// The month number `index` (0 is the first) of what began at `anchor`. Each month is counted from
/// the anchor, not from the month before: what began on the 31st begins again on the 28th, 29th or
/// 30th where a month is shorter, and on the 31st where it is not. All in UTC, where no clock is
/// put forward. None beyond the year 9999.
pub fn period(anchor: Timestamp, index: u32) -> Option<Period> {
    let (from, to) = (begin(anchor, index)?, begin(anchor, index.checked_add(1)?)?);
    Some(Period { from, to })
}

fn begin(anchor: Timestamp, index: u32) -> Option<Timestamp> {
    let anchor = jiff::Timestamp::from_millisecond(anchor.0).ok()?.to_zoned(TimeZone::UTC);
    let months = 0.seconds().try_months(i64::from(index)).ok()?;
    let begin = anchor.checked_add(months).ok()?;
    Some(Timestamp(begin.timestamp().as_millisecond()))
}
