//! Events, written in the transaction of what they report.

use retouch_core::{AccountId, EventId};
use ring::digest::{SHA256, digest};
use serde_json::Value as Json;

use crate::Error;
use crate::rows::{Rows, one, params};
use crate::transaction::Transaction;

/// How many deliveries may wait for one webhook. Further events are not sent to it.
const WAITING_MAX: i64 = 10_000;

/// Whether the account of the edit in the outer query has a webhook that is on.
pub(crate) const IS_LISTENING: &str = "EXISTS (SELECT 1 FROM webhook
    WHERE webhook.account_id = edit.account_id AND webhook.off_reason IS NULL) AS is_listening";

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A generation succeeded.
    GenerationSucceeded,
    /// A generation failed.
    GenerationFailed,
    /// Few credits are left.
    CreditsLow,
    /// A call was refused because its API key has reached its credit limit.
    KeyLimitReached,
    /// The account has another plan.
    PlanChanged,
    /// The owner of a webhook tests it.
    Test,
}

impl EventKind {
    /// All kinds that a webhook can receive. Every webhook receives tests.
    pub const ALL: [Self; 5] = [
        Self::GenerationSucceeded,
        Self::GenerationFailed,
        Self::CreditsLow,
        Self::KeyLimitReached,
        Self::PlanChanged,
    ];

    /// The name in rows and in what is sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GenerationSucceeded => "generation.succeeded",
            Self::GenerationFailed => "generation.failed",
            Self::CreditsLow => "credits.low",
            Self::KeyLimitReached => "key.limit_reached",
            Self::PlanChanged => "plan.changed",
            Self::Test => "webhook.test",
        }
    }

    /// The kind with this name that a webhook can receive.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Reads the name of a row.
    pub(super) fn of_name(name: &str) -> Result<Self, Error> {
        let found = Self::find(name).or((name == Self::Test.as_str()).then_some(Self::Test));
        found.ok_or_else(|| Error::Corrupt { what: format!("unknown kind of event {name}") })
    }
}

/// The names of kinds in one column.
pub(super) fn names(kinds: &[EventKind]) -> String {
    kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" ")
}

/// Reads that column.
pub(super) fn kinds(names: &str) -> Result<Vec<EventKind>, Error> {
    names.split_whitespace().map(EventKind::of_name).collect()
}

/// Something that happened in an account.
pub(crate) struct Event<'a> {
    pub(crate) kind: EventKind,
    /// What distinguishes it from other events of its kind at the same time.
    pub(crate) subject: &'a str,
    /// What receivers are told, without the address of a generation.
    pub(crate) data: Json,
}

impl Event<'_> {
    /// The ID of the event. If the transaction is run again, it is the same, unless time has passed.
    fn id(&self, tx: &Transaction<'_>, account: &AccountId) -> EventId {
        let text = format!("{} {account} {}", self.kind.as_str(), self.subject);
        let hash = digest(&SHA256, text.as_bytes());
        let bytes = hash.as_ref().first_chunk().unwrap_or(&[0; 10]);
        EventId::of(tx.now(), bytes)
    }
}

/// Whether an account has a webhook that is on. Ask this before collecting the data of an event.
pub(crate) fn listens(rows: &Rows, account: &AccountId) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM webhook WHERE account_id = ?1 AND off_reason IS NULL LIMIT 1";
    Ok(one(rows, sql, [account.as_str()], |_| Ok(()))?.is_some())
}

/// Queues an event for each webhook of the account that receives its kind. The account is locked.
pub(crate) fn emit(
    tx: &Transaction<'_>,
    account: &AccountId,
    event: &Event<'_>,
) -> Result<(), Error> {
    const WANTS: &str = "account_id = ?1 AND off_reason IS NULL AND ' ' || events || ' ' LIKE ?2";
    let (rows, now) = (tx.rows(), tx.now().0);
    let wanted = format!("% {} %", event.kind.as_str());
    let sql =
        format!("UPDATE webhook SET due_at = ?3 WHERE {WANTS} AND (due_at IS NULL OR due_at > ?3)");
    rows.put(&sql, params![account.as_str(), wanted, now])?;
    let sql = format!(
        "INSERT INTO webhook_delivery (webhook_id, id, account_id, event, data, created_at, status,
             attempts, due_at)
         SELECT webhook.id, ?3, account_id, ?4, ?5, ?6, 'waiting', 0, ?6 FROM webhook
         WHERE {WANTS} AND ?7 > (SELECT COUNT(*) FROM webhook_delivery AS it
             WHERE it.webhook_id = webhook.id AND it.due_at IS NOT NULL)
         ON CONFLICT DO NOTHING"
    );
    let id = event.id(tx, account);
    let values = params![
        account.as_str(),
        wanted,
        id.as_str(),
        event.kind.as_str(),
        event.data.to_string(),
        now,
        WAITING_MAX,
    ];
    rows.put(&sql, values)
}

/// Queues a test for one webhook.
pub(super) fn emit_test(
    tx: &Transaction<'_>,
    account: &AccountId,
    webhook: &str,
) -> Result<EventId, Error> {
    let event = Event { kind: EventKind::Test, subject: webhook, data: Json::Null };
    let id = event.id(tx, account);
    let sql = "INSERT INTO webhook_delivery (webhook_id, id, account_id, event, data, created_at,
                   status, attempts, due_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'waiting', 0, ?6)
               ON CONFLICT DO NOTHING";
    let (kind, now) = (event.kind.as_str(), tx.now().0);
    let values = params![webhook, id.as_str(), account.as_str(), kind, event.data.to_string(), now];
    tx.rows().execute(sql, values)?;
    Ok(id)
}

/// Refuses to queue more for a webhook for which as much waits as may.
pub(super) fn check_room(rows: &Rows, webhook: &str) -> Result<(), Error> {
    let sql = "SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL";
    let waiting: i64 = one(rows, sql, [webhook], |row| row.get(0))?.unwrap_or(0);
    if waiting < WAITING_MAX {
        return Ok(());
    }
    let most = usize::try_from(WAITING_MAX).unwrap_or(usize::MAX);
    Err(Error::DeliveriesFull { most })
}
