//! The reasons for which an ID token is refused.

use thiserror::Error;

/// Why a token is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    /// The token does not consist of three base64 parts that contain JSON.
    #[error("it is malformed")]
    Malformed,
    /// The token is not signed, or its algorithm is not accepted.
    #[error("it is not signed with RS256, ES256 or EdDSA")]
    Algorithm,
    /// The provider has no such key.
    #[error("the provider has no key with its ID and type")]
    KeyUnknown,
    /// The signature does not match.
    #[error("the signature does not match")]
    Signature,
    /// The token comes from another issuer.
    #[error("the issuer is wrong")]
    Issuer,
    /// The token is meant for another audience.
    #[error("the audience is wrong")]
    Audience,
    /// The token belongs to another sign-in attempt.
    #[error("the nonce is wrong")]
    Nonce,
    /// The token has expired or is not valid yet.
    #[error("it has expired or is not valid yet")]
    Time,
    /// The token has no usable subject.
    #[error("the subject is invalid")]
    Subject,
    /// A new authentication was requested, but the token reports an old one.
    #[error("the user did not sign in again")]
    Stale,
}
