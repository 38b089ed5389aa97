//! Durations in settings, such as `30 s` or `14 d`.

use jiff::SpanRelativeTo;
use jiff::fmt::friendly::SpanParser;

/// One second, in milliseconds.
pub(super) const SECOND_MS: u64 = 1_000;
/// One minute, in milliseconds.
pub(super) const MINUTE_MS: u64 = 60 * SECOND_MS;
/// One hour, in milliseconds.
pub(super) const HOUR_MS: u64 = 60 * MINUTE_MS;
/// One day of 24 hours, in milliseconds.
pub(super) const DAY_MS: u64 = 24 * HOUR_MS;
/// One hundred years of 365 days, in milliseconds: the upper limit where nothing else limits a
/// duration.
pub(super) const CENTURY_MS: u64 = 100 * 365 * DAY_MS;

/// What a message says that it expected.
pub(super) const EXPECTED: &str = "a duration such as \"20 s\", in ms, s, min, h or d";

/// The units in which durations are shown, with their milliseconds.
const UNITS: [(&str, u64); 5] =
    [("d", DAY_MS), ("h", HOUR_MS), ("min", MINUTE_MS), ("s", SECOND_MS), ("ms", 1)];

/// Reads a duration, in milliseconds. Only 0 needs no unit.
///
/// `None` if it is negative, has a fraction of a millisecond, or is in months or years, which
/// differ in length. Also if it has a comma, because `jiff` reads `20,000 ms` as 20 milliseconds.
pub(super) fn parse(text: &str) -> Option<u64> {
    const NANOSECONDS_IN_A_MS: i32 = 1_000_000;
    let text = text.trim();
    if text == "0" {
        return Some(0);
    }
    if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b". ".contains(&byte)) {
        return None;
    }
    let span = SpanParser::new().parse_span(text).ok()?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    let is_whole = duration.subsec_nanos() % NANOSECONDS_IN_A_MS == 0;
    u64::try_from(duration.as_millis()).ok().filter(|_| is_whole)
}

/// The duration `ms` in the largest units that are exact, such as `1 min 30 s`. [`parse`] reads it.
pub(super) fn show(ms: u64) -> String {
    if ms == 0 {
        return "0 s".to_owned();
    }
    let mut rest = ms;
    let mut parts = Vec::new();
    for (unit, unit_ms) in UNITS {
        let count = rest / unit_ms;
        rest %= unit_ms;
        if count > 0 {
            parts.push(format!("{count} {unit}"));
        }
    }
    parts.join(" ")
}
