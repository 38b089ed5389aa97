//! Mail that goes out, by SMTP: one connection for one letter.
//!
//! Here because only this crate calls out. What a server says may quote the address that it was
//! told, so that troubles name its code and nothing else.

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

pub use message::{Message, Unwritable, can_be_written_to};
pub use sender::{NotASender, Sender};

use crate::upstream::Key;

/// Answers that tell of what the operator can mend: who we are and how we come (RFC 4954, 6).
const ABOUT_US: RangeInclusive<u16> = 530..=538;

/// How a connection is kept from others' eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// Not at all: on this machine, or in a network of one's own.
    None,
    /// From the beginning (RFC 8314).
    Tls,
    /// After a greeting in clear, and never without (RFC 3207).
    StartTls,
}

/// What a post office is made of.
#[derive(Clone, Debug)]
pub struct SmtpParts {
    /// The server's name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// A user's name and password, where the server asks for them.
    pub credentials: Option<(String, Key)>,
    /// Certificates of authorities that are trusted beside the usual ones, as PEM.
    pub authorities_pem: Option<Vec<u8>>,
    /// Who writes.
    pub from: Sender,
    /// How long one letter may take from the connection to the server's word, in milliseconds.
    pub send_ms_max: u64,
}

/// The server that takes letters.
#[derive(Clone)]
pub struct Smtp {
    parts: SmtpParts,
    tls: Option<TlsParameters>,
}

/// Why letters cannot be sent at all: a certificate of an authority cannot be read.
#[derive(Debug, Error)]
#[error("the certificates of mail.smtp_ca_file cannot be used: {0}")]
pub struct SmtpUnusable(String);

/// Why a letter has not been taken.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SendError {
    /// It may be taken another time.
    #[error("{0}")]
    Later(String),
    /// It will not be taken, however often it is tried.
    #[error("{0}")]
    Never(String),
}

impl Smtp {
    /// The server that `parts` tell of.
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

    /// Hands `message` over.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn send(&self, message: &Message<'_>) -> Result<(), SendError> {
        let letter = message.write(&self.parts.from)?;
        self.in_time(async {
            let mut connection = self.connect().await?;
            let sent = connection.send(letter.envelope(), &letter.formatted()).await;
            sent.map_err(|error| about_letter(&error))?;
            // It is taken already, whatever becomes of the goodbye.
            let _ = connection.quit().await;
            Ok(())
        })
        .await
    }

    /// Greets the server, and shows the user's name and password; what was found.
    ///
    /// # Errors
    /// [`SendError::Later`].
    pub async fn greet(&self) -> Result<String, SendError> {
        self.in_time(async {
            let mut connection = self.connect().await?;
            let encrypted = if connection.is_encrypted() { "encrypted" } else { "in clear" };
            let known = if self.parts.credentials.is_some() { ", knows the user" } else { "" };
            let _ = connection.quit().await;
            let SmtpParts { host, port, .. } = &self.parts;
            Ok(format!("{host}:{port} answers, {encrypted}{known}"))
        })
        .await
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        let parts = &self.parts;
        let hello = ClientId::Domain(parts.from.domain().to_owned());
        let server = (parts.host.as_str(), parts.port);
        let at_once = self.tls.clone().filter(|_| parts.encryption == Encryption::Tls);
        let connecting =
            AsyncSmtpConnection::connect_tokio1(server, None, &hello, at_once, None).await;
        let mut connection = connecting.map_err(|error| about_server(&error, "the greeting"))?;
        if let Some(tls) = self.tls.clone().filter(|_| parts.encryption == Encryption::StartTls) {
            let started = connection.starttls(tls, &hello).await;
            started.map_err(|error| about_server(&error, "STARTTLS"))?;
        }
        if let Some((user, password)) = &parts.credentials {
            let both = Credentials::new(user.clone(), password.reveal().to_owned());
            let known = connection.auth(DEFAULT_MECHANISMS, &both).await;
            known.map_err(|error| about_server(&error, "the user's name and password"))?;
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
            Err(_) => Err(SendError::Later(format!("no end within {ms_max} ms"))),
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

/// What the server says about itself or about its user may be mended; a letter waits for that.
fn about_server(error: &SmtpError, at: &str) -> SendError {
    SendError::Later(format!("{} at {at}", kind(error)))
}

fn about_letter(error: &SmtpError) -> SendError {
    let why = format!("{} at the letter", kind(error));
    let is_about_us = error.status().is_some_and(|code| ABOUT_US.contains(&u16::from(code)));
    if error.is_permanent() && !is_about_us { SendError::Never(why) } else { SendError::Later(why) }
}

/// What happened, without the words of the server, which may quote an address.
fn kind(error: &SmtpError) -> String {
    if let Some(code) = error.status() {
        return format!("the server answered {code}");
    }
    let what = if error.is_tls() {
        "the connection could not be encrypted"
    } else if error.is_response() {
        "the server did not speak SMTP"
    } else if error.is_client() {
        "the server does not offer what is needed"
    } else {
        "the connection failed"
    };
    what.to_owned()
}
