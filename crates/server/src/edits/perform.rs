//! The work itself: pictures in, a picture out, within its time, whatever the provider does.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt;
use retouch_core::{AccountId, EditId};
use retouch_providers::routes::{self, Surroundings, Work};
use retouch_providers::{Journal, Media, Output, ProviderError, Task};
use retouch_store::{Store, TaskRecord};

use super::Accepted;
use crate::app::App;

/// Has the edit done by the first route that takes it on. A panic and a time-out are failures
/// like any other.
pub(super) async fn perform(
    app: &App,
    account: &AccountId,
    accepted: &Accepted,
) -> Result<Output, ProviderError> {
    let ms_max = app.settings.edits.provider_ms_max;
    let work = AssertUnwindSafe(work(app, account, accepted)).catch_unwind();
    match tokio::time::timeout(Duration::from_millis(ms_max), work).await {
        Ok(Ok(done)) => done.and_then(|output| checked(output, Media::of(accepted.edit.kind))),
        Ok(Err(_panic)) => Err(ProviderError::Failed("the provider panicked".into())),
        Err(_elapsed) => Err(ProviderError::Unknown(format!("no answer within {ms_max} ms"))),
    }
}

async fn work(
    app: &App,
    account: &AccountId,
    accepted: &Accepted,
) -> Result<Output, ProviderError> {
    let work = Work {
        id: accepted.id,
        edit: Arc::clone(&accepted.edit),
        reading: Arc::clone(&accepted.reading),
        sources: app.inputs.read(&accepted.edit).await?,
    };
    let journal = StoreJournal { store: &app.store, account, edit: accepted.id };
    let model = &accepted.edit.model;
    let around = Surroundings {
        journal: &journal,
        observe: &|attempt| app.metrics.attempted(model, &attempt),
        entropy: app.entropy.as_ref(),
    };
    routes::perform(&accepted.routes, &work, &around).await
}

/// What is stored and charged is what was asked for, whoever made it.
pub(super) fn checked(output: Output, media: Media) -> Result<Output, ProviderError> {
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
    Err(ProviderError::Failed(format!("the provider's result is no {media:?}")))
}

/// Writes attempts into the record of their edit.
struct StoreJournal<'a> {
    store: &'a Store,
    account: &'a AccountId,
    edit: EditId,
}

#[async_trait]
impl Journal for StoreJournal<'_> {
    async fn record(&self, task: &Task) -> Result<(), String> {
        let text = serde_json::to_string(task).map_err(|error| error.to_string())?;
        let record = TaskRecord { provider: task.provider.clone(), task: text };
        let recorded = self.store.record_task(self.account, &self.edit, record).await;
        match recorded.map_err(|error| error.to_string())? {
            true => Ok(()),
            false => Err("the edit has ended".into()),
        }
    }
}
