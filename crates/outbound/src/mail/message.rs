//! An email as it is written: its headers and its text.

use std::time::{Duration, SystemTime};

use lettre::Address;
use lettre::message::header::{
    ContentTransferEncoding, ContentType, Header, HeaderName, HeaderValue, MIME_VERSION_1_0,
};
use lettre::message::{Body, Mailbox, Message as Written};
use retouch_core::{Email, Timestamp};
use thiserror::Error;
use url::Host;

use super::{SendError, Sender};

/// Longest line of an email, in bytes, without the line end (RFC 5322, 2.1.1).
const LINE_BYTES_MAX: usize = 998;

/// An email to one person.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The message ID. It is the same in every attempt, so that duplicates can be recognized.
    pub id: &'a str,
    /// The recipient.
    pub to: &'a Email,
    /// The subject.
    pub subject: &'a str,
    /// The text, in lines that end with `\n`.
    pub text: &'a str,
    /// The date.
    pub at: Timestamp,
}

/// An address to which no email can be sent.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("email can only be sent to addresses with plain ASCII characters before the @")]
pub struct UnsupportedRecipient;

/// Checks whether email can be sent to `email`. Non-ASCII characters are fine in the domain, which
/// has an ASCII form (RFC 5891), but not before the @, where few servers accept them (RFC 6531).
///
/// # Errors
/// [`UnsupportedRecipient`].
pub fn check_recipient(email: &Email) -> Result<(), UnsupportedRecipient> {
    address(email).map(drop)
}

impl Message<'_> {
    pub(super) fn write(&self, from: &Sender) -> Result<Written, SendError> {
        let never = |why: String| SendError::Never(why);
        let to = address(self.to).map_err(|error| never(error.to_string()))?;
        let since = Duration::from_millis(u64::try_from(self.at.0).unwrap_or(0));
        Written::builder()
            .from(from.mailbox())
            .to(Mailbox::new(None, to))
            .subject(self.subject)
            .date(SystemTime::UNIX_EPOCH + since)
            .message_id(Some(format!("<{}@{}>", self.id, from.domain())))
            .header(AutoSubmitted)
            .header(MIME_VERSION_1_0)
            .header(ContentType::TEXT_PLAIN)
            .body(plain(self.text))
            .map_err(|error| never(error.to_string()))
    }
}

/// The text without an encoding if it is ASCII. An encoding would break long links into several
/// lines, and not every program joins them again.
fn plain(text: &str) -> Body {
    let text = text.replace('\n', "\r\n");
    let fits = text.is_ascii() && text.lines().all(|line| line.len() <= LINE_BYTES_MAX);
    if fits {
        Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new(text)
    }
}

/// The address in ASCII.
fn address(email: &Email) -> Result<Address, UnsupportedRecipient> {
    let (local, domain) = email.as_str().rsplit_once('@').ok_or(UnsupportedRecipient)?;
    let domain = match Host::parse(domain) {
        Ok(Host::Domain(domain)) => domain,
        _ => return Err(UnsupportedRecipient),
    };
    if !local.is_ascii() {
        return Err(UnsupportedRecipient);
    }
    Address::new(local, domain).map_err(|_| UnsupportedRecipient)
}

/// Marks the email as automatic, so that it gets no automatic replies (RFC 3834, 5).
#[derive(Clone, Copy)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}
