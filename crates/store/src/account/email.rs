use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The longest address, in bytes (RFC 5321, section 4.5.3.1.3, without the brackets).
const BYTES_MAX: usize = 254;

/// An e-mail address as it was given; two that differ only in case are the same account.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

/// A text that cannot be an e-mail address.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("not an e-mail address of the form name@example.com, of at most {BYTES_MAX} bytes")]
pub struct NotAnEmail;

impl Email {
    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which addresses are compared.
    pub(crate) fn folded(&self) -> String {
        self.0.to_lowercase()
    }
}

impl FromStr for Email {
    type Err = NotAnEmail;

    /// Only what every address has is asked for: whether it works shows when mail is sent.
    fn from_str(text: &str) -> Result<Self, NotAnEmail> {
        let text = text.trim();
        let plain = !text.chars().any(|it| it.is_whitespace() || it.is_control());
        let (name, host) = text.rsplit_once('@').ok_or(NotAnEmail)?;
        let named = !name.is_empty() && !host.is_empty() && !name.contains('@');
        let hosted = !host.starts_with('.') && !host.ends_with('.') && !host.contains("..");
        if plain && named && hosted && text.len() <= BYTES_MAX {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotAnEmail)
        }
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
