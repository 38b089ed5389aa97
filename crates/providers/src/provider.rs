//! The one trait through which everything is performed, whoever performs it.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::edit::Edit;
use retouch_core::{AccountId, EditId, Kind, Warning};
use serde::{Deserialize, Serialize};

use crate::error::{ProviderError, Refused};
use crate::inputs::Source;
use crate::upstream::Ticket;

/// Somebody who performs edits: a vendor behind HTTP, or the built-in editor.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The name in the configuration, in the catalogue's routes and in `generation.provider`.
    fn name(&self) -> &str;

    /// What the text of the request alone shows about `model`, the provider's own name of it,
    /// before anything is held or fetched.
    ///
    /// # Errors
    /// When it is already certain that this provider will not do it.
    fn read(&self, edit: &Edit, model: &str) -> Result<Reading, Refused>;

    /// Whether `model` takes the quality that is asked for; else a caller does not pay for it.
    fn heeds_quality(&self, model: &str) -> bool {
        let _ = model;
        false
    }

    /// Performs the edit. Work that the provider names is recorded in `journal` before anybody
    /// waits for it. A video is recorded before it is sent to anybody as well: after a restart, one
    /// that was not is begun again.
    ///
    /// # Errors
    /// When there is no result, with what is known about whether any work was done.
    async fn perform(&self, job: &Job, journal: &dyn Journal) -> Result<Output, ProviderError>;

    /// What is known at the moment of whether it takes work of `kind` on; to know it costs nothing
    /// and changes nothing.
    fn health(&self, kind: Kind) -> Health {
        let _ = kind;
        Health::Well
    }

    /// Goes on waiting for work that was recorded before a restart, without asking for it again.
    ///
    /// # Errors
    /// As [`Provider::perform`].
    async fn resume(&self, task: &Task) -> Result<Output, ProviderError>;
}

/// What a provider's past says of whether it takes work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Nothing speaks against it.
    Well,
    /// So many calls in a row have failed.
    Troubled(u32),
    /// After too many troubles it is left alone for so long, in milliseconds.
    Resting(u64),
    /// It has asked to be left alone for so long, in milliseconds.
    Throttled(u64),
}

/// What a provider made of the words of a request.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What will be done, in order, where the provider can say; shown as `generation.plan`.
    pub plan: Option<serde_json::Value>,
    /// What the provider will do otherwise than asked.
    pub warnings: Vec<Warning>,
}

impl Reading {
    /// What will be done, in plain words, where there is a plan.
    pub fn words(&self) -> Option<String> {
        let words = self.plan.as_ref()?.get("words")?.as_array()?;
        let words: Vec<&str> = words.iter().filter_map(|step| step.as_str()).collect();
        Some(words.join(", then "))
    }
}

/// One edit to perform, with its pictures at hand.
pub struct Job {
    /// Names the edit; the same in every attempt.
    pub id: EditId,
    /// Whose it is: where edits wait, the accounts take turns.
    pub account: AccountId,
    /// The request.
    pub edit: Arc<Edit>,
    /// The provider's own name of the model; empty where the built-in editor stands in.
    pub model: String,
    /// What [`Provider::read`] made of it.
    pub reading: Arc<Reading>,
    /// The input pictures, as they came, in the order of the request.
    pub sources: Arc<[Source]>,
    /// What the caller is called at providers: a keyed hash.
    pub end_user: Option<Arc<str>>,
}

/// An attempt as it is recorded: who was asked, and enough to ask for its result after a restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What is being made.
    pub kind: Kind,
    /// The provider's name.
    pub provider: String,
    /// The provider's own name of the model.
    pub model: String,
    /// What names the work there, once that is known.
    pub ticket: Option<Ticket>,
    /// What this provider does otherwise than asked, where the record of the edit does not say so
    /// already: the warnings of a further route, which [`routes`](crate::routes) adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// Where attempts are recorded, durably.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Records `task`, in place of one that was recorded before.
    ///
    /// # Errors
    /// When it could not be written down; the text is for the log.
    async fn record(&self, task: &Task) -> Result<(), String>;
}

/// A finished picture or video.
#[derive(Clone, Debug)]
pub struct Output {
    /// The file.
    pub file: Bytes,
    /// What it is.
    pub media: Media,
    /// What the provider counted.
    pub usage: Usage,
    /// What the provider did otherwise than asked, as it turned out.
    pub warnings: Vec<Warning>,
}

/// What is stored and charged: whoever made it, one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Media {
    /// A picture.
    Png,
    /// A video.
    Mp4,
}

impl Media {
    /// What a call of `kind` results in.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::ImageEdit | Kind::TextToImage => Self::Png,
            Kind::Video => Self::Mp4,
        }
    }

    /// What the stored file `name` is, by the end of its name; none where it is no result.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Png, Self::Mp4].into_iter().find(|media| name.ends_with(media.extension()))
    }

    /// How its type is declared over HTTP.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Mp4 => "video/mp4",
        }
    }

    /// The end of a stored file's name, with its dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => ".png",
            Self::Mp4 => ".mp4",
        }
    }
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
