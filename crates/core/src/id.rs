//! IDs: sortable by creation time and recognizable by their prefix. Each kind has its own type, so
//! that one can't be passed in place of another.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

use crate::{Clock, Entropy, Timestamp};

/// Crockford's base 32 in lower case. It has no i, l, o or u, so that an ID can be read aloud.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// How many base-32 characters encode 128 bits.
const ENCODED_LENGTH: usize = 26;
/// Whether a byte is in [`ALPHABET`]. Verifying the ledger parses an ID for each entry.
const IS_DIGIT: [bool; 256] = {
    let (mut is_digit, mut place) = ([false; 256], 0);
    while place < ALPHABET.len() {
        is_digit[ALPHABET[place] as usize] = true;
        place += 1;
    }
    is_digit
};

/// A text that is not an ID of the expected kind.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("not a valid ID: expected {prefix}_ followed by 26 letters and digits")]
pub struct NotAnId {
    prefix: &'static str,
}

macro_rules! prefixed_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// The ID as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            fn from_uuid(uuid: Uuid) -> Self {
                Self(format!("{}_{}", $prefix, encode(uuid.as_u128())).into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let body = text.strip_prefix(concat!($prefix, "_")).ok_or(NotAnId { prefix: $prefix })?;
                let well_formed =
                    body.len() == ENCODED_LENGTH && body.bytes().all(|byte| IS_DIGIT[usize::from(byte)]);
                if well_formed { Ok(Self(text.into())) } else { Err(NotAnId { prefix: $prefix }) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = NotAnId;

            fn try_from(text: String) -> Result<Self, NotAnId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0.as_ref().to_owned()
            }
        }
    };
}

prefixed_id!(
    /// Identifies an account, which pays for edits.
    AccountId, "acct"
);
impl AccountId {
    /// An ID that no account has, for callers without an account where accounts take turns.
    pub fn stand_in(bytes: [u8; 16]) -> Self {
        Self::from_uuid(Uuid::from_bytes(bytes))
    }
}

prefixed_id!(
    /// Identifies an API key. This is the key's public ID, not its secret.
    KeyId, "key"
);
prefixed_id!(
    /// Names an email that the service sends, also in its headers.
    EmailId, "mail"
);
prefixed_id!(
    /// Identifies an invitation to sign up. This is not the secret in its link.
    InvitationId, "invt"
);
prefixed_id!(
    /// Identifies a subscription that the operator assigned. Paid ones have the payment provider's
    /// ID.
    SubscriptionId, "subs"
);

prefixed_id!(
    /// Identifies an uploaded image.
    UploadId, "upld"
);

prefixed_id!(
    /// Identifies a webhook: an address that receives the events of an account.
    WebhookId, "whk"
);
prefixed_id!(
    /// Identifies an event that webhooks receive, the same at every attempt to deliver it.
    EventId, "msg"
);
impl EventId {
    /// The ID of an event at `at`, which sorts by that time. The same time and `bytes` make the same
    /// ID, so that what happened once is one event.
    pub fn of(at: Timestamp, bytes: &[u8; 10]) -> Self {
        Self::from_uuid(uuid_at(at, bytes))
    }
}

/// Identifies an edit, its hold and its generation (`generation.uuid`). A version 7 UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditId(pub Uuid);

impl EditId {
    /// When it was created, which is part of it.
    pub fn created_at(self) -> Option<Timestamp> {
        let (seconds, nanoseconds) = self.0.get_timestamp()?.to_unix();
        let milliseconds = i64::try_from(seconds).ok()?.saturating_mul(1_000);
        Some(Timestamp(milliseconds.saturating_add(i64::from(nanoseconds / 1_000_000))))
    }
}

impl fmt::Display for EditId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for EditId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        Uuid::parse_str(text).map(Self)
    }
}

/// Creates IDs and secrets from a clock and a source of randomness.
#[derive(Clone, Debug)]
pub struct Ids {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl Ids {
    /// A generator that takes the time from `clock` and random bits from `entropy`.
    pub fn new(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { clock, entropy }
    }

    /// A new account ID.
    pub fn account(&self) -> AccountId {
        AccountId::from_uuid(self.uuid())
    }

    /// A new key ID.
    pub fn key(&self) -> KeyId {
        KeyId::from_uuid(self.uuid())
    }

    /// A new subscription ID.
    pub fn subscription(&self) -> SubscriptionId {
        SubscriptionId::from_uuid(self.uuid())
    }

    /// A new email's id.
    pub fn email(&self) -> EmailId {
        EmailId::from_uuid(self.uuid())
    }

    /// A new invitation ID.
    pub fn invitation(&self) -> InvitationId {
        InvitationId::from_uuid(self.uuid())
    }

    /// A new upload ID.
    pub fn upload(&self) -> UploadId {
        UploadId::from_uuid(self.uuid())
    }

    /// A new webhook ID.
    pub fn webhook(&self) -> WebhookId {
        WebhookId::from_uuid(self.uuid())
    }

    /// A new edit ID.
    pub fn edit(&self) -> EditId {
        EditId(self.uuid())
    }

    /// `N` random bytes, for a secret.
    pub fn secret<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes);
        bytes
    }

    fn uuid(&self) -> Uuid {
        uuid_at(self.clock.now(), &self.secret())
    }
}

fn uuid_at(at: Timestamp, bytes: &[u8; 10]) -> Uuid {
    let milliseconds = u64::try_from(at.0).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(milliseconds, bytes).into_uuid()
}

fn encode(number: u128) -> String {
    (0..ENCODED_LENGTH)
        .rev()
        .map(|place| char::from(ALPHABET[(number >> (5 * place)) as usize & 31]))
        .collect()
}
