//! HTTP/2 frame by frame, and one connection with more calls than are accepted at a time. Existing
//! clients don't do that, because they obey the limit that the service announces.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use crate::http::{SILENCE_MAX, bearer};

/// The number of concurrent calls that a connection may have.
const STREAMS_MAX: u32 = 100;

// RFC 9113, sections 3.4, 6 and 7.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
pub(crate) const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const MAX_CONCURRENT_STREAMS: u8 = 3;
const INITIAL_WINDOW_SIZE: u8 = 4;
const REFUSED_STREAM: u32 = 7;
// RFC 7541, appendix A.
const HTTP: u8 = 0x86;
const PATH: u8 = 4;

/// An HTTP/2 connection.
pub(crate) struct Frames(TcpStream);

/// A frame from the service.
pub(crate) struct Frame {
    pub(crate) kind: u8,
    flags: u8,
    number: u32,
    payload: Vec<u8>,
}

impl Frames {
    pub(crate) fn open(address: SocketAddr) -> Self {
        Self::with_settings(address, &[])
    }

    /// A connection whose streams have a closed window.
    pub(crate) fn shut(address: SocketAddr) -> Self {
        Self::with_settings(address, &[0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0])
    }

    fn with_settings(address: SocketAddr, settings: &[u8]) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(SILENCE_MAX)).unwrap();
        stream.write_all(&[PREFACE, &frame(SETTINGS, 0, 0, settings)].concat()).unwrap();
        Self(stream)
    }

    /// Requests `path` on the stream with this number.
    pub(crate) fn get(&mut self, number: u32, path: &str) {
        const GET: u8 = 0x82;
        const AUTHORITY: u8 = 1;
        let head = [vec![GET, HTTP], field(PATH, path), field(AUTHORITY, "localhost")].concat();
        self.0.write_all(&frame(HEADERS, END_HEADERS | END_STREAM, number, &head)).unwrap();
    }

    /// The next frame; none if the connection has ended. Acknowledges pings and settings.
    pub(crate) fn receive(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.0.read_exact(&mut head).ok()?;
        let [high, middle, low, kind, flags, number @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, high, middle, low]) as usize];
        self.0.read_exact(&mut payload).ok()?;
        if [PING, SETTINGS].contains(&kind) && flags & ACK == 0 {
            let echo = if kind == PING { payload.as_slice() } else { &[] };
            // The service may have closed the connection by now.
            let _ = self.0.write_all(&frame(kind, ACK, 0, echo));
        }
        Some(Frame { kind, flags, number: u32::from_be_bytes(number), payload })
    }
}

impl Frame {
    /// Whether this is a keep-alive ping from the service.
    pub(crate) fn is_ping(&self) -> bool {
        self.kind == PING && self.flags & ACK == 0
    }
}

/// Starts a hundred edits whose bodies never arrive, and one more. Only that one is refused, in the
/// way that tells the caller that no work was done (RFC 9113, section 8.7).
pub(crate) fn check(address: SocketAddr, key: &str) {
    let mut connection = Frames::open(address);
    let mut sent = Vec::new();
    for number in 0..=STREAMS_MAX {
        sent.extend(frame(HEADERS, END_HEADERS, 2 * number + 1, &head(key)));
    }
    connection.0.write_all(&sent).unwrap();
    let (mut announced, mut refused) = (None, None);
    while announced.is_none() || refused.is_none() {
        let received = connection.receive().unwrap();
        match received.kind {
            SETTINGS if announced.is_none() => announced = Some(streams_max(&received.payload)),
            RST_STREAM => refused = Some((received.number, received.payload)),
            _ => {}
        }
    }
    assert_eq!(announced.flatten(), Some(STREAMS_MAX));
    let reason = REFUSED_STREAM.to_be_bytes().to_vec();
    assert_eq!(refused, Some((2 * STREAMS_MAX + 1, reason)));
}

fn frame(kind: u8, flags: u8, number: u32, payload: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = (payload.len() as u32).to_be_bytes();
    [&length, &[kind, flags][..], &number.to_be_bytes(), payload].concat()
}

/// The head of an edit. Only entries of the static table are compressed (RFC 7541, appendix A).
fn head(key: &str) -> Vec<u8> {
    const POST: u8 = 0x83;
    const AUTHORIZATION: u8 = 23;
    const CONTENT_TYPE: u8 = 31;
    let bearer = bearer(key);
    let (_, authorization) = bearer.split_once(": ").unwrap();
    let mut head = vec![POST, HTTP];
    head.extend(field(PATH, "/api/image-edit"));
    head.extend(field(AUTHORIZATION, authorization));
    head.extend(field(CONTENT_TYPE, "application/json"));
    head
}

/// A field that is added to no table, with a name from the static table: four bits of the name's
/// index fit into the first byte, and the rest follows (RFC 7541, sections 5.1 and 6.2.2).
fn field(name: u8, value: &str) -> Vec<u8> {
    const FOUR_BITS: u8 = 15;
    let mut field = match name.checked_sub(FOUR_BITS) {
        None => vec![name],
        Some(rest) => vec![FOUR_BITS, rest],
    };
    field.push(u8::try_from(value.len()).ok().filter(|length| *length < 127).unwrap());
    field.extend_from_slice(value.as_bytes());
    field
}

/// The limit that the service announces, found among pairs of a 16-bit identifier and a 32-bit
/// value.
fn streams_max(settings: &[u8]) -> Option<u32> {
    let pairs = settings.as_chunks::<6>().0;
    pairs.iter().find_map(|[high, low, value @ ..]| {
        ([*high, *low] == [0, MAX_CONCURRENT_STREAMS]).then(|| u32::from_be_bytes(*value))
    })
}
