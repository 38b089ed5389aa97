//! A text that must not be seen.

use std::fmt;

use serde::{Serialize, Serializer};

/// What is shown in a secret's place.
const REDACTED: &str = "[secret]";

/// A secret: it compares and can be used, but no log, message or document shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes `text` out of sight.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether `shown` is the secret; takes as long wherever the first difference is.
    pub fn is(&self, shown: &str) -> bool {
        let differences = self.0.bytes().zip(shown.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        differences == 0 && self.0.len() == shown.len()
    }

    /// The text itself, for whom it opens a door to.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it can be sent in a header: ASCII letters, digits and signs, no space.
    pub fn fits_a_header(&self) -> bool {
        self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Whether there is nothing to keep.
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
