//! Sign-in with an OpenID Connect provider. Signatures are checked with ring, which TLS already
//! uses: libraries for the whole protocol bring their own clock, their own randomness and a second
//! cryptography library.
//!
//! Reading order: [`Oidc`] (the two steps of a sign-in), `discovery` (the provider's endpoints),
//! `signature` (whether the provider signed a token) and `claims` (what the token says, and whether
//! it is for us).

mod claims;
mod discovery;
mod oidc;
mod signature;
mod token_error;

pub use claims::{Expected, VerifiedIdentity, check};
pub use oidc::{AuthorizationRequest, AuthorizationResponse, Oidc, OidcParts};
pub use signature::{KeySet, verify};
pub use token_error::TokenError;

use thiserror::Error;

use crate::client::TransportError;

/// Why an identity could not be confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IdentityError {
    /// The provider cannot be reached or has an internal error. A later attempt may succeed.
    #[error("no response: {0}")]
    Unavailable(String),
    /// The provider rejects the call: the code was used before or has expired, or the client is
    /// unknown.
    #[error("request rejected: {0}")]
    Refused(String),
    /// The response is not one that the provider is known to give.
    #[error("unexpected response: {0}")]
    Unexpected(String),
    /// The ID token is not valid.
    #[error("invalid ID token: {0}")]
    InvalidToken(#[from] TokenError),
}

impl From<TransportError> for IdentityError {
    fn from(error: TransportError) -> Self {
        Self::Unavailable(error.to_string())
    }
}
