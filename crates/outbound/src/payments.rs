//! Payment providers, called with the [HTTP client](crate::client) that adds the key and enforces
//! limits on time and size.

pub mod signature;
pub mod stripe;

use thiserror::Error;

use crate::client::TransportError;

/// Why a payment provider did not respond as expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PaymentError {
    /// The provider cannot be reached or has an internal error. A later attempt may succeed.
    #[error("no response: {0}")]
    Unavailable(String),
    /// The provider rejects the call: the key, the price or another ID is wrong.
    #[error("request rejected: {0}")]
    Refused(String),
    /// The provider has no object with this ID.
    #[error("not found")]
    Missing,
    /// The response is not one that the provider is known to give.
    #[error("unexpected response: {0}")]
    Unexpected(String),
}

impl From<TransportError> for PaymentError {
    fn from(error: TransportError) -> Self {
        Self::Unavailable(error.to_string())
    }
}
