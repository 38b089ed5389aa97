//! Subscriptions as rows.

use retouch_core::billing::{Source, Status, Subscription};
use retouch_core::{AccountId, Timestamp};
use serde_json::json;

use crate::Error;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::Transaction;
use crate::webhook::{self, Event, EventKind};

/// The columns that [`from_row`] reads.
macro_rules! columns {
    () => {
        "id, source, plan, next_plan, status, anchor, periods, paid_until, cancel_at"
    };
}
pub(super) use columns;

/// The plan of the account in the outer query: that of the first of [`all_live`].
macro_rules! plan_of_account {
    () => {
        "(SELECT it.plan FROM subscription AS it
          WHERE it.account_id = account.id AND it.status IN ('active', 'past_due')
          ORDER BY it.source = 'stripe' DESC, it.created_at DESC, it.id DESC LIMIT 1) AS plan"
    };
}
pub(crate) use plan_of_account;

/// The current subscription of an account: the first of [`all_live`].
pub(super) fn live(rows: &Rows, account: &AccountId) -> Result<Option<Subscription>, Error> {
    Ok(all_live(rows, account)?.into_iter().next())
}

/// The current subscriptions of an account: paid ones before assigned ones, then the newest first.
pub(super) fn all_live(rows: &Rows, account: &AccountId) -> Result<Vec<Subscription>, Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM subscription
         WHERE account_id = ?1 AND status IN ('active', 'past_due')
         ORDER BY source = 'stripe' DESC, created_at DESC, id DESC LIMIT 10"
    );
    all(rows, sql, [account.as_str()], from_row)
}

/// The current subscription that the operator assigned to an account.
pub(super) fn live_given(rows: &Rows, account: &AccountId) -> Result<Option<Subscription>, Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM subscription
         WHERE account_id = ?1 AND source = 'operator' AND status IN ('active', 'past_due')
         ORDER BY created_at DESC, id DESC LIMIT 1"
    );
    one(rows, sql, [account.as_str()], from_row)
}

/// Inserts or updates a subscription as seen at `seen_at`. Returns whether it was written: a
/// provider's earlier state does not overwrite a later one, and another account's row is never
/// changed. A subscription that the operator assigned is always written, because only we change it
/// and a clock that went back must not block it.
pub(super) fn save(
    tx: &Transaction<'_>,
    account: &AccountId,
    it: &Subscription,
    seen_at: Timestamp,
) -> Result<bool, Error> {
    watched(tx, account, |rows| write(rows, account, it, seen_at))
}

/// Changes the subscriptions of an account, and tells its webhooks if it has another plan
/// afterwards.
pub(super) fn watched<T>(
    tx: &Transaction<'_>,
    account: &AccountId,
    change: impl FnOnce(&Rows) -> Result<T, Error>,
) -> Result<T, Error> {
    let rows = tx.rows();
    if !webhook::listens(rows, account)? {
        return change(rows);
    }
    let plan = || Ok::<_, Error>(live(rows, account)?.map(|it| it.plan));
    let (before, done, after) = (plan()?, change(rows)?, plan()?);
    if before != after {
        let subject = format!("{before:?} {after:?}");
        let data = json!({ "plan": after, "previous_plan": before });
        let kind = EventKind::PlanChanged;
        webhook::emit(tx, account, &Event { kind, subject: &subject, data })?;
    }
    Ok(done)
}

fn write(
    rows: &Rows,
    account: &AccountId,
    it: &Subscription,
    seen_at: Timestamp,
) -> Result<bool, Error> {
    note_left(rows, account, it, seen_at)?;
    let sql = "INSERT INTO subscription (id, account_id, source, plan, next_plan, status, anchor,
                   periods, paid_until, cancel_at, created_at, seen_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)
               ON CONFLICT (id) DO UPDATE SET plan = excluded.plan,
                   next_plan = excluded.next_plan, status = excluded.status,
                   anchor = excluded.anchor, periods = excluded.periods,
                   paid_until = excluded.paid_until, cancel_at = excluded.cancel_at,
                   seen_at = excluded.seen_at
               WHERE (subscription.seen_at <= excluded.seen_at
                       OR subscription.source = 'operator')
                   AND subscription.account_id = excluded.account_id";
    let values = params![
        it.id,
        account.as_str(),
        it.source.as_str(),
        it.plan,
        it.next_plan,
        it.status.as_str(),
        it.anchor.0,
        it.periods,
        it.paid_until.0,
        it.cancel_at.map(|moment| moment.0),
        seen_at.0,
    ];
    Ok(rows.execute(sql, values)? > 0)
}

/// When an account changes plans, records the plan that it leaves, which keeps results for a while
/// longer. The conditions are those of [`save`].
fn note_left(
    rows: &Rows,
    account: &AccountId,
    it: &Subscription,
    seen_at: Timestamp,
) -> Result<(), Error> {
    let sql = "INSERT INTO plan_left (account_id, plan, left_at)
               SELECT account_id, plan, CASE WHEN status = 'ended' THEN seen_at ELSE ?4 END
               FROM subscription
               WHERE id = ?1 AND account_id = ?2 AND plan <> ?3 AND status <> 'incomplete'
                   AND (seen_at <= ?4 OR source = 'operator')
               ON CONFLICT (account_id, plan) DO UPDATE SET left_at = excluded.left_at";
    rows.put(sql, params![it.id, account.as_str(), it.plan, seen_at.0])
}

/// Reads a subscription from its columns.
pub(super) fn from_row(row: &Row<'_>) -> Result<Subscription, Error> {
    let (source, status): (String, String) = (row.get("source")?, row.get("status")?);
    let unknown = |what: &str, text: &str| Error::Corrupt { what: format!("{what} {text:?}") };
    Ok(Subscription {
        id: row.get("id")?,
        source: Source::parse(&source).ok_or_else(|| unknown("unknown source", &source))?,
        plan: row.get("plan")?,
        next_plan: row.get("next_plan")?,
        status: Status::parse(&status).ok_or_else(|| unknown("unknown status", &status))?,
        anchor: Timestamp(row.get("anchor")?),
        periods: row.get("periods")?,
        paid_until: Timestamp(row.get("paid_until")?),
        cancel_at: row.get::<_, Option<i64>>("cancel_at")?.map(Timestamp),
    })
}
