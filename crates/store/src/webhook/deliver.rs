//! Delivering what is due, by any node.
//!
//! A node claims a webhook with some of its deliveries, so that each address is sent a few at a time,
//! whatever the number of nodes. Webhooks take turns: one that has more to receive goes to the end of
//! the line.

use retouch_core::{AccountId, EventId, Timestamp, WebhookId};

use super::emit::EventKind;
use super::{Off, Webhook};
use crate::account;
use crate::mail::{self, EmailKind, Notice};
use crate::queue::Touches;
use crate::rows::{Row, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// How long a claim lasts, in milliseconds. Noting the outcome ends it earlier.
const CLAIM_MS: i64 = 60_000;
/// The maximum number of deliveries in a claim, which are sent at the same time.
const DELIVERIES_MAX: i64 = 4;
/// How many webhooks of one account are claimed at the same time.
const CLAIMS_PER_ACCOUNT_MAX: i64 = 2;
/// How long every attempt must have failed before a webhook is turned off, in milliseconds: 3 days.
const FAILING_MS_MAX: i64 = 3 * 24 * 3_600_000;

/// Whether it is the turn of a webhook at `?1`.
const HAS_TURN: &str = "due_at <= ?1 AND off_reason IS NULL
    AND (claimed_until IS NULL OR claimed_until <= ?1)
    AND (quiet_until IS NULL OR quiet_until <= ?1)";

/// A webhook and what to send to it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The account that owns it.
    pub account: AccountId,
    /// The webhook.
    pub webhook: WebhookId,
    /// Its address.
    pub url: String,
    /// Its encrypted secrets.
    pub sealed_secrets: Vec<u8>,
    /// The encrypted secrets before the last rotation, if they still sign.
    pub earlier_secrets: Option<Vec<u8>>,
    /// Whether its last attempts took long.
    pub is_slow: bool,
    /// What to send.
    pub deliveries: Vec<Due>,
    /// When the claim ends, which also identifies it.
    until: Timestamp,
}

/// A delivery that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The event.
    pub id: EventId,
    /// Its kind.
    pub kind: EventKind,
    /// What receivers are told, as JSON.
    pub data: String,
    /// When it happened.
    pub created_at: Timestamp,
    /// The number of this attempt, from 1.
    pub attempt: i64,
}

/// What came of a claim.
#[derive(Clone, Debug, Default)]
pub struct ClaimEnd {
    /// What came of each delivery.
    pub attempts: Vec<Attempt>,
    /// The webhook answered that it is gone.
    pub is_gone: bool,
    /// Whether the attempts took long.
    pub is_slow: bool,
    /// How long the webhook asked to receive nothing, in milliseconds.
    pub quiet_ms: Option<i64>,
}

/// An attempt to deliver an event.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What was delivered.
    pub due: Due,
    /// How it ended.
    pub end: AttemptEnd,
    /// The status of the response, if there was one.
    pub response_status: Option<u16>,
    /// What went wrong, for the owner.
    pub problem: Option<String>,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The event was accepted.
    Delivered,
    /// It was not. The next attempt is due after this time, in milliseconds.
    Retry(i64),
    /// It was not, and this was the last attempt.
    Failed,
}

