//! The servers that URLs lead to: a trap that the service must never reach, and a hostile host that
//! the operator allows.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use base64_simd::STANDARD;

/// The one loopback address that the service may fetch from.
const HOST: &str = "127.0.0.77:0";
/// The number of 1 MiB chunks of an endless body: more than the service may read, which is a little
/// over 20 MiB.
const ENDLESS_CHUNKS: usize = 25;

/// A server on loopback, which every trick with a URL tries to reach.
pub(crate) struct Trap {
    listener: TcpListener,
    pub(crate) port: u16,
}

impl Trap {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("0.0.0.0:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        Self { listener, port }
    }

    /// Checks that no connection was made.
    pub(crate) fn check(&self) {
        let knocked = self.listener.accept();
        assert!(
            matches!(&knocked, Err(error) if error.kind() == ErrorKind::WouldBlock),
            "{knocked:?}"
        );
    }
}

/// Starts the hostile host, which lives as long as the test.
pub(crate) fn host(trap_port: u16) -> SocketAddr {
    let listener = TcpListener::bind(HOST).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || {
                // Whether the service hangs up does not matter here.
                let _ = answer(stream?, trap_port);
                io::Result::Ok(())
            });
        }
    });
    address
}

fn answer(stream: TcpStream, trap_port: u16) -> io::Result<()> {
    let mut lines = BufReader::new(stream);
    let mut line = String::new();
    lines.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    while lines.read_line(&mut line)? > 2 {}
    let mut stream = lines.into_inner();
    if let Some(target) = path.strip_prefix("/to/") {
        let location = STANDARD.decode_to_vec(target.replace('_', "/").as_bytes()).unwrap();
        let location = String::from_utf8(location).unwrap().replace("PORT", &trap_port.to_string());
        return write!(
            stream,
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        );
    }
    misbehave(&mut stream, &path)
}

fn misbehave(stream: &mut TcpStream, path: &str) -> io::Result<()> {
    let ok = |head: &str, body: &str| format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}");
    let text = match path {
        "/html" => ok("Content-Type: image/png\r\nContent-Length: 6", "<html>"),
        "/nothing" => ok("Content-Length: 0", ""),
        "/no-content" => "HTTP/1.1 204 No Content\r\n\r\n".to_owned(),
        "/partial" => "HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nx".to_owned(),
        "/error" => "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "/compressed" => ok("Content-Encoding: gzip\r\nContent-Length: 2", "\x1f\x0b"),
        "/cut" => ok("Content-Length: 1000", "short"),
        "/vast" => ok("Content-Length: 99999999999", ""),
        "/both" => ok("Content-Length: 3\r\nTransfer-Encoding: chunked", "zzz\r\n"),
        "/no-location" => "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "/loop" => "HTTP/1.1 307 Again\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "/noise" => "\u{1}\u{2}\u{3}\r\n\r\n".to_owned(),
        "/long-head" => ok(&"X: y\r\n".repeat(100_000), ""),
        "/endless" => return endless(stream),
        // Sends nothing until the other side gives up.
        _ => return io::copy(stream, &mut io::sink()).map(drop),
    };
    stream.write_all(text.as_bytes())
}

fn endless(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    let chunk = [b"100000\r\n", vec![0; 1 << 20].as_slice(), b"\r\n"].concat();
    (0..ENDLESS_CHUNKS).try_for_each(|_| stream.write_all(&chunk))
}
