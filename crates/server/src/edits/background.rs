//! Background work: videos, and images whose caller prefers not to wait. It is accepted immediately
//! and done in a task that outlives the call. With its stored request and recorded attempts, it can
//! even outlive the process.
//!
//! ```text
//! accept -> reserve -> inputs fetched -> request stored -> 202
//!                                           `-> task: request read -> perform -> store -> capture
//! ```
//!
//! The task always starts from the stored request, so that it works the same after a restart.

use std::sync::Arc;
use std::time::Duration;

use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_core::{EditId, Kind};
use retouch_providers::inputs::{Source, StoredImage};
use retouch_providers::{Output, ProviderError};
use retouch_store::{CloseError, Closed, EditRecord, Outcome};
use tokio::sync::watch;
use tracing::{Instrument, info_span};

use super::accept::{self, Assignment, Call};
use super::account_shares::AccountShares;
use super::journal::{Progress, ProgressJournal, RecordJournal};
use super::reserve::{self, Earlier};
use super::run::EditRun;
use super::running::BackgroundLimits;
use super::stored_request::{self, Request};
use super::{
    AcceptedResponse, Submission, Turn, answer, answered, inputs, perform, settle, store_result,
};
use crate::app::App;
use crate::auth::Caller;
use crate::config::EditSettings;
use crate::error::{ApiError, ApiResult, Code, overloaded};
use crate::http::request_id::{carry, carry_apart};

/// The pause before work is offered again to providers whose queues were full.
const QUEUE_FULL_PAUSE: Duration = Duration::from_secs(2);

/// What the requests of background work occupy.
#[derive(Debug)]
pub struct Background {
    /// Memory for the requests of videos in progress.
    pub videos: AccountShares,
    /// Memory for the requests of images in progress. It is separate, because videos hold theirs
    /// much longer.
    pub images: AccountShares,
    /// Disk space for stored requests.
    pub disk: AccountShares,
}

impl Background {
    /// The limits in the settings.
    pub fn new(settings: &EditSettings) -> Self {
        Self {
            videos: AccountShares::new(settings.video_memory_bytes_max),
            images: AccountShares::new(settings.async_image_memory_bytes_max),
            disk: AccountShares::new(settings.background_disk_bytes_max),
        }
    }

    fn memory(&self, kind: Kind) -> &AccountShares {
        match kind {
            Kind::ImageEdit | Kind::TextToImage => &self.images,
            Kind::Video => &self.videos,
        }
    }
}

/// The response for work that was accepted now, or earlier under the same `Idempotency-Key`.
pub struct Accepted {
    /// The response body.
    pub response: AcceptedResponse,
    /// Whether an earlier call used the same `Idempotency-Key`.
    pub replayed: bool,
}

/// Handles a request up to the point where only the work is left, which is done in the background.
///
/// # Errors
/// The first problem, in the order that ARCHITECTURE.md describes. In that case, no credits are
/// held.
pub async fn submit_background(
    app: &Arc<App>,
    caller: &Caller,
    submission: Submission,
) -> ApiResult<Accepted> {
    let (body, supplement) = (submission.body.clone(), submission.supplement.clone());
    let accepting = accept::accept(app, caller, submission);
    let mut call = accepting.instrument(info_span!("accept")).await?;
    call.run.is_background = true;
    if let Err(full) = call.run.guard.count_in_background(call.run.kind, limits(&call)) {
        // A repeated call may only need its first response, which needs no room.
        let earlier = reserve::find_earlier(&call).await?;
        return repeat(&call.run, earlier.ok_or(full)?).await;
    }
    let id = call.run.id;
    let taking = async move {
        match reserve::reserve(&mut call).await? {
            Some(earlier) => repeat(&call.run, earlier).await,
            None => take(call, Request { body, supplement }).await,
        }
    };
    answered(app, id, app.tasks.spawn(carry(taking))).await
}

/// The response to a repeated call. It is not an error here that the work is still in progress.
async fn repeat(run: &EditRun, earlier: Earlier) -> ApiResult<Accepted> {
    let record = match earlier {
        Earlier::Charged(record) => *record,
        Earlier::Running(id) => find_record(run, &id).await?,
    };
    Ok(Accepted { response: answer::accepted(&run.app, record)?, replayed: true })
}

async fn find_record(run: &EditRun, id: &EditId) -> ApiResult<EditRecord> {
    let record = run.app.store.find_edit(&run.account, id).await?;
    record.ok_or_else(|| ApiError::not_found("generation"))
}

/// Stores what is needed to do the work without the caller, and starts the task.
async fn take(call: Call, request: Request) -> ApiResult<Accepted> {
    let stored = store_request(&call, &request).await;
    // The call's memory is needed only until the request is stored; after that, the task uses
    // memory for background work.
    drop(request);
    let run = call.into_run();
    if let Err(error) = stored {
        return Err(settle::release(&run, error).await);
    }
    let record = find_record(&run, &run.id).await?;
    let (app, span) = (Arc::clone(&run.app), run.span_apart());
    app.tasks.spawn(carry_apart(make(run).instrument(span)));
    Ok(Accepted { response: answer::accepted(&app, record)?, replayed: false })
}

async fn store_request(call: &Call, request: &Request) -> ApiResult<()> {
    let sources = inputs::read(call).await?;
    stored_request::put(call, request, &sources).await.map_err(|error| {
        if let Some(none) = call.memory.refused() {
            return none.into();
        }
        if error.code == Code::Overloaded {
            return error;
        }
        tracing::error!(cause = error.message, "could not store the request of background work");
        let message = "The request could not be stored. Nothing was charged; try again.";
        ApiError::new(Code::StorageFailed, message)
    })
}

