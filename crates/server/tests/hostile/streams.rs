//! One connection of HTTP/2 with more calls on it than are taken at once, frame by frame: the clients at
//! hand hold themselves to what the service announces.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use crate::http::{SILENCE_MAX, bearer};

/// How many calls at once a connection may have.
const STREAMS_MAX: u32 = 100;

// RFC 9113, sections 3.4, 6 and 7.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const END_HEADERS: u8 = 4;
const MAX_CONCURRENT_STREAMS: u8 = 3;
const REFUSED_STREAM: u32 = 7;

/// Begins a hundred edits whose bodies never come, and one more, which alone is refused: in the way that
/// tells the caller that nothing of it was done (RFC 9113, section 8.7).
pub(crate) fn check(address: SocketAddr, key: &str) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(SILENCE_MAX)).unwrap();
    let mut sent = [PREFACE, &frame(SETTINGS, (0, 0), &[])].concat();
    for number in 0..=STREAMS_MAX {
        sent.extend(frame(HEADERS, (END_HEADERS, 2 * number + 1), &head(key)));
    }
    stream.write_all(&sent).unwrap();
    let (mut announced, mut refused) = (None, None);
    while announced.is_none() || refused.is_none() {
        let (kind, number, payload) = receive(&mut stream);
        match kind {
            SETTINGS if announced.is_none() => announced = Some(streams_max(&payload)),
            RST_STREAM => refused = Some((number, payload)),
            _ => {}
        }
    }
    assert_eq!(announced.flatten(), Some(STREAMS_MAX));
    let reason = REFUSED_STREAM.to_be_bytes().to_vec();
    assert_eq!(refused, Some((2 * STREAMS_MAX + 1, reason)));
}

fn frame(kind: u8, (flags, number): (u8, u32), payload: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = (payload.len() as u32).to_be_bytes();
    [&length, &[kind, flags][..], &number.to_be_bytes(), payload].concat()
}

fn receive(stream: &mut TcpStream) -> (u8, u32, Vec<u8>) {
    let mut head = [0; 9];
    stream.read_exact(&mut head).unwrap();
    let [high, middle, low, kind, _, number @ ..] = head;
    let mut payload = vec![0; u32::from_be_bytes([0, high, middle, low]) as usize];
    stream.read_exact(&mut payload).unwrap();
    (kind, u32::from_be_bytes(number), payload)
}

/// The head of an edit, none of it compressed but for what the static table has (RFC 7541, appendix A).
fn head(key: &str) -> Vec<u8> {
    const POST: u8 = 0x83;
    const HTTP: u8 = 0x86;
    const PATH: u8 = 4;
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

/// A field that is not put into any table, its name from the static one: four bits of the name's number
/// fit the first byte, the rest follows (RFC 7541, sections 5.1 and 6.2.2).
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

/// What the service announces, among pairs of a number of 16 bits and a value of 32.
fn streams_max(settings: &[u8]) -> Option<u32> {
    let pairs = settings.as_chunks::<6>().0;
    pairs.iter().find_map(|[high, low, value @ ..]| {
        ([*high, *low] == [0, MAX_CONCURRENT_STREAMS]).then(|| u32::from_be_bytes(*value))
    })
}
