//! Why there is no result. This module knows nothing about HTTP: the server chooses the status
//! codes.

use retouch_outbound::fetch::FetchError;
use thiserror::Error;

/// A provider's answer that it will not do this, no matter who asks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refused {
    /// The kind of refusal.
    pub kind: RefusedKind,
    /// What the problem is and how to fix it, for the caller.
    pub message: String,
    /// The field at fault.
    pub param: Option<String>,
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusedKind {
    /// The provider cannot do what the instruction asks for.
    Instruction,
    /// The provider rejects the content.
    Content,
    /// The provider rejects a field of the request.
    Parameters,
    /// The request, together with its images, exceeds a limit.
    Limit,
}

/// Why an input image cannot be used.
#[derive(Debug, Error)]
#[error("`{param}`: {problem}")]
pub struct InputError {
    /// The field that names the image, such as `imageUrls[1]`.
    pub param: String,
    /// The problem.
    #[source]
    pub problem: InputProblem,
}

/// Problems with an input image.
#[derive(Debug, Error)]
pub enum InputProblem {
    /// The image could not be downloaded.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// No stored image has this address.
    #[error("no stored image has this address; it may have been deleted")]
    NotStored,
    /// The account has no upload with this address.
    #[error(
        "you have no upload with this address; uploads are deleted after 24 hours, so upload the image again"
    )]
    NotUploaded,
    /// The bytes are not an image that can be decoded.
    #[error(transparent)]
    Decode(#[from] retouch_engine::codec::DecodeError),
}

/// Why an attempt gave no result.
#[derive(Debug, Error)]
pub enum ProviderError {
    /// The provider refused. Nothing was done, and no other provider is asked.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// An input image cannot be used. Nothing was done.
    #[error(transparent)]
    Input(#[from] InputError),
    /// This server's queue is full. Nothing was done.
    #[error("too many edits are waiting")]
    Busy,
    /// The provider has its maximum number of concurrent calls, and its queue is full. Nothing was
    /// sent, and another provider may have room.
    #[error("the provider's queue is full")]
    QueueFull,
    /// The provider did not accept the work. Nothing was done and nothing is billed, so it is safe
    /// to try another provider, or this one again. The text is for the operator's log.
    #[error("not accepted: {reason}")]
    NotAccepted {
        /// The reason.
        reason: String,
        /// When to try this provider again, in milliseconds from now. `None`: not soon.
        retry_ms: Option<u64>,
    },
    /// The provider's spending limit for the day is reached. Nothing was sent.
    #[error("the provider's daily spending limit is reached")]
    LimitReached {
        /// When the next day begins, in milliseconds from now.
        retry_ms: u64,
    },
    /// The attempt failed, and the provider may have done work. The text is for the operator's log,
    /// never for the caller.
    #[error("{0}")]
    Failed(String),
    /// The work was sent, and no answer came. It may have been done and billed, and there is no way
    /// to find out. The text is for the operator's log.
    #[error("outcome unknown: {0}")]
    Unknown(String),
}

impl ProviderError {
    /// The stable name of the outcome, used in metrics.
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
