//! The one trait through which every edit is performed, whoever performs it.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_engine::Picture;
use serde::{Deserialize, Serialize};

use crate::error::{ProviderError, Refused};
use crate::workshop::Permit;

/// Somebody who performs edits: a vendor behind HTTP, or the built-in editor.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The name in the configuration, in the catalogue's routes and in `generation.provider`.
    fn name(&self) -> &str;

    /// What the text of the request alone shows, before anything is held or fetched.
    ///
    /// # Errors
    /// When it is already certain that this provider will not do it.
    fn read(&self, edit: &Edit) -> Result<Reading, Refused>;

    /// Most bytes that the work will take at once, its inputs of `sizes` pixels included.
    ///
    /// # Errors
    /// When pictures of these sizes cannot be worked on as the request asks.
    fn working_bytes(&self, reading: &Reading, sizes: &[(u32, u32)]) -> Result<u64, Refused>;

    /// Performs the edit.
    ///
    /// # Errors
    /// When there is no result, with what is known about whether any work was done.
    async fn edit(&self, job: Job) -> Result<Output, ProviderError>;
}

/// What a provider made of the words of a request.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What will be done, in order, where the provider can say; shown as `generation.plan`.
    pub plan: Option<serde_json::Value>,
    /// What the provider will do otherwise than asked.
    pub warnings: Vec<Warning>,
}

/// One edit to perform, with its pictures at hand.
pub struct Job {
    /// The request.
    pub edit: Arc<Edit>,
    /// The provider's own name of the model; empty where the built-in editor stands in.
    pub model: String,
    /// What [`Provider::read`] made of it.
    pub reading: Arc<Reading>,
    /// The input pictures.
    pub inputs: Inputs,
}

/// Decoded pictures, and the memory that was set aside for the work on them.
pub struct Inputs {
    /// Upright, in sRGB, without metadata, in the order of the request.
    pub pictures: Vec<Picture>,
    /// Gives the memory back when the last of its holders is dropped.
    pub permit: Arc<Permit>,
}

/// A finished picture.
#[derive(Clone, Debug)]
pub struct Output {
    /// The picture's bytes: a PNG.
    pub png: Bytes,
    /// What the provider counted.
    pub usage: Usage,
    /// What the provider did otherwise than asked, as it turned out.
    pub warnings: Vec<Warning>,
}

/// Token counts as the provider reports them; zeros where it reports none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub prompt_tokens: u64,
    /// Tokens of the answer.
    pub completion_tokens: u64,
    /// Both together.
    pub total_tokens: u64,
}
