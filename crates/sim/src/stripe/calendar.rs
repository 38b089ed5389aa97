//! Months as Stripe counts them: from the anchor, and on the last day if a month is too short.

/// The length of a day, in seconds.
const DAY_S: i64 = 86_400;

/// The time `months` after `anchor`, both in seconds since 1970.
pub(super) fn months_after(anchor: i64, months: i64) -> i64 {
    let (days, rest) = (anchor.div_euclid(DAY_S), anchor.rem_euclid(DAY_S));
    let (year, month, day) = date(days);
    let all = year * 12 + month - 1 + months;
    let (year, month) = (all.div_euclid(12), all.rem_euclid(12) + 1);
    let begin = days_until(year, month);
    let length = days_until(year + month / 12, month % 12 + 1) - begin;
    (begin + day.min(length) - 1) * DAY_S + rest
}

/// The first start of a month after `now`, counted from `anchor`.
pub(super) fn next_after(anchor: i64, now: i64) -> i64 {
    let mut months = 1;
    while months_after(anchor, months) <= now {
        months += 1;
    }
    months_after(anchor, months)
}

/// Year, month and day for a number of days since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    let mut year = 1970 + days.div_euclid(366);
    while days_until(year + 1, 1) <= days {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && days_until(year, month + 1) <= days {
        month += 1;
    }
    (year, month, days - days_until(year, month) + 1)
}

/// Days from 1970 to the first day of a month.
fn days_until(year: i64, month: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leaps = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let is_leap = leaps(year) != leaps(year - 1);
    let whole = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    let before = BEFORE.get(usize::try_from(month - 1).unwrap_or(0)).copied().unwrap_or(0);
    whole + before + i64::from(is_leap && month > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2028-01-31T10:00:00Z and the following months. The expected values come from GNU date.
    #[test]
    fn months_end_where_the_calendar_says() {
        let anchor = 1_832_925_600;
        let expected = [1_832_925_600, 1_835_431_200, 1_838_109_600, 1_840_701_600];
        for (months, moment) in (0..).zip(expected) {
            assert_eq!(months_after(anchor, months), moment, "{months}");
        }
        assert_eq!(months_after(anchor, 13), 1_866_967_200, "28 February 2029");
        assert_eq!(next_after(anchor, 1_835_431_200), 1_838_109_600);
        assert_eq!(months_after(0, 1), 31 * DAY_S);
        assert_eq!(months_after(anchor, 0), anchor);
    }
}
