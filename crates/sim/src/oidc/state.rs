//! The state of the provider: users, codes, tokens and the time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use super::keys::Keys;

/// The provider.
#[derive(Default)]
pub(super) struct Provider(Mutex<Known>);

impl Provider {
    /// Locks the whole state.
    pub(super) fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of the provider.
#[derive(Default)]
pub(super) struct Known {
    /// The signed-in user.
    pub(super) person: Person,
    /// Codes that have not been exchanged yet.
    pub(super) codes: BTreeMap<String, Grant>,
    /// Access tokens and their users.
    pub(super) tokens: BTreeMap<String, Person>,
    /// The fault of the next token.
    pub(super) token_fault: Option<TokenFault>,
    /// The key that signs tokens.
    pub(super) keys: Keys,
    /// The time, if it was set.
    pub(super) time_s: Option<i64>,
}

/// A user of the provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Person {
    /// The provider's ID of the user.
    pub(super) sub: String,
    /// The email address.
    pub(super) email: Option<String>,
    /// Whether the email address is verified. If this is `None`, the claim is left out.
    pub(super) email_verified: Option<bool>,
    /// Whether the email address is only available from the userinfo endpoint.
    pub(super) email_on_request: bool,
    /// How many seconds ago the user signed in. `None`: not reported.
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

/// What the provider knows about a code: who signed in, and the request that the code answers.
#[derive(Clone, Debug)]
pub(super) struct Grant {
    pub(super) person: Person,
    pub(super) redirect_uri: String,
    pub(super) nonce: String,
    pub(super) challenge: String,
    pub(super) expires_s: i64,
}

/// The faults of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TokenFault {
    /// The nonce of another request.
    WrongNonce,
    /// No nonce.
    NoNonce,
    /// Another audience.
    WrongAudience,
    /// Several audiences, without an authorized party.
    SeveralAudiences,
    /// Another authorized party.
    WrongParty,
    /// Another issuer.
    WrongIssuer,
    /// Expired.
    Expired,
    /// Issued in the future.
    Early,
    /// No subject.
    NoSubject,
    /// Not signed, with the algorithm `none`.
    Unsigned,
    /// Signed with the public key as if it were a shared secret.
    SharedSecret,
    /// Signed with another key, under the ID of the provider's key.
    OtherKey,
    /// Changed after it was signed.
    Changed,
    /// Not a token.
    Garbage,
    /// The userinfo endpoint reports another user.
    OtherPerson,
}

impl Known {
    /// The time, in seconds since 1970.
    pub(super) fn now_s(&self) -> i64 {
        self.time_s.unwrap_or_else(machine_s)
    }
}

#[expect(clippy::disallowed_methods, reason = "clients that are tried here have the real time")]
fn machine_s() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
