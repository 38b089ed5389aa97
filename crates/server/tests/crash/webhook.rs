//! A program that receives an account's events through a webhook. It refuses some of them, hangs up on
//! others, and checks at the end that each event was true and that none is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use base64_simd::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use crate::calls::Random;
use crate::http::{self, Answer, Connection};
use crate::journal::Journal;
use crate::service::{PASSWORD, Service};

/// The setting with which webhooks may reach this machine.
pub(crate) const LOOPBACK: (&str, &str) = ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.0/8");

/// The longest time until everything is delivered after the last call. What a node had claimed when it
/// was killed waits for a minute.
const DELIVERED_MAX: Duration = Duration::from_secs(180);
/// The pause before looking again whether it is.
const PAUSE: Duration = Duration::from_millis(20);
/// What calls with a session need.
const SAME_ORIGIN: &str = "Sec-Fetch-Site: same-origin";

/// An account's webhook.
pub(crate) struct Webhook {
    receiver: Arc<Receiver>,
    /// The path of the webhook, and a session that may use it.
    path: String,
    cookie: String,
}

struct Receiver {
    /// What signs messages.
    secret: OnceLock<hmac::Key>,
    /// Whether it accepts everything.
    is_kind: AtomicBool,
    heard: Mutex<Heard>,
}

struct Heard {
    random: Random,
    /// By the ids of events.
    events: BTreeMap<String, Event>,
    /// Messages about events that had arrived before.
    repeats: u64,
    /// What was wrong with messages.
    problems: Vec<String>,
}

struct Event {
    /// The message without the address of the generation, whose port changes with every start.
    content: Value,
    is_accepted: bool,
}

/// How a message is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reply {
    Accept,
    Refuse,
    /// It is not accepted, and the connection ends.
    HangUp,
    /// It is accepted, but the connection ends before the answer.
    Forget,
}

impl Webhook {
    /// Creates a webhook of the account with this address for the events of generations.
    pub(crate) fn of(service: &Service, email: &str, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let receiver = Arc::new(Receiver::new(seed));
        let office = Arc::clone(&receiver);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let office = Arc::clone(&office);
                // If this fails, the service is gone.
                thread::spawn(move || drop(office.talk(stream)));
            }
        });
        let cookie = sign_in(service.address, email);
        let mut webhook = Self { receiver, path: "/api/webhooks".to_owned(), cookie };
        let events = ["generation.succeeded", "generation.failed"];
        let wanted = json!({ "url": url, "events": events }).to_string();
        let made = webhook.call(service, "POST", ("", Some(wanted.as_bytes())));
        assert_eq!(made.status, 201, "{made:?}");
        let made = made.json();
        let secret = made["secret"].as_str().unwrap().strip_prefix("whsec_").unwrap();
        let secret = hmac::Key::new(hmac::HMAC_SHA256, &STANDARD.decode_to_vec(secret).unwrap());
        webhook.receiver.secret.set(secret).unwrap();
        webhook.path = format!("/api/webhooks/{}", made["id"].as_str().unwrap());
        webhook
    }

    /// Accepts everything from now on, and waits until everything is delivered.
    pub(crate) fn finish(&self, service: &Service) {
        self.receiver.is_kind.store(true, Ordering::Relaxed);
        let until = Instant::now() + DELIVERED_MAX;
        loop {
            let waiting = self.deliveries(service, "waiting");
            if waiting.is_empty() {
                break;
            }
            assert!(Instant::now() < until, "not delivered: {waiting:?}");
            // After two attempts, the next one is due in minutes.
            let tried = |it: &&Value| it["attempts"].as_i64() > Some(1) && !it["problem"].is_null();
            for delivery in waiting.iter().filter(tried) {
                let path = format!("/deliveries/{}/redeliver", delivery["id"].as_str().unwrap());
                let again = self.call(service, "POST", (&path, None));
                assert_eq!(again.status, 202, "{again:?}");
            }
            thread::sleep(PAUSE);
        }
        let failed = self.deliveries(service, "failed");
        assert!(failed.is_empty(), "given up: {failed:?}");
    }

    /// Checks that there was exactly one event about each generation, `listed` or `charged` and
    /// deleted, and that it was true.
    pub(crate) fn check(
        &self,
        listed: &BTreeMap<String, Value>,
        charged: &BTreeSet<String>,
        journal: &Journal,
    ) {
        let (heard, known) = (self.receiver.heard.lock().unwrap(), journal.lock());
        assert!(heard.problems.is_empty(), "{:?}", heard.problems);
        let mut reported = BTreeSet::new();
        for (id, event) in &heard.events {
            assert!(event.is_accepted, "{id} counts as delivered but was never accepted");
            let event = &event.content;
            let uuid = event["data"]["id"].as_str().unwrap();
            assert!(reported.insert(uuid.to_owned()), "two events about {uuid}");
            match listed.get(uuid) {
                Some(generation) => {
                    let status = generation["status"].as_str().unwrap();
                    assert_eq!(event["type"], format!("generation.{status}"), "{generation}");
                    assert_eq!(event["data"]["cost"], generation["cost"], "{generation}");
                }
                None => {
                    assert!(known.deletions.contains_key(uuid), "{uuid} does not exist: {event}");
                    assert_eq!(event["type"], "generation.succeeded", "{event}");
                }
            }
        }
        let all = listed.keys().chain(charged).cloned().collect::<BTreeSet<_>>();
        let missing: Vec<_> = all.difference(&reported).collect();
        assert!(missing.is_empty(), "no event about {missing:?}");
        println!("{} events arrived, and {} messages again", reported.len(), heard.repeats);
        assert!(heard.repeats > 0);
    }

    /// The first deliveries with this status.
    fn deliveries(&self, service: &Service, status: &str) -> Vec<Value> {
        let path = format!("/deliveries?limit=100&status={status}");
        let page = self.call(service, "GET", (&path, None));
        assert_eq!(page.status, 200, "{page:?}");
        page.json()["data"].as_array().unwrap().clone()
    }

    /// Calls a path of the webhook.
    fn call(&self, service: &Service, method: &str, rest: (&str, Option<&[u8]>)) -> Answer {
        let (path, body) = rest;
        let headers = [format!("Cookie: {}", self.cookie), SAME_ORIGIN.to_owned()];
        let request = http::request(&format!("{method} {}{path}", self.path), &headers, body);
        Connection::open(service.address).unwrap().call(&request).unwrap()
    }
}

