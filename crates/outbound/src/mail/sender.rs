//! The sender of emails: a name and an address.

use std::str::FromStr;

use lettre::message::Mailbox;
use thiserror::Error;

/// A sender, such as `Retouch <no-reply@example.com>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(Mailbox);

/// The text is not a valid sender.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("expected a sender such as Retouch <no-reply@example.com>")]
pub struct InvalidSender;

impl Sender {
    /// The domain of the address.
    pub fn domain(&self) -> &str {
        self.0.email.domain()
    }

    pub(super) fn mailbox(&self) -> Mailbox {
        self.0.clone()
    }
}

impl FromStr for Sender {
    type Err = InvalidSender;

    fn from_str(text: &str) -> Result<Self, InvalidSender> {
        let mailbox: Mailbox = text.parse().map_err(|_| InvalidSender)?;
        let address: &str = mailbox.email.as_ref();
        let is_plain = address.is_ascii() && !mailbox.email.domain().starts_with('[');
        if is_plain { Ok(Self(mailbox)) } else { Err(InvalidSender) }
    }
}
