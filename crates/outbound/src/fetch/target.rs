//! Checks an address by its text alone.

use super::FetchError;
use std::net::IpAddr;
use url::{Host, Url};

/// The target of a request.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) host: TargetHost,
    pub(super) port: u16,
    pub(super) is_encrypted: bool,
    /// The `Host` header: the host, with the port unless it is the scheme's default.
    pub(super) authority: String,
    /// The path and the query.
    pub(super) path: String,
}

/// A host, as an address or a name.
#[derive(Debug)]
pub(super) enum TargetHost {
    Address(IpAddr),
    Name(String),
}

impl Target {
    /// Parses an address. The `url` crate has already converted unusual notations of IP addresses
    /// (octal, hexadecimal, full-width digits) to the address itself.
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
        Ok(Self { host: TargetHost::of(&host), port, is_encrypted, authority, path })
    }
}

impl TargetHost {
    fn of(host: &Host<&str>) -> Self {
        match host {
            Host::Ipv4(address) => Self::Address((*address).into()),
            Host::Ipv6(address) => Self::Address((*address).into()),
            Host::Domain(name) => Self::Name((*name).to_owned()),
        }
    }
}
