//! A provider that costs nothing: it returns the same image immediately, except for two
//! instructions.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::edit::Edit;
use retouch_providers::{
    Job, Journal, Media, Output, Provider, ProviderError, Reading, Refused, Task, Usage,
};

use super::{FAILING, LARGE};

pub(super) struct Scripted {
    png: Bytes,
    large: Bytes,
}

impl Scripted {
    /// A provider that returns `png`, or `large` for the instruction [`LARGE`].
    pub(super) fn new(png: Bytes, large: Bytes) -> Self {
        Self { png, large }
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

    async fn perform(&self, job: &Job, _: &dyn Journal) -> Result<Output, ProviderError> {
        let file = match job.edit.instruction.as_str() {
            FAILING => return Err(ProviderError::Failed("it was asked to".into())),
            LARGE => &self.large,
            _ => &self.png,
        };
        Ok(Output {
            file: file.clone(),
            media: Media::Png,
            usage: Usage::default(),
            warnings: Vec::new(),
        })
    }
}
