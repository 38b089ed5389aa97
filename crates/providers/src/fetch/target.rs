//! What an address asks for, judged by its text alone.

use super::FetchError;
use std::net::IpAddr;
use url::{Host, Url};

/// Where a request goes.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) host: Place,
    pub(super) port: u16,
    pub(super) is_encrypted: bool,
    /// The `Host` header: the host, with the port where it is not the scheme's own.
    pub(super) authority: String,
    /// Path and query.
    pub(super) path: String,
}

/// A host, by address or by name.
#[derive(Debug)]
pub(super) enum Place {
    Address(IpAddr),
    Name(String),
}

impl Target {
    /// Takes an address apart. The `url` crate has already turned every odd spelling of an
    /// address (octal, hexadecimal, full-width digits) into the address itself.
    pub(super) fn of(url: &Url) -> Result<Self, FetchError> {
        let is_encrypted = match url.scheme() {
            "http" => false,
            "https" => true,
            other => return Err(FetchError::Scheme { scheme: other.to_owned() }),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::UserInfo);
        }
        let host = url.host().ok_or(FetchError::NoHost)?;
        let port = url.port_or_known_default().ok_or(FetchError::NoHost)?;
        let authority = match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_string(),
        };
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        Ok(Self { host: Place::of(&host), port, is_encrypted, authority, path })
    }
}

impl Place {
    fn of(host: &Host<&str>) -> Self {
        match host {
            Host::Ipv4(address) => Self::Address((*address).into()),
            Host::Ipv6(address) => Self::Address((*address).into()),
            Host::Domain(name) => Self::Name((*name).to_owned()),
        }
    }
}
