//! How an open edit ends: captured if its result is stored, released otherwise. If another process
//! has taken it over in the meantime, the response reports what the store says.

use bytes::Bytes;
use retouch_core::EditId;
use retouch_providers::Output;
use retouch_store::{CloseError, Closed, EditRecord, Failure, Outcome};
use tracing::{Instrument, field, info_span};

use super::answer::Made;
use super::run::EditRun;
use super::{background, shape};
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::metrics::EditDone;

/// The suggested delay before asking for the outcome of a pending edit, in seconds.
const PENDING_RETRY_S: u64 = 5;

/// Why an edit has no stored result.
pub(super) enum NoResult {
    /// It was not made, for this reason.
    NotMade(ApiError),
    /// It was made, but could not be stored.
    NotStored,
}

impl From<ApiError> for NoResult {
    fn from(error: ApiError) -> Self {
        Self::NotMade(error)
    }
}

/// Captures the hold if the result is stored, and releases it otherwise.
pub(super) async fn capture_or_release(
    run: &EditRun,
    stored: Result<Output, NoResult>,
) -> ApiResult<Made> {
    match stored {
        Ok(output) => capture(run, output).await,
        Err(NoResult::NotMade(error)) => Err(release(run, error).await),
        Err(NoResult::NotStored) => Err(release_not_stored(run).await),
    }
}

/// Charges for the result, which is stored or small.
async fn capture(run: &EditRun, output: Output) -> ApiResult<Made> {
    let file = Some(output.file.clone());
    match close(run, succeeded(run, output)?).await {
        Ok(Closed { edit, available }) => Ok(Made { edit, file, balance: Some(available) }),
        Err(CloseError::Ended(record)) => {
            discard(run, &record).await;
            match record.failure {
                None => Ok(Made { edit: *record, file, balance: None }),
                Some(failure) => Err(failed_before(failure)),
            }
        }
        Err(error) => {
            tracing::error!(%error, "could not charge for a result yet");
            // Without a record, a file would have no owner.
            let file = file.filter(|_| matches!(error, CloseError::Store(_)));
            Err(not_charged(run, file).await)
        }
    }
}

/// Keeps a result that could not be charged, so that a sweep can do that later.
async fn not_charged(run: &EditRun, file: Option<Bytes>) -> ApiError {
    let blobs = run.app.store.blobs();
    let is_stored = match file {
        Some(file) if blobs.is_small(file.len()) => {
            let stored = blobs.put(&run.blob, file).await;
            stored.inspect_err(|error| tracing::error!(%error, "could not store it either")).is_ok()
        }
        file => file.is_some(),
    };
    pending(
        run,
        match is_stored {
            true => "The result is stored but could not be recorded yet.",
            false => "The result could not be recorded yet.",
        },
    )
}

fn succeeded(run: &EditRun, output: Output) -> ApiResult<Outcome> {
    let size = shape::size(&output);
    let mut warnings = run.warnings.clone();
    warnings.extend(output.warnings);
    Ok(Outcome::Succeeded {
        cost: run.price,
        provider_cost: run.provider_cost.get().copied(),
        usage: Some(serde_json::to_string(&output.usage).map_err(ApiError::internal)?),
        warnings: serde_json::to_string(&warnings).map_err(ApiError::internal)?,
        plan: None,
        stored: vec![run.blob.clone()],
        file: Some(output.file).filter(|file| run.app.store.blobs().is_small(file.len())),
        size,
        original: run.original.get().cloned(),
    })
}

/// Releases the credits for a result that could not be stored. Any part of the file is removed only
/// after that, when no process can charge for it any longer.
async fn release_not_stored(run: &EditRun) -> ApiError {
    let message = "The result could not be stored. Nothing was charged; try again.";
    let error = ApiError::new(Code::StorageFailed, message);
    match close(run, failed(run, &error)).await {
        Ok(closed) => {
            discard(run, &closed.edit).await;
            error
        }
        Err(CloseError::Ended(record)) => {
            discard(run, &record).await;
            ended_before(run, *record)
        }
        Err(failure) => {
            tracing::error!(error = %failure, "could not release a hold yet");
            pending(run, "It is not known yet whether the result was stored.")
        }
    }
}

/// Releases the credits and returns `error`, or the outcome if another process has ended the edit.
pub(super) async fn release(run: &EditRun, error: ApiError) -> ApiError {
    match close(run, failed(run, &error)).await {
        Ok(_) => error,
        Err(CloseError::Ended(record)) => ended_before(run, *record),
        Err(CloseError::Taken) => taken(run),
        Err(failure) => {
            // The hold stays until a sweep finds that no result is stored, and releases it.
            tracing::error!(error = %failure, "could not release a hold yet");
            error
        }
    }
}

/// The outcome of an edit without a result.
pub(super) fn failed(run: &EditRun, error: &ApiError) -> Outcome {
    let (code, message) = (error.code.row().name.to_owned(), error.message.clone());
    let failure = Failure { code, message, in_doubt: error.in_doubt };
    Outcome::Failed { owner: run.owner.clone(), failure }
}

/// Ends the edit, exactly once, and counts it.
pub(super) async fn close(run: &EditRun, outcome: Outcome) -> Result<Closed, CloseError> {
    match run.is_background {
        false => record(run, outcome).await,
        true => background::close(run, outcome).await,
    }
}

/// Records how the edit ends, which captures or releases its hold, and counts it.
pub(super) async fn record(run: &EditRun, outcome: Outcome) -> Result<Closed, CloseError> {
    let span = info_span!("close", retouch.outcome = field::Empty);
    let closing = run.app.store.close_edit(&run.account, &run.id, outcome);
    let closed = closing.instrument(span.clone()).await?;
    run.app.watchers.ended(&(run.account.clone(), run.id));
    span.record("retouch.outcome", ended(&closed.edit));
    count(&run.app, &closed.edit);
    Ok(closed)
}

/// Removes a stored result that the ended edit does not use.
async fn discard(run: &EditRun, record: &EditRecord) {
    if record.stored.contains(&run.blob) {
        return;
    }
    if let Err(error) = run.app.store.blobs().delete(&run.blob).await {
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
fn ended_before(run: &EditRun, record: EditRecord) -> ApiError {
    record.failure.map_or_else(|| taken(run), failed_before)
}

fn failed_before(failure: Failure) -> ApiError {
    let error = ApiError::new(code(&failure), failure.message);
    if failure.in_doubt { error.in_doubt() } else { error }
}

pub(super) fn taken(run: &EditRun) -> ApiError {
    pending(run, "Another server has taken over the edit.")
}

fn pending(run: &EditRun, why: &str) -> ApiError {
    outcome_pending(&run.id, why)
}

/// The error for an edit whose outcome will be known later.
pub(super) fn outcome_pending(id: &EditId, why: &str) -> ApiError {
    let message = format!(
        "{why} GET /api/generations/{id} shows the outcome. If that generation does not exist, \
         nothing was charged. To get the result, repeat the call with the same Idempotency-Key."
    );
    ApiError::new(Code::OutcomePending, message).retry_after_s(PENDING_RETRY_S)
}