/// Does the work of a stored request and settles it. If this process is asked to stop, leaves it to
/// the next process as soon as nothing can be lost.
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
            match settle::capture_or_release(&run, stored).await {
                // It was canceled, or another process has it now.
                Ok(_) | Err(ApiError { code: Code::Canceled | Code::OutcomePending, .. }) => {}
                Err(_) => count_failure(&run).await,
            }
        }
        () = ending => run.leave(),
    }
}

/// Counts work that has failed after its call was answered.
async fn count_failure(run: &EditRun) {
    // The account's plan is not known here, so use the default limit.
    if let Err(error) = run.app.throttles.failed(&run.account, None).await {
        tracing::warn!(%error, "could not count a failed edit");
    }
}

async fn perform_stored(run: &EditRun, progress: &watch::Sender<Progress>) -> ApiResult<Output> {
    let work = async {
        let file = stored_request::find(run).await?;
        let file = file.ok_or_else(|| ApiError::internal("a stored request is missing"))?;
        let taking = run.app.background.memory(run.kind).take(&run.account, file.bytes);
        let _memory = in_time(run, taking).await?;
        let edit = stored_request::read(run, file).await?;
        let assignment = accept::assign_again(run, edit).await?;
        let sources = sources(run, &assignment)?;
        run.begins_from(&sources).await;
        perform_when_possible(run, &assignment, (sources, progress)).await
    };
    tokio::select! {
        biased;
        // Another process has it now, or it was canceled: stop waiting. The store tells which.
        () = run.guard.lost().cancelled() => Err(ApiError::internal("the edit has another owner")),
        performed = work => performed,
    }
}

/// The images of a stored request, then its mask. All are inline by now, in memory for background work.
/// Their size was checked when the request was accepted: a stored result may be larger than other
/// images.
fn sources(run: &EditRun, assignment: &Assignment) -> ApiResult<Arc<[Source]>> {
    let source = |named: &PictureSource| {
        let Origin::Inline(bytes) = &named.origin else {
            return Err(ApiError::internal("a stored request names an image by its address"));
        };
        let file = StoredImage { bytes: bytes.clone(), is_result: true };
        Ok(run.app.inputs.inspect(file, named)?)
    };
    let Edit { pictures, mask, .. } = &*assignment.edit;
    pictures.iter().chain(mask).map(source).collect()
}

/// Performs the edit when it is its account's turn and a provider has room, within the time limit.
async fn perform_when_possible(
    run: &EditRun,
    assignment: &Assignment,
    (sources, progress): (Arc<[Source]>, &watch::Sender<Progress>),
) -> ApiResult<Output> {
    let journal = ProgressJournal { record: RecordJournal { run }, progress };
    loop {
        let turn = turn(run, assignment).await?;
        let performing = perform::perform(run, assignment, Arc::clone(&sources), &journal);
        match performing.await {
            Err(ProviderError::QueueFull) if !run.is_late() => {
                drop(turn);
                tokio::time::sleep(QUEUE_FULL_PAUSE).await;
            }
            performed => return Ok(performed?),
        }
    }
}

/// Waits for the account's turn. Videos take none: their number is limited.
async fn turn(run: &EditRun, assignment: &Assignment) -> ApiResult<Option<Turn>> {
    if run.kind == Kind::Video {
        return Ok(None);
    }
    let turns = assignment.turns(&run.app);
    in_time(run, turns.turn(&run.account, usize::MAX)).await.map(Some)
}

/// The result of `waiting`, which counts toward the time limit.
async fn in_time<T>(run: &EditRun, waiting: impl Future<Output = T>) -> ApiResult<T> {
    let time_left = Duration::from_millis(run.time_left_ms());
    tokio::time::timeout(time_left, waiting).await.map_err(|_elapsed| overloaded())
}

/// Ends background work, exactly once, and removes its stored request.
pub(super) async fn close(run: &EditRun, outcome: Outcome) -> Result<Closed, CloseError> {
    // Remove the stored request before the edit ends, so that it cannot outlive the edit; if this
    // fails, a sweep ends the edit.
    let is_needed = is_needed(run, &outcome).await?;
    if !is_needed {
        stored_request::remove(run).await?;
    }
    let closed = settle::record(run, outcome).await;
    let has_ended = matches!(closed, Ok(_) | Err(CloseError::Ended(_)));
    if is_needed
        && has_ended
        && let Err(error) = stored_request::remove(run).await
    {
        tracing::error!(%error, "could not delete the request of finished work");
    }
    closed
}

/// Whether another process has taken the edit over, and may have to start from the stored request.
/// It does not have to if it looks for the result under the same name and there is one.
async fn is_needed(run: &EditRun, outcome: &Outcome) -> Result<bool, retouch_store::Error> {
    let open = run.app.store.find_open_edit(&run.account, &run.id).await?;
    let other = open.filter(|row| row.owner != run.owner);
    let is_found = matches!(outcome, Outcome::Succeeded { .. });
    Ok(other.is_some_and(|row| !is_found || row.blob != run.blob))
}

fn limits(call: &Call) -> BackgroundLimits {
    let (own, settings) = (call.limits(), &call.run.app.settings.edits);
    match call.run.kind {
        Kind::ImageEdit | Kind::TextToImage => BackgroundLimits {
            per_account_max: own.edits_at_once_max,
            all_max: settings.async_images_max,
        },
        Kind::Video => BackgroundLimits {
            per_account_max: own.videos_at_once_max,
            all_max: settings.videos_max,
        },
    }
}
