//! A video: accepted at once, made in a task that outlives the call and, by what is kept and
//! recorded of it, the process.
//!
//! ```text
//! accept -> open -> inputs fetched -> request kept -> 202
//!                                        `-> task: request read -> perform -> settle
//! ```
//!
//! The task works from the kept request, as it does after a restart: there is one way.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use retouch_core::Credits;
use retouch_providers::Output;
use retouch_store::{EditRecord, OpenError, Opened};
use tokio::sync::watch;
use tracing::{Instrument, info_span};

use super::journal::Progress;
use super::opening::{self, Accepted};
use super::running::{RunningEdit, VideoLimits, VideosFull};
use super::{Held, Submission, VideoResponse, answer, answered, inputs, kept, perform, settle};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult, Code, overloaded};
use crate::http::bodies::BodyMemory;
use crate::http::request_id::{carry, carry_apart};

/// A video that is being made, or one whose first answer is given again.
pub struct VideoAnswer {
    /// The body of the response.
    pub response: VideoResponse,
    /// Whether this is an answer for an `Idempotency-Key` that was used before.
    pub replayed: bool,
}

/// Takes a request for a video up to the point where nothing but the work is left.
///
/// # Errors
/// The first problem, in the order that ARCHITECTURE.md describes. In this case, nothing is held.
pub async fn submit_video(
    app: &Arc<App>,
    caller: &Caller,
    submission: Submission,
) -> ApiResult<VideoAnswer> {
    let Submission { kind, body, idempotency_key, memory } = submission;
    let asked = (kind, body.clone(), idempotency_key.is_some());
    let reading = opening::accept(app, &caller.account.id, asked);
    let accepted = reading.instrument(info_span!("accept")).await?;
    let guard = app.running.begin(&caller.account.id, accepted.id);
    if let Err(none) = guard.count_as_video(limits(app, caller)) {
        // A repeated call may only want its first answer, which takes no room.
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
                // Until the request is kept: then its memory is that of the videos.
                let asked = Asked { accepted, body, memory, at_once_max };
                take(&task_app, (held, guard), asked).await
            }
            Ok(Opened::Replay(record)) => repeat(&task_app, *record),
            Err(error) => repeat_running(&task_app, &caller, (error, accepted.edit.price)).await,
        }
    };
    answered(app, id, app.tasks.spawn(carry(taking))).await
}

/// The answer to a call that was made before.
fn repeat(app: &App, record: EditRecord) -> ApiResult<VideoAnswer> {
    Ok(VideoAnswer { response: answer::accepted(app, record)?, replayed: true })
}

/// The same where the video is still being made, which is no mistake here; any other `error` is one.
async fn repeat_running(
    app: &App,
    caller: &Caller,
    (error, price): (OpenError, Credits),
) -> ApiResult<VideoAnswer> {
    let edit = match error {
        OpenError::IdempotencyRunning { edit } => edit,
        OpenError::Full { .. } => return Err(full(VideosFull::Account)),
        error => return Err(opening::not_opened(error, price)),
    };
    let record = app.store.find_edit(&caller.account.id, &edit).await?;
    repeat(app, record.ok_or_else(|| ApiError::not_found("generation"))?)
}

/// What was asked, and what it takes to keep it.
struct Asked {
    accepted: Accepted,
    body: Bytes,
    /// For the body, and for the pictures that are fetched.
    memory: BodyMemory,
    /// How many fetches the account has at once.
    at_once_max: usize,
}

/// Makes sure that the video can be made without the caller, and has it made.
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
    let kept = kept::put(app, &accepted.blob, (body, memory), (&accepted.edit, &sources)).await;
    kept.map_err(|error| {
        if let Some(none) = memory.refused() {
            return none.into();
        }
        tracing::error!(cause = error.message, "could not store the request of a video");
        let message = "The request could not be stored. Nothing was charged; try again.";
        ApiError::new(Code::StorageFailed, message)
    })
}

/// Makes the video of a kept request and settles it; leaves it to the next process where this one
/// is asked to end and nothing can be lost by it.
pub(super) async fn make(app: Arc<App>, held: Held, guard: RunningEdit) {
    let progress = watch::Sender::new(Progress::NotSent);
    let mut handing_over = progress.subscribe();
    let ending = async {
        app.ending.cancelled().await;
        // The sender lives as long as the work.
        let _ = handing_over.wait_for(|progress| progress.can_be_handed_over()).await;
    };
    tokio::select! {
        biased;
        done = perform_kept(&app, &held, &progress) => {
            // The record tells whoever asks how it ended.
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
    // By the usual limit: which plan its owner has is not known here.
    if let Err(error) = app.throttles.failed(&held.account, None).await {
        tracing::warn!(%error, "could not count a failed video");
    }
}

async fn perform_kept(
    app: &Arc<App>,
    held: &Held,
    progress: &watch::Sender<Progress>,
) -> ApiResult<Output> {
    let file = kept::find(app, &held.blob).await?;
    let file = file.ok_or_else(|| ApiError::internal("a video's stored request is missing"))?;
    // Its time runs while it waits, too.
    let time_left = Duration::from_millis(held.time_left_ms(app));
    let memory = tokio::time::timeout(time_left, app.videos.take(&held.account, file.bytes)).await;
    let _memory = memory.map_err(|_elapsed| overloaded())?;
    let edit = kept::read(app, file).await?;
    let accepted = opening::assign_apart(app, &held.account, (edit, held)).await?;
    // They are all there by now, in memory of the videos.
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
