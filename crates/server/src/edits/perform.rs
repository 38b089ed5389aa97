//! Performs an edit within its time limit, whatever the provider does.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use retouch_providers::inputs::Source;
use retouch_providers::routes::{self, Attempt, Budget, AttemptContext, Work};
use retouch_providers::{Media, Output, Provider, ProviderError, Task};
use tokio::sync::watch;
use tokio::time::Instant;
use tracing::{Instrument, info_span};

use super::journal::{Progress, StoreJournal};
use super::accept::Accepted;
use super::spending::DailyLimits;
use super::{Held, Place};
use crate::app::App;
use crate::error::{ApiResult, overloaded};

/// Waits for the account's turn and performs the edit, within its time limit.
pub(super) async fn in_turn(
    app: &App,
    held: &Held,
    (accepted, sources, place): (&Accepted, Arc<[Source]>, &Place),
    progress: &watch::Sender<Progress>,
) -> ApiResult<Output> {
    let time_left = Duration::from_millis(held.time_left_ms(app));
    let turn = place.turn().instrument(info_span!("wait"));
    let turn = tokio::time::timeout(time_left, turn).await;
    let _turn = turn.map_err(|_elapsed| overloaded())?;
    Ok(perform(app, held, (accepted, sources), progress).await?)
}

/// Performs the edit on its images, with the first route that accepts it.
pub(super) async fn perform(
    app: &App,
    held: &Held,
    (accepted, sources): (&Accepted, Arc<[Source]>),
    progress: &watch::Sender<Progress>,
) -> Result<Output, ProviderError> {
    let work = async {
        let work = Work {
            id: accepted.id,
            account: held.account.clone(),
            edit: Arc::clone(&accepted.edit),
            reading: Arc::clone(&accepted.reading),
            sources,
            end_user: Some(end_user(app, held).await?.into()),
        };
        let journal = StoreJournal { app, held, progress };
        let model = &accepted.edit.model;
        let limits = DailyLimits::of(app);
        let around = AttemptContext {
            budget: limits.as_ref().map(|limits| limits as &dyn Budget),
            journal: &journal,
            observe: &|attempt| app.metrics.attempted(model, &attempt),
            entropy: app.entropy.as_ref(),
        };
        routes::perform(&accepted.routes, &work, &around).await
    };
    within(app, held, work).await.and_then(|output| checked(output, Media::of(held.kind)))
}

/// The pseudonym of the account that providers see.
async fn end_user(app: &App, held: &Held) -> Result<String, ProviderError> {
    let name = app.store.end_user(&held.account).await;
    // No provider has been called yet, so the error allows another attempt.
    name.map_err(|error| ProviderError::NotAccepted { reason: error.to_string(), retry_ms: None })
}

/// Waits for work that an earlier process requested. That process could not count the attempt, so
/// it is counted here, with the current catalogue.
pub(super) async fn resume(
    app: &App,
    held: &Held,
    (provider, task): (&dyn Provider, &Task),
) -> Result<Output, ProviderError> {
    let began = Instant::now();
    let done = within(app, held, provider.resume(task)).await;
    let mut done = done.and_then(|output| checked(output, Media::of(held.kind)));
    let attempt = Attempt::ended(provider.name(), &task.model, (began, &done));
    if let Some(model) = app.catalogue.find_model(&held.model) {
        // The request is no longer known here, so assume a default call without images.
        let route = model.find_route(provider.name(), &task.model);
        let cost = route.and_then(|route| route.cost(model, model.default_tier(), 0));
        let attempt = Attempt { cost, ..attempt };
        app.metrics.attempted(model, &attempt);
    }
    if let Ok(output) = &mut done {
        output.warnings.splice(0..0, task.warnings.iter().cloned());
    }
    done
}

/// The result of `work` within the time limit. Panics, timeouts and a takeover by another process
/// are errors like any other.
pub(super) async fn within<T>(
    app: &App,
    held: &Held,
    work: impl Future<Output = Result<T, ProviderError>>,
) -> Result<T, ProviderError> {
    let ms_max = held.time_left_ms(app);
    let work = AssertUnwindSafe(work).catch_unwind();
    let work = tokio::time::timeout(Duration::from_millis(ms_max), work);
    let done = tokio::select! {
        // Check this first, so that lost work is not even started.
        biased;
        () = held.lost.cancelled() => {
            return Err(ProviderError::Unknown("another process has taken over the edit".into()));
        }
        done = work => done,
    };
    match done {
        Ok(Ok(done)) => done,
        Ok(Err(_panic)) => Err(ProviderError::Failed("the provider panicked".into())),
        Err(_elapsed) => Err(ProviderError::Unknown(format!("no response within {ms_max} ms"))),
    }
}

/// Checks that a result is of the requested type before it is stored and charged.
fn checked(output: Output, media: Media) -> Result<Output, ProviderError> {
    const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    /// The position of the name of the first box in an MP4 file (ISO/IEC 14496-12, 4.2).
    const MP4_BOX_NAME: std::ops::Range<usize> = 4..8;
    let is_right = match media {
        Media::Png => output.file.starts_with(PNG_SIGNATURE),
        Media::Mp4 => output.file.get(MP4_BOX_NAME) == Some(b"ftyp"),
    };
    if is_right && output.media == media {
        return Ok(output);
    }
    Err(ProviderError::Failed(format!("the provider's result is not a {} file", media.extension())))
}
