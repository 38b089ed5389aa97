//! The trait that every provider implements.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::catalogue::MicroDollars;
use retouch_core::edit::{Edit, TEXT_CHARS_MAX};
use retouch_core::image::OutputFormat;
use retouch_core::{AccountId, EditId, Kind, Warning};
use retouch_engine::Saving;
use retouch_engine::codec::{self, Format};
use serde::{Deserialize, Serialize};

use crate::error::{ProviderError, Refused};
use crate::inputs::Source;
use crate::upstream::Ticket;

/// A provider of edits: a hosted service, the operator's own server, or the built-in editor.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The name in the configuration, in the catalogue's routes and in `generation.provider`.
    fn name(&self) -> &str;

    /// What the text of the request alone shows about `model` (the provider's name for it), before
    /// credits are held or images are downloaded.
    ///
    /// # Errors
    /// When it is already certain that this provider will not do it.
    fn read(&self, edit: &Edit, model: &str) -> Result<Reading, Refused>;

    /// Whether `model` supports the requested quality. If not, callers do not pay for it.
    fn supports_quality(&self, model: &str) -> bool {
        let _ = model;
        false
    }

    /// The maximum length of an instruction for `model`, in Unicode scalar values.
    fn instruction_chars_max(&self, model: &str) -> usize {
        let _ = model;
        TEXT_CHARS_MAX
    }

    /// Whether `model` does what `wish` asks for. If not, it gets no edit that asks for it.
    fn fulfills(&self, wish: Wish, model: &str) -> bool {
        let _ = (wish, model);
        false
    }

    /// Performs the edit. A task that the provider names is recorded in `journal` before waiting
    /// for it. Background work is also recorded before it is sent, so that work that was never sent
    /// can be canceled, and starts again after a restart.
    ///
    /// # Errors
    /// When there is no result. The error says whether work may have been done.
    async fn perform(&self, job: &Job, journal: &dyn Journal) -> Result<Output, ProviderError>;

    /// Whether the provider is currently known to accept work of `kind`. This costs nothing and
    /// changes nothing.
    fn health(&self, kind: Kind) -> Health {
        let _ = kind;
        Health::Well
    }

    /// How many calls wait for their turn at the provider.
    fn waiting(&self) -> usize {
        0
    }

    /// Continues to wait for a task that was recorded before a restart. The task is not submitted
    /// again.
    ///
    /// # Errors
    /// As [`Provider::perform`].
    async fn resume(&self, task: &Task) -> Result<Output, ProviderError>;
}

/// Something that changes the result so much that an edit without it would be wrong. Only some
/// providers do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A mask, outside of which the image stays as it is.
    Mask,
    /// A transparent background.
    TransparentBackground,
}

/// Whether a provider accepts work, judging by its recent calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// No recent problems.
    Well,
    /// This many calls in a row have failed.
    Troubled(u32),
    /// After too many failures, it gets no calls for this many milliseconds.
    Resting(u64),
    /// It has asked for a pause of this many milliseconds.
    Throttled(u64),
}

/// What a provider understood from the text of a request.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What will be done, in order, if the provider can tell. Shown as `generation.plan`.
    pub plan: Option<serde_json::Value>,
    /// What the provider will do differently than requested.
    pub warnings: Vec<Warning>,
}

impl Reading {
    /// How the plan saves the result, if it says so.
    pub fn output(&self) -> Option<Saving> {
        Saving::deserialize(self.plan.as_ref()?.get("output")?).ok()
    }

    /// The plan in plain words, if there is one.
    pub fn words(&self) -> Option<String> {
        let words = self.plan.as_ref()?.get("words")?.as_array()?;
        let words: Vec<&str> = words.iter().filter_map(|step| step.as_str()).collect();
        Some(words.join(", then "))
    }
}

/// An edit to perform, with its images loaded.
#[derive(Clone)]
pub struct Job {
    /// The ID of the edit, the same in every attempt.
    pub id: EditId,
    /// The account of the edit. Waiting edits are served in turns, one account after the other.
    pub account: AccountId,
    /// The request.
    pub edit: Arc<Edit>,
    /// The name of the model at the provider that is asked. Empty for the built-in editor.
    pub model: String,
    /// What that provider has understood: the result of [`Provider::read`].
    pub reading: Arc<Reading>,
    /// The input images as they arrived, in the order of the request, then the mask if there is one.
    pub sources: Arc<[Source]>,
    /// The name under which the provider knows the caller: a keyed hash.
    pub end_user: Option<Arc<str>>,
    /// Whether it is background work: no connection waits for it, so it may wait for memory as long
    /// as its time lasts.
    pub is_background: bool,
}

