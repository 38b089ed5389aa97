//! What an account has spent, by day and model.

use retouch_core::{AccountId, Timestamp};

use super::day::begin;
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
    /// model, oldest first. The day is the one on which an edit began. Deleted edits are included.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_usage(
        &self,
        account: &AccountId,
        since: Timestamp,
    ) -> Result<Vec<DayOfModel>, Error> {
        let account = account.clone();
        let since = begin(since);
        let sql = "SELECT day, model, credits, edits FROM account_day
                   WHERE account_id = ?1 AND day >= ?2 ORDER BY day, model";
        self.read(move |rows| all(rows, sql, params![account.as_str(), since], from_row)).await
    }
}

fn from_row(row: &Row<'_>) -> Result<DayOfModel, Error> {
    Ok(DayOfModel {
        day: Timestamp(row.get("day")?),
        model: row.get("model")?,
        credits: row.get("credits")?,
        edits: row.get("edits")?,
    })
}
