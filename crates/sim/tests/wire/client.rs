//! A client that sees everything: the bytes it received, and how the connection ended.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use retouch_sim::{Options, Sim};
use serde_json::{Value, json};

/// A wait that is longer than any response takes, unless the response never arrives.
const ANSWER_WAIT: Duration = Duration::from_secs(20);

/// A response, as far as it arrived.
#[derive(Debug)]
pub(super) struct Seen {
    /// The status, or 0 if the head of the response did not arrive completely.
    pub(super) status: u16,
    /// The head in lower case.
    pub(super) head: String,
    pub(super) body: Vec<u8>,
    /// How the connection ended.
    pub(super) end: Result<(), io::ErrorKind>,
}

impl Seen {
    fn of(bytes: &[u8], end: Result<(), io::ErrorKind>) -> Self {
        let at = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = at.map_or((&[][..], bytes), |at| (&bytes[..at], &bytes[at + 4..]));
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head, body: body.to_vec(), end }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let prefix = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(prefix.as_str()))
    }

    #[track_caller]
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// Every image of an `OpenAI` response, decoded from base64.
    #[track_caller]
    pub(super) fn pictures(&self) -> Vec<Vec<u8>> {
        let json = self.json();
        let data = json["data"].as_array().expect("a list").iter();
        let base64 = data.map(|item| item["b64_json"].as_str().expect("base64").to_owned());
        base64.map(|text| decoded(&text).expect("complete base64")).collect()
    }
}

pub(super) fn decoded(base64: &str) -> Option<Vec<u8>> {
    base64_simd::STANDARD.decode_to_vec(base64).ok()
}

/// Simulators with the default options.
pub(super) fn sim() -> Sim {
    Sim::start(Options::default()).expect("a free port")
}

/// Sends a request and reads everything that arrives, waiting at most `wait` for each piece.
pub(super) fn send(sim: &Sim, request: &[u8], wait: Duration) -> Seen {
    let mut stream = connect(sim);
    stream.set_read_timeout(Some(wait)).expect("a wait");
    stream.write_all(request).expect("the request is sent");
    let mut bytes = Vec::new();
    let end = stream.read_to_end(&mut bytes);
    Seen::of(&bytes, end.map(drop).map_err(|error| error.kind()))
}

pub(super) fn connect(sim: &Sim) -> TcpStream {
    let origin = sim.origin();
    TcpStream::connect(origin.trim_start_matches("http://")).expect("the simulator listens")
}

/// A JSON request with an arbitrary key.
pub(super) fn request(method: &str, path: &str, body: &Value) -> Vec<u8> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: sim\r\nconnection: close\r\n\
         authorization: Bearer any\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

pub(super) fn call(sim: &Sim, method: &str, path: &str, body: &Value) -> Seen {
    send(sim, &request(method, path, body), ANSWER_WAIT)
}

pub(super) fn get(sim: &Sim, path: &str) -> Seen {
    call(sim, "GET", path, &Value::Null)
}

/// An `OpenAI` order with this prompt.
pub(super) fn order(prompt: &str) -> Value {
    json!({ "model": "gpt-image-2", "prompt": prompt, "size": "64x48" })
}

/// Orders an image from the `OpenAI` simulator.
pub(super) fn generate(sim: &Sim, prompt: &str) -> Seen {
    call(sim, "POST", "/openai/v1/images/generations", &order(prompt))
}

/// Schedules a fault.
#[track_caller]
pub(super) fn plan(sim: &Sim, plan: &Value) {
    assert_eq!(call(sim, "POST", "/_sim/faults", plan).status, 201, "{plan}");
}

/// How often a provider received a prompt, and how often it did the work.
pub(super) fn counted(sim: &Sim, provider: &str, prompt: &str) -> (u64, u64) {
    let rows = get(sim, "/_sim/counts").json();
    let rows = rows.as_array().expect("a list").iter();
    let mut found = rows.filter(|row| row["provider"] == provider && row["prompt"] == prompt);
    let number = |row: &Value, name: &str| row[name].as_u64().expect("a number");
    found.next().map_or((0, 0), |row| (number(row, "received"), number(row, "worked")))
}
