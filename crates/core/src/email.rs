//! Email addresses, which identify accounts.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The maximum length of an address, in bytes (RFC 5321, 4.5.3.1.3, without the angle brackets).
const ADDRESS_BYTES_MAX: usize = 254;
/// The maximum length of the part before the `@`, in bytes (RFC 5321, 4.5.3.1.1).
const LOCAL_BYTES_MAX: usize = 64;
/// The maximum length of a domain label, in bytes (RFC 1035, 2.3.4).
const LABEL_BYTES_MAX: usize = 63;
/// A domain that no email ever reaches (RFC 2606, 2). Deleted accounts get an address in it.
const NOWHERE: &str = ".invalid";
/// Characters that an address without quotation marks cannot have before the `@` (RFC 5322, 3.2.3).
const LOCAL_REFUSED: &str = "()<>[]:;,\\\"@";

/// A well-formed email address. Two that differ only in case are equal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Email {
    written: String,
    key: String,
}

/// A text that is not an email address.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("not an email address such as name@example.com")]
pub struct NotAnEmail;

impl Email {
    /// The address as its owner wrote it, for sending mail and for showing it to them.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// The address in lower case, under which the account is stored and found.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The mailbox that the address most likely belongs to, so that one person counts once: in lower
    /// case, without a tag (`name+tag@example.com`), and at Gmail without dots, which Gmail ignores.
    pub fn mailbox(&self) -> String {
        let (local, domain) = self.key.rsplit_once('@').unwrap_or((&self.key, ""));
        let untagged = local.split_once('+').map_or(local, |(name, _)| name);
        let name = if untagged.is_empty() { local } else { untagged };
        match domain {
            "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
            _ => format!("{name}@{domain}"),
        }
    }

    /// The domain in lower case.
    pub fn domain(&self) -> &str {
        self.key.rsplit_once('@').map_or("", |(_, domain)| domain)
    }

    /// Whether no one can own the address, because its domain is reserved.
    pub fn is_nobodys(&self) -> bool {
        self.key.ends_with(NOWHERE) || self.key.ends_with("@invalid")
    }
}

impl FromStr for Email {
    type Err = NotAnEmail;

    fn from_str(text: &str) -> Result<Self, NotAnEmail> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@').ok_or(NotAnEmail)?;
        if text.len() <= ADDRESS_BYTES_MAX && is_local(local) && is_domain(domain) {
            Ok(Self { written: text.to_owned(), key: text.to_lowercase() })
        } else {
            Err(NotAnEmail)
        }
    }
}

fn is_local(text: &str) -> bool {
    let allowed = |c: char| !c.is_whitespace() && !c.is_control() && !LOCAL_REFUSED.contains(c);
    text.len() <= LOCAL_BYTES_MAX
        && text.split('.').all(|atom| !atom.is_empty() && atom.chars().all(allowed))
}

fn is_domain(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || c == '-';
    let is_label = |label: &str| {
        (1..=LABEL_BYTES_MAX).contains(&label.len())
            && label.chars().all(allowed)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.split('.').all(is_label)
}

impl PartialEq for Email {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Email {}

impl Hash for Email {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Hides the address, because debug output may end up in a log.
impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(hidden)")
    }
}

impl TryFrom<String> for Email {
    type Error = NotAnEmail;

    fn try_from(text: String) -> Result<Self, NotAnEmail> {
        text.parse()
    }
}

impl From<Email> for String {
    fn from(email: Email) -> String {
        email.written
    }
}
