//! A string that must not be shown.

use std::fmt;

use serde::{Serialize, Serializer};

/// What is shown instead of a secret.
const REDACTED: &str = "[secret]";

/// A secret. It can be compared and used, but never appears in logs, messages or output.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps `text` as a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether `shown` is the secret. The time does not depend on where they first differ.
    pub fn is(&self, shown: &str) -> bool {
        let differences = self.0.bytes().zip(shown.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        differences == 0 && self.0.len() == shown.len()
    }

    /// The secret itself, for sending it where it is needed.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it can be sent in a header: printable ASCII without spaces.
    pub fn fits_a_header(&self) -> bool {
        self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Whether the secret is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(REDACTED)
    }
}
