//! One edit, from request to response. Start reading here.
//!
//! ```text
//! HTTP -> Body -> Catalogue::accept -> Edit -> price -> provider.read
//!      -> store.open_edit      one transaction: idempotency key, hold, record
//!      -> routes::perform      outside any transaction, in a task that outlives the connection
//!      -> blobs.put            the result is durable before anything is charged
//!      -> store.close_edit     one transaction: capture or release, record, ledger entry
//!      -> answer
//! ```
//!
//! The handler waits while a task does the work, so a caller who disconnects changes nothing. A
//! video takes minutes, so its caller gets a response as soon as the request is stored, and reads
//! the generation later (`video`).

mod accept;
mod answer;
mod blob_names;
mod expiry;
mod inputs;
mod journal;
mod lease;
mod orphans;
mod perform;
mod recover;
mod removal;
mod removal_tally;
mod request_fields;
mod run;
mod running;
mod settle;
mod spending;
mod stored_request;
mod video;
mod video_memory;

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::{EditId, Kind};
pub use retouch_providers::turns::{AccountFull, Place, Turn, Turns};
use retouch_store::Opened;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing::{Instrument, info_span};

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult};
use crate::http::bodies::{ANSWER_BYTES, BodyMemory};
use crate::http::request_id::carry;

pub(crate) use answer::view;
pub use answer::{EditResponse, GenerationView, ImageData, VideoResponse};
use answer::{Made, answer};
pub use expiry::expire;
use run::Held;
use journal::Progress;
pub use lease::{LeaseObservations, keep_leases, renew_leases};
use accept::Accepted;
pub use orphans::sweep_orphans;
pub use recover::{recover, resume_own, sweep};
pub use removal::{Unremovable, sweep_files};
pub(crate) use removal::{begin_removal, remove, thumbnail_name};
use running::RunningEdit;
pub use running::{Running, VideoLimits, VideosFull};
pub use video::{VideoAnswer, submit_video};
pub use video_memory::VideoMemory;

/// A request from a caller.
pub struct Submission {
    /// What to make.
    pub kind: Kind,
    /// The request body.
    pub body: Bytes,
    /// The `Idempotency-Key`, if the caller sent one.
    pub idempotency_key: Option<String>,
    /// Memory for the request, held until the edit has ended.
    pub memory: BodyMemory,
}

/// The response for an edit that succeeded now, or earlier under the same `Idempotency-Key`.
pub struct Answer {
    /// The response body.
    pub response: EditResponse,
    /// Whether this repeats the response of an earlier call with the same `Idempotency-Key`.
    pub replayed: bool,
}

/// Handles a request for an image from start to finish.
///
/// # Errors
/// The first problem, in the order that ARCHITECTURE.md describes. Nothing is charged unless a
/// result is stored.
pub async fn submit(app: &Arc<App>, caller: &Caller, submission: Submission) -> ApiResult<Answer> {
    let Submission { kind, body, idempotency_key, memory } = submission;
    // Reserve this before the edit holds anything, so that its response can always be sent.
    memory.cover(ANSWER_BYTES)?;
    let asked = (kind, body, idempotency_key.is_some());
    let reading = accept::accept(app, &caller.account.id, asked);
    let accepted = reading.instrument(info_span!("accept")).await?;
    let place = match accepted.enter(app, caller) {
        Ok(place) => place,
        Err(full) => {
            // A repeated call may only need its first response, which takes no place.
            let replay = accepted.find_replay(app, caller, idempotency_key).await;
            let replay = replay.map_err(|error| accept::not_opened(error, accepted.edit.price))?;
            drop(accepted);
            let made = Made { edit: replay.ok_or(full)?, png: None };
            return Ok(Answer { response: answer(app, made, memory).await?, replayed: true });
        }
    };
    let (task_app, caller) = (Arc::clone(app), caller.clone());
    let (id, span) = (accepted.id, accepted.span());
    let work = async move {
        // Until the task ends, the edit counts as running, so that sweeps do not treat it as left
        // behind by a crash.
        let guard = task_app.running.begin(&caller.account.id, accepted.id);
        let asked = (&accepted, Entered { place: &place, memory: &memory }, idempotency_key);
        let made = carry_out(&task_app, &caller, &guard, asked).await?;
        // The input images are no longer needed; this frees their memory.
        drop(accepted);
        let replayed = made.png.is_none();
        Ok(Answer { response: answer(&task_app, made, memory).await?, replayed })
    };
    answered(app, id, app.tasks.spawn(carry(work.instrument(span)))).await
}

/// Waits for `work`, which continues even if the caller disconnects. If this process stops first,
/// the error says where to look for the outcome.
async fn answered<T>(app: &App, id: EditId, work: JoinHandle<ApiResult<T>>) -> ApiResult<T> {
    tokio::select! {
        biased;
        done = work => done.map_err(ApiError::internal)?,
        () = app.leaving.cancelled() => Err(settle::outcome_pending(
            &id,
            "The server stopped before the edit finished.",
        )),
    }
}

/// The part that runs even if the caller disconnects.
async fn carry_out(
    app: &App,
    caller: &Caller,
    guard: &RunningEdit,
    (accepted, entered, idempotency_key): (&Accepted, Entered<'_>, Option<String>),
) -> ApiResult<Made> {
    let opened = accepted.open(app, caller, idempotency_key).await?;
    match opened.map_err(|error| accept::not_opened(error, accepted.edit.price))? {
        Opened::New => {
            let held = accepted.held(app, guard, &caller.account.id);
            // No other process takes over an image edit while its caller waits here.
            let progress = watch::Sender::new(Progress::NotSent);
            let at_once_max = app.limits(caller.plan.as_deref()).fetches_at_once_max;
            let sources =
                inputs::read(app, &held, (&accepted.edit, entered.memory, at_once_max)).await;
            let done = match sources {
                Ok(sources) => {
                    let work = (accepted, sources, entered.place);
                    perform::in_turn(app, &held, work, &progress).await
                }
                Err(error) => Err(error),
            };
            let captured = settle::settle(app, &held, done).await?;
            Ok(Made { edit: captured.record, png: Some(captured.file) })
        }
        Opened::Replay(edit) => Ok(Made { edit: *edit, png: None }),
    }
}

/// What a call has acquired before its edit begins.
#[derive(Clone, Copy)]
struct Entered<'a> {
    /// One of the account's places.
    place: &'a Place,
    /// Memory for the data of the call.
    memory: &'a BodyMemory,
}