impl Receiver {
    fn new(seed: u64) -> Self {
        let (random, events) = (Random::new(seed), BTreeMap::new());
        let heard = Heard { random, events, repeats: 0, problems: Vec::new() };
        Self { secret: OnceLock::new(), is_kind: AtomicBool::new(false), heard: Mutex::new(heard) }
    }

    /// Receives one message and answers it.
    fn talk(&self, stream: TcpStream) -> io::Result<()> {
        let mut stream = BufReader::new(stream);
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(": ") {
                headers.insert(name.to_lowercase(), value.to_owned());
            }
        }
        let length = headers.get("content-length").and_then(|text| text.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        stream.read_exact(&mut body)?;
        let body = String::from_utf8(body).map_err(io::Error::other)?;
        let status = match self.hear(&headers, &body) {
            Reply::Accept => "204 No Content",
            Reply::Refuse => "500 Internal Server Error",
            Reply::HangUp | Reply::Forget => return Ok(()),
        };
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        stream.get_mut().write_all(answer.as_bytes())
    }

    fn hear(&self, headers: &BTreeMap<String, String>, body: &str) -> Reply {
        let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
        let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
        let is_signed = is_signed(
            self.secret.get().unwrap(),
            &format!("{id}.{timestamp}.{body}"),
            &header("webhook-signature"),
        );
        let mut heard = self.heard.lock().unwrap();
        let reply = match heard.random.below(12) {
            _ if self.is_kind.load(Ordering::Relaxed) => Reply::Accept,
            0..=1 => Reply::Refuse,
            2 => Reply::HangUp,
            3 => Reply::Forget,
            _ => Reply::Accept,
        };
        if !is_signed {
            heard.problems.push(format!("{id} has no valid signature"));
        }
        let is_accepted = matches!(reply, Reply::Accept | Reply::Forget);
        let mut content: Value = serde_json::from_str(body).unwrap_or_default();
        content["data"]["url"].take();
        let Some(event) = heard.events.get_mut(&id) else {
            heard.events.insert(id, Event { content, is_accepted });
            return reply;
        };
        event.is_accepted |= is_accepted;
        let is_same = event.content == content;
        heard.repeats += 1;
        if !is_same {
            heard.problems.push(format!("{id} has arrived with two contents"));
        }
        reply
    }
}

/// Whether `signatures` has one of `text` by `secret`.
fn is_signed(secret: &hmac::Key, text: &str, signatures: &str) -> bool {
    let mut all = signatures.split(' ').filter_map(|it| it.strip_prefix("v1,"));
    all.any(|signature| {
        let signature = STANDARD.decode_to_vec(signature).unwrap_or_default();
        hmac::verify(secret, text.as_bytes(), &signature).is_ok()
    })
}

/// The cookie of a new session.
fn sign_in(address: SocketAddr, email: &str) -> String {
    let body = json!({ "email": email, "password": PASSWORD }).to_string();
    let headers = [SAME_ORIGIN.to_owned(), "Connection: close".to_owned()];
    let request = http::request("POST /api/auth/sign-in", &headers, Some(body.as_bytes()));
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(&request).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    cookie.unwrap_or_else(|| panic!("{answer}")).split(';').next().unwrap().to_owned()
}
