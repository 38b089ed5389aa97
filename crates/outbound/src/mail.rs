//! Outgoing email by SMTP, with one connection for each message.
//!
//! A server's responses may quote email addresses, so errors contain its status code and nothing
//! else.

mod message;
mod sender;

use std::ops::RangeInclusive;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters,
};
use lettre::transport::smtp::extension::ClientId;
use thiserror::Error;

pub use message::{Message, UnsupportedRecipient, check_recipient};
pub use sender::{InvalidSender, Sender};

use crate::client::Key;

/// Status codes about problems that the operator can fix: authentication and encryption (RFC 4954,
/// 6).
const ABOUT_US: RangeInclusive<u16> = 530..=538;

/// How the connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// No encryption. Only for a server on this machine or in a private network.
    None,
    /// With TLS from the start (RFC 8314).
    Tls,
    /// With STARTTLS, which is required (RFC 3207).
    StartTls,
}

/// What an SMTP client needs.
#[derive(Clone, Debug)]
pub struct SmtpParts {
    /// The server's host name or address.
    pub host: String,
    /// The server's port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// User name and password, if the server needs them.
    pub credentials: Option<(String, Key)>,
    /// Certificate authorities to trust in addition to the default ones, as PEM.
    pub authorities_pem: Option<Vec<u8>>,
    /// The sender.
    pub from: Sender,
    /// Time limit for one email, from connecting to the server's confirmation, in milliseconds.
    pub send_ms_max: u64,
}

/// An SMTP server.
#[derive(Clone)]
pub struct Smtp {
    parts: SmtpParts,
    tls: Option<TlsParameters>,
}

/// Why no email can be sent at all: a certificate authority cannot be read.
#[derive(Debug, Error)]
#[error("cannot use the certificates in mail.smtp_ca_file: {0}")]
pub struct SmtpUnusable(String);

/// Why an email was not accepted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SendError {
    /// A later attempt may succeed.
    #[error("{0}")]
    Later(String),
    /// Every attempt will fail.
    #[error("{0}")]
    Never(String),
}

impl Smtp {
    /// The server in `parts`.
    ///
    /// # Errors
    /// [`SmtpUnusable`].
    pub fn new(parts: SmtpParts) -> Result<Self, SmtpUnusable> {
        let tls = match parts.encryption {
            Encryption::None => None,
            Encryption::Tls | Encryption::StartTls => Some(tls(&parts)?),
        };
        Ok(Self { parts, tls })
    }

    /// Sends `message`.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn send(&self, message: &Message<'_>) -> Result<(), SendError> {
        let email = message.write(&self.parts.from)?;
        self.in_time(async {
            let mut connection = self.connect().await?;
            let sent = connection.send(email.envelope(), &email.formatted()).await;
            sent.map_err(|error| about_message(&error))?;
            // The server has already accepted the email, so errors from here on do not matter.
            let _ = connection.quit().await;
            Ok(())
        })
        .await
    }

    /// Connects and signs in, and describes the connection.
    ///
    /// # Errors
    /// [`SendError::Later`].
    pub async fn probe(&self) -> Result<String, SendError> {
        self.in_time(async {
            let mut connection = self.connect().await?;
            let encrypted = if connection.is_encrypted() { "encrypted" } else { "unencrypted" };
            let known = if self.parts.credentials.is_some() { ", user accepted" } else { "" };
            let _ = connection.quit().await;
            let SmtpParts { host, port, .. } = &self.parts;
            Ok(format!("{host}:{port} responds, {encrypted}{known}"))
        })
        .await
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        let parts = &self.parts;
        let hello = ClientId::Domain(parts.from.domain().to_owned());
        let server = (parts.host.as_str(), parts.port);
        let from_start = self.tls.clone().filter(|_| parts.encryption == Encryption::Tls);
        let connecting =
            AsyncSmtpConnection::connect_tokio1(server, None, &hello, from_start, None).await;
        let mut connection = connecting.map_err(|error| about_server(&error, "the greeting"))?;
        if let Some(tls) = self.tls.clone().filter(|_| parts.encryption == Encryption::StartTls) {
            let started = connection.starttls(tls, &hello).await;
            started.map_err(|error| about_server(&error, "STARTTLS"))?;
        }
        if let Some((user, password)) = &parts.credentials {
            let both = Credentials::new(user.clone(), password.reveal().to_owned());
            let known = connection.auth(DEFAULT_MECHANISMS, &both).await;
            known.map_err(|error| about_server(&error, "authentication"))?;
        }
        Ok(connection)
    }

    async fn in_time<T>(
        &self,
        work: impl Future<Output = Result<T, SendError>>,
    ) -> Result<T, SendError> {
        let ms_max = self.parts.send_ms_max;
        match tokio::time::timeout(Duration::from_millis(ms_max), work).await {
            Ok(done) => done,
            Err(_) => Err(SendError::Later(format!("not finished within {ms_max} ms"))),
        }
    }
}

impl std::fmt::Debug for Smtp {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Smtp").field("parts", &self.parts).finish_non_exhaustive()
    }
}

fn tls(parts: &SmtpParts) -> Result<TlsParameters, SmtpUnusable> {
    let unusable = |error: SmtpError| SmtpUnusable(error.to_string());
    let mut builder =
        TlsParameters::builder(parts.host.clone()).certificate_store(CertificateStore::WebpkiRoots);
    if let Some(pem) = &parts.authorities_pem {
        builder = builder.add_root_certificate(Certificate::from_pem(pem).map_err(unusable)?);
    }
    builder.build_rustls().map_err(unusable)
}

/// An error about the server or its user. The operator may fix it, so the email waits.
fn about_server(error: &SmtpError, at: &str) -> SendError {
    SendError::Later(format!("{} during {at}", kind(error)))
}

fn about_message(error: &SmtpError) -> SendError {
    let why = format!("{} while sending the email", kind(error));
    let is_about_us = error.status().is_some_and(|code| ABOUT_US.contains(&u16::from(code)));
    if error.is_permanent() && !is_about_us { SendError::Never(why) } else { SendError::Later(why) }
}

/// What happened, without the server's words, which may quote an address.
fn kind(error: &SmtpError) -> String {
    if let Some(code) = error.status() {
        return format!("the server responded with {code}");
    }
    let what = if error.is_tls() {
        "the connection could not be encrypted"
    } else if error.is_response() {
        "the server sent an invalid SMTP response"
    } else if error.is_client() {
        "the server does not support a required feature"
    } else {
        "the connection failed"
    };
    what.to_owned()
}
