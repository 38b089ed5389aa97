//! Videos. A video is accepted immediately and made in a task that outlives the call. With its
//! stored request and recorded attempts, it can even outlive the process.
//!
//! ```text
//! accept -> open -> inputs fetched -> request stored -> 202
//!                                        `-> task: request read -> perform -> settle
//! ```
//!
//! The task always starts from the stored request, so that it works the same after a restart.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use retouch_core::Credits;
use retouch_providers::Output;
use retouch_store::{EditRecord, OpenError, Opened};
use tokio::sync::watch;
use tracing::{Instrument, info_span};

use super::journal::Progress;
use super::accept::{self, Accepted};
use super::running::{RunningEdit, VideoLimits, VideosFull};
use super::{Held, Submission, VideoResponse, answer, answered, inputs, perform, settle, stored_request};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult, Code, overloaded};
use crate::http::bodies::BodyMemory;
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
    let Submission { kind, body, idempotency_key, memory } = submission;
    let asked = (kind, body.clone(), idempotency_key.is_some());
    let reading = accept::accept(app, &caller.account.id, asked);
    let accepted = reading.instrument(info_span!("accept")).await?;
    let guard = app.running.begin(&caller.account.id, accepted.id);
    if let Err(none) = guard.count_as_video(limits(app, caller)) {
        // A repeated call may only need its first response, which needs no room.
        return match accepted.find_replay(app, caller, idempotency_key).await {
            Ok(None) => Err(full(none)),
            Ok(Some(record)) => repeat(app, record),
            Err(error) => repeat_running(app, caller, (error, accepted.edit.price)).await,
        };
    }
    let (task_app, caller, id) = (Arc::clone(app), caller.clone(), accepted.id);
    let taking = async move {
        match accepted.open(&task_app, &caller, idempotency_key).await? {
            Ok(Opened::New) => {
                let held = accepted.held(&task_app, &guard, &caller.account.id);
                let at_once_max = task_app.limits(caller.plan.as_deref()).fetches_at_once_max;
                // The call's memory is needed only until the request is stored; after that, the
                // task uses memory for videos.
                let asked = Asked { accepted, body, memory, at_once_max };
                take(&task_app, (held, guard), asked).await
            }
            Ok(Opened::Replay(record)) => repeat(&task_app, *record),
            Err(error) => repeat_running(&task_app, &caller, (error, accepted.edit.price)).await,
        }
    };
    answered(app, id, app.tasks.spawn(carry(taking))).await
}

/// The response to a repeated call.
fn repeat(app: &App, record: EditRecord) -> ApiResult<VideoAnswer> {
    Ok(VideoAnswer { response: answer::accepted(app, record)?, replayed: true })
}

/// The response to a repeated call whose video is still being made, which is not an error here. Any
/// other `error` is returned.
async fn repeat_running(
    app: &App,
    caller: &Caller,
    (error, price): (OpenError, Credits),
) -> ApiResult<VideoAnswer> {
    let edit = match error {
        OpenError::IdempotencyRunning { edit } => edit,
        OpenError::Full { .. } => return Err(full(VideosFull::Account)),
        error => return Err(accept::not_opened(error, price)),
    };
    let record = app.store.find_edit(&caller.account.id, &edit).await?;
    repeat(app, record.ok_or_else(|| ApiError::not_found("generation"))?)
}

/// A request, and what is needed to store it.
struct Asked {
    accepted: Accepted,
    body: Bytes,
    /// Memory for the body and the fetched images.
    memory: BodyMemory,
    /// How many fetches the account may run at the same time.
    at_once_max: usize,
}

