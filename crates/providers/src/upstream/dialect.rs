//! A provider's protocol, as functions without side effects.

use bytes::Bytes;
use retouch_core::catalogue::{Quality, SizeClass};
use retouch_core::edit::{Edit, LONG_TEXT_CHARS_MAX};
use retouch_core::{EditId, Warning};
use retouch_engine::codec::Format;

use super::{Answer, Auth, Call, Fault, Meaning, Ticket};
use crate::error::Refused;
use crate::provider::Wish;

/// A provider's protocol: turns orders into calls, and responses into what they mean. It never
/// waits, reads a clock or opens a socket; the driver does that.
pub trait Dialect: Send + Sync {
    /// How the key is sent.
    fn auth(&self) -> Auth;

    /// What `model` will do differently than `edit` requests, as far as the text of the request
    /// shows.
    ///
    /// # Errors
    /// When the provider certainly cannot do it, such as a video with a model for images.
    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused>;

    /// Limits on the input images of `model`. Images are scaled and re-encoded to fit.
    fn picture_rules(&self, model: &str) -> PictureRules;

    /// Whether `model` supports the requested quality. If not, callers do not pay for it.
    fn supports_quality(&self, _model: &str) -> bool {
        false
    }

    /// The maximum length of an instruction for `model`, in Unicode scalar values. Most providers
    /// document none.
    fn instruction_chars_max(&self, _model: &str) -> usize {
        LONG_TEXT_CHARS_MAX
    }

    /// Whether `model` does what `wish` asks for.
    fn fulfills(&self, _wish: Wish, _model: &str) -> bool {
        false
    }

    /// Calls to make before [`Dialect::submit`], which needs their responses. Uploads, for example.
    /// They cost nothing.
    fn uploads(&self, _order: &Order<'_>) -> Vec<Call> {
        Vec::new()
    }

    /// The call that submits the work.
    ///
    /// # Errors
    /// When an upload failed, or the order cannot be expressed in the provider's terms.
    fn submit(&self, order: &Order<'_>, uploaded: &[Answer]) -> Result<Submission, Fault>;

    /// What the response to [`Dialect::submit`] means.
    ///
    /// # Errors
    /// [`Fault`].
    fn submitted(&self, order: &Order<'_>, answer: &Answer) -> Meaning;

    /// The call that asks for the status of a task.
    fn poll(&self, ticket: &Ticket) -> Call;

    /// What the response to [`Dialect::poll`] means.
    ///
    /// # Errors
    /// [`Fault`], about the task. A response that says nothing about the task, such as a throttled
    /// or failed request, is [`Fault::NotAccepted`], and the driver asks again. For a while, it
    /// also asks again after any response with a status of 500 or above.
    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning;

    /// Whether `ticket` says that the task has ended, so that [`Dialect::poll`] asks for its
    /// result. A status of 500 or above is then probably the outcome of the task and not a
    /// transient error, so the driver accepts it after a few tries.
    fn is_at_result(&self, _ticket: &Ticket) -> bool {
        false
    }

    /// How long to wait before asking for a task for the `round`-th time (from 0), in milliseconds,
    /// if the provider does not say.
    fn poll_wait_ms(&self, round: u32) -> u64 {
        // From one second, like the official clients, to five.
        (1_000 + 250 * u64::from(round)).min(5_000)
    }

    /// A call that costs nothing and shows whether the provider is reachable and accepts the key.
    fn probe(&self) -> Call;

    /// What the response to [`Dialect::probe`] says, in a few words.
    ///
    /// # Errors
    /// The problem, and what the operator can do.
    fn probed(&self, answer: &Answer) -> Result<String, String>;

    /// The models that will be shut down according to the response to [`Dialect::probe`], with the
    /// day.
    fn shutdowns(&self, _answer: &Answer) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether this host, from an address in a response, belongs to the provider, so that the key
    /// may be sent there. The base URL always qualifies.
    fn is_own_host(&self, _host: &str) -> bool {
        false
    }
}

/// What a provider is asked to do.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// The ID of the edit, the same in every attempt.
    pub id: EditId,
    /// The request.
    pub edit: &'a Edit,
    /// The provider's name for the model.
    pub model: &'a str,
    /// The input images, within [`PictureRules`], in the order of the request.
    pub pictures: &'a [Picture],
    /// The mask of the first image, of the same size. Only models that [fulfill](Dialect::fulfills)
    /// [`Wish::Mask`] get one.
    pub mask: Option<&'a Picture>,
    /// The name under which the provider knows the caller: a keyed hash. Providers use it to find
    /// abuse without knowing the caller's identity. `None` if it is not sent.
    pub end_user: Option<&'a str>,
}

impl Order<'_> {
    /// The quality to ask for if the model has a choice: the caller's, or else medium, which is
    /// what the price of a default call covers. A provider's own default (`auto`) can cost several
    /// times as much.
    pub fn quality(&self) -> Quality {
        self.edit.quality.unwrap_or(Quality::Medium)
    }
}

/// The maximum number of pixels (width times height) that the price of `edit` covers.
pub(crate) fn pixels_max(edit: &Edit) -> u64 {
    edit.tier.size.map_or(u64::MAX, SizeClass::pixels_max)
}

/// The resolution that the price of the video `edit` covers, as its short side in pixels.
pub(crate) fn short_px(edit: &Edit) -> u32 {
    edit.tier.resolution.unwrap_or_default().short_px()
}

/// An input image as it is sent to a provider: upright, in sRGB, without metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub bytes: Bytes,
    /// Its format, which is one that the rules allow.
    pub format: Format,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Limits on input images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRules {
    /// Formats that the provider reads. They must include `Png` or `Jpeg`.
    pub formats: &'static [Format],
    /// Maximum size of one file, in bytes.
    pub bytes_max: usize,
    /// Maximum size of all files together, in bytes.
    pub total_bytes_max: usize,
    /// Minimum length of each side, in pixels. Smaller images are enlarged.
    pub side_px_min: u32,
    /// Maximum length of each side, in pixels. Larger images are scaled down.
    pub side_px_max: u32,
    /// Maximum number of pixels, width times height. Larger images are scaled down.
    pub pixels_max: u64,
    /// Maximum number of images. The catalogue's maximum should not be higher.
    pub count_max: usize,
}

/// The call that submits the work, and what is known about its task beforehand.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// The call.
    pub call: Call,
    /// The ticket, if we choose the name of the task. If the call then gets no response, the
    /// provider can be asked for the task.
    pub ticket: Option<Ticket>,
}

impl From<Call> for Submission {
    fn from(call: Call) -> Self {
        Self { call, ticket: None }
    }
}

impl PictureRules {
    /// JPEG and PNG, with limits above those of the service itself.
    pub const GENEROUS: Self = Self {
        formats: &[Format::Png, Format::Jpeg],
        bytes_max: 20 << 20,
        total_bytes_max: 64 << 20,
        side_px_min: 1,
        side_px_max: 16_384,
        pixels_max: 50_000_000,
        count_max: 16,
    };
}
