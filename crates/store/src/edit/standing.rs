//! What decides whether an account may open an edit. One query, because each would be a round trip
//! to a database server.

use retouch_core::credits::KeyLimits;
use retouch_core::{AccountId, KeyId, Kind, Timestamp};

use crate::account::free_credits::day;
use crate::refusal::Refusals;
use crate::rows::{Row, one, params};
use crate::transaction::Transaction;
use crate::{Error, api_key};

/// The standing of an account that is not suspended.
pub(super) struct Standing {
    /// How many videos, or images, it has in progress on all nodes.
    pub(super) under_way: usize,
    /// The oldest reason why paid providers are paused for it, as it is stored, if they are.
    pub(super) paused: Option<String>,
    /// The refusals by providers today.
    pub(super) refusals: Refusals,
    /// The limits of its API key. `None`: the call has no key, or one that cannot be used.
    pub(super) key: Option<KeyLimits>,
}

/// The standing of the account for an edit of `kind` with this API key.
///
/// # Errors
/// [`Error::AccountUnknown`], [`Error::Suspended`].
pub(super) fn read(
    tx: &Transaction<'_>,
    account: &AccountId,
    (kind, key): (Kind, Option<&KeyId>),
) -> Result<Standing, Error> {
    let sql = "SELECT suspended_at IS NOT NULL, (
                   SELECT COUNT(*) FROM edit
                   WHERE account_id = ?1 AND status = 'processing' AND (kind = 'video') = ?2), (
                   SELECT reason FROM pause WHERE account_id = ?1 AND lifted_at IS NULL
                   ORDER BY paused_at, cause LIMIT 1),
                   COALESCE(refusals, 0), COALESCE(last_at, 0),
                   api_key.id IS NOT NULL, api_key.expires_at, credit_limit, day_limit, month_limit
               FROM account
               LEFT JOIN refusal_day ON refusal_day.account_id = account.id AND day = ?3
               LEFT JOIN api_key ON api_key.id = ?4 AND api_key.account_id = account.id
                   AND api_key.revoked_at IS NULL
               WHERE account.id = ?1 AND deleted_at IS NULL";
    let (is_video, today) = (kind == Kind::Video, day(tx.now()));
    let values = params![account.as_str(), is_video, today, key.map(KeyId::as_str)];
    let read = |row: &Row<'_>| {
        let refusals = Refusals { today: row.get(3)?, last_at: Timestamp(row.get(4)?) };
        let under_way = usize::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
        // The query may have waited for the account's lock, so this is later than its values.
        let has_expired = row.get::<_, Option<i64>>(6)?.is_some_and(|moment| moment <= tx.now().0);
        let is_usable = row.get(5)? && !has_expired;
        let key = if is_usable { Some(api_key::limits(row)?) } else { None };
        let paused = row.get(2)?;
        Ok((row.get(0)?, Standing { under_way, paused, refusals, key }))
    };
    match one(tx.rows(), sql, values, read)? {
        None => Err(Error::AccountUnknown),
        Some((true, _)) => Err(Error::Suspended),
        Some((false, standing)) => Ok(standing),
    }
}
