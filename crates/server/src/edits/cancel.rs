//! Cancels an edit whose work no provider has. The call takes the edit over, as another process
//! would: from then on, whoever works on it can send nothing, because an attempt that cannot be
//! recorded is not sent. Then the edit ends like any other that has failed.

use std::sync::Arc;
use std::time::Duration;

use retouch_core::{AccountId, EditId};
use retouch_providers::built_in;
use retouch_store::{CloseError, EditRecord, OpenEditRow};

use super::run::EditRun;
use super::running::Running;
use super::settle;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};

/// How often to try if the edit changes at the same moment, for example because its lease is
/// renewed.
const TRIES_MAX: usize = 3;
/// How long to wait until the work has stopped. It stops at once unless a result is being stored.
const STOP_MAX: Duration = Duration::from_secs(10);
/// The suggested delay before trying again, in seconds.
const RETRY_S: u64 = 1;

/// Cancels the edit `id` of `account`, which refunds its credits. Does nothing if it was canceled
/// before. Returns its record.
///
/// # Errors
/// 409 if it has ended otherwise, or a provider may have the work.
pub async fn cancel(app: &Arc<App>, account: &AccountId, id: &EditId) -> ApiResult<EditRecord> {
    for _ in 0..TRIES_MAX {
        let Some(row) = app.store.find_open_edit(account, id).await? else {
            return ended(app, account, id).await;
        };
        if !is_unsent(&row) {
            let provider = &row.provider;
            let message = format!(
                "{provider} may be working on the generation already, so it cannot be canceled. It \
                 is charged only if there is a result."
            );
            return Err(ApiError::new(Code::NotCancelable, message));
        }
        // It is not among the running edits of this process, where the one who works on it may be.
        let guard = Running::default().begin(account, *id);
        let mut run = EditRun::of_row(app, &row, guard).map_err(ApiError::internal)?;
        // No other result will be stored, so the name stays the same: if this process ends in the
        // middle, the next one finds the result of whoever was at work.
        if run.adopt(&row, format!("{}-cancel", app.owner), row.blob.clone()).await? {
            return stop_and_end(app, &run).await;
        }
    }
    let message = "The generation is changing. Nothing was canceled; try again.";
    Err(ApiError::new(Code::NotCancelable, message).retry_after_s(RETRY_S))
}

/// Whether it is certain that no provider has the work: nothing is recorded, and attempts are
/// recorded before they are sent, or the built-in editor does the work.
fn is_unsent(row: &OpenEditRow) -> bool {
    row.task.is_none() && (row.is_background || row.provider == built_in::NAME)
}

/// Ends the edit, and the work on it in this process.
async fn stop_and_end(app: &App, run: &EditRun) -> ApiResult<EditRecord> {
    if run.is_background {
        // Wait until the work has stopped, so that no result is left behind. If one has just been
        // stored, it counts.
        let stopping = app.running.stop(&run.id);
        if tokio::time::timeout(STOP_MAX, stopping).await.is_err() {
            let message = "The work on the generation has not stopped yet. Try again.";
            return Err(ApiError::new(Code::NotCancelable, message).retry_after_s(RETRY_S));
        }
        return end(run).await;
    }
    // Whoever waits for the result learns from the record that it was canceled.
    let ended = end(run).await;
    app.running.lose(&run.id);
    ended
}

async fn end(run: &EditRun) -> ApiResult<EditRecord> {
    let error = ApiError::new(Code::Canceled, "You canceled the call. Nothing was charged.");
    match settle::close(run, settle::failed(run, &error)).await {
        Ok(closed) => Ok(closed.edit),
        // The result was stored at the same moment.
        Err(CloseError::Ended(record)) => canceled(*record),
        Err(CloseError::Taken) => Err(settle::taken(run)),
        Err(error) => Err(ApiError::internal(error)),
    }
}

/// The record of an edit that is no longer open.
async fn ended(app: &App, account: &AccountId, id: &EditId) -> ApiResult<EditRecord> {
    let record = app.store.find_edit(account, id).await?;
    canceled(record.ok_or_else(|| ApiError::not_found("generation"))?)
}

fn canceled(record: EditRecord) -> ApiResult<EditRecord> {
    let canceled = Code::Canceled.row().name;
    if record.failure.as_ref().is_some_and(|failure| failure.code == canceled) {
        return Ok(record);
    }
    let status = record.status.as_str();
    let message = format!("The generation has already ended: its status is `{status}`.");
    Err(ApiError::new(Code::NotCancelable, message))
}
