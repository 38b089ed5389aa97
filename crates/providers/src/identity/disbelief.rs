//! The reasons for which an ID token is refused.

use thiserror::Error;

/// Why a token is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Disbelief {
    /// It is not three parts in base64 with JSON in them.
    #[error("it is malformed")]
    Malformed,
    /// It is not signed, or the algorithm is not accepted.
    #[error("it is not signed with RS256, ES256 or EdDSA")]
    Algorithm,
    /// The provider has no such key.
    #[error("the provider has no key with its ID and type")]
    KeyUnknown,
    /// The signature does not match.
    #[error("the signature does not match")]
    Signature,
    /// It is from another issuer.
    #[error("the issuer is wrong")]
    Issuer,
    /// It is for another audience.
    #[error("the audience is wrong")]
    Audience,
    /// It belongs to another sign-in attempt.
    #[error("the nonce is wrong")]
    Nonce,
    /// It has expired or is not valid yet.
    #[error("it has expired or is not valid yet")]
    Time,
    /// It has no usable subject.
    #[error("the subject is invalid")]
    Subject,
    /// A new authentication was requested, but the token reports an old one.
    #[error("the user did not sign in again")]
    Stale,
}
