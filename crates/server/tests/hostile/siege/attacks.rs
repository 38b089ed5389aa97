//! The attacks of a siege. The codes in parentheses are findings of a security review.

#[path = "../../../../engine/tests/every/riff.rs"]
mod riff;
#[path = "../../../../engine/tests/every/groups.rs"]
mod webp_groups;

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use base64_simd::STANDARD;
use retouch_engine::{Picture, codec};
use serde_json::json;

use super::{Siege, connect, edit, post};
use crate::http;

/// One kind of attack.
pub(crate) struct Attack {
    pub(crate) threads: usize,
    /// The pause between two calls of a thread.
    pub(crate) pause: Duration,
    pub(crate) strike: fn(&Siege, usize),
}

const fn attack(threads: usize, pause_ms: u64, strike: fn(&Siege, usize)) -> Attack {
    Attack { threads, pause: Duration::from_millis(pause_ms), strike }
}

/// All attacks. Those that hold connections do so for their pause.
pub(crate) const ALL: &[Attack] = &[
    attack(2, 100, empty_addresses),
    attack(2, 100, unknown_field),
    attack(2, 100, deep_instruction),
    attack(2, 20, hard_words),
    attack(12, 20, silent_addresses),
    attack(4, 50, large_addresses),
    attack(2, 10, failing_calls),
    attack(2, 50, groups_of_codes),
    attack(1, 50, large_letters),
    attack(2, 0, unread_replays),
    attack(1, 0, unread_files),
    attack(1, 0, idle_connections),
    attack(1, 0, slow_bodies),
];

/// How long connections are held at a time.
const HELD: Duration = Duration::from_secs(4);
/// How many connections are held at a time.
const CONNECTIONS: usize = 40;

/// 62 MB of JSON with one empty address after another (C1).
fn empty_addresses(siege: &Siege, number: usize) {
    let start = r#"{"instruction":"make it warmer","imageUrls":[""#;
    let body = [start, &r#"",""#.repeat(62_000_000 / 3), r#""]}"#].concat();
    let headers = [http::bearer(siege.key(number))];
    let request = http::request("POST /api/image-edit", &headers, Some(body.as_bytes()));
    siege.strike("62 MB of empty addresses", number, &request);
}

/// 8 MB of an unknown field (C1).
fn unknown_field(siege: &Siege, number: usize) {
    let zeros = "0,".repeat(4_000_000);
    let body = format!(r#"{{"instruction":"make it warmer","x":[{zeros}0]}}"#);
    let headers = [http::bearer(siege.key(number))];
    let request = http::request("POST /api/image-edit", &headers, Some(body.as_bytes()));
    siege.strike("8 MB of an unknown field", number, &request);
}

/// 8 MB of nested arrays (C1).
fn deep_instruction(siege: &Siege, number: usize) {
    let body = format!(r#"{{"instruction":{}"#, "[".repeat(8_000_000));
    let headers = [http::bearer(siege.key(number))];
    let request = http::request("POST /api/image-edit", &headers, Some(body.as_bytes()));
    siege.strike("8 MB of open brackets", number, &request);
}

/// The instruction that takes longest to read (H7).
fn hard_words(siege: &Siege, number: usize) {
    let body = json!({ "instruction": "very ".repeat(160) });
    siege.strike("words that take long", number, &post("/api/plan", siege.key(number), &body));
}

/// An address that never answers (H4).
fn silent_addresses(siege: &Siege, number: usize) {
    let address = format!("http://{}/silent", siege.host);
    let body = json!({ "model": "epsilon-image", "instruction": "sepia", "imageUrl": address });
    let request = post("/api/image-edit", siege.key(number), &body);
    siege.strike("addresses that never answer", number, &request);
}

/// Four large images for a provider that never answers (M1).
fn large_addresses(siege: &Siege, number: usize) {
    let addresses: Vec<String> =
        (0..4).map(|image| format!("http://{}/large{image}", siege.host)).collect();
    let body = json!({ "instruction": "add a hat", "imageUrls": addresses });
    let request = post("/api/image-edit", siege.key(number), &body);
    let Ok(mut stream) = connect(siege.address, 1 + number) else { return };
    if stream.write_all(&request).is_ok() {
        // The answer would take minutes. What matters is the memory that is held in the meantime.
        siege.wait(HELD);
    }
}

/// Calls that fail and leave a record each (H5).
fn failing_calls(siege: &Siege, number: usize) {
    let request = edit(siege.key(number), &STANDARD.encode_to_string(b"not an image"));
    siege.strike("calls that fail", number, &request);
}

/// WebP images with many groups of prefix codes: more groups than blocks, and the maximum number
/// allowed (C2).
fn groups_of_codes(siege: &Siege, number: usize) {
    let animated = webp_groups::animated((16, 16), 2_000);
    for picture in [webp_groups::still((256, 256), 4_096), animated] {
        let request = edit(siege.key(number), &STANDARD.encode_to_string(picture));
        siege.strike("groups of prefix codes", number, &request);
    }
}

/// Letters of 2,000 pixels across an image of 64.
fn large_letters(siege: &Siege, number: usize) {
    let words = format!("tile the watermark \"{}\" with a size of 2000px", "W".repeat(700));
    let image = STANDARD.encode_to_string(noise(64, 5));
    let body = json!({ "model": "epsilon-image", "instruction": words, "imageBase64": image });
    let request = post("/api/image-edit", siege.key(number), &body);
    siege.strike("letters larger than the picture", number, &request);
}

/// The first answer of a call, replayed again and again without reading it (H3).
fn unread_replays(siege: &Siege, number: usize) {
    hold(siege, number, &siege.replay);
}

/// A stored file that is requested but never read (H6).
fn unread_files(siege: &Siege, number: usize) {
    hold(siege, number + 2, &http::request(&format!("GET {}", siege.file), &[], None));
}

/// HTTP/2 without a request (H6; RFC 9113, section 3.4, and an empty SETTINGS frame).
fn idle_connections(siege: &Siege, number: usize) {
    hold(siege, number + 3, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
}

/// A sign-in whose body does not arrive (H6).
fn slow_bodies(siege: &Siege, number: usize) {
    let head = "POST /api/auth/sign-in HTTP/1.1\r\nHost: retouch.test\r\n\
                Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    hold(siege, number + 4, head.as_bytes());
}

/// Sends `request` on many connections and reads none of the answers.
fn hold(siege: &Siege, number: usize, request: &[u8]) {
    let open = |_| -> std::io::Result<TcpStream> {
        let mut stream = connect(siege.address, 1 + number)?;
        stream.write_all(request)?;
        Ok(stream)
    };
    let held: Vec<_> = (0..CONNECTIONS).map(open).collect();
    siege.wait(HELD);
    drop(held);
}

/// An edit whose result has several megabytes, with an idempotency key.
pub(crate) fn large_edit(key: &str) -> Vec<u8> {
    let image = STANDARD.encode_to_string(noise(1_024, 3));
    let body = json!({ "model": "epsilon-image", "instruction": "sepia", "imageBase64": image });
    let headers = [http::bearer(key), "Idempotency-Key: large".to_owned()];
    http::request("POST /api/image-edit", &headers, Some(body.to_string().as_bytes()))
}

/// A PNG that hardly compresses.
pub(crate) fn noise(side: u32, seed: u32) -> Vec<u8> {
    let pixel = |at: u32| (at.wrapping_add(seed).wrapping_mul(2_654_435_761) | 0xFF).to_be_bytes();
    let pixels = (0..side * side).flat_map(pixel).collect();
    codec::encode_png(&Picture::from_rgba(side, side, pixels).unwrap()).unwrap()
}
