//! How an open edit ends: captured when its result is stored, released otherwise.

use bytes::Bytes;
use retouch_core::Kind;
use retouch_providers::Output;
use retouch_store::{CloseError, EditRecord, Outcome};

use super::{Held, kept};
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::metrics::EditDone;

/// An edit that was captured.
pub(super) struct Captured {
    pub(super) record: EditRecord,
    pub(super) file: Bytes,
}

/// Settles the hold by how the work went.
pub(super) async fn settle(app: &App, held: &Held, done: ApiResult<Output>) -> ApiResult<Captured> {
    match done {
        Ok(output) => deliver(app, held, output).await,
        Err(error) => Err(release(app, held, error).await),
    }
}

/// Stores the result, then charges for it.
async fn deliver(app: &App, held: &Held, output: Output) -> ApiResult<Captured> {
    if let Err(error) = app.store.blobs().put(&held.blob, output.file.clone()).await {
        tracing::error!(%error, "a result could not be stored");
        // Whatever part of it is there must not be taken for a stored result later.
        if let Err(error) = app.store.blobs().delete(&held.blob).await {
            tracing::error!(%error, "the remains of a result could not be removed");
        }
        let message = "The result could not be stored. Nothing was charged; try again.";
        return Err(release(app, held, ApiError::new(Code::StorageFailed, message)).await);
    }
    let mut warnings = held.warnings.clone();
    warnings.extend(output.warnings);
    let outcome = Outcome::Succeeded {
        cost: held.price,
        usage: Some(serde_json::to_string(&output.usage).map_err(ApiError::internal)?),
        warnings: serde_json::to_string(&warnings).map_err(ApiError::internal)?,
        plan: None,
        stored: vec![held.blob.clone()],
    };
    let record = close(app, held, outcome).await.map_err(|error| pending(held, &error))?;
    Ok(Captured { record, file: output.file })
}

/// Gives the credits back; answers with why.
pub(super) async fn release(app: &App, held: &Held, error: ApiError) -> ApiError {
    let code = error.code.row().name.to_owned();
    let outcome = Outcome::Failed { code, message: error.message.clone() };
    if let Err(failure) = close(app, held, outcome).await {
        // The hold stays until a sweep finds that nothing is stored, and releases it.
        tracing::error!(error = %failure, "a hold could not be released for now");
    }
    error
}

/// Ends the edit, once, and counts it.
pub(super) async fn close(
    app: &App,
    held: &Held,
    outcome: Outcome,
) -> Result<EditRecord, CloseError> {
    if held.kind == Kind::Video {
        // Before the end, so that no request outlives its edit: a sweep ends the edit where this
        // fails.
        kept::remove(app, &held.blob).await?;
    }
    let record = app.store.close_edit(&held.account, &held.id, outcome).await?;
    count(app, &record);
    Ok(record)
}

fn count(app: &App, record: &EditRecord) {
    let known = |code: &str| Code::ALL.iter().find(|row| row.name == code);
    let failed = |code: &str| known(code).map_or(Code::ServerError.row().name, |row| row.name);
    let ended_at = record.completed_at.unwrap_or(record.created_at);
    app.metrics.edit_done(&EditDone {
        model: &record.model,
        provider: &record.provider,
        outcome: record.failure.as_ref().map_or("done", |failure| failed(&failure.code)),
        duration_ms: ended_at.0 - record.created_at.0,
    });
    if record.failure.is_none() {
        app.metrics.captured(&record.model, record.cost.get());
    }
}

/// The result is on disk and the books could not be written: the sweep will capture it.
fn pending(held: &Held, error: &CloseError) -> ApiError {
    tracing::error!(%error, "a stored result could not be captured for now");
    let message = format!(
        "The result is stored, but recording it failed for the moment. GET \
         /api/generations/{} will show how it ended; the same Idempotency-Key will give it.",
        held.id
    );
    ApiError::new(Code::OutcomePending, message)
}
