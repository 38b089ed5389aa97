//! The work itself: pictures and words in, a picture or a video out, within its time, whatever the
//! provider does.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use retouch_providers::inputs::Source;
use retouch_providers::routes::{self, Attempt, Budget, Surroundings, Work};
use retouch_providers::{Media, Output, Provider, ProviderError, Task};
use tokio::sync::watch;
use tokio::time::Instant;
use tracing::{Instrument, info_span};

use super::journal::{Progress, StoreJournal};
use super::opening::Accepted;
use super::spending::DailyLimits;
use super::{Held, Place};
use crate::app::App;
use crate::error::{ApiResult, overloaded};

/// Has the edit done when it is its account's turn, within the time that it has.
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

/// Has the edit done to its pictures by the first route that takes it on.
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
        let around = Surroundings {
            budget: limits.as_ref().map(|limits| limits as &dyn Budget),
            journal: &journal,
            observe: &|attempt| app.metrics.attempted(model, &attempt),
            entropy: app.entropy.as_ref(),
        };
        routes::perform(&accepted.routes, &work, &around).await
    };
    within(app, held, work).await.and_then(|output| checked(output, Media::of(held.kind)))
}

/// What the caller is called at providers.
async fn end_user(app: &App, held: &Held) -> Result<String, ProviderError> {
    let name = app.store.end_user(&held.account).await;
    // Nobody has been asked yet: another attempt may be made.
    name.map_err(|error| ProviderError::NotAccepted { reason: error.to_string(), retry_ms: None })
}

/// Waits for work that an earlier process has asked for. The attempt is counted here, since that
/// process did not live to, under the model as the catalogue knows it today.
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
        // What was asked for is not known here any more: a default call, without images.
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

/// The result of `work`, if it comes in time. A panic and a time-out are
/// failures like any other, and so is work that another process goes on with: the store knows
/// whether it is.
pub(super) async fn within<T>(
    app: &App,
    held: &Held,
    work: impl Future<Output = Result<T, ProviderError>>,
) -> Result<T, ProviderError> {
    let ms_max = held.time_left_ms(app);
    let work = AssertUnwindSafe(work).catch_unwind();
    let work = tokio::time::timeout(Duration::from_millis(ms_max), work);
    let done = tokio::select! {
        // In this order: what has been lost is not begun.
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

/// What is stored and charged is what was asked for, whoever made it.
fn checked(output: Output, media: Media) -> Result<Output, ProviderError> {
    const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    /// Where the name of the first box of an MP4 file stands (ISO/IEC 14496-12, 4.2).
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
