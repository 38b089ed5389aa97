//! A cheap client, because it shares the cores with what it measures: one thread, prepared
//! requests, and answers that are counted but not kept.

mod chunks;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Fallible;
use crate::waits::{Waits, nanoseconds};
use chunks::Chunks;

/// The most bytes read at a time.
const READ_BYTES: usize = 256 * 1024;
/// The most bytes of an answer's head.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// The status of an answer that has no body (RFC 9110, section 15.3.5).
const NO_CONTENT: u16 = 204;
/// The longest time for an answer, in seconds: longer than any that is worth measuring.
pub(crate) const ANSWER_S_MAX: u64 = 60;

/// The same request, repeated.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// The server's address.
    pub(crate) address: SocketAddr,
    /// The request as it is sent.
    pub(crate) request: Bytes,
    /// The number of connections that send it at the same time, each waiting for its answer.
    pub(crate) connections: usize,
    /// The duration in seconds.
    pub(crate) seconds: f64,
}

/// The result of a load.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The time of each answer.
    pub(crate) waits: Waits,
    /// The total duration in seconds.
    pub(crate) took_s: f64,
}

/// Puts `load` on a server.
///
/// # Errors
/// An answer other than 200, or a broken connection.
pub(crate) fn drive(load: &Load) -> Fallible<Answered> {
    drive_all(std::slice::from_ref(load))
}

/// Puts several loads on servers at the same time.
///
/// # Errors
/// As for [`drive`].
pub(crate) fn drive_all(loads: &[Load]) -> Fallible<Answered> {
    runtime()?.block_on(async {
        let begin = Instant::now();
        let mut connections = JoinSet::new();
        for load in loads {
            let until = begin + Duration::from_secs_f64(load.seconds);
            for _ in 0..load.connections {
                connections.spawn(repeat(load.clone(), until));
            }
        }
        let mut waits = Vec::new();
        while let Some(done) = connections.join_next().await {
            waits.extend(done??);
        }
        Ok(Answered { waits: Waits::new(waits), took_s: begin.elapsed().as_secs_f64() })
    })
}

/// Sends the request once and returns the body of the answer.
///
/// # Errors
/// As for [`drive`].
pub(crate) fn once(load: &Load) -> Fallible<Vec<u8>> {
    runtime()?.block_on(async {
        let mut kept = Vec::new();
        let mut connection = Connection::open(load.address).await?;
        connection.call(&load.request, |part| kept.extend_from_slice(part)).await?.good()?;
        Ok(kept)
    })
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

async fn repeat(load: Load, until: Instant) -> Fallible<Vec<u64>> {
    let mut connection = Connection::open(load.address).await?;
    let mut waits = Vec::new();
    while Instant::now() < until {
        let began = Instant::now();
        let call = connection.call(&load.request, |_| {});
        tokio::time::timeout(Duration::from_secs(ANSWER_S_MAX), call).await??.good()?;
        waits.push(nanoseconds(began.elapsed()));
    }
    Ok(waits)
}

/// A connection that stays open between calls.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// The head of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// Whether the answer is a replay of an earlier one.
    pub(crate) is_replayed: bool,
}

impl Reply {
    fn good(self) -> Fallible<()> {
        if self.status == 200 { Ok(()) } else { Err(format!("status {}", self.status).into()) }
    }
}

impl Connection {
    /// Opens a connection.
    ///
    /// # Errors
    /// If nothing listens.
    pub(crate) async fn open(address: SocketAddr) -> Fallible<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; READ_BYTES] })
    }

    /// Sends `request` and passes the answer's body to `body`, part by part.
    ///
    /// # Errors
    /// If the connection breaks, or the answer does not say where it ends.
    pub(crate) async fn call(
        &mut self,
        request: &[u8],
        mut body: impl FnMut(&[u8]),
    ) -> Fallible<Reply> {
        self.stream.write_all(request).await?;
        let (head, filled) = self.head().await?;
        let mut rest = Rest::of(&head);
        let begun = self.buffer.get(head.bytes..filled).unwrap_or_default();
        let mut is_complete = rest.take(begun, &mut body)?;
        while !is_complete {
            let read = self.stream.read(&mut self.buffer).await?;
            let part = self.buffer.get(..read).filter(|part| !part.is_empty());
            is_complete = rest.take(part.ok_or("cut short")?, &mut body)?;
        }
        Ok(head.reply)
    }

    /// Reads until the head is complete. Also returns how much of the buffer is filled.
    async fn head(&mut self) -> Fallible<(Head, usize)> {
        let mut filled = 0;
        loop {
            let read = self.stream.read(self.buffer.get_mut(filled..).unwrap_or_default()).await?;
            filled += read;
            let start = self.buffer.get(..filled.min(HEAD_BYTES_MAX)).unwrap_or_default();
            if let Some(head) = Head::parse(start) {
                return Ok((head, filled));
            }
            if read == 0 || filled > HEAD_BYTES_MAX {
                return Err("an answer without a head".into());
            }
        }
    }
}

/// The part of a body that has not arrived yet.
enum Rest {
    /// So many bytes.
    Bytes(usize),
    /// Chunks, the last of which says so.
    Chunks(Chunks),
}

impl Rest {
    fn of(head: &Head) -> Self {
        head.body_bytes.map_or_else(|| Self::Chunks(Chunks::default()), Self::Bytes)
    }

    /// Passes what is in `part` to `body`. Returns whether the body is complete.
    fn take(&mut self, part: &[u8], body: &mut impl FnMut(&[u8])) -> Fallible<bool> {
        match self {
            Self::Bytes(missing) => {
                *missing = missing.checked_sub(part.len()).ok_or("an answer too long")?;
                body(part);
                Ok(*missing == 0)
            }
            Self::Chunks(chunks) => chunks.take(part, body),
        }
    }
}

struct Head {
    bytes: usize,
    reply: Reply,
    /// The length of the body, or `None` if it is sent in chunks.
    body_bytes: Option<usize>,
}

impl Head {
    /// The head at the beginning of `start`, if it is complete and says where the body ends.
    fn parse(start: &[u8]) -> Option<Self> {
        let end = start.windows(4).position(|four| four == b"\r\n\r\n")?;
        let text = std::str::from_utf8(start.get(..end)?).ok()?;
        let (first, lines) = text.split_once("\r\n")?;
        let status = first.split(' ').nth(1)?.parse().ok()?;
        let field = |wanted: &str| {
            let mut fields = lines.split("\r\n").filter_map(|line| line.split_once(':'));
            fields.find_map(|(name, value)| name.eq_ignore_ascii_case(wanted).then(|| value.trim()))
        };
        let is_replayed = field("idempotent-replayed") == Some("true");
        // An answer without a body has no length.
        let length = if status == NO_CONTENT { Some("0") } else { field("content-length") };
        let body_bytes = match length {
            Some(length) => Some(length.parse().ok()?),
            None if field("transfer-encoding") == Some("chunked") => None,
            None => return None,
        };
        Some(Self { bytes: end + 4, reply: Reply { status, is_replayed }, body_bytes })
    }
}
