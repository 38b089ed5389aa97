//! Videos. A video is accepted immediately and made in a task that outlives the call. With its
//! stored request and recorded attempts, it can even outlive the process.
//!
//! ```text
//! accept -> reserve -> inputs fetched -> request stored -> 202
//!                                           `-> task: request read -> perform -> store -> capture
//! ```
//!
//! The task always starts from the stored request, so that it works the same after a restart.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use retouch_core::EditId;
use retouch_providers::Output;
use retouch_store::{CloseError, EditRecord, Outcome};
use tokio::sync::watch;
use tracing::{Instrument, info_span};

use super::accept::{self, Call};
use super::journal::{Progress, ProgressJournal, RecordJournal};
use super::reserve::{self, Earlier};
use super::run::EditRun;
use super::running::VideoLimits;
use super::stored_request;
use super::{Submission, VideoResponse, answer, answered, inputs, perform, settle, store_result};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult, Code, overloaded};
use crate::http::request_id::{carry, carry_apart};

/// The response for a video that was accepted now, or earlier under the same `Idempotency-Key`.
pub struct VideoAnswer {
    /// The response body.
    pub response: VideoResponse,
    /// Whether an earlier call used the same `Idempotency-Key`.
    pub replayed: bool,
}

/// Handles a request for a video up to the point where only the work is left.
///
/// # Errors
/// The first problem, in the order that ARCHITECTURE.md describes. In that case, no credits are
/// held.
pub async fn submit_video(
    app: &Arc<App>,
    caller: &Caller,
    submission: Submission,
) -> ApiResult<VideoAnswer> {
    let body = submission.body.clone();
    let accepting = accept::accept(app, caller, submission);
    let mut call = accepting.instrument(info_span!("accept")).await?;
    if let Err(full) = call.run.guard.count_as_video(limits(&call)) {
        // A repeated call may only need its first response, which needs no room.
        let earlier = reserve::find_earlier(&call).await?;
        return repeat(&call.run, earlier.ok_or(full)?).await;
    }
    let id = call.run.id;
    let taking = async move {
        match reserve::reserve(&mut call).await? {
            Some(earlier) => repeat(&call.run, earlier).await,
            None => take(call, body).await,
        }
    };
    answered(app, id, app.tasks.spawn(carry(taking))).await
}

/// The response to a repeated call. It is not an error here that the video is still being made.
async fn repeat(run: &EditRun, earlier: Earlier) -> ApiResult<VideoAnswer> {
    let record = match earlier {
        Earlier::Charged(record) => *record,
        Earlier::Running(id) => find_record(run, &id).await?,
    };
    Ok(VideoAnswer { response: answer::accepted(&run.app, record)?, replayed: true })
}

async fn find_record(run: &EditRun, id: &EditId) -> ApiResult<EditRecord> {
    let record = run.app.store.find_edit(&run.account, id).await?;
    record.ok_or_else(|| ApiError::not_found("generation"))
}

/// Stores what is needed to make the video without the caller, and starts the task.
async fn take(call: Call, body: Bytes) -> ApiResult<VideoAnswer> {
    let stored = store_request(&call, &body).await;
    // The call's memory is needed only until the request is stored; after that, the task uses
    // memory for videos.
    drop(body);
    let run = call.into_run();
    if let Err(error) = stored {
        return Err(settle::release(&run, error).await);
    }
    let record = find_record(&run, &run.id).await?;
    let (app, span) = (Arc::clone(&run.app), run.span_apart());
    app.tasks.spawn(carry_apart(make(run).instrument(span)));
    Ok(VideoAnswer { response: answer::accepted(&app, record)?, replayed: false })
}

async fn store_request(call: &Call, body: &Bytes) -> ApiResult<()> {
    let sources = inputs::read(call).await?;
    stored_request::put(call, body, &sources).await.map_err(|error| {
        if let Some(none) = call.memory.refused() {
            return none.into();
        }
        tracing::error!(cause = error.message, "could not store the request of a video");
        let message = "The request could not be stored. Nothing was charged; try again.";
        ApiError::new(Code::StorageFailed, message)
    })
}

/// Makes the video of a stored request and settles it. If this process is asked to stop, leaves it
/// to the next process as soon as nothing can be lost.
pub(super) async fn make(run: EditRun) {
    let progress = watch::Sender::new(Progress::NotSent);
    let mut handing_over = progress.subscribe();
    let ending = async {
        run.app.ending.cancelled().await;
        // This cannot fail, because the sender lives as long as the work.
        let _ = handing_over.wait_for(|progress| progress.can_be_handed_over()).await;
    };
    tokio::select! {
        biased;
        performed = perform_stored(&run, &progress) => {
            let stored = store_result(&run, performed).await;
            // The caller learns the outcome from the record.
            if settle::capture_or_release(&run, stored).await.is_err() {
                count_failure(&run).await;
            }
        }
        () = ending => run.leave(),
    }
}

/// Counts a video that has failed after its call was answered.
async fn count_failure(run: &EditRun) {
    // The account's plan is not known here, so use the default limit.
    if let Err(error) = run.app.throttles.failed(&run.account, None).await {
        tracing::warn!(%error, "could not count a failed video");
    }
}

async fn perform_stored(run: &EditRun, progress: &watch::Sender<Progress>) -> ApiResult<Output> {
    let file = stored_request::find(run).await?;
    let file = file.ok_or_else(|| ApiError::internal("a video's stored request is missing"))?;
    // Waiting counts toward the time limit.
    let time_left = Duration::from_millis(run.time_left_ms());
    let taking = run.app.videos.take(&run.account, file.bytes);
    let memory = tokio::time::timeout(time_left, taking).await;
    let _memory = memory.map_err(|_elapsed| overloaded())?;
    let edit = stored_request::read(&run.app, file).await?;
    let assignment = accept::assign_again(run, edit).await?;
    // All images are inline by now, in memory for videos.
    let sources = run.app.inputs.read(&run.account, &assignment.edit, &()).await?;
    run.begins_from(&sources).await;
    let journal = ProgressJournal { record: RecordJournal { run }, progress };
    Ok(perform::perform(run, &assignment, sources, &journal).await?)
}

/// Ends a video, exactly once, and removes its stored request.
pub(super) async fn close(run: &EditRun, outcome: Outcome) -> Result<EditRecord, CloseError> {
    // Remove the stored request before the edit ends, so that it cannot outlive the edit; if this
    // fails, a sweep ends the edit. Keep it if another process has taken over, because that process
    // may have to start from it.
    let is_own = run.app.store.is_at_edit(&run.account, &run.id, &run.owner).await?;
    if is_own {
        stored_request::remove(run).await?;
    }
    let record = settle::record(run, outcome).await?;
    if !is_own && let Err(error) = stored_request::remove(run).await {
        tracing::error!(%error, "could not delete the request of a finished video");
    }
    Ok(record)
}

fn limits(call: &Call) -> VideoLimits {
    let per_account_max = call.limits().videos_at_once_max;
    VideoLimits { per_account_max, all_max: call.run.app.settings.edits.videos_max }
}
