//! How an opened edit ends: captured when its result is stored, released otherwise.

use retouch_core::{AccountId, Credits};
use retouch_providers::Output;
use retouch_store::{CloseError, EditRecord, OpenError, Outcome};

use super::{Accepted, EditResponse, answer, perform, warnings_text};
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::metrics::EditDone;

/// Does the work and settles the hold by how it went.
pub(super) async fn settle(
    app: &App,
    account: &AccountId,
    accepted: &Accepted,
) -> ApiResult<EditResponse> {
    let started = app.clock.now();
    let done = perform::perform(app, account, accepted).await.map_err(ApiError::from);
    app.metrics.edit_done(&EditDone {
        model: &accepted.edit.model.id,
        provider: accepted.first_provider(),
        outcome: done.as_ref().map_or_else(|error| error.code.row().name, |_| "done"),
        duration_ms: app.clock.now().0 - started.0,
    });
    match done {
        Ok(output) => deliver(app, account, accepted, output).await,
        Err(error) => release(app, account, accepted, error).await,
    }
}

/// Stores the result, then charges for it.
async fn deliver(
    app: &App,
    account: &AccountId,
    accepted: &Accepted,
    output: Output,
) -> ApiResult<EditResponse> {
    if let Err(error) = app.store.blobs().put(&accepted.blob, output.file.clone()).await {
        tracing::error!(%error, "a result could not be stored");
        // Whatever part of it is there must not be taken for a stored result later.
        if let Err(error) = app.store.blobs().delete(&accepted.blob).await {
            tracing::error!(%error, "the remains of a result could not be removed");
        }
        let message = "The result could not be stored. Nothing was charged; try again.";
        return release(app, account, accepted, ApiError::new(Code::StorageFailed, message)).await;
    }
    let edit = capture(app, account, accepted, &output).await?;
    app.metrics.captured(&edit.model, edit.cost.get());
    answer::fresh(app, edit, &output.file)
}

async fn capture(
    app: &App,
    account: &AccountId,
    accepted: &Accepted,
    output: &Output,
) -> ApiResult<EditRecord> {
    let mut warnings = accepted.warnings();
    warnings.extend(output.warnings.iter().cloned());
    let outcome = Outcome::Succeeded {
        cost: accepted.edit.price,
        usage: Some(serde_json::to_string(&output.usage).map_err(ApiError::internal)?),
        warnings: warnings_text(&warnings)?,
        plan: None,
        stored: vec![accepted.blob.clone()],
    };
    app.store
        .close_edit(account, &accepted.id, outcome)
        .await
        .map_err(|error| pending(accepted, &error))
}

/// Gives the credits back and passes on why.
async fn release(
    app: &App,
    account: &AccountId,
    accepted: &Accepted,
    error: ApiError,
) -> ApiResult<EditResponse> {
    let code = error.code.row().name.to_owned();
    let outcome = Outcome::Failed { code, message: error.message.clone() };
    if let Err(failure) = app.store.close_edit(account, &accepted.id, outcome).await {
        // The hold stays until a sweep finds that nothing is stored, and releases it.
        tracing::error!(error = %failure, "a hold could not be released for now");
    }
    Err(error)
}

/// The result is on disk and the books could not be written: the sweep will capture it.
fn pending(accepted: &Accepted, error: &CloseError) -> ApiError {
    tracing::error!(%error, "a stored result could not be captured for now");
    let message = format!(
        "The result is stored, but recording it failed for the moment. GET \
         /api/generations/{} will show how it ended; the same Idempotency-Key will give it.",
        accepted.id
    );
    ApiError::new(Code::OutcomePending, message)
}

/// Why no hold could be made, for the caller.
pub(super) fn not_opened(error: OpenError, price: Credits) -> ApiError {
    match error {
        OpenError::Insufficient { available, .. } => {
            let message = format!("The call costs {price} credits; {available} are available.");
            ApiError::new(Code::InsufficientCredits, message)
        }
        OpenError::KeyLimit { limit, used, .. } => {
            let message = format!(
                "The call costs {price} credits; the API key may spend {limit} in its life and has \
                 {used} spent or held."
            );
            ApiError::new(Code::KeyCreditLimitReached, message)
        }
        OpenError::IdempotencyRunning { .. } => {
            let message = "The first call with this Idempotency-Key is still running.";
            ApiError::new(Code::IdempotencyInProgress, message).retry_after_s(1)
        }
        OpenError::IdempotencyMismatch => {
            let message = "This Idempotency-Key was used with another body; use a new key.";
            ApiError::new(Code::IdempotencyMismatch, message)
        }
        OpenError::KeyUnusable => {
            ApiError::new(Code::Unauthenticated, "The API key has been revoked or has expired.")
        }
        OpenError::Store(error) => error.into(),
    }
}
