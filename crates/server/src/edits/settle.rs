//! How an open edit ends: captured if its result is stored, released otherwise. If another process
//! has taken it over in the meantime, the response reports what the store says.

use bytes::Bytes;
use retouch_core::{EditId, Kind};
use retouch_providers::Output;
use retouch_store::{CloseError, EditRecord, Failure, Outcome};
use tracing::{Instrument, field, info_span};

use super::{Held, stored_request};
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::metrics::EditDone;

/// The suggested delay before asking for the outcome of a pending edit, in seconds.
const PENDING_RETRY_S: u64 = 5;

/// An edit that was captured.
pub(super) struct Captured {
    pub(super) record: EditRecord,
    pub(super) file: Bytes,
}

/// Captures or releases the hold, depending on the result of the work.
pub(super) async fn settle(app: &App, held: &Held, done: ApiResult<Output>) -> ApiResult<Captured> {
    match done {
        Ok(output) => deliver(app, held, output).await,
        Err(error) => Err(release(app, held, error).await),
    }
}

/// Stores the result, then charges for it.
async fn deliver(app: &App, held: &Held, output: Output) -> ApiResult<Captured> {
    let file = output.file.clone();
    let bytes = file.len();
    let storing = app.store.blobs().put(&held.blob, file.clone());
    if let Err(error) = storing.instrument(info_span!("store_result", retouch.bytes = bytes)).await
    {
        tracing::error!(%error, "could not store a result");
        return Err(give_up(app, held).await);
    }
    match close(app, held, succeeded(held, output)?).await {
        Ok(record) => Ok(Captured { record, file }),
        Err(CloseError::Ended(record)) => {
            discard(app, held, &record).await;
            match record.failure {
                None => Ok(Captured { record: *record, file }),
                Some(failure) => Err(failed_before(failure)),
            }
        }
        Err(error) => {
            tracing::error!(%error, "could not charge for a stored result yet");
            Err(pending(held, "The result is stored but could not be recorded yet."))
        }
    }
}

fn succeeded(held: &Held, output: Output) -> ApiResult<Outcome> {
    let mut warnings = held.warnings.clone();
    warnings.extend(output.warnings);
    Ok(Outcome::Succeeded {
        cost: held.price,
        usage: Some(serde_json::to_string(&output.usage).map_err(ApiError::internal)?),
        warnings: serde_json::to_string(&warnings).map_err(ApiError::internal)?,
        plan: None,
        stored: vec![held.blob.clone()],
    })
}

/// Releases the credits for a result that could not be stored. Any part of the file is removed only
/// after that, when no process can charge for it any longer.
async fn give_up(app: &App, held: &Held) -> ApiError {
    let message = "The result could not be stored. Nothing was charged; try again.";
    let error = ApiError::new(Code::StorageFailed, message);
    match close(app, held, failed(held, &error)).await {
        Ok(record) => {
            discard(app, held, &record).await;
            error
        }
        Err(CloseError::Ended(record)) => {
            discard(app, held, &record).await;
            ended_before(held, *record)
        }
        Err(failure) => {
            tracing::error!(error = %failure, "could not release a hold yet");
            pending(held, "It is not known yet whether the result was stored.")
        }
    }
}

/// Releases the credits and returns `error`, or the outcome if another process has ended the edit.
pub(super) async fn release(app: &App, held: &Held, error: ApiError) -> ApiError {
    match close(app, held, failed(held, &error)).await {
        Ok(_) => error,
        Err(CloseError::Ended(record)) => ended_before(held, *record),
        Err(CloseError::Taken) => taken(held),
        Err(failure) => {
            // The hold stays until a sweep finds that no result is stored, and releases it.
            tracing::error!(error = %failure, "could not release a hold yet");
            error
        }
    }
}

/// The outcome of an edit without a result.
pub(super) fn failed(held: &Held, error: &ApiError) -> Outcome {
    let (code, message) = (error.code.row().name.to_owned(), error.message.clone());
    let failure = Failure { code, message, in_doubt: error.in_doubt };
    Outcome::Failed { owner: held.owner.clone(), failure }
}

/// Ends the edit, exactly once, and counts it.
pub(super) async fn close(
    app: &App,
    held: &Held,
    outcome: Outcome,
) -> Result<EditRecord, CloseError> {
    let is_video = held.kind == Kind::Video;
    // Remove the stored request before the edit ends, so that it cannot outlive the edit; if this
    // fails, a sweep ends the edit. Keep it if another process has taken over, because that process
    // may have to start from it.
    let is_own = is_video && app.store.is_at_edit(&held.account, &held.id, &held.owner).await?;
    if is_own {
        stored_request::remove(app, &held.blob).await?;
    }
    let span = info_span!("close", retouch.outcome = field::Empty);
    let closing = app.store.close_edit(&held.account, &held.id, outcome);
    let record = closing.instrument(span.clone()).await?;
    span.record("retouch.outcome", ended(&record));
    count(app, &record);
    if is_video
        && !is_own
        && let Err(error) = stored_request::remove(app, &held.blob).await
    {
        tracing::error!(%error, "could not delete the request of a finished video");
    }
    Ok(record)
}

/// Removes a stored result that the ended edit does not use.
async fn discard(app: &App, held: &Held, record: &EditRecord) {
    if record.stored.contains(&held.blob) {
        return;
    }
    if let Err(error) = app.store.blobs().delete(&held.blob).await {
        tracing::error!(%error, "could not delete a result that was not charged");
    }
}

fn count(app: &App, record: &EditRecord) {
    let ended_at = record.completed_at.unwrap_or(record.created_at);
    app.metrics.edit_done(&EditDone {
        model: &record.model,
        provider: &record.provider,
        outcome: ended(record),
        duration_ms: ended_at.0 - record.created_at.0,
    });
    if record.failure.is_none() {
        app.metrics.captured(&record.model, record.cost.get());
    }
}

/// The outcome as a name from our own table.
fn ended(record: &EditRecord) -> &'static str {
    record.failure.as_ref().map_or("done", |failure| code(failure).row().name)
}

fn code(failure: &Failure) -> Code {
    let known = Code::ALL.iter().find(|row| row.name == failure.code);
    known.map_or(Code::ServerError, |row| row.code)
}

/// Another process has ended the edit.
fn ended_before(held: &Held, record: EditRecord) -> ApiError {
    record.failure.map_or_else(|| taken(held), failed_before)
}

fn failed_before(failure: Failure) -> ApiError {
    let error = ApiError::new(code(&failure), failure.message);
    if failure.in_doubt { error.in_doubt() } else { error }
}

fn taken(held: &Held) -> ApiError {
    pending(held, "Another server has taken over the edit.")
}

fn pending(held: &Held, why: &str) -> ApiError {
    outcome_pending(&held.id, why)
}

/// The error for an edit whose outcome will be known later.
pub(super) fn outcome_pending(id: &EditId, why: &str) -> ApiError {
    let message = format!(
        "{why} GET /api/generations/{id} shows the outcome. If that generation does not exist, \
         nothing was charged. To get the result, repeat the call with the same Idempotency-Key."
    );
    ApiError::new(Code::OutcomePending, message).retry_after_s(PENDING_RETRY_S)
}
