//! The work itself: pictures in, a picture out, within its time, whatever the provider does.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use retouch_providers::{Job, Output, ProviderError};

use super::Accepted;
use crate::app::App;

/// Has the provider do the edit. A panic and a time-out are failures like any other.
pub(super) async fn perform(app: &App, accepted: &Accepted) -> Result<Output, ProviderError> {
    let ms_max = app.settings.edits.provider_ms_max;
    let work = AssertUnwindSafe(work(app, accepted)).catch_unwind();
    match tokio::time::timeout(Duration::from_millis(ms_max), work).await {
        Ok(Ok(done)) => done.and_then(checked),
        Ok(Err(_panic)) => Err(ProviderError::Failed("the provider panicked".into())),
        Err(_elapsed) => Err(ProviderError::Failed(format!("no answer within {ms_max} ms"))),
    }
}

async fn work(app: &App, accepted: &Accepted) -> Result<Output, ProviderError> {
    let provider = &accepted.serving.provider;
    let inputs = app.inputs.read(&accepted.edit, provider.as_ref(), &accepted.reading).await?;
    let job = Job {
        edit: Arc::clone(&accepted.edit),
        model: accepted.serving.model.clone(),
        reading: Arc::clone(&accepted.reading),
        inputs,
    };
    provider.edit(job).await
}

/// What is stored and charged is a PNG, whoever made it.
fn checked(output: Output) -> Result<Output, ProviderError> {
    const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    if output.png.starts_with(PNG_SIGNATURE) {
        return Ok(output);
    }
    Err(ProviderError::Failed("the provider's result is not a PNG".into()))
}
