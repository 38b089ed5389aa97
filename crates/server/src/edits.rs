//! One edit, from request to response. Start reading here.
//!
//! ```text
//! accept      HTTP -> Body -> Catalogue::accept -> Edit -> price -> provider.read
//! reserve     store.open_edit    one transaction: idempotency key, hold, record
//! perform     routes::perform    outside any transaction, in a task that outlives the connection
//! store       blobs.put          the result is durable before anything is charged
//! capture     store.close_edit   one transaction: capture or release, record, ledger entry
//! answer
//! ```
//!
//! [`submit`] and `carry_out` are these lines. An `EditRun` is the edit on its way through them.
//!
//! The handler waits while a task does the work, so a caller who disconnects changes nothing. A
//! video takes minutes, so its caller gets a response as soon as the request is stored, and reads
//! the generation later. So does a caller who prefers not to wait for an image (`background`).

mod accept;
mod account_shares;
mod answer;
mod background;
mod blob_names;
mod cancel;
mod estimate;
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
mod reserve;
mod run;
mod running;
mod second_reading;
mod settle;
mod shape;
mod spending;
mod stored_copy;
mod stored_request;
mod watch;

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::edit::Supplement;
use retouch_core::{EditId, Kind};
use retouch_providers::Output;
pub use retouch_providers::turns::{AccountFull, Place, Turn, Turns};
use tokio::task::JoinHandle;
use tracing::{Instrument, info_span};

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult};
use crate::http::bodies::{ANSWER_BYTES, BodyMemory};
use crate::http::request_id::carry;

use accept::Call;
pub use accept::ReadOnce;
pub(crate) use accept::{call_name, request_limits};
pub use account_shares::AccountShares;
pub(crate) use answer::view;
pub use answer::{AcceptedResponse, Finished, GenerationView};
use answer::{Made, answer};
pub use background::{Accepted, Background, submit_background};
pub use cancel::cancel;
pub use estimate::{Estimate, estimate};
pub use expiry::expire;
pub use lease::{LeaseObservations, keep_leases, renew_leases};
pub use orphans::sweep_orphans;
pub use recover::{recover, resume_own, sweep};
pub use removal::{Unremovable, sweep_files};
pub(crate) use removal::{begin_removal, remove};
use run::EditRun;
pub use running::{BackgroundFull, BackgroundLimits, Running};
pub(crate) use stored_copy::StoredCopy;
pub use watch::{EventStream, StreamsFull, Watchers, notice_ended};

/// A request from a caller, in whichever protocol it came. A protocol's module translates requests
/// into this, and writes its responses from an [`Answer`]; the flow in between is the same for all.
pub struct Submission {
    /// What to make.
    pub kind: Kind,
    /// The fields, as a JSON body of `/api`.
    pub body: Bytes,
    /// What the request has besides.
    pub supplement: Supplement,
    /// The `Idempotency-Key`, if the caller sent one.
    pub idempotency_key: Option<String>,
    /// Memory for the request, held until the edit has ended.
    pub memory: BodyMemory,
    /// The same for all submissions of one request, each of which becomes an edit.
    pub read_once: ReadOnce,
}

/// An edit that succeeded now, or earlier under the same `Idempotency-Key`.
pub struct Answer {
    /// The edit and its result.
    pub finished: Finished,
    /// Whether this repeats the response of an earlier call with the same `Idempotency-Key`.
    pub replayed: bool,
}

/// Handles a request for an image from start to finish.
///
/// # Errors
/// The first problem, in the order that ARCHITECTURE.md describes. Nothing is charged unless a
/// result is stored.
pub async fn submit(app: &Arc<App>, caller: &Caller, submission: Submission) -> ApiResult<Answer> {
    // Reserve this before the edit holds anything, so that its response can always be sent.
    submission.memory.cover(ANSWER_BYTES)?;
    let accepting = accept::accept(app, caller, submission);
    let mut call = accepting.instrument(info_span!("accept")).await?;
    let place = match call.enter() {
        Ok(place) => place,
        Err(full) => {
            // A repeated call may only need its first response, which takes no place.
            let earlier = reserve::find_earlier(&call).await?.ok_or(full)?;
            let made = Made { edit: earlier.charged()?, file: None, balance: None };
            let finished = answer(app, made, call.into_memory()).await?;
            return Ok(Answer { finished, replayed: true });
        }
    };
    let (task_app, id, span) = (Arc::clone(app), call.run.id, call.run.span());
    // On the heap, because whatever wraps a future moves it, and this one is large.
    let work = Box::pin(async move {
        let made = carry_out(&mut call, &place).await?;
        let replayed = made.file.is_none();
        Ok(Answer { finished: answer(&task_app, made, call.into_memory()).await?, replayed })
    });
    answered(app, id, app.tasks.spawn(carry(work.instrument(span)))).await
}

/// Reserves the credits, performs the edit, stores the result and charges for it. This continues
/// even if the caller disconnects.
async fn carry_out(call: &mut Call, place: &Place) -> ApiResult<Made> {
    if let Some(earlier) = reserve::reserve(call).await? {
        return Ok(Made { edit: earlier.charged()?, file: None, balance: None });
    }
    let performed = perform::perform_image(call, place).await;
    let stored = store_result(&call.run, performed).await;
    settle::capture_or_release(&call.run, stored).await
}

/// Stores the result, if there is one, durably. Only then may it be charged for. A small result is
/// stored by the transaction that charges for it.
async fn store_result(
    run: &EditRun,
    performed: ApiResult<Output>,
) -> Result<Output, settle::NoResult> {
    let arrived = run.take_arrived();
    let output = performed?;
    if run.app.store.blobs().is_small(output.file.len()) {
        return Ok(output);
    }
    let span = info_span!("store_result", retouch.bytes = output.file.len());
    match run.store(arrived, &output.file).instrument(span).await {
        Ok(()) => Ok(output),
        Err(error) => {
            tracing::error!(%error, "could not store a result");
            Err(settle::NoResult::NotStored)
        }
    }
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