/// An attempt as it is recorded: which provider was asked, and enough to get the result after a
/// restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What is being made.
    pub kind: Kind,
    /// The provider's name.
    pub provider: String,
    /// The provider's name for the model.
    pub model: String,
    /// The provider's name for the task, once known.
    pub ticket: Option<Ticket>,
    /// What this provider does differently than requested, if the record of the edit does not say
    /// so yet: the warnings of a further route, which [`routes`](crate::routes) adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What the provider charges for the result, if that is known. [`routes`](crate::routes) adds
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<MicroDollars>,
}

/// Records attempts durably, and is told when a file has arrived.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Records `task`, replacing the one recorded before.
    ///
    /// # Errors
    /// When it could not be written. The text is for the log.
    async fn record(&self, task: &Task) -> Result<(), String>;

    /// Notes a file that will be the result, unchanged, if it turns out to be usable. It can be
    /// written to the disk while that is checked.
    fn arrived(&self, file: &Bytes) {
        let _ = file;
    }
}

/// A finished image or video.
#[derive(Clone, Debug)]
pub struct Output {
    /// The file.
    pub file: Bytes,
    /// The type of the file.
    pub media: Media,
    /// The usage that the provider reported.
    pub usage: Usage,
    /// What the provider did differently than requested, as far as this became known during the
    /// work.
    pub warnings: Vec<Warning>,
}

/// The types of files that are stored and charged, no matter which provider made them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Media {
    /// An image without loss. Providers return images as PNG; other formats are made from it.
    Png,
    /// An image without transparency.
    Jpeg,
    /// An image without loss, smaller than PNG.
    WebP,
    /// A video.
    Mp4,
}

impl Media {
    const ALL: [Self; 4] = [Self::Png, Self::Jpeg, Self::WebP, Self::Mp4];

    /// The type that providers return for a call of `kind`.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::ImageEdit | Kind::TextToImage => Self::Png,
            Kind::Video => Self::Mp4,
        }
    }

    /// The type of the result that `edit` asks for.
    pub fn asked(edit: &Edit) -> Self {
        match edit.kind {
            Kind::ImageEdit | Kind::TextToImage => Self::of_format(edit.encoding.format),
            Kind::Video => Self::Mp4,
        }
    }

    /// The type of an image in this format.
    pub fn of_format(format: OutputFormat) -> Self {
        match format {
            OutputFormat::Png => Self::Png,
            OutputFormat::Jpeg => Self::Jpeg,
            OutputFormat::WebP => Self::WebP,
        }
    }

    /// The type of the stored file `name`, by its extension. `None` if it is not a result.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|media| name.ends_with(media.extension()))
    }

    /// Whether it is an image.
    pub fn is_image(self) -> bool {
        self != Self::Mp4
    }

    /// The media type sent over HTTP.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Mp4 => "video/mp4",
        }
    }

    /// The extension of the stored file's name, including the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => ".png",
            Self::Jpeg => ".jpg",
            Self::WebP => ".webp",
            Self::Mp4 => ".mp4",
        }
    }

    /// How the engine encodes images of this type, with this quality where it has loss. `None` for
    /// videos.
    pub fn encoding(self, compression: Option<u8>) -> Option<codec::Encoding> {
        match self {
            Self::Png => Some(codec::Encoding::Png),
            Self::Jpeg => Some(codec::Encoding::jpeg(compression)),
            Self::WebP => Some(codec::Encoding::WebP),
            Self::Mp4 => None,
        }
    }

    /// Whether `file` begins like a file of this type.
    pub fn is_of(self, file: &[u8]) -> bool {
        /// The position of the name of the first box in an MP4 file (ISO/IEC 14496-12, 4.2).
        const MP4_BOX_NAME: std::ops::Range<usize> = 4..8;
        let format = Format::of(file);
        match self {
            Self::Png => format == Some(Format::Png),
            Self::Jpeg => format == Some(Format::Jpeg),
            Self::WebP => format == Some(Format::WebP),
            Self::Mp4 => file.get(MP4_BOX_NAME) == Some(b"ftyp"),
        }
    }
}

/// Token counts as the provider reports them, zero if it reports none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub prompt_tokens: u64,
    /// Tokens of the response.
    pub completion_tokens: u64,
    /// Tokens of the request and the response together.
    pub total_tokens: u64,
}
