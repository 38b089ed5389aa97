//! Why there is no result. Free of HTTP: the server decides on status codes.

use thiserror::Error;

use crate::fetch::FetchError;

/// A provider's answer that it will not do this, whoever asks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refused {
    /// What kind of no it is.
    pub kind: RefusedKind,
    /// What stops it and what can be done, for the caller.
    pub message: String,
    /// The field that it is about.
    pub param: Option<String>,
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusedKind {
    /// The instruction is not something that this provider can do.
    Instruction,
    /// The provider will not touch such content.
    Content,
    /// The provider finds a field of the request wrong.
    Parameters,
    /// The pictures and the request together ask for more than can be done.
    Limit,
}

/// Why an input picture cannot be used.
#[derive(Debug, Error)]
#[error("`{param}`: {problem}")]
pub struct InputError {
    /// The field that names the picture, such as `imageUrls[1]`.
    pub param: String,
    /// What is wrong with it.
    #[source]
    pub problem: InputProblem,
}

/// What can be wrong with an input picture.
#[derive(Debug, Error)]
pub enum InputProblem {
    /// Its bytes could not be had.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// No stored picture has this address.
    #[error("there is no stored picture at this address (any more)")]
    NotStored,
    /// The bytes are not a picture that can be decoded.
    #[error(transparent)]
    Decode(#[from] retouch_engine::codec::DecodeError),
}

/// How an attempt ended that gave no result.
#[derive(Debug, Error)]
pub enum ProviderError {
    /// The provider said no; nothing was done, and nobody else is asked.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// An input picture cannot be used; nothing was done.
    #[error(transparent)]
    Input(#[from] InputError),
    /// More work is waiting here than may wait; nothing was done.
    #[error("too much work is waiting")]
    Busy,
    /// The provider has as many calls as it may have at once, and as many wait as may: nothing was sent, and
    /// another provider may have room.
    #[error("the provider's queue is full")]
    QueueFull,
    /// The provider did not take the work on: nothing was done and nothing is paid, so that it is
    /// safe to try elsewhere, or here again. The text is for the operator's log.
    #[error("not accepted: {reason}")]
    NotAccepted {
        /// Why.
        reason: String,
        /// When trying here again may help, in milliseconds; none: not soon.
        retry_ms: Option<u64>,
    },
    /// What the operator spends at the provider in a day is used up: nothing was sent.
    #[error("the provider's spending limit for the day is reached")]
    LimitReached {
        /// When the next day begins, in milliseconds from now.
        retry_ms: u64,
    },
    /// It failed. The text is for the operator's log, never for the caller.
    #[error("{0}")]
    Failed(String),
    /// The work was sent and no answer came: it may have been done and paid for, and nobody can
    /// tell. The text is for the operator's log.
    #[error("outcome unknown: {0}")]
    Unknown(String),
}

impl ProviderError {
    /// The stable name of the outcome, for metrics.
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::Refused(_) => "refused",
            Self::Input(_) => "input",
            Self::Busy => "busy",
            Self::QueueFull => "queue_full",
            Self::NotAccepted { .. } => "not_accepted",
            Self::LimitReached { .. } => "limit_reached",
            Self::Failed(_) => "failed",
            Self::Unknown(_) => "unknown",
        }
    }
}
