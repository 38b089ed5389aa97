//! What an account has spent on what, by day.

use retouch_core::{AccountId, Timestamp};

use super::day::DAY_MS;
use crate::rows::{Row, all, params};
use crate::{Error, Store};

/// What a model took on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayOfModel {
    /// The beginning of the day, in UTC.
    pub day: Timestamp,
    /// The model.
    pub model: String,
    /// Credits that were charged.
    pub credits: i64,
    /// Edits that were charged.
    pub edits: i64,
}

impl Store {
    /// What was charged for an account's edits since the beginning of the day of `since`, by day
    /// and model, oldest first; edits that have been deleted too.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_usage(
        &self,
        account: &AccountId,
        since: Timestamp,
    ) -> Result<Vec<DayOfModel>, Error> {
        let account = account.clone();
        let since = since.0.max(0) / DAY_MS * DAY_MS;
        // An edit's name begins with the moment of its making, so that the key finds the first.
        let moment = format!("{since:012x}");
        let first = format!("{}-{}", &moment[..8], &moment[8..12]);
        // The status is written out for the index over edits that were charged.
        let sql = "SELECT created_at / ?3 AS day, model, CAST(SUM(cost) AS BIGINT) AS credits, COUNT(*) AS edits
                   FROM edit WHERE account_id = ?1 AND id >= ?2 AND status = 'succeeded'
                   GROUP BY day, model ORDER BY day, model";
        self.read(move |rows| all(rows, sql, params![account.as_str(), first, DAY_MS], from_row))
            .await
    }
}

fn from_row(row: &Row<'_>) -> Result<DayOfModel, Error> {
    let day: i64 = row.get("day")?;
    Ok(DayOfModel {
        day: Timestamp(day * DAY_MS),
        model: row.get("model")?,
        credits: row.get("credits")?,
        edits: row.get("edits")?,
    })
}
