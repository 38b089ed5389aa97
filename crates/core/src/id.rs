//! IDs: sortable by creation time and recognizable by their prefix. Each kind has its own type, so
//! that one can't be passed in place of another.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

use crate::{Clock, Entropy};

/// Crockford's base 32 in lower case: no i, l, o or u, so that an id survives being read aloud.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters that 128 bits take in base 32.
const ENCODED_LENGTH: usize = 26;

/// A text that is not an id of the kind that was expected.
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
            /// The id as it is written.
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
                    body.len() == ENCODED_LENGTH && body.bytes().all(|byte| ALPHABET.contains(&byte));
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
    /// Names an account: who pays.
    AccountId, "acct"
);
prefixed_id!(
    /// Names an API key (the key's public handle, never its secret).
    KeyId, "key"
);
prefixed_id!(
    /// Names an email that the service sends, also in its headers.
    LetterId, "mail"
);
prefixed_id!(
    /// Names an invitation to sign up (never the secret of its link).
    InvitationId, "invt"
);
prefixed_id!(
    /// Names a subscription that the operator assigned (a payment provider names its own).
    SubscriptionId, "subs"
);

/// Names an edit, and so its hold and its generation: `generation.uuid`, a UUID of version 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditId(pub Uuid);

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

/// Makes ids and secrets from a clock and a source of randomness.
#[derive(Clone, Debug)]
pub struct Ids {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl Ids {
    /// A maker of ids whose times come from `clock` and whose bits come from `entropy`.
    pub fn new(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { clock, entropy }
    }

    /// A new account's id.
    pub fn account(&self) -> AccountId {
        AccountId::from_uuid(self.uuid())
    }

    /// A new key's id.
    pub fn key(&self) -> KeyId {
        KeyId::from_uuid(self.uuid())
    }

    /// A new subscription's id.
    pub fn subscription(&self) -> SubscriptionId {
        SubscriptionId::from_uuid(self.uuid())
    }

    /// A new letter's id.
    pub fn letter(&self) -> LetterId {
        LetterId::from_uuid(self.uuid())
    }

    /// A new invitation's id.
    pub fn invitation(&self) -> InvitationId {
        InvitationId::from_uuid(self.uuid())
    }

    /// A new edit's id.
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
        let milliseconds = u64::try_from(self.clock.now().0).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(milliseconds, &self.secret()).into_uuid()
    }
}

fn encode(number: u128) -> String {
    (0..ENCODED_LENGTH)
        .rev()
        .map(|place| char::from(ALPHABET[(number >> (5 * place)) as usize & 31]))
        .collect()
}
