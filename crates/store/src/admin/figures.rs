//! What happens on the service by day, for its operator: sign-ups, granted credits, and what is
//! measured once in a while because counting it takes long.

use retouch_core::credits::BucketKind;
use retouch_core::{Credits, Timestamp};

use crate::account::free_credits::day;
use crate::error::credits;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, one, params};
use crate::{Error, Store};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How long the figures of a day are kept, in milliseconds: 400 days, as long as the counts of
/// edits.
const KEPT_MS: i64 = 400 * DAY_MS;
/// The maximum number of rows that are listed. A day has about ten.
const LISTED_MAX: i64 = 10_000;
/// The name of the number of active accounts.
const ACTIVE: &str = "active_accounts";
/// The name of the size of the database, in bytes.
const DATABASE: &str = "database_bytes";

/// How many accounts were created on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayOfSignUps {
    /// The start of the day, in UTC.
    pub day: Timestamp,
    /// How many.
    pub accounts: i64,
}

/// The credits that were granted on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayOfGrants {
    /// The start of the day, in UTC.
    pub day: Timestamp,
    /// Where they come from.
    pub kind: BucketKind,
    /// Whether the payment provider was paid for them.
    pub is_sold: bool,
    /// How many.
    pub credits: Credits,
}

/// What was measured on a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayFigures {
    /// The start of the day, in UTC.
    pub day: Timestamp,
    /// Accounts that started an edit.
    pub active_accounts: Option<i64>,
    /// The size of the database, in bytes.
    pub database_bytes: Option<i64>,
    /// The used part of the disk that has the data folder, in bytes.
    pub disk_bytes: Option<i64>,
}

impl Store {
    /// How many accounts were created by day, newest first, since the day of `since`. Deleted
    /// accounts are included.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_sign_ups(&self, since: Timestamp) -> Result<Vec<DayOfSignUps>, Error> {
        let sql = "SELECT created_at / ?3 * ?3 AS day, COUNT(*) AS accounts FROM account
                   WHERE created_at >= ?1 GROUP BY 1 ORDER BY 1 DESC LIMIT ?2";
        self.read(move |rows| {
            all(rows, sql, [day(since), LISTED_MAX, DAY_MS], |row| {
                let day = Timestamp(row.get("day")?);
                Ok(DayOfSignUps { day, accounts: row.get("accounts")? })
            })
        })
        .await
    }

    /// The credits that all accounts were granted by day, newest first, and kind, since the day of
    /// `since`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_grants(&self, since: Timestamp) -> Result<Vec<DayOfGrants>, Error> {
        let sql = "SELECT entry.at / ?3 * ?3 AS day, bucket.kind AS kind,
                       entry.source_key LIKE 'stripe:%' AS is_sold,
                       CAST(SUM(entry.granted) AS BIGINT) AS credits
                   FROM entry JOIN bucket ON bucket.account_id = entry.account_id
                       AND bucket.source_key = entry.source_key
                   WHERE entry.granted > 0 AND entry.at >= ?1
                   GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3 LIMIT ?2";
        self.read(move |rows| all(rows, sql, [day(since), LISTED_MAX, DAY_MS], grants)).await
    }

    /// What was measured by day, newest first, since the day of `since`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_figures(&self, since: Timestamp) -> Result<Vec<DayFigures>, Error> {
        let sql = "SELECT day,
                       MAX(CASE WHEN name = 'active_accounts' THEN value END) AS active_accounts,
                       MAX(CASE WHEN name = 'database_bytes' THEN value END) AS database_bytes,
                       MAX(CASE WHEN name = 'disk_bytes' THEN value END) AS disk_bytes
                   FROM day_figure WHERE day >= ?1 GROUP BY day ORDER BY day DESC LIMIT ?2";
        self.read(move |rows| {
            all(rows, sql, [day(since), LISTED_MAX], |row| {
                Ok(DayFigures {
                    day: Timestamp(row.get("day")?),
                    active_accounts: row.get("active_accounts")?,
                    database_bytes: row.get("database_bytes")?,
                    disk_bytes: row.get("disk_bytes")?,
                })
            })
        })
        .await
    }

    /// Measures today, and once more yesterday's active accounts. `disk_bytes` is the used part of
    /// the disk, if it is known. Any node may do this at any time.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn measure(&self, disk_bytes: Option<i64>) -> Result<(), Error> {
        let today = day(self.clock.now());
        let yesterday = today - DAY_MS;
        let measured = self.read(move |rows| {
            let before = active(rows, [yesterday, today])?;
            let now = active(rows, [today, today + DAY_MS])?;
            Ok([
                (yesterday, ACTIVE, Some(before)),
                (today, ACTIVE, Some(now)),
                (today, DATABASE, Some(database_bytes(rows)?)),
                (today, "disk_bytes", disk_bytes),
            ])
        });
        let measured = measured.await?;
        self.write(Touches::Rows, move |tx| {
            let sql = "INSERT INTO day_figure (day, name, value) VALUES (?1, ?2, ?3)
                       ON CONFLICT (day, name) DO UPDATE SET value = excluded.value";
            for (day, name, value) in measured {
                let Some(value) = value else { continue };
                tx.rows().execute(sql, params![day, name, value])?;
            }
            Ok(())
        })
        .await
    }

    /// How many edits are in progress on all nodes.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count_running(&self) -> Result<i64, Error> {
        let sql = "SELECT COUNT(*) FROM edit WHERE status = 'processing'";
        let count = self.read(move |rows| one(rows, sql, params![], |row| row.get(0)));
        Ok(count.await?.unwrap_or(0))
    }
}

/// The oldest day that is kept.
pub(crate) fn oldest_day(now: Timestamp) -> i64 {
    day(now.plus_ms(-KEPT_MS))
}

/// How many accounts started an edit between two moments. The ids of edits begin with their time,
/// and an index is ordered by them.
fn active(rows: &Rows, [from, to]: [i64; 2]) -> Result<i64, Error> {
    let sql = "SELECT COUNT(DISTINCT account_id) FROM edit WHERE id >= ?1 AND id < ?2";
    let values = params![first_id(from), first_id(to)];
    Ok(one(rows, sql, values, |row| row.get(0))?.unwrap_or(0))
}

/// A text before the id of every edit since this moment, and after those of all earlier ones.
fn first_id(ms: i64) -> String {
    format!("{:08x}-{:04x}", ms >> 16, ms & 0xffff)
}

fn database_bytes(rows: &Rows) -> Result<i64, Error> {
    let sql = match rows {
        Rows::Sqlite(_) => {
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        }
        Rows::Postgres(_) => "SELECT pg_database_size(current_database())",
    };
    Ok(one(rows, sql, params![], |row| row.get(0))?.unwrap_or(0))
}

fn grants(row: &Row<'_>) -> Result<DayOfGrants, Error> {
    let name: String = row.get("kind")?;
    let unknown = || Error::Corrupt { what: format!("unknown kind of bucket {name:?}") };
    Ok(DayOfGrants {
        day: Timestamp(row.get("day")?),
        kind: BucketKind::parse(&name).ok_or_else(unknown)?,
        is_sold: row.get("is_sold")?,
        credits: credits(row.get("credits")?)?,
    })
}
