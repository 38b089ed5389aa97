//! What an account has spent, by day and model.

use retouch_core::{AccountId, Timestamp};

use super::day::DAY_MS;
use crate::rows::{Row, all, params};
use crate::{Error, Store};

/// The use of a model on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayOfModel {
    /// The start of the day, in UTC.
    pub day: Timestamp,
    /// The model.
    pub model: String,
    /// How many credits were charged.
    pub credits: i64,
    /// How many edits were charged.
    pub edits: i64,
}

impl Store {
    /// What an account's edits were charged since the start of the day of `since`, by day and
    /// model, oldest first. Deleted edits are included.
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
        // The id of an edit starts with the time at which it was created, so the primary key finds
        // the first one.
        let moment = format!("{since:012x}");
        let first = format!("{}-{}", &moment[..8], &moment[8..12]);
        // The status is written literally, so that the index over charged edits applies.
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
