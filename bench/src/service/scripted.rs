//! A provider that costs nothing: the same picture at once, whatever is asked.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::edit::Edit;
use retouch_providers::{
    Job, Journal, Media, Output, Provider, ProviderError, Reading, Refused, Task, Usage,
};

/// The provider.
pub(super) struct Scripted {
    png: Bytes,
}

impl Scripted {
    /// One whose every edit results in `png`.
    pub(super) fn new(png: Bytes) -> Self {
        Self { png }
    }
}

#[async_trait]
impl Provider for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn read(&self, _: &Edit, _: &str) -> Result<Reading, Refused> {
        Ok(Reading::default())
    }

    async fn resume(&self, _: &Task) -> Result<Output, ProviderError> {
        Err(ProviderError::Failed("it hands out no tickets".into()))
    }

    async fn perform(&self, _: &Job, _: &dyn Journal) -> Result<Output, ProviderError> {
        Ok(Output {
            file: self.png.clone(),
            media: Media::Png,
            usage: Usage::default(),
            warnings: Vec::new(),
        })
    }
}
