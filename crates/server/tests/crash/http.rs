//! HTTP/1.1 over a plain socket, byte for byte, so that a test can send what no proper client would
//! and leave a call in the middle.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// How long a client waits for the next bytes. It is far longer than anything here takes, so that a
/// hanging server fails a test instead of blocking it.
pub(crate) const SILENCE_MAX: Duration = Duration::from_secs(60);

/// A connection to the service.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null if it isn't JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        Self::on(TcpStream::connect(address)?)
    }

    /// A connection on a stream that is already connected.
    pub(crate) fn on(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE_MAX))?;
        stream.set_write_timeout(Some(SILENCE_MAX))?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// The next response; an error of kind `UnexpectedEof` if the server has hung up.
    pub(crate) fn receive(&mut self) -> io::Result<Answer> {
        let head = self.head()?;
        let status = head.get(9..12).and_then(|text| text.parse().ok()).ok_or_else(broken)?;
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>())
        });
        let mut body = vec![0; length.transpose().map_err(|_| broken())?.unwrap_or(0)];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, body })
    }

    pub(crate) fn call(&mut self, request: &[u8]) -> io::Result<Answer> {
        self.send(request)?;
        self.receive()
    }

    fn head(&mut self) -> io::Result<String> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if self.stream.read_until(b'\n', &mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        String::from_utf8(head).map_err(|_| broken())
    }
}

/// The bytes of a request with these header lines. A body gets its length and type.
pub(crate) fn request(line: &str, headers: &[String], body: Option<&[u8]>) -> Vec<u8> {
    let mut head = format!("{line} HTTP/1.1\r\nHost: localhost\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    if let Some(body) = body {
        head.push_str("Content-Type: application/json\r\n");
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    [head.as_bytes(), b"\r\n", body.unwrap_or_default()].concat()
}

/// The header line with an API key.
pub(crate) fn bearer(key: &str) -> String {
    format!("Authorization: Bearer {key}")
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the answer is not HTTP")
}
