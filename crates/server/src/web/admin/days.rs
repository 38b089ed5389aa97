//! How the edits of all accounts ended in the last days, what was charged and what providers took:
//! by route, and by day.

use std::collections::BTreeMap;

use retouch_core::catalogue::{Catalogue, MicroDollars};
use retouch_core::{Credits, Timestamp};
use retouch_providers::built_in;
use retouch_store::DayOfRoute;

use crate::web::html;

/// Days that are told of.
pub(super) const DAYS: i64 = 30;

/// Money is told to this many millionths of a dollar, rounded down: a cent.
const CENT_MICROS: u64 = 10_000;

/// What some edits came to.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) made: i64,
    failures: BTreeMap<String, i64>,
    pub(super) credits: i64,
    /// How long those with a result took in all, in milliseconds.
    took_ms: i64,
    spent: MicroDollars,
    /// Results of which nobody knows what the provider took.
    unknown: i64,
    /// What the credits are worth.
    worth: Option<MicroDollars>,
}

/// What the edits of a model came to with a provider.
pub(super) struct RouteSum {
    pub(super) model: String,
    pub(super) provider: String,
    pub(super) sum: Sum,
}

/// What the edits of a day came to.
pub(super) struct DaySum {
    pub(super) day: String,
    pub(super) sum: Sum,
}

/// The sums by route, in the order of their names; of `day` alone where one is named.
pub(super) fn by_route(
    rows: &[DayOfRoute],
    day: Option<&str>,
    catalogue: &Catalogue,
) -> Vec<RouteSum> {
    let mut sums: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
    for row in rows.iter().filter(|row| day.is_none_or(|day| date(row.day) == day)) {
        sums.entry((&row.model, &row.provider)).or_default().add(row, catalogue);
    }
    let sums = sums.into_iter().map(|((model, provider), sum)| RouteSum {
        model: model.to_owned(),
        provider: provider.to_owned(),
        sum: sum.worth_of(catalogue),
    });
    sums.collect()
}

/// The sums by day, the newest first.
pub(super) fn by_day(rows: &[DayOfRoute], catalogue: &Catalogue) -> Vec<DaySum> {
    let mut sums: BTreeMap<Timestamp, Sum> = BTreeMap::new();
    for row in rows {
        sums.entry(row.day).or_default().add(row, catalogue);
    }
    let sums = sums.into_iter().rev();
    sums.map(|(day, sum)| DaySum { day: date(day), sum: sum.worth_of(catalogue) }).collect()
}

/// The day of a moment, as `2026-11-20`.
pub(super) fn date(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

impl Sum {
    fn add(&mut self, row: &DayOfRoute, catalogue: &Catalogue) {
        self.credits += row.credits;
        if let Some(code) = &row.failure_code {
            *self.failures.entry(code.clone()).or_default() += row.edits;
            return;
        }
        self.made += row.edits;
        self.took_ms += row.took_ms;
        match cost(row, catalogue) {
            Some(each) => {
                let edits = u64::try_from(row.edits).unwrap_or(0);
                self.spent.0 = self.spent.0.saturating_add(each.0.saturating_mul(edits));
            }
            None => self.unknown += row.edits,
        }
    }

    fn worth_of(self, catalogue: &Catalogue) -> Self {
        let worth = Credits::new(self.credits).and_then(|credits| catalogue.worth(credits));
        Self { worth, ..self }
    }

    /// Those without a result, by the codes of their failures.
    pub(super) fn failed(&self) -> String {
        let codes = self.failures.iter().map(|(code, edits)| format!("{edits} {code}"));
        codes.collect::<Vec<_>>().join(", ")
    }

    /// How long a result took in the mean.
    pub(super) fn took(&self) -> String {
        self.took_ms.checked_div(self.made).map_or_else(String::new, html::duration)
    }

    /// What providers took.
    pub(super) fn cost(&self) -> String {
        let known = format!("${}", cents(self.spent.0));
        match (self.spent.0, self.unknown) {
            (_, 0) => known,
            (0, _) => "not known".to_owned(),
            (_, unknown) => format!("{known}, of {unknown} not known"),
        }
    }

    /// What is left of what the credits are worth, where both are known.
    pub(super) fn left(&self) -> String {
        match self.worth {
            Some(worth) if self.unknown == 0 => {
                let sign = if self.spent > worth { "-" } else { "" };
                format!("{sign}${}", cents(self.spent.0.abs_diff(worth.0)))
            }
            _ => "not known".to_owned(),
        }
    }
}

fn cents(micros: u64) -> MicroDollars {
    MicroDollars(micros / CENT_MICROS * CENT_MICROS)
}

/// What a provider takes for a result of a default call, as the catalogue says today.
fn cost(row: &DayOfRoute, catalogue: &Catalogue) -> Option<MicroDollars> {
    if row.provider == built_in::NAME {
        return Some(MicroDollars(0));
    }
    let model = catalogue.models.iter().find(|model| model.id == row.model)?;
    model.routes.iter().find(|route| route.provider == row.provider)?.cost_usd
}
