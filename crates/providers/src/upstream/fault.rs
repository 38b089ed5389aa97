//! What an answer means: a step towards the result, or why there will be none.

use bytes::Bytes;
use retouch_core::Warning;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Call;
use super::words::on_one_line;
use crate::error::Refused;
use crate::provider::Usage;

/// What one answer means.
pub type Meaning = Result<Step, Fault>;

/// A step towards the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Here it is.
    Done(Harvest),
    /// The vendor has taken the work on and named it. It is recorded before anybody waits for it.
    /// In answer to a look-up: the same work is to be asked for under this ticket from now on, such
    /// as where its result is, and at once.
    Submitted(Ticket),
    /// The vendor is still at it.
    Working {
        /// When to ask again, where the vendor said so, in milliseconds.
        wait_ms: Option<u64>,
    },
}

/// What names work at a vendor: everything that asking for it again needs, and no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticket(pub Value);

/// What a vendor made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Harvest {
    /// The results, in the vendor's order, drafts left out.
    pub artefacts: Vec<Artefact>,
    /// What the vendor counted.
    pub usage: Usage,
    /// What the vendor did otherwise than asked.
    pub warnings: Vec<Warning>,
}

/// One result, in the form in which the vendor gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum Artefact {
    /// The file itself.
    Bytes(Bytes),
    /// An address where anybody may fetch it: fetched under the rules for callers' addresses.
    Address(String),
    /// A call to the vendor, with the key, whose answer is the file.
    Call(Call),
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The vendor will not do it, whoever asks: its content, or its parameters. Nobody else is
    /// tried.
    Refused(Refused),
    /// The vendor did not take it on: nothing was done and nothing is paid. Another route may be
    /// tried.
    NotAccepted {
        /// Why, for the operator's log.
        reason: String,
        /// When the vendor may take it on, in milliseconds; none: no hint.
        wait_ms: Option<u64>,
        /// Whether trying again soon is pointless: a wrong key, no credit left, no such model.
        is_lasting: bool,
    },
    /// The vendor answered and there is no result; work may have been done. For the log.
    Failed(String),
    /// The vendor does not know the ticket (any more). For the log.
    Lost(String),
}

impl Fault {
    /// The vendor will not touch such content; its own words may help the caller.
    pub fn content(words: &str) -> Self {
        let words = words.trim();
        let said =
            if words.is_empty() { String::new() } else { format!(" It said: {}", shorten(words)) };
        let message = format!(
            "The provider refused the instruction or a picture for its content. Nothing was \
             charged; change what is asked.{said}"
        );
        Self::Refused(Refused {
            kind: crate::error::RefusedKind::Content,
            message,
            param: Some("instruction".into()),
        })
    }

    /// The vendor finds a parameter wrong that we could not know to be.
    pub fn parameters(words: &str) -> Self {
        let message = format!(
            "The provider does not accept the request. Nothing was charged. It said: {}",
            shorten(words.trim())
        );
        Self::Refused(Refused { kind: crate::error::RefusedKind::Parameters, message, param: None })
    }

    /// Not taken on for now: throttled or overloaded.
    pub fn busy(reason: impl Into<String>, wait_ms: Option<u64>) -> Self {
        Self::NotAccepted { reason: reason.into(), wait_ms, is_lasting: false }
    }

    /// Not taken on until the operator does something: key, credit, model name.
    pub fn barred(reason: impl Into<String>) -> Self {
        Self::NotAccepted { reason: reason.into(), wait_ms: None, is_lasting: true }
    }
}

/// A vendor's words for the caller.
fn shorten(words: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 400;
    on_one_line(words, SHOWN_CHARS_MAX)
}
