//! Whether the listen address is available, or already used by this service.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// Time limit for a response, in milliseconds.
const ANSWER_MS_MAX: u64 = 2000;
/// How much of a response to read: enough to recognize this service.
const HEAD_BYTES: u64 = 1024;

/// Checks who uses `listen`.
pub(super) fn look(listen: SocketAddr) -> Result<String, String> {
    match TcpListener::bind(listen) {
        Ok(_) => Ok(format!("{listen} is available")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => match is_served(listen) {
            Ok(true) => Ok(format!("a server is running at {listen}")),
            _ => Err(format!(
                "another program uses {listen}; stop it or change RETOUCH_SERVER__LISTEN"
            )),
        },
        Err(error) => Err(format!("cannot listen on {listen}: {error}")),
    }
}

/// Whether the response to `GET /healthz` looks like this service: 200 with a request ID.
fn is_served(listen: SocketAddr) -> io::Result<bool> {
    let wait = Duration::from_millis(ANSWER_MS_MAX);
    let mut stream = TcpStream::connect_timeout(&reachable(listen), wait)?;
    stream.set_read_timeout(Some(wait))?;
    stream.set_write_timeout(Some(wait))?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut head = Vec::new();
    stream.take(HEAD_BYTES).read_to_end(&mut head)?;
    let head = String::from_utf8_lossy(&head).to_lowercase();
    Ok(head.starts_with("http/1.1 200") && head.contains("\r\nx-request-id:"))
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
