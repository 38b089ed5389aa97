//! Results, credits and provider costs of all accounts in the last days, by route and by day.

use std::collections::BTreeMap;

use retouch_core::catalogue::{Catalogue, MicroDollars};
use retouch_core::{Credits, Timestamp};
use retouch_store::DayOfRoute;

use crate::web::html;

/// The number of days shown.
pub(super) const DAYS: i64 = 30;

/// The totals of some edits.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) made: i64,
    failures: BTreeMap<String, i64>,
    pub(super) credits: i64,
    /// The total duration of the completed edits, in milliseconds.
    took_ms: i64,
    spent: MicroDollars,
    /// Results whose cost is not known.
    unknown: i64,
    /// The value of the credits.
    worth: Option<MicroDollars>,
}

/// The totals of a model with one provider.
pub(super) struct RouteSum {
    pub(super) model: String,
    pub(super) provider: String,
    pub(super) sum: Sum,
}

/// The totals of a day.
pub(super) struct DaySum {
    pub(super) day: String,
    pub(super) sum: Sum,
}

/// The totals by route, ordered by name; only of `day` if given.
pub(super) fn by_route(
    rows: &[DayOfRoute],
    day: Option<&str>,
    catalogue: &Catalogue,
) -> Vec<RouteSum> {
    let mut sums: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
    for row in rows.iter().filter(|row| day.is_none_or(|day| date(row.day) == day)) {
        sums.entry((&row.model, &row.provider)).or_default().add(row);
    }
    let sums = sums.into_iter().map(|((model, provider), sum)| RouteSum {
        model: model.to_owned(),
        provider: provider.to_owned(),
        sum: sum.worth_of(catalogue),
    });
    sums.collect()
}

/// The totals by day, newest first.
pub(super) fn by_day(rows: &[DayOfRoute], catalogue: &Catalogue) -> Vec<DaySum> {
    let sums = sums(rows, catalogue).into_iter().rev();
    sums.map(|(day, sum)| DaySum { day: date(day), sum }).collect()
}

/// The totals of all days.
pub(super) fn total(rows: &[DayOfRoute], catalogue: &Catalogue) -> Sum {
    let mut sum = Sum::default();
    for row in rows {
        sum.add(row);
    }
    sum.worth_of(catalogue)
}

/// The totals by the start of the day.
pub(super) fn sums(rows: &[DayOfRoute], catalogue: &Catalogue) -> BTreeMap<Timestamp, Sum> {
    let mut sums: BTreeMap<Timestamp, Sum> = BTreeMap::new();
    for row in rows {
        sums.entry(row.day).or_default().add(row);
    }
    sums.into_iter().map(|(day, sum)| (day, sum.worth_of(catalogue))).collect()
}

/// The date of a moment, as `2026-11-20`.
pub(super) fn date(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

impl Sum {
    fn add(&mut self, row: &DayOfRoute) {
        self.credits += row.credits;
        if let Some(code) = &row.failure_code {
            *self.failures.entry(code.clone()).or_default() += row.edits;
            return;
        }
        self.made += row.edits;
        self.took_ms += row.took_ms;
        self.spent.0 = self.spent.0.saturating_add(u64::try_from(row.cost_micros).unwrap_or(0));
        self.unknown += row.unpriced;
    }

    fn worth_of(self, catalogue: &Catalogue) -> Self {
        let worth = Credits::new(self.credits).and_then(|credits| catalogue.worth(credits));
        Self { worth, ..self }
    }

    /// The failed edits, by error code.
    pub(super) fn failed(&self) -> String {
        let codes = self.failures.iter().map(|(code, edits)| format!("{edits} {code}"));
        codes.collect::<Vec<_>>().join(", ")
    }

    /// How many edits failed.
    pub(super) fn failures(&self) -> i64 {
        self.failures.values().sum()
    }

    /// What the providers charged, in millionths of a dollar. `None` if it is not known.
    pub(super) fn cost_micros(&self) -> Option<i64> {
        i64::try_from(self.spent.0).ok().filter(|_| self.unknown == 0)
    }

    /// The value of the credits minus the cost, in millionths of a dollar, if both are known.
    pub(super) fn margin_micros(&self) -> Option<i64> {
        let worth = i64::try_from(self.worth?.0).ok()?;
        Some(worth - self.cost_micros()?)
    }

    /// The average duration of a completed edit.
    pub(super) fn took(&self) -> String {
        self.took_ms.checked_div(self.made).map_or_else(String::new, html::duration)
    }

    /// What the providers charged.
    pub(super) fn cost(&self) -> String {
        let known = html::usd(i64::try_from(self.spent.0).unwrap_or(i64::MAX));
        match (self.spent.0, self.unknown) {
            (_, 0) => known,
            (0, _) => "not known".to_owned(),
            (_, unknown) => format!("{known}, excluding {unknown} of unknown cost"),
        }
    }

    /// The value of the credits minus the cost, if both are known.
    pub(super) fn left(&self) -> String {
        self.margin_micros().map_or_else(|| "not known".to_owned(), html::usd)
    }
}
