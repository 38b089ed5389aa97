//! A vendor's protocol, as functions without side effects.

use bytes::Bytes;
use retouch_core::catalogue::{Quality, SizeClass};
use retouch_core::edit::Edit;
use retouch_core::{EditId, Warning};
use retouch_engine::codec::Format;

use super::{Answer, Call, Fault, Meaning, Ticket};
use crate::error::Refused;

/// A vendor's protocol: from an order to calls, and from answers to what they mean. Nothing in it
/// waits, reads a clock or opens a socket; the driver does.
pub trait Dialect: Send + Sync {
    /// How the key is shown.
    fn auth(&self) -> Auth;

    /// What of `edit` this vendor's `model` will do otherwise than asked, from its text alone.
    ///
    /// # Errors
    /// When it is certain that the vendor cannot do it (a video of a model that makes pictures).
    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused>;

    /// What the input pictures of `model` must be; they are scaled and re-encoded to fit.
    fn picture_rules(&self, model: &str) -> PictureRules;

    /// Whether `model` takes the quality that is asked for; else a caller does not pay for it.
    fn heeds_quality(&self, _model: &str) -> bool {
        false
    }

    /// Calls whose answers [`Dialect::submit`] needs first, such as uploads; they cost nothing.
    fn uploads(&self, _order: &Order<'_>) -> Vec<Call> {
        Vec::new()
    }

    /// The call that asks for the work.
    ///
    /// # Errors
    /// When the answers to the uploads are not what they should be, or the order cannot be put in
    /// the vendor's terms.
    fn submit(&self, order: &Order<'_>, uploaded: &[Answer]) -> Result<Submission, Fault>;

    /// What the answer to [`Dialect::submit`] means.
    ///
    /// # Errors
    /// [`Fault`].
    fn submitted(&self, order: &Order<'_>, answer: &Answer) -> Meaning;

    /// The call that asks how far a task is.
    fn poll(&self, ticket: &Ticket) -> Call;

    /// What the answer to [`Dialect::poll`] means.
    ///
    /// # Errors
    /// [`Fault`], about the task: an answer that says nothing about it, such as a throttled or
    /// failed look-up, is [`Fault::NotAccepted`], and the driver asks again. So it does, for a
    /// while, after any answer with a status of 500 and above.
    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning;

    /// Whether the task has ended, as far as `ticket` tells, so that what is asked for is its
    /// result: a status of 500 and above is then the end that the task has come to rather than a
    /// hiccup, and is believed after a few times.
    fn is_at_result(&self, _ticket: &Ticket) -> bool {
        false
    }

    /// When to ask for a task for the `round`-th time (from 0), in milliseconds after the last
    /// time, where the vendor does not say.
    fn poll_wait_ms(&self, round: u32) -> u64 {
        // One second at first, as the vendors' own clients do, growing to five.
        (1_000 + 250 * u64::from(round)).min(5_000)
    }

    /// A call that costs nothing and shows whether the vendor is there and knows the key.
    fn probe(&self) -> Call;

    /// What the answer to [`Dialect::probe`] says, in a few words.
    ///
    /// # Errors
    /// What is wrong, and what the operator can do.
    fn probed(&self, answer: &Answer) -> Result<String, String>;

    /// The models that the answer to [`Dialect::probe`] says will be shut down, with the day.
    fn shutdowns(&self, _answer: &Answer) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether an address with this host, named in an answer, is the vendor's own, so that the
    /// key may go there. The base address always is.
    fn is_own_host(&self, _host: &str) -> bool {
        false
    }
}

/// How a key is shown to a vendor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auth {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// `Authorization: SCHEME KEY`.
    Scheme(&'static str),
    /// A header of its own whose value is the key.
    Header(&'static str),
}

/// What a vendor is asked for.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// Names the edit; the same in every attempt.
    pub id: EditId,
    /// The request.
    pub edit: &'a Edit,
    /// What the vendor calls the model.
    pub model: &'a str,
    /// The input pictures, within [`PictureRules`], in the order of the request.
    pub pictures: &'a [Picture],
    /// What the caller is called at providers, where they are told: a keyed hash. Providers find abuse
    /// by it without knowing who it is.
    pub end_user: Option<&'a str>,
}

impl Order<'_> {
    /// The quality to ask for where the model has a choice: the caller's, else medium, which the
    /// price of a default call is for. Left to itself (`auto`) a vendor may take several times that.
    pub fn quality(&self) -> Quality {
        self.edit.quality.unwrap_or(Quality::Medium)
    }
}

/// The most pixels that the price of `edit` covers, width times height.
pub(crate) fn pixels_max(edit: &Edit) -> u64 {
    edit.tier.size.map_or(u64::MAX, SizeClass::pixels_max)
}

/// The lines of the resolution that the price of the video `edit` covers.
pub(crate) fn short_px(edit: &Edit) -> u32 {
    edit.tier.resolution.unwrap_or_default().short_px()
}

/// An input picture as it goes to a vendor: upright, in sRGB, without metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub bytes: Bytes,
    /// Its format, one of those that the rules allow.
    pub format: Format,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// What a vendor takes as input pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRules {
    /// Formats that it reads, the preferred one for photographs among them. `Png` or `Jpeg` must
    /// be one.
    pub formats: &'static [Format],
    /// Bytes of one file.
    pub bytes_max: usize,
    /// Bytes of all files together.
    pub total_bytes_max: usize,
    /// Fewest pixels of either side; smaller pictures are enlarged.
    pub side_px_min: u32,
    /// Most pixels of either side; larger pictures are scaled down.
    pub side_px_max: u32,
    /// Most pixels, width times height; larger pictures are scaled down.
    pub pixels_max: u64,
    /// Most pictures; the catalogue's maximum should not be above it.
    pub count_max: usize,
}

/// The call that asks for the work, and what is known of its task before it is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// The call.
    pub call: Call,
    /// The ticket, where we choose the name of the task: then an attempt without an answer is
    /// resolved by asking for it.
    pub ticket: Option<Ticket>,
}

impl From<Call> for Submission {
    fn from(call: Call) -> Self {
        Self { call, ticket: None }
    }
}

impl PictureRules {
    /// JPEG and PNG, without limits that a picture within the service's own would meet.
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
