//! What an ID token says, and whether it says so to us, now, in answer to our question (OpenID
//! Connect Core, 3.1.3.7).

use retouch_core::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::Disbelief;

/// How far the provider's clock may be from ours, in seconds.
const SKEW_S: i64 = 60;
/// Longest subject, in bytes (OpenID Connect Core, 2).
const SUBJECT_BYTES_MAX: usize = 255;

/// Whom a provider vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// Its name for them; never another person's.
    pub subject: String,
    /// Their address, as far as it says.
    pub email: Option<String>,
    /// Whether it has seen that the address is theirs.
    pub email_is_verified: bool,
    /// When they proved to it who they are, as far as it says.
    pub proven_at: Option<Timestamp>,
}

/// What a token has to say.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Who says it.
    pub issuer: &'a str,
    /// To whom.
    pub client_id: &'a str,
    /// In answer to what.
    pub nonce: &'a str,
    /// Since when its owner must have proved who they are, where it tells of that.
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

/// What is said of an address, in a token or when asked for it.
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

/// Whom the claims `json` vouch for at the moment `now`.
///
/// # Errors
/// [`Disbelief`].
pub fn check(json: &[u8], expected: &Expected<'_>, now: Timestamp) -> Result<Vouched, Disbelief> {
    let claims: Claims = serde_json::from_slice(json).map_err(|_| Disbelief::Malformed)?;
    if claims.iss != expected.issuer {
        return Err(Disbelief::Issuer);
    }
    if !claims.is_for(expected.client_id) {
        return Err(Disbelief::Audience);
    }
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err(Disbelief::Nonce);
    }
    let latest = now.plus_ms(SKEW_S * 1_000);
    let begins = claims.nbf.map_or(claims.iat, |nbf| nbf.max(claims.iat));
    if moment(claims.exp).plus_ms(SKEW_S * 1_000) <= now || moment(begins) > latest {
        return Err(Disbelief::Time);
    }
    let plain = claims.sub.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_control());
    if claims.sub.is_empty() || claims.sub.len() > SUBJECT_BYTES_MAX || !plain {
        return Err(Disbelief::Subject);
    }
    let proven_at = claims.auth_time.map(moment).map(|at| at.min(now));
    let since = expected.proven_since.map(|since| since.plus_ms(-SKEW_S * 1_000));
    if proven_at.zip(since).is_some_and(|(at, since)| at < since) {
        return Err(Disbelief::Stale);
    }
    let (subject, proven_at) = (claims.sub, proven_at);
    let nobody = Vouched { subject, proven_at, email: None, email_is_verified: false };
    Ok(nobody.with(claims.address))
}

impl Vouched {
    /// The same, at this address.
    pub(super) fn with(mut self, address: Address) -> Self {
        // Some providers write the truth as a text.
        let is_true = |value: &Value| *value == Value::Bool(true) || value == "true";
        self.email_is_verified = address.email_verified.as_ref().is_some_and(is_true);
        self.email = address.email;
        self
    }
}

impl Claims {
    /// Whether they are for `client_id`: among the audience, and, where they say so or there are
    /// several, given to it.
    fn is_for(&self, client_id: &str) -> bool {
        let (is_named, is_alone) = match &self.aud {
            Audience::One(one) => (one == client_id, true),
            Audience::Several(all) => (all.iter().any(|one| one == client_id), all.len() == 1),
        };
        let is_given = self.azp.as_deref().map_or(is_alone, |azp| azp == client_id);
        is_named && is_given
    }
}

/// A moment out of seconds since 1970, which may have a fraction.
fn moment(seconds: f64) -> Timestamp {
    // What is beyond all time stops at its ends.
    Timestamp((seconds * 1_000.0) as i64)
}
