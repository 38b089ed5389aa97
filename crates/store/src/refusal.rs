//! Refusals: how often providers declined an account's requests because of their content. After
//! many of them in a day, the account has to wait before its next call to a provider. After more,
//! paid providers are paused for it until an administrator reviews it. Providers ban operators for
//! refusals, or charge for them.

use retouch_core::{AccountId, Timestamp};

use crate::account::free_credits::day;
use crate::billing;
use crate::rows::{Rows, one, params};
use crate::transaction::Transaction;
use crate::{Error, Settings};

/// The failure code that counts.
const CODE: &str = "content_refused";
/// The first wait, in milliseconds; each further refusal doubles it.
const WAIT_MS: i64 = 60_000;
/// The longest wait, in milliseconds: an hour.
const WAIT_MS_MAX: i64 = 3_600_000;

/// How many refusals in a day are too many. 0 means no limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    before_wait: i64,
    before_pause: i64,
}

impl Patience {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            before_wait: settings.refusals_before_wait.into(),
            before_pause: settings.refusals_before_pause.into(),
        }
    }
}

/// Counts a failed edit, if it was refused.
pub(crate) fn count(
    tx: &Transaction<'_>,
    account: &AccountId,
    code: &str,
    patience: Patience,
) -> Result<(), Error> {
    if code != CODE {
        return Ok(());
    }
    let sql = "INSERT INTO refusal_day (account_id, day, refusals, last_at) VALUES (?1, ?2, 1, ?3)
               ON CONFLICT (account_id, day) DO UPDATE SET
                   refusals = refusal_day.refusals + 1, last_at = excluded.last_at";
    let now = tx.now();
    tx.rows().execute(sql, params![account.as_str(), day(now), now.0])?;
    let refusals = today(tx.rows(), account, now)?;
    if (1..=refusals).contains(&patience.before_pause) {
        billing::begin_for_refusals(tx, account)?;
    }
    Ok(())
}

/// The refusals of a day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusals {
    /// How many there were.
    pub(crate) today: i64,
    /// When the last one was.
    pub(crate) last_at: Timestamp,
}

impl Refusals {
    /// How long their account must wait before its next call to a provider, in seconds. `None` if
    /// it need not.
    pub(crate) fn wait_s(self, now: Timestamp, patience: Patience) -> Option<u64> {
        let beyond = self.today - patience.before_wait;
        if patience.before_wait == 0 || beyond < 0 {
            return None;
        }
        let left_ms = self.last_at.plus_ms(wait_ms(beyond)).0 - now.0;
        let left_s = u64::try_from(left_ms.max(0)).unwrap_or(0).div_ceil(1_000);
        (left_s > 0).then_some(left_s)
    }
}

/// How many refusals an account had today.
pub(crate) fn today(rows: &Rows, account: &AccountId, now: Timestamp) -> Result<i64, Error> {
    let sql = "SELECT refusals FROM refusal_day WHERE account_id = ?1 AND day = ?2";
    let found = one(rows, sql, params![account.as_str(), day(now)], |row| row.get(0))?;
    Ok(found.unwrap_or(0))
}

/// Forgets an account's refusals.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    rows.execute("DELETE FROM refusal_day WHERE account_id = ?1", [account.as_str()])?;
    Ok(())
}

/// How long an account waits after this many refusals beyond the free ones.
fn wait_ms(beyond: i64) -> i64 {
    let doublings = u32::try_from(beyond.clamp(0, 20)).unwrap_or(20);
    WAIT_MS.saturating_mul(1 << doublings).min(WAIT_MS_MAX)
}
