//! Performs an edit within its time limit, whatever the provider does.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use retouch_core::{Kind, Warning};
use retouch_engine::codec::{self, DecodeError};
use retouch_providers::inputs::Source;
use retouch_providers::routes::{self, Attempt, AttemptContext, Budget};
use retouch_providers::{Job, Journal, Media, Output, Provider, ProviderError, Task};
use tokio::time::Instant;
use tracing::{Instrument, info_span};

use super::accept::{Assignment, Call};
use super::journal::RecordJournal;
use super::run::EditRun;
use super::spending::DailyLimits;
use super::{Place, inputs, settle};
use crate::error::{ApiResult, overloaded};

/// Reads the images of `call`, waits for the account's turn at `place` and performs the edit, all
/// within its time limit.
pub(super) async fn perform_image(call: &Call, place: &Place) -> ApiResult<Output> {
    let run = &call.run;
    let sources = inputs::read(call).await?;
    // Hashing a large image takes milliseconds, and only the end of the edit needs the hash.
    let waiting = wait_and_perform(call, place, Arc::clone(&sources));
    let ((), performed) = tokio::join!(run.begins_from(&sources), waiting);
    performed
}

async fn wait_and_perform(call: &Call, place: &Place, sources: Arc<[Source]>) -> ApiResult<Output> {
    let Call { run, assignment, .. } = call;
    let time_left = Duration::from_millis(run.time_left_ms());
    let turn = place.turn().instrument(info_span!("wait"));
    let turn = tokio::time::timeout(time_left, turn);
    let turn = tokio::select! {
        biased;
        () = run.guard.lost().cancelled() => return Err(settle::taken(run)),
        turn = turn => turn,
    };
    let _turn = turn.map_err(|_elapsed| overloaded())?;
    Ok(perform(run, assignment, sources, &RecordJournal { run }).await?)
}

/// Performs the edit on its images, with the first route that accepts it.
pub(super) async fn perform(
    run: &EditRun,
    assignment: &Assignment,
    sources: Arc<[Source]>,
    journal: &dyn Journal,
) -> Result<Output, ProviderError> {
    let (app, edit) = (&run.app, &assignment.edit);
    let animated: Vec<Warning> = sources.iter().filter_map(Source::animation).collect();
    let work = async {
        let job = Job {
            id: run.id,
            account: run.account.clone(),
            edit: Arc::clone(edit),
            model: assignment.routes.first().map(|it| it.model.clone()).unwrap_or_default(),
            reading: Arc::clone(&assignment.reading),
            sources,
            end_user: Some(end_user(run).await?.into()),
            is_background: run.is_background,
        };
        let limits = DailyLimits::of(app);
        let context = AttemptContext {
            budget: limits.as_ref().map(|limits| limits as &dyn Budget),
            journal,
            observe: &|attempt| {
                app.metrics.attempted(&edit.model, &attempt);
                run.note_cost(&attempt);
            },
            entropy: app.entropy.as_ref(),
        };
        routes::perform(&assignment.routes, &job, &context).await
    };
    let work = async {
        let mut output = finished(run, work.await?).await?;
        output.warnings.extend(animated);
        Ok(output)
    };
    within(run, work).await
}

/// The pseudonym of the account that providers see.
async fn end_user(run: &EditRun) -> Result<String, ProviderError> {
    let name = run.app.store.end_user(&run.account).await;
    // No provider has been called yet, so the error allows another attempt.
    name.map_err(|error| ProviderError::NotAccepted { reason: error.to_string(), retry_ms: None })
}

/// Waits for work that an earlier process requested. That process could not count the attempt, so
/// it is counted here.
pub(super) async fn resume(
    run: &EditRun,
    provider: &dyn Provider,
    task: &Task,
) -> Result<Output, ProviderError> {
    let began = Instant::now();
    let work = async { finished(run, provider.resume(task).await?).await };
    let mut done = within(run, work).await;
    let attempt = Attempt::ended(provider.name(), &task.model, began, &done);
    let attempt = Attempt { cost: task.cost, ..attempt };
    run.note_cost(&attempt);
    if let Some(model) = run.app.catalogue.find_model(&run.model) {
        run.app.metrics.attempted(model, &attempt);
    }
    if let Ok(output) = &mut done {
        output.warnings.splice(0..0, task.warnings.iter().cloned());
    }
    done
}

/// The result of `work` within the time limit. Panics, timeouts and a takeover by another process
/// are errors like any other.
pub(super) async fn within<T>(
    run: &EditRun,
    work: impl Future<Output = Result<T, ProviderError>>,
) -> Result<T, ProviderError> {
    let ms_max = run.time_left_ms();
    let work = AssertUnwindSafe(work).catch_unwind();
    let work = tokio::time::timeout(Duration::from_millis(ms_max), work);
    let done = tokio::select! {
        // Check this first, so that lost work is not even started.
        biased;
        () = run.guard.lost().cancelled() => {
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

/// The result as it is stored, with a warning if it has another shape than was asked for.
async fn finished(run: &EditRun, output: Output) -> Result<Output, ProviderError> {
    let mut output = encoded(run, checked(output, run.kind)?).await?;
    let differs = run.shape.warning(&output, &run.warnings);
    output.warnings.extend(differs);
    Ok(output)
}

/// Checks that a result is an image or a video, as requested, before it is stored and charged.
fn checked(output: Output, kind: Kind) -> Result<Output, ProviderError> {
    let is_right = output.media.is_image() == Media::of(kind).is_image();
    if is_right && output.media.is_of(&output.file) {
        return Ok(output);
    }
    let extension = Media::of(kind).extension();
    Err(ProviderError::Failed(format!("the provider's result is not a {extension} file")))
}

/// The result in the format that was asked for. The built-in editor makes it in that format, other
/// providers as PNG.
async fn encoded(run: &EditRun, output: Output) -> Result<Output, ProviderError> {
    let media = run.media();
    let Some(encoding) = media.encoding(run.compression).filter(|_| output.media != media) else {
        return Ok(output);
    };
    let unusable = |error: DecodeError| {
        ProviderError::Failed(format!("the result cannot be converted: {error}"))
    };
    // A result may be larger than the limit for uploads.
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    let header = codec::probe(&output.file, &limits).map_err(unusable)?;
    let permit = run
        .app
        .workshop
        .admit_as(codec::convert_bytes(&header, encoding), run.is_background)
        .await?;
    let file = output.file.clone();
    let converted = permit.run(move || codec::convert(&file, &limits, encoding));
    let converted = converted.await?.map_err(unusable)?;
    let mut warnings = output.warnings;
    warnings.extend(converted.flattened.then(Warning::flattened));
    Ok(Output { file: converted.bytes.into(), media, usage: output.usage, warnings })
}
