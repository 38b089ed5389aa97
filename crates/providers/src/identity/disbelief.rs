//! The reasons for which an ID token is refused.

use thiserror::Error;

/// Why a token is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Disbelief {
    /// It is not three parts of base64 with JSON in them.
    #[error("it has not the form of one")]
    Malformed,
    /// It is not signed, or in a way that is not accepted.
    #[error("it is not signed by RS256, ES256 or EdDSA")]
    Algorithm,
    /// The provider has no such key.
    #[error("the provider has no key of its name and kind")]
    KeyUnknown,
    /// The signature does not fit.
    #[error("the signature does not fit")]
    Signature,
    /// Somebody else says it.
    #[error("another issuer says it")]
    Issuer,
    /// It is said to somebody else.
    #[error("it is for another audience")]
    Audience,
    /// It is the answer to another question.
    #[error("the nonce is another")]
    Nonce,
    /// It held at another time.
    #[error("it has expired, or does not hold yet")]
    Time,
    /// It names nobody.
    #[error("its subject is no name")]
    Subject,
    /// A new proof was asked for, and an old one is told of.
    #[error("its owner has not signed in anew")]
    Stale,
}
