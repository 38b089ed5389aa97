//! How edits ended, by day, model and provider: counted when they end, so that looking at it takes
//! no look at the edits.

use retouch_core::Timestamp;

use super::{EditRecord, EditStatus};
use crate::rows::{Row, all};
use crate::unit::Unit;
use crate::{Error, Store};

/// Milliseconds of a day.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How long a day is kept, in milliseconds: 400 days, so that a month can be held beside the same
/// one a year before.
const KEPT_MS: i64 = 400 * DAY_MS;
/// The most rows that are listed at a time; a day of a busy service has a hundred.
const LISTED_MAX: i64 = 20_000;

/// How many edits of a model ended in one way with a provider on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayOfRoute {
    /// The beginning of the day, in UTC.
    pub day: Timestamp,
    /// The model that was asked for.
    pub model: String,
    /// Who performed it.
    pub provider: String,
    /// The code of the failure; none: there is a result.
    pub failure_code: Option<String>,
    /// How many.
    pub edits: i64,
    /// What was charged for them.
    pub credits: i64,
    /// How long they took in all, in milliseconds.
    pub took_ms: i64,
}

impl Store {
    /// How the edits of all accounts ended, by day since the one of `since`, newest first, model and
    /// provider; the deleted ones too.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_days(&self, since: Timestamp) -> Result<Vec<DayOfRoute>, Error> {
        let since = begin(since);
        // Where several write, each has a row of its own.
        let sql = "SELECT day, model, provider, outcome, CAST(SUM(edits) AS BIGINT) AS edits,
                       CAST(SUM(credits) AS BIGINT) AS credits,
                       CAST(SUM(took_ms) AS BIGINT) AS took_ms
                   FROM edit_day WHERE day >= ?1 GROUP BY day, model, provider, outcome
                   ORDER BY day DESC, model, provider, outcome LIMIT ?2";
        self.read(move |rows| all(rows, sql, [since, LISTED_MAX], from_row)).await
    }
}

/// Counts an edit that has just ended.
pub(super) fn count(unit: &mut Unit<'_>, ended: &EditRecord) {
    let at = ended.completed_at.unwrap_or(unit.now());
    let took_ms = at.0.saturating_sub(ended.created_at.0).max(0);
    let outcome = ended.failure.as_ref().map_or(EditStatus::Succeeded.as_str(), |it| &it.code);
    let (model, provider) = (ended.model.clone(), ended.provider.clone());
    unit.count((begin(at), model, provider, outcome.to_owned()), (ended.cost.get(), took_ms));
}

/// The oldest day that is kept.
pub(crate) fn oldest_day(now: Timestamp) -> i64 {
    begin(now.plus_ms(-KEPT_MS))
}

/// The beginning of the day of `at`, in UTC.
fn begin(at: Timestamp) -> i64 {
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
    })
}
