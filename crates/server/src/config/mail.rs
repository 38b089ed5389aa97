//! How mail goes out.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use retouch_providers::mail::{Encryption, Sender};
use url::{Host, Url};

use super::Secret;
use super::reader::Reader;

const URL: &str = "mail.smtp_url";
/// A hundred years, in milliseconds.
const CENTURY_MS: i64 = 100 * 365 * 24 * 3_600_000;
/// A letter is tried again after a minute; by then one that was begun has ended.
const SEND_MS_MAX: i64 = 55_000;
/// What an address of a server of mail looks like.
const EXPECTED: &str = "expected an address such as starttls://USER:PASSWORD@mail.example.com; the \
                        first part is smtp, starttls or smtps";

/// The section `[mail]`, where mail is sent.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// The server that takes letters.
    pub smtp: SmtpPlace,
    /// Who writes.
    pub from: Sender,
    /// Certificates of authorities that are trusted beside the usual ones.
    pub ca_file: Option<PathBuf>,
    /// How long one letter may take, in milliseconds.
    pub send_ms_max: u64,
    /// Letters that may wait to be sent.
    pub queue_max: usize,
    /// How long the link that confirms an address can be followed, in milliseconds.
    pub confirm_link_ms: i64,
    /// How long the link by which a password is reset can be followed, in milliseconds.
    pub reset_link_ms: i64,
}

/// Where the server of mail is, and how one comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpPlace {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// The user's name and password, where it asks for them.
    pub credentials: Option<(String, Secret)>,
}

impl MailSettings {
    /// The settings, where there is a server; what it needs beside that has to be there then.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let from = reader
            .optional("mail.from", |text| text.parse::<Sender>().map_err(|it| it.to_string()));
        let ca_file = Some(reader.text("mail.smtp_ca_file")).filter(|text| !text.is_empty());
        let ca_file = ca_file.map(PathBuf::from);
        let send_ms_max = reader.number("mail.send_ms_max", 1..=SEND_MS_MAX);
        let queue_max = reader.number("mail.queue_max", 1..=1_000_000);
        let confirm_link_ms = reader.number("mail.confirm_link_ms", 60_000..=CENTURY_MS);
        let reset_link_ms = reader.number("mail.reset_link_ms", 60_000..=CENTURY_MS);
        let url = reader.secret(URL)?;
        // Nothing of it is repeated: it may hold a password.
        let smtp = place(url.reveal()).map_err(|message| reader.refuse(URL, message)).ok();
        if reader.text("mail.from").is_empty() {
            let missing = "missing: say who writes, such as Retouch <no-reply@example.com>";
            reader.refuse_because("mail.from", missing, URL);
        }
        Some(Self {
            smtp: smtp?,
            from: from?,
            ca_file,
            send_ms_max,
            queue_max,
            confirm_link_ms,
            reset_link_ms,
        })
    }
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
        return Err("a password would go in clear to another machine; use starttls:// or smtps://"
            .to_owned());
    }
    let port = url.port().unwrap_or(port);
    Ok(SmtpPlace { host, port, encryption, credentials })
}

/// The host, without the brackets that an address of IPv6 has in a URL.
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
        decoded.map(String::from).map_err(|_| "the name or password is not UTF-8".to_owned())
    };
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) if !user.is_empty() => {
            Ok(Some((plain(user)?, Secret::new(plain(password)?))))
        }
        _ => Err("a name needs a password beside it: USER:PASSWORD@HOST".to_owned()),
    }
}

fn is_here(host: &str) -> bool {
    let is_loopback = |ip: std::net::IpAddr| ip.is_loopback();
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(is_loopback)
}
