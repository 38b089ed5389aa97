//! Who vouches for people: a provider of OpenID Connect. It lives here because only this crate calls
//! out. Signatures are checked by ring, which TLS brings along: the libraries for the whole
//! protocol come with a clock and randomness of their own and a second set of cryptography.
//!
//! Reading order: [`Oidc`] (the two steps of a sign-in), `discovery` (where the provider's addresses
//! are), `signature` (whether it has signed), `claims` (what it says, and whether to us).

mod claims;
mod disbelief;
mod discovery;
mod oidc;
mod signature;

pub use claims::{Expected, Vouched, check};
pub use disbelief::Disbelief;
pub use oidc::{Asked, Oidc, OidcParts, Returned};
pub use signature::{KeySet, verify};

use thiserror::Error;

use crate::upstream::TransportError;

/// Why nobody is vouched for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IdentityError {
    /// The provider cannot be reached, or has trouble of its own; a later attempt may succeed.
    #[error("it does not answer: {0}")]
    Unavailable(String),
    /// The provider refuses the call: the code has been used or is too old, or it does not know us.
    #[error("it refuses the call: {0}")]
    Refused(String),
    /// Its answer is none that it is known to give.
    #[error("its answer is not understood: {0}")]
    Unexpected(String),
    /// What it says is not believed.
    #[error("its token is not believed: {0}")]
    NotBelieved(#[from] Disbelief),
}

impl From<TransportError> for IdentityError {
    fn from(error: TransportError) -> Self {
        Self::Unavailable(error.to_string())
    }
}
