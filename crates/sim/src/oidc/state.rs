//! What the provider knows: who is at it, what it has handed out, and what time it is.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use super::keys::Keys;

/// The provider.
#[derive(Default)]
pub(super) struct Provider(Mutex<Known>);

impl Provider {
    /// Everything, for one call at a time.
    pub(super) fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the provider knows.
#[derive(Default)]
pub(super) struct Known {
    /// Who is signed in at it.
    pub(super) person: Person,
    /// Codes that have not been exchanged.
    pub(super) codes: BTreeMap<String, Grant>,
    /// Access tokens, and whose they are.
    pub(super) tokens: BTreeMap<String, Person>,
    /// How the next token is wrong.
    pub(super) spoil: Option<Spoil>,
    /// What tokens are signed with.
    pub(super) keys: Keys,
    /// What time it is, where somebody has said so.
    pub(super) time_s: Option<i64>,
}

/// Somebody at the provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Person {
    /// Its name for them.
    pub(super) sub: String,
    /// Their address.
    pub(super) email: Option<String>,
    /// Whether it is known to be theirs; left out where this is none.
    pub(super) email_verified: Option<bool>,
    /// Whether the address is told at the userinfo endpoint alone.
    pub(super) email_on_request: bool,
    /// How long ago they signed in, in seconds; none: it is not told.
    pub(super) signed_in_s_ago: Option<i64>,
}

impl Default for Person {
    fn default() -> Self {
        Self {
            sub: "person-1".into(),
            email: Some("ada@example.com".into()),
            email_verified: Some(true),
            email_on_request: false,
            signed_in_s_ago: Some(3_600),
        }
    }
}

/// What a code stands for.
#[derive(Clone, Debug)]
pub(super) struct Grant {
    pub(super) person: Person,
    pub(super) redirect_uri: String,
    pub(super) nonce: String,
    pub(super) challenge: String,
    pub(super) expires_s: i64,
}

/// How a token is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Spoil {
    /// It answers another question.
    WrongNonce,
    /// It answers none.
    NoNonce,
    /// It is for somebody else.
    WrongAudience,
    /// It is for somebody else too, and does not say to whom it was given.
    SeveralAudiences,
    /// It was given to somebody else.
    WrongParty,
    /// Somebody else says it.
    WrongIssuer,
    /// It has expired.
    Expired,
    /// It comes from the future.
    Early,
    /// It names nobody.
    NoSubject,
    /// It is not signed, and says so.
    Unsigned,
    /// It is signed with what everybody knows: the public key, taken for a shared secret.
    SharedSecret,
    /// It is signed with a key of another, under the provider's key's name.
    OtherKey,
    /// It was changed after it was signed.
    Changed,
    /// It is no token.
    Garbage,
    /// The userinfo endpoint tells of somebody else.
    OtherPerson,
}

impl Known {
    /// What time it is, in seconds since 1970.
    pub(super) fn now_s(&self) -> i64 {
        self.time_s.unwrap_or_else(machine_s)
    }
}

#[expect(clippy::disallowed_methods, reason = "clients that are tried here have the real time")]
fn machine_s() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
