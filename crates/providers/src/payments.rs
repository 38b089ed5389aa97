//! Who takes money for plans. It lives here because only this crate may call out: the one client,
//! its time limits, its caps and its redaction serve vendors of payments too.

pub mod signature;
pub mod stripe;

use thiserror::Error;

use crate::upstream::TransportError;

/// Why a vendor of payments did not answer as was hoped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PaymentError {
    /// It cannot be reached, or has trouble of its own; a later attempt may succeed.
    #[error("it does not answer: {0}")]
    Unavailable(String),
    /// It refuses the call: the key, the price or another name is wrong.
    #[error("it refuses the call: {0}")]
    Refused(String),
    /// It has nothing of this name.
    #[error("it knows nothing of this name")]
    Missing,
    /// Its answer is none that it is known to give.
    #[error("its answer is not understood: {0}")]
    Unexpected(String),
}

impl From<TransportError> for PaymentError {
    fn from(error: TransportError) -> Self {
        Self::Unavailable(error.to_string())
    }
}
