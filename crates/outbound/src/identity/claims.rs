//! Checks the claims of an ID token: they must be meant for us, currently valid, and the answer to
//! our request (OpenID Connect Core, 3.1.3.7).

use retouch_core::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::TokenError;

/// Allowed difference between the provider's clock and ours, in seconds.
const SKEW_S: i64 = 60;
/// Longest subject, in bytes (OpenID Connect Core, 2).
const SUBJECT_BYTES_MAX: usize = 255;

/// An identity that the provider confirms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedIdentity {
    /// The provider's unique and permanent ID of the user.
    pub subject: String,
    /// The email address, if the provider reports one.
    pub email: Option<String>,
    /// Whether the provider has verified the email address.
    pub email_is_verified: bool,
    /// When the user authenticated to the provider, if it says so.
    pub proven_at: Option<Timestamp>,
}

/// What a token must contain.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The issuer.
    pub issuer: &'a str,
    /// The audience.
    pub client_id: &'a str,
    /// The nonce of the request.
    pub nonce: &'a str,
    /// The earliest time at which the user must have authenticated, if a new authentication was
    /// requested and the provider reports the time.
    pub proven_since: Option<Timestamp>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    nonce: Option<String>,
    auth_time: Option<f64>,
    #[serde(flatten)]
    address: Address,
}

/// The claims about an email address, in a token or from the userinfo endpoint.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Address {
    email: Option<String>,
    email_verified: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// The identity that the claims in `json` confirm at the time `now`.
///
/// # Errors
/// [`TokenError`].
pub fn check(
    json: &[u8],
    expected: &Expected<'_>,
    now: Timestamp,
) -> Result<VerifiedIdentity, TokenError> {
    let claims: Claims = serde_json::from_slice(json).map_err(|_| TokenError::Malformed)?;
    if claims.iss != expected.issuer {
        return Err(TokenError::Issuer);
    }
    if !claims.is_for(expected.client_id) {
        return Err(TokenError::Audience);
    }
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err(TokenError::Nonce);
    }
    let latest = now.plus_ms(SKEW_S * 1_000);
    let begins = claims.nbf.map_or(claims.iat, |nbf| nbf.max(claims.iat));
    if moment(claims.exp).plus_ms(SKEW_S * 1_000) <= now || moment(begins) > latest {
        return Err(TokenError::Time);
    }
    let plain = claims.sub.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_control());
    if claims.sub.is_empty() || claims.sub.len() > SUBJECT_BYTES_MAX || !plain {
        return Err(TokenError::Subject);
    }
    let proven_at = claims.auth_time.map(moment).map(|at| at.min(now));
    let since = expected.proven_since.map(|since| since.plus_ms(-SKEW_S * 1_000));
    if proven_at.zip(since).is_some_and(|(at, since)| at < since) {
        return Err(TokenError::Stale);
    }
    let (subject, proven_at) = (claims.sub, proven_at);
    let identity = VerifiedIdentity { subject, proven_at, email: None, email_is_verified: false };
    Ok(identity.with(claims.address))
}

impl VerifiedIdentity {
    /// The same identity with this email address.
    pub(super) fn with(mut self, address: Address) -> Self {
        // Some providers send the boolean as a string.
        let is_true = |value: &Value| *value == Value::Bool(true) || value == "true";
        self.email_is_verified = address.email_verified.as_ref().is_some_and(is_true);
        self.email = address.email;
        self
    }
}

impl Claims {
    /// Whether `client_id` is in the audience and, if there is an authorized party or more than one
    /// audience, is the authorized party.
    fn is_for(&self, client_id: &str) -> bool {
        let (is_named, is_alone) = match &self.aud {
            Audience::One(one) => (one == client_id, true),
            Audience::Several(all) => (all.iter().any(|one| one == client_id), all.len() == 1),
        };
        let is_given = self.azp.as_deref().map_or(is_alone, |azp| azp == client_id);
        is_named && is_given
    }
}

/// A time from seconds since 1970, which may have a fraction.
fn moment(seconds: f64) -> Timestamp {
    // The cast saturates for times out of range.
    Timestamp((seconds * 1_000.0) as i64)
}
