//! What a response means: a step toward the result, or the reason why there will be none.

use bytes::Bytes;
use retouch_core::Warning;
use retouch_outbound::client::{UnexpectedJson, on_one_line};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Call;
use crate::error::Refused;
use crate::provider::Usage;

/// What a response means.
pub type Meaning = Result<Step, Fault>;

/// A step toward the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The result.
    Done(Harvest),
    /// The provider has accepted the work and named it. The name is recorded before waiting. In
    /// response to a status request: continue with this ticket immediately, for example because the
    /// result has another address.
    Submitted(Ticket),
    /// The provider is still working.
    Working {
        /// When to ask again, in milliseconds, if the provider said so.
        wait_ms: Option<u64>,
    },
}

/// The provider's name for a task, with everything needed to ask for it again. It contains no
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticket(pub Value);

/// What a provider made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Harvest {
    /// The results in the provider's order, without drafts.
    pub artefacts: Vec<Artefact>,
    /// The usage that the provider reported.
    pub usage: Usage,
    /// What the provider did differently than requested.
    pub warnings: Vec<Warning>,
}

/// A result, in one of the forms in which providers return it.
#[derive(Clone, Debug, PartialEq)]
pub enum Artefact {
    /// The file itself.
    Bytes(Bytes),
    /// A public address. It is downloaded under the rules for callers' addresses.
    Address(String),
    /// A call to the provider, with the key, whose response is the file.
    Call(Call),
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The provider rejects the content or the parameters, no matter who asks. No other provider is
    /// tried.
    Refused(Refused),
    /// The provider did not accept the work. Nothing was done and nothing is billed, so another
    /// route may be tried.
    NotAccepted {
        /// The reason, for the operator's log.
        reason: String,
        /// When the provider may accept it, in milliseconds. `None` if it did not say.
        wait_ms: Option<u64>,
        /// Whether a retry soon is pointless: a wrong key, no credits left, an unknown model.
        is_lasting: bool,
    },
    /// The provider answered without a result. Work may have been done. The text is for the log.
    Failed(String),
    /// The provider does not know the ticket, or no longer does. The text is for the log.
    Lost(String),
}

impl Fault {
    /// The provider rejects the content. Its own words may help the caller.
    pub fn content(words: &str) -> Self {
        let words = words.trim();
        let said =
            if words.is_empty() { String::new() } else { format!(" It said: {}", shorten(words)) };
        let message = format!(
            "The provider refused the content of the instruction or of an image. Nothing was \
             charged; change your request.{said}"
        );
        Self::Refused(Refused {
            kind: crate::error::RefusedKind::Content,
            message,
            param: Some("instruction".into()),
        })
    }

    /// The provider rejects a parameter for a reason that we could not know.
    pub fn parameters(words: &str) -> Self {
        let message = format!(
            "The provider rejected the request. Nothing was charged. It said: {}",
            shorten(words.trim())
        );
        Self::Refused(Refused { kind: crate::error::RefusedKind::Parameters, message, param: None })
    }

    /// Not accepted for now: throttled or overloaded.
    pub fn busy(reason: impl Into<String>, wait_ms: Option<u64>) -> Self {
        Self::NotAccepted { reason: reason.into(), wait_ms, is_lasting: false }
    }

    /// Not accepted until the operator acts: a wrong key, no credits, an unknown model.
    pub fn barred(reason: impl Into<String>) -> Self {
        Self::NotAccepted { reason: reason.into(), wait_ms: None, is_lasting: true }
    }
}

impl From<UnexpectedJson> for Fault {
    /// The provider answered, but the outcome cannot be read.
    fn from(unexpected: UnexpectedJson) -> Self {
        Self::Failed(unexpected.to_string())
    }
}

/// Shortens a provider's message for the caller.
fn shorten(words: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 400;
    on_one_line(words, SHOWN_CHARS_MAX)
}
