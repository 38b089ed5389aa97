//! What is spent at providers per day. All nodes reserve the cost before they send a call, so that
//! concurrent calls cannot exceed a limit.

use retouch_core::Timestamp;
use retouch_core::catalogue::MicroDollars;

use crate::queue::Touches;
use crate::rows::{all, one, params};
use crate::{Error, Store};

const DAY_MS: i64 = 24 * 3_600_000;
/// How long a day's sum is kept, in milliseconds: 31 days.
const KEPT_MS: i64 = 31 * DAY_MS;

/// What was spent at a provider in a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spending {
    /// The provider's name.
    pub provider: String,
    /// The amount, at the catalog's prices.
    pub spent: MicroDollars,
}

impl Store {
    /// Reserves `cost` for a call to `provider`, unless the day's sum would exceed `limit`. Returns
    /// the day that it counts for, or `None` if there is no room.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn reserve_spending(
        &self,
        provider: &str,
        cost: MicroDollars,
        limit: MicroDollars,
    ) -> Result<Option<Timestamp>, Error> {
        if cost > limit {
            return Ok(None);
        }
        let (provider, cost, limit) = (provider.to_owned(), amount(cost), amount(limit));
        self.write(Touches::Rows, move |tx| {
            let day = begin(tx.now());
            let sql = "INSERT INTO provider_day (provider, day, micro_usd) VALUES (?1, ?2, ?3)
                       ON CONFLICT (provider, day)
                       DO UPDATE SET micro_usd = provider_day.micro_usd + excluded.micro_usd
                       WHERE provider_day.micro_usd + excluded.micro_usd <= ?4
                       RETURNING day";
            let values = params![provider.clone(), day, cost, limit];
            one(tx.rows(), sql, values, |row| Ok(Timestamp(row.get("day")?)))
        })
        .await
    }

    /// Releases what was reserved on `day` for a call that was not sent.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn give_back_spending(
        &self,
        provider: &str,
        day: Timestamp,
        cost: MicroDollars,
    ) -> Result<(), Error> {
        let (provider, cost) = (provider.to_owned(), amount(cost));
        self.write(Touches::Rows, move |tx| {
            let sql = "UPDATE provider_day SET micro_usd = micro_usd - ?3
                       WHERE provider = ?1 AND day = ?2 AND micro_usd >= ?3";
            tx.rows().execute(sql, params![provider.clone(), day.0, cost])?;
            Ok(())
        })
        .await
    }

    /// What was spent today (UTC) by provider, for providers with a limit.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_spending(&self) -> Result<Vec<Spending>, Error> {
        let day = begin(self.clock.now());
        let sql = "SELECT provider, micro_usd FROM provider_day WHERE day = ?1 ORDER BY provider";
        self.read(move |rows| {
            all(rows, sql, [day], |row| {
                let micros: i64 = row.get("micro_usd")?;
                let spent = MicroDollars(u64::try_from(micros).unwrap_or(0));
                Ok(Spending { provider: row.get("provider")?, spent })
            })
        })
        .await
    }
}

/// The oldest day whose sums are kept.
pub(crate) fn oldest_day(now: Timestamp) -> i64 {
    begin(now.plus_ms(-KEPT_MS))
}

/// The start of the day of `at`, in UTC.
fn begin(at: Timestamp) -> i64 {
    at.0.max(0) / DAY_MS * DAY_MS
}

fn amount(dollars: MicroDollars) -> i64 {
    i64::try_from(dollars.0).unwrap_or(i64::MAX)
}
