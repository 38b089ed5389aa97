//! Tests calendar months.

use proptest::prelude::*;
use retouch_core::Timestamp;
use retouch_core::billing::period;

use crate::at;

fn begins(anchor: &str, months: u32) -> Vec<String> {
    (0..months).map(|month| period(at(anchor), month).unwrap().from.to_string()).collect()
}

#[test]
fn what_began_on_the_31st_does_not_drift() {
    assert_eq!(
        begins("2027-01-31T22:15:00.5Z", 5),
        [
            "2027-01-31T22:15:00.500Z",
            "2027-02-28T22:15:00.500Z",
            "2027-03-31T22:15:00.500Z",
            "2027-04-30T22:15:00.500Z",
            "2027-05-31T22:15:00.500Z"
        ]
    );
}

#[test]
fn february_has_29_days_in_leap_years() {
    let begin = |anchor, month| period(at(anchor), month).unwrap().from;
    assert_eq!(begin("2027-12-30T00:00:00Z", 2), at("2028-02-29T00:00:00Z"));
    assert_eq!(begin("2027-12-29T00:00:00Z", 14), at("2029-02-28T00:00:00Z"));
    assert_eq!(begin("2028-02-29T00:00:00Z", 12), at("2029-02-28T00:00:00Z"));
    assert_eq!(begin("2028-02-29T00:00:00Z", 48), at("2032-02-29T00:00:00Z"));
    // 2100 is not a leap year, but 2000 was.
    assert_eq!(begin("2099-12-31T00:00:00Z", 2), at("2100-02-28T00:00:00Z"));
    assert_eq!(begin("1999-12-31T00:00:00Z", 2), at("2000-02-29T00:00:00Z"));
}

#[test]
fn where_the_calendar_ends_there_is_no_month() {
    assert_eq!(period(at("9999-12-01T00:00:00Z"), 0), None);
    assert_eq!(period(Timestamp(0), u32::MAX), None);
    assert_eq!(period(Timestamp(i64::MAX), 0), None);
}

/// The number of days in a month, by the usual leap year rule.
fn days(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The year, month and day of `moment`, and the rest of it as text.
fn parts(moment: Timestamp) -> (i64, i64, i64, String) {
    let text = moment.to_string();
    let number = |range: std::ops::Range<usize>| text[range].parse().unwrap();
    (number(0..4), number(5..7), number(8..10), text[10..].to_owned())
}

proptest! {
    /// For every anchor and every month: the month begins on the anchor's day or on the last day
    /// of the calendar month, at the same time of day, and when the previous month ends.
    #[test]
    fn the_day_of_the_anchor_or_the_last_one(
        anchor in 0..4_000_000_000_000_i64,
        index in 0..600_u32,
    ) {
        let anchor = Timestamp(anchor);
        let (year, month, day, rest) = parts(anchor);
        let months = year * 12 + month - 1 + i64::from(index);
        let (year, month) = (months / 12, months % 12 + 1);
        let when = period(anchor, index).unwrap();
        prop_assert_eq!(parts(when.from), (year, month, day.min(days(year, month)), rest));
        prop_assert_eq!(when.to, period(anchor, index + 1).unwrap().from);
        prop_assert!(when.from < when.to);
    }
}
