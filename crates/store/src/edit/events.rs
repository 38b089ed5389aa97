//! The events that webhooks receive about edits.

use retouch_core::{AccountId, Credits, EditId, KeyId};
use serde_json::json;

use super::EditRecord;
use crate::rows::params;
use crate::transaction::Transaction;
use crate::webhook::{Event, EventKind, emit, listens};
use crate::{Error, api_key};

/// The most characters of a failure's message.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// How often webhooks are told that a key has reached its limit, in milliseconds: once a day.
const KEY_TOLD_MS: i64 = 24 * 3_600_000;

/// An edit has ended.
pub(super) fn emit_ended(tx: &Transaction<'_>, it: &EditRecord) -> Result<(), Error> {
    let kind = match it.failure {
        None => EventKind::GenerationSucceeded,
        Some(_) => EventKind::GenerationFailed,
    };
    let error = it.failure.as_ref().map(|failure| {
        let message: String = failure.message.chars().take(MESSAGE_CHARS_MAX).collect();
        json!({ "code": failure.code, "message": message })
    });
    let data = json!({
        "id": it.id,
        "kind": it.kind.as_str(),
        "status": it.status.as_str(),
        "model": it.model,
        "cost": it.cost.get(),
        "created_at": it.created_at.to_string(),
        "completed_at": it.completed_at.map(|moment| moment.to_string()),
        "error": error,
    });
    let subject = it.id.to_string();
    emit(tx, &it.account, &Event { kind, subject: &subject, data })
}

/// An edit has left few credits.
pub(super) fn emit_low_credits(
    tx: &Transaction<'_>,
    account: &AccountId,
    (edit, left, threshold): (EditId, i64, Credits),
) -> Result<(), Error> {
    let subject = edit.to_string();
    let data = json!({ "credits_left": left, "threshold": threshold.get() });
    emit(tx, account, &Event { kind: EventKind::CreditsLow, subject: &subject, data })
}

/// A call was refused because its key has reached its limit.
pub(super) fn emit_key_limit(
    tx: &Transaction<'_>,
    account: &AccountId,
    (key, limit, used): (&KeyId, Credits, Credits),
) -> Result<(), Error> {
    let (rows, now) = (tx.rows(), tx.now());
    if !listens(rows, account)? {
        return Ok(());
    }
    let sql = "UPDATE api_key SET limit_told_at = ?2
               WHERE id = ?1 AND (limit_told_at IS NULL OR limit_told_at <= ?3)";
    let before = now.plus_ms(-KEY_TOLD_MS).0;
    if rows.execute(sql, params![key.as_str(), now.0, before])? == 0 {
        return Ok(());
    }
    let Some(key) = api_key::find(rows, account, key)? else { return Ok(()) };
    let data = json!({
        "key": { "id": key.id.as_str(), "name": key.name, "start": key.start },
        "credit_limit": limit.get(),
        "credits_used": used.get(),
    });
    let event = Event { kind: EventKind::KeyLimitReached, subject: key.id.as_str(), data };
    emit(tx, account, &event)
}
