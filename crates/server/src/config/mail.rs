//! How email is sent.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use retouch_core::Credits;
use retouch_outbound::mail::{Encryption, Sender};
use url::{Host, Url};

use super::Secret;
use super::duration::{CENTURY_MS, MINUTE_MS, SECOND_MS};
use super::reader::Reader;

const URL: &str = "mail.smtp_url";
/// The upper limit for sending an email, in milliseconds. Sending is retried after a minute, and each
/// attempt must end before that.
const SEND_MS_MAX: u64 = 55 * SECOND_MS;
/// What the URL of an SMTP server looks like.
const EXPECTED: &str = "expected smtp://HOST, starttls://USER:PASSWORD@HOST or \
                        smtps://USER:PASSWORD@HOST";

/// The section `[mail]`, if email is configured.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// The SMTP server.
    pub smtp: SmtpPlace,
    /// The sender.
    pub from: Sender,
    /// Certificate authorities to trust in addition to the default ones.
    pub ca_file: Option<PathBuf>,
    /// Time limit for sending one email, in milliseconds.
    pub send_ms_max: u64,
    /// Emails that may wait to be sent.
    pub queue_max: usize,
}

/// How long the links in emails are valid, in milliseconds. Known even without an SMTP server, for the
/// page that shows every email.
#[derive(Clone, Copy, Debug)]
pub struct EmailLinkAges {
    /// Of links that confirm an address.
    pub confirm_ms: i64,
    /// Of links that reset a password.
    pub reset_ms: i64,
}

impl EmailLinkAges {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let range = MINUTE_MS..=CENTURY_MS;
        Self {
            confirm_ms: reader.duration("mail.confirm_link_age_max", range.clone()),
            reset_ms: reader.duration("mail.reset_link_age_max", range),
        }
    }
}

/// The address of the SMTP server and the credentials for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpPlace {
    /// Its hostname or IP address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// The user name and password, if the server requires them.
    pub credentials: Option<(String, Secret)>,
}

impl MailSettings {
    /// The settings, if there is a server. The other required settings must then be present.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let from = reader
            .optional("mail.from", |text| text.parse::<Sender>().map_err(|it| it.to_string()));
        let ca_file = Some(reader.text("mail.smtp_ca_file")).filter(|text| !text.is_empty());
        let ca_file = ca_file.map(PathBuf::from);
        let send_ms_max = reader.duration("mail.send_time_max", 1..=SEND_MS_MAX);
        let queue_max = reader.number("mail.queue_max", 1..=1_000_000);
        let url = reader.secret(URL)?;
        // No message repeats the URL, because it may contain a password.
        let smtp = place(url.reveal()).map_err(|message| reader.refuse(URL, message)).ok();
        if reader.text("mail.from").is_empty() {
            let missing = "missing: set the sender, such as Retouch <no-reply@example.com>";
            reader.refuse_because("mail.from", missing, URL);
        }
        Some(Self { smtp: smtp?, from: from?, ca_file, send_ms_max, queue_max })
    }
}

/// Below how many credits an account is told that they run low, by email or by a webhook.
pub(super) fn low_credits(reader: &mut Reader<'_>) -> Credits {
    Credits::new(reader.number("mail.low_credits", 0..=1_000_000_000)).unwrap_or_default()
}

fn place(text: &str) -> Result<SmtpPlace, String> {
    let expected = || EXPECTED.to_owned();
    let url = Url::parse(text.trim()).map_err(|_| expected())?;
    let (encryption, port) = match url.scheme() {
        "smtp" => (Encryption::None, 25),
        "starttls" => (Encryption::StartTls, 587),
        "smtps" => (Encryption::Tls, 465),
        _ => return Err(expected()),
    };
    let host = host(&url).ok_or_else(expected)?;
    let has_more =
        !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some();
    if has_more {
        return Err(expected());
    }
    let credentials = credentials(&url)?;
    if credentials.is_some() && encryption == Encryption::None && !is_here(&host) {
        return Err(
            "the password would be sent unencrypted to another machine; use starttls:// or \
                    smtps://"
                .to_owned(),
        );
    }
    let port = url.port().unwrap_or(port);
    Ok(SmtpPlace { host, port, encryption, credentials })
}

/// The host, without the brackets around an IPv6 address.
fn host(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain("") => None,
        Host::Domain(name) => Some(name.to_owned()),
        Host::Ipv4(address) => Some(address.to_string()),
        Host::Ipv6(address) => Some(address.to_string()),
    }
}

fn credentials(url: &Url) -> Result<Option<(String, Secret)>, String> {
    let plain = |text: &str| {
        let decoded = percent_decode_str(text).decode_utf8();
        let wrong = "the user name or password is not valid UTF-8";
        decoded.map(String::from).map_err(|_| wrong.to_owned())
    };
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) if !user.is_empty() => {
            Ok(Some((plain(user)?, Secret::new(plain(password)?))))
        }
        _ => Err("expected both a user name and a password: USER:PASSWORD@HOST".to_owned()),
    }
}

fn is_here(host: &str) -> bool {
    let is_loopback = |ip: std::net::IpAddr| ip.is_loopback();
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(is_loopback)
}
