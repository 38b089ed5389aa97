//! Checks the `Host` header: at most one, and exactly one in HTTP/1.1 (RFC 9112, section 3.2).

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Version, header};

use crate::error::{ApiError, ApiResult, Code};

/// Refuses a request that a proxy and this server could take for requests to different hosts.
///
/// # Errors
/// What is wrong with the header.
pub fn check(request: &Request) -> ApiResult<()> {
    checked(request.version(), request.headers())
        .map_err(|why| ApiError::about(Code::InvalidValue, "Host", why))
}

/// Whether the request was sent to a name or an address of this machine itself.
pub fn is_loopback(parts: &Parts) -> bool {
    let named = parts.uri.authority().cloned();
    named.or_else(|| authority(&parts.headers)).is_some_and(|it| names_loopback(it.host()))
}

/// Whether `host`, as written in a URL, is this machine itself.
pub fn names_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let name = bare.trim_end_matches('.').to_ascii_lowercase();
    // RFC 6761, section 6.3.
    let is_name = name == "localhost" || name.ends_with(".localhost");
    is_name || bare.parse().is_ok_and(|address: IpAddr| address.to_canonical().is_loopback())
}

fn checked(version: Version, headers: &HeaderMap) -> Result<(), &'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let Some(host) = hosts.next() else {
        return match version {
            Version::HTTP_11 => Err("The request has no Host header. HTTP/1.1 requires one."),
            _ => Ok(()),
        };
    };
    if hosts.next().is_some() {
        return Err("The request has more than one Host header. Send exactly one.");
    }
    // The header is empty if the request target has no authority.
    if host.is_empty() || authority(headers).is_some_and(|it| !it.as_str().contains('@')) {
        return Ok(());
    }
    Err("The Host header is not a host name or an IP address, with or without a port.")
}

fn authority(headers: &HeaderMap) -> Option<Authority> {
    headers.get(header::HOST)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_loopback() {
        for host in [
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "127.0.0.1",
            "127.9.9.9",
            "[::1]",
            "[::ffff:127.0.0.1]",
        ] {
            assert!(names_loopback(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "[::2]",
            "0.0.0.0",
        ] {
            assert!(!names_loopback(host), "{host}");
        }
    }
}