impl Store {
    /// Claims the webhook whose turn it is, with some of its deliveries that are due. Without
    /// `with_slow`, it must have answered quickly. `None` if nothing is due.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn claim_webhook(&self, with_slow: bool) -> Result<Option<Claim>, Error> {
        // Most looks find nothing, which needs no write.
        let now = self.clock.now();
        let sql = format!("SELECT 1 FROM webhook WHERE {HAS_TURN} LIMIT 1");
        let looking = self.read_row(move |rows| one(rows, &sql, [now.0], |_| Ok(())));
        if looking.await?.is_none() {
            return Ok(None);
        }
        self.write(Touches::Rows, move |tx| claim(tx, with_slow)).await
    }

    /// Notes what came of a claim, and ends it. A webhook that is gone, or at which every attempt
    /// has failed for days, is turned off, and its owner is notified.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_claim(&self, claim: &Claim, end: ClaimEnd) -> Result<(), Error> {
        let (claim, notice) = (claim.clone(), self.notice());
        self.write(Touches::account(&claim.account), move |tx| {
            note(tx, &claim, (&end, notice.as_ref()))
        })
        .await
    }

    /// Ends all claims. Call this at startup, when no other process is using the database: what an
    /// earlier one had claimed is then due now, and not when its claims would have ended.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_all_claims(&self) -> Result<(), Error> {
        self.write(Touches::Rows, |tx| {
            let sql = "UPDATE webhook SET claimed_until = NULL WHERE claimed_until IS NOT NULL";
            tx.rows().execute(sql, params![]).map(drop)
        })
        .await
    }

    /// Waits until a delivery is queued by this process.
    pub async fn delivery_queued(&self) {
        self.delivery_news.notified().await;
    }

    /// Reports that a delivery was queued.
    pub(crate) fn deliveries_queued(&self) {
        self.delivery_news.notify_one();
    }
}

fn claim(tx: &Transaction<'_>, with_slow: bool) -> Result<Option<Claim>, Error> {
    let (rows, now) = (tx.rows(), tx.now());
    let sql = format!(
        "UPDATE webhook SET claimed_until = ?2 WHERE id = (
             SELECT id FROM webhook
             WHERE {HAS_TURN} AND (?3 OR NOT is_slow)
                 AND NOT EXISTS (SELECT 1 FROM account
                     WHERE account.id = webhook.account_id AND account.suspended_at IS NOT NULL)
                 AND ?4 > (SELECT COUNT(*) FROM webhook AS busy
                     WHERE busy.account_id = webhook.account_id AND busy.claimed_until > ?1)
             ORDER BY due_at LIMIT 1{})
         RETURNING id, account_id, url, sealed_secrets, earlier_secrets, earlier_until, is_slow",
        rows.skip_locked()
    );
    let until = now.plus_ms(CLAIM_MS);
    let values = params![now.0, until.0, with_slow, CLAIMS_PER_ACCOUNT_MAX];
    let read = |row: &Row<'_>| claim_from_row(row, (now, until));
    let Some(claim) = one(rows, &sql, values, read)? else { return Ok(None) };
    let sql = "UPDATE webhook_delivery SET attempts = attempts + 1, tried_at = ?2
               WHERE webhook_id = ?1 AND id IN (SELECT id FROM webhook_delivery
                   WHERE webhook_id = ?1 AND due_at <= ?2 ORDER BY due_at, id LIMIT ?3)
               RETURNING id, event, data, created_at, attempts";
    let values = params![claim.webhook.as_str(), now.0, DELIVERIES_MAX];
    let mut deliveries = all(rows, sql, values, due_from_row)?;
    // Databases return changed rows in any order.
    deliveries.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(Some(Claim { deliveries, ..claim }))
}

fn claim_from_row(row: &Row<'_>, (now, until): (Timestamp, Timestamp)) -> Result<Claim, Error> {
    let earlier_until: Option<i64> = row.get("earlier_until")?;
    let earlier: Option<Vec<u8>> = row.get("earlier_secrets")?;
    Ok(Claim {
        account: column(row, "account_id")?,
        webhook: column(row, "id")?,
        url: row.get("url")?,
        sealed_secrets: row.get("sealed_secrets")?,
        earlier_secrets: earlier.filter(|_| earlier_until.is_some_and(|end| end > now.0)),
        is_slow: row.get("is_slow")?,
        deliveries: Vec::new(),
        until,
    })
}

fn due_from_row(row: &Row<'_>) -> Result<Due, Error> {
    Ok(Due {
        id: column(row, "id")?,
        kind: EventKind::of_name(&row.get::<_, String>("event")?)?,
        data: row.get("data")?,
        created_at: Timestamp(row.get("created_at")?),
        attempt: row.get("attempts")?,
    })
}

