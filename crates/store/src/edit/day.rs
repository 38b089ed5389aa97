//! Statistics of finished edits by day, model and provider. They are counted as edits end, so that
//! showing them does not have to read the edits.

use retouch_core::Timestamp;

use super::{EditRecord, EditStatus, Outcome};
use crate::rows::{Row, all};
use crate::transaction::{Count, DayOfEnd, Transaction};
use crate::{Error, Store};

/// A day in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How long a day's statistics are kept, in milliseconds: 400 days, so that a month can be compared
/// with the same month of the previous year.
const KEPT_MS: i64 = 400 * DAY_MS;
/// The maximum number of rows that are listed. A day on a busy service has about a hundred.
const LISTED_MAX: i64 = 20_000;

/// How many edits of a model ended in the same way, with one provider on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayOfRoute {
    /// The start of the day, in UTC.
    pub day: Timestamp,
    /// The model that the callers asked for.
    pub model: String,
    /// The provider that performed them.
    pub provider: String,
    /// The code of the failure. `None`: they succeeded.
    pub failure_code: Option<String>,
    /// How many edits.
    pub edits: i64,
    /// What was charged for them.
    pub credits: i64,
    /// How long they took in total, in milliseconds.
    pub took_ms: i64,
    /// What the provider charged for their results, in millionths of a dollar, as far as it is
    /// known.
    pub cost_micros: i64,
    /// How many of the results have a cost that is not known.
    pub unpriced: i64,
}

impl Store {
    /// How the edits of all accounts ended, by day (newest first), model and provider, since the
    /// day of `since`. Deleted edits are included.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_days(&self, since: Timestamp) -> Result<Vec<DayOfRoute>, Error> {
        let since = begin(since);
        // Each writer has a row of its own on a server, so sum them up.
        let sql = "SELECT day, model, provider, outcome, CAST(SUM(edits) AS BIGINT) AS edits,
                       CAST(SUM(credits) AS BIGINT) AS credits,
                       CAST(SUM(took_ms) AS BIGINT) AS took_ms,
                       CAST(SUM(cost_micros) AS BIGINT) AS cost_micros,
                       CAST(SUM(unpriced) AS BIGINT) AS unpriced
                   FROM edit_day WHERE day >= ?1 GROUP BY day, model, provider, outcome
                   ORDER BY day DESC, model, provider, outcome LIMIT ?2";
        self.read(move |rows| all(rows, sql, [since, LISTED_MAX], from_row)).await
    }
}

/// Counts an edit that just ended.
pub(super) fn count(tx: &mut Transaction<'_>, ended: &EditRecord, how: &Outcome) {
    let at = ended.completed_at.unwrap_or(tx.now());
    let took_ms = at.0.saturating_sub(ended.created_at.0).max(0);
    let outcome = ended.failure.as_ref().map_or(EditStatus::Succeeded.as_str(), |it| &it.code);
    let route = DayOfEnd {
        day: begin(at),
        model: ended.model.clone(),
        provider: ended.provider.clone(),
        outcome: outcome.to_owned(),
    };
    let (cost_micros, unpriced) = match how {
        Outcome::Succeeded { provider_cost: Some(cost), .. } => {
            (i64::try_from(cost.0).unwrap_or(i64::MAX), 0)
        }
        Outcome::Succeeded { provider_cost: None, .. } => (0, 1),
        Outcome::Failed { .. } => (0, 0),
    };
    let credits = ended.cost.get();
    tx.count(route, Count { edits: 1, credits, took_ms, cost_micros, unpriced });
}

/// The oldest day that is kept.
pub(crate) fn oldest_day(now: Timestamp) -> i64 {
    begin(now.plus_ms(-KEPT_MS))
}

/// The start of the day of `at`, in UTC.
pub(super) fn begin(at: Timestamp) -> i64 {
    at.0.max(0) / DAY_MS * DAY_MS
}

fn from_row(row: &Row<'_>) -> Result<DayOfRoute, Error> {
    let outcome: String = row.get("outcome")?;
    Ok(DayOfRoute {
        day: Timestamp(row.get("day")?),
        model: row.get("model")?,
        provider: row.get("provider")?,
        failure_code: Some(outcome).filter(|code| code != EditStatus::Succeeded.as_str()),
        edits: row.get("edits")?,
        credits: row.get("credits")?,
        took_ms: row.get("took_ms")?,
        cost_micros: row.get("cost_micros")?,
        unpriced: row.get("unpriced")?,
    })
}
