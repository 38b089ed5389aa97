//! Calendar months in UTC.

use jiff::ToSpan;
use jiff::tz::TimeZone;

use crate::Timestamp;

/// A month of a subscription: from its start until just before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Its first moment.
    pub from: Timestamp,
    /// The first moment of the next one.
    pub to: Timestamp,
}

/// The month with the number `index` (0 for the first) of a subscription that began at `anchor`.
/// Each month is counted from the anchor, not from the previous month: a subscription that began
/// on the 31st renews on the last day of shorter months, and on the 31st again in longer ones. UTC
/// has no daylight saving time. None after the year 9999.
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