fn note(
    tx: &Transaction<'_>,
    claim: &Claim,
    (end, notice): (&ClaimEnd, Option<&Notice>),
) -> Result<(), Error> {
    for attempt in &end.attempts {
        note_attempt(tx, claim, attempt)?;
    }
    let (rows, now) = (tx.rows(), tx.now());
    // A failed test doesn't count, because no event was lost.
    let real = || end.attempts.iter().filter(|it| it.due.kind != EventKind::Test);
    let Some(found) = super::find(rows, &claim.account, &claim.webhook)? else { return Ok(()) };
    let failing_since = if end.attempts.iter().any(|it| it.end == AttemptEnd::Delivered) {
        None
    } else {
        found.failing_since.or(real().next().map(|_| now))
    };
    let has_given_up = real().any(|it| it.end == AttemptEnd::Failed);
    let for_days = failing_since.is_some_and(|since| since.plus_ms(FAILING_MS_MAX) <= now);
    let turned_off = match found.off {
        Some(_) => None,
        None if end.is_gone => Some(Off::Gone),
        None => (has_given_up && for_days).then_some(Off::Failing),
    };
    let off = turned_off.map(|reason| (reason, now)).or(found.off);
    super::update(rows, &claim.account, &Webhook { failing_since, off, ..found.clone() })?;
    set_due(tx, &claim.webhook, Some((claim, end)))?;
    match turned_off.and(account::find(rows, &claim.account)?) {
        Some(owner) => {
            let notice = notice.map(|it| it.about(&host(&found.url)));
            mail::tell(tx, notice.as_ref(), EmailKind::WebhookOff, &owner)
        }
        None => Ok(()),
    }
}

/// Notes an attempt, unless the delivery was queued again in the meantime.
fn note_attempt(tx: &Transaction<'_>, claim: &Claim, attempt: &Attempt) -> Result<(), Error> {
    let (status, due_at) = match attempt.end {
        AttemptEnd::Delivered => ("delivered", None),
        AttemptEnd::Retry(wait_ms) => ("waiting", Some(tx.now().plus_ms(wait_ms))),
        AttemptEnd::Failed => ("failed", None),
    };
    let sql = "UPDATE webhook_delivery SET status = ?4, due_at = ?5, response_status = ?6,
                   problem = ?7, took_ms = ?8
               WHERE webhook_id = ?1 AND id = ?2 AND attempts = ?3 AND status = 'waiting'";
    let values = params![
        claim.webhook.as_str(),
        attempt.due.id.as_str(),
        attempt.due.attempt,
        status,
        due_at.map(|moment| moment.0),
        attempt.response_status.map(i64::from),
        attempt.problem,
        attempt.took_ms,
    ];
    tx.rows().execute(sql, values).map(drop)
}

/// Sets when a webhook has its next turn. After a claim, also ends that, and notes how it went. The
/// account is locked, so that no event is queued at the same time and missed here.
pub(super) fn set_due(
    tx: &Transaction<'_>,
    webhook: &WebhookId,
    ended: Option<(&Claim, &ClaimEnd)>,
) -> Result<(), Error> {
    let (rows, now) = (tx.rows(), tx.now());
    let sql = "SELECT MIN(due_at) FROM webhook_delivery WHERE webhook_id = ?1
                   AND due_at IS NOT NULL";
    let next: Option<i64> = one(rows, sql, [webhook.as_str()], |row| row.get(0))?.flatten();
    // What is overdue has its turn after the webhooks that are waiting.
    let next = next.map(|due_at| due_at.max(now.0));
    let sql = "UPDATE webhook SET due_at = ?2 WHERE id = ?1";
    rows.execute(sql, params![webhook.as_str(), next])?;
    let Some((claim, end)) = ended else { return Ok(()) };
    let sql = "UPDATE webhook SET claimed_until = NULL, is_slow = ?3, quiet_until = ?4
               WHERE id = ?1 AND claimed_until = ?2";
    let quiet_until = end.quiet_ms.map(|ms| now.plus_ms(ms).0);
    rows.execute(sql, params![webhook.as_str(), claim.until.0, end.is_slow, quiet_until])?;
    Ok(())
}

/// The host of an address, whose path may be a secret.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest).to_owned()
}