/// Stores what is needed to make the video without the caller, and starts the task.
async fn take(
    app: &Arc<App>,
    (held, guard): (Held, RunningEdit),
    asked: Asked,
) -> ApiResult<VideoAnswer> {
    let kept = keep(app, &held, &asked).await;
    drop(asked);
    if let Err(error) = kept {
        return Err(settle::release(app, &held, error).await);
    }
    let record = app.store.find_edit(&held.account, &held.id).await?;
    let record: EditRecord = record.ok_or_else(|| ApiError::not_found("generation"))?;
    let span = held.span();
    app.tasks.spawn(carry_apart(make(Arc::clone(app), held, guard).instrument(span)));
    Ok(VideoAnswer { response: answer::accepted(app, record)?, replayed: false })
}

async fn keep(app: &App, held: &Held, asked: &Asked) -> ApiResult<()> {
    let Asked { accepted, body, memory, at_once_max } = asked;
    let sources = inputs::read(app, held, (&accepted.edit, memory, *at_once_max)).await?;
    let kept = stored_request::put(app, &accepted.blob, (body, memory), (&accepted.edit, &sources)).await;
    kept.map_err(|error| {
        if let Some(none) = memory.refused() {
            return none.into();
        }
        tracing::error!(cause = error.message, "could not store the request of a video");
        let message = "The request could not be stored. Nothing was charged; try again.";
        ApiError::new(Code::StorageFailed, message)
    })
}

/// Makes the video of a stored request and settles it. If this process is asked to stop, leaves it
/// to the next process as soon as nothing can be lost.
pub(super) async fn make(app: Arc<App>, held: Held, guard: RunningEdit) {
    let progress = watch::Sender::new(Progress::NotSent);
    let mut handing_over = progress.subscribe();
    let ending = async {
        app.ending.cancelled().await;
        // This cannot fail, because the sender lives as long as the work.
        let _ = handing_over.wait_for(|progress| progress.can_be_handed_over()).await;
    };
    tokio::select! {
        biased;
        done = perform_kept(&app, &held, &progress) => {
            // The caller learns the outcome from the record.
            if settle::settle(&app, &held, done).await.is_err() {
                count_failure(&app, &held).await;
            }
            drop(guard);
        }
        () = ending => guard.leave(),
    }
}

/// Counts a video that has failed after its call was answered.
async fn count_failure(app: &App, held: &Held) {
    // The account's plan is not known here, so use the default limit.
    if let Err(error) = app.throttles.failed(&held.account, None).await {
        tracing::warn!(%error, "could not count a failed video");
    }
}

async fn perform_kept(
    app: &Arc<App>,
    held: &Held,
    progress: &watch::Sender<Progress>,
) -> ApiResult<Output> {
    let file = stored_request::find(app, &held.blob).await?;
    let file = file.ok_or_else(|| ApiError::internal("a video's stored request is missing"))?;
    // Waiting counts toward the time limit.
    let time_left = Duration::from_millis(held.time_left_ms(app));
    let memory = tokio::time::timeout(time_left, app.videos.take(&held.account, file.bytes)).await;
    let _memory = memory.map_err(|_elapsed| overloaded())?;
    let edit = stored_request::read(app, file).await?;
    let accepted = accept::assign_apart(app, &held.account, (edit, held)).await?;
    // All images are inline by now, in memory for videos.
    let sources = app.inputs.read(&accepted.edit, &()).await?;
    Ok(perform::perform(app, held, (&accepted, sources), progress).await?)
}

fn limits(app: &App, caller: &Caller) -> VideoLimits {
    let per_account_max = app.limits(caller.plan.as_deref()).videos_at_once_max;
    VideoLimits { per_account_max, all_max: app.settings.edits.videos_max }
}

fn full(full: VideosFull) -> ApiError {
    /// A video takes minutes.
    const RETRY_AFTER_S: u64 = 15;
    match full {
        VideosFull::Account => {
            let message = "The account has reached its limit of videos in progress. Nothing was \
                           charged; try again when one has finished.";
            ApiError::new(Code::RateLimited, message).retry_after_s(RETRY_AFTER_S)
        }
        VideosFull::All => overloaded().retry_after_s(RETRY_AFTER_S),
    }
}
