//! A provider that costs nothing: the same picture at once, whatever is asked.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::edit::Edit;
use retouch_providers::{Job, Output, Provider, ProviderError, Reading, Refused, Usage};

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

    fn read(&self, _edit: &Edit) -> Result<Reading, Refused> {
        Ok(Reading::default())
    }

    fn working_bytes(&self, _reading: &Reading, _sizes: &[(u32, u32)]) -> Result<u64, Refused> {
        Ok(0)
    }

    async fn edit(&self, _job: Job) -> Result<Output, ProviderError> {
        Ok(Output { png: self.png.clone(), usage: Usage::default(), warnings: Vec::new() })
    }
}
