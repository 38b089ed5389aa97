//! `retouch healthcheck`: asks the server on this machine whether it is healthy, for containers that
//! have no other program.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::json;

use super::answer::{Answer, Failure};
use super::command::HealthcheckArguments;
use crate::config::{Settings, Sources};

/// Where a server says that its process responds.
pub(super) const LIVE: &str = "/healthz";
/// Where a server says whether it can serve requests.
const READY: &str = "/readyz";
/// Time limit for connecting, and for each part of a response, in milliseconds.
const ANSWER_MS_MAX: u64 = 2000;
/// How much of a response to read: more than any answer of these endpoints.
const ANSWER_BYTES_MAX: u64 = 16 * 1024;

/// Asks the server that listens on `server.listen`.
pub(super) fn check(sources: &Sources, asked: &HealthcheckArguments) -> Result<Answer, Failure> {
    let listen = Settings::load(sources)?.server.listen;
    let path = if asked.ready { READY } else { LIVE };
    ask(listen, path).map_err(Failure::Failed)?;
    let state = if asked.ready { "ready" } else { "alive" };
    let json = json!({ "address": reachable(listen), "ok": true });
    Ok(Answer::new(format!("The server at {} is {state}.\n", reachable(listen)), json))
}

/// Whether the server on `listen` answers `path` with 200.
///
/// # Errors
/// The reason, for a person.
pub(super) fn ask(listen: SocketAddr, path: &str) -> Result<(), String> {
    let address = reachable(listen);
    if listen.port() == 0 {
        return Err("server.listen uses port 0, so the server's address is unknown".to_owned());
    }
    let answer = answer(address, path).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("the server at {address} did not answer within {ANSWER_MS_MAX} ms")
        }
        _ => format!("no server answers at {address}: {error}"),
    })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer.as_str(), ""));
    match head.split(' ').nth(1) {
        // Every answer of this service has the ID of its request.
        Some("200") if head.to_lowercase().contains("\r\nx-request-id:") => Ok(()),
        Some("200") | None => Err(format!("another program is listening on {address}")),
        Some(status) => Err(format!("the server at {address} answered {status}: {}", body.trim())),
    }
}

/// The answer to `GET path`.
fn answer(address: SocketAddr, path: &str) -> io::Result<String> {
    let wait = Duration::from_millis(ANSWER_MS_MAX);
    let mut stream = TcpStream::connect_timeout(&address, wait)?;
    stream.set_read_timeout(Some(wait))?;
    stream.set_write_timeout(Some(wait))?;
    let call = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(call.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// `listen`, or the loopback address if it is a wildcard.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
