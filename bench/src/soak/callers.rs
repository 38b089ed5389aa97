//! Callers of all kinds: each call is made, its answer checked, and counted.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::kept::{Edited, Kept};
use super::mix::{Bodies, Kind};
use crate::Fallible;
use crate::client::{ANSWER_S_MAX, Connection, Reply};
use crate::service::Ready;
use crate::waits::nanoseconds;

/// How much of the end of an answer's body is kept: it contains the record of the generation.
const TAIL_BYTES: usize = 8 * 1024;
/// A connection that has been idle for longer is not used again: the service closes it if no call
/// begins within `server.header_read_time_max`, 10 s.
const IDLE_MAX: Duration = Duration::from_secs(5);
/// A call that its caller began this long after it was due counts as late, in nanoseconds.
const LATE_NS: u64 = 10_000_000;

/// All callers. Clones share their state.
#[derive(Clone)]
pub(super) struct Callers(Arc<Shared>);

struct Shared {
    address: SocketAddr,
    keys: Vec<String>,
    bodies: Bodies,
    idle: Mutex<Vec<(Instant, Connection)>>,
    kept: Mutex<Kept>,
    tally: Mutex<Tally>,
}

/// What has been counted.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Every answer since the last sample: the kind of call, and the time since it was due.
    pub(super) waits: Vec<(Kind, u64)>,
    /// Edits that returned a result, per account.
    pub(super) edited: Vec<i64>,
    /// Calls that the caller began late.
    pub(super) late: u64,
    /// The number of each kind of wrong answer.
    pub(super) unexpected: BTreeMap<String, u64>,
}

/// A request, and what it is about.
struct Call {
    kind: Kind,
    account: usize,
    number: u64,
    request: String,
    kept: Option<Edited>,
}

impl Callers {
    /// Callers with the keys of a service.
    pub(super) fn new(ready: &Ready) -> Fallible<Self> {
        let (address, keys) = (ready.address, ready.keys.clone());
        let tally = Tally { edited: vec![0; keys.len()], ..Tally::default() };
        Ok(Self(Arc::new(Shared {
            address,
            keys,
            bodies: Bodies::make()?,
            idle: Mutex::default(),
            kept: Mutex::default(),
            tally: Mutex::new(tally),
        })))
    }

    /// Makes the call with this number, which was due then.
    pub(super) async fn call(&self, number: u64, due: Instant) {
        let call = self.0.call_of(number);
        let late = nanoseconds(due.elapsed()) > LATE_NS;
        let made = tokio::time::timeout(Duration::from_secs(ANSWER_S_MAX), self.0.make(&call));
        let (reply, tail) = match made.await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return self.unexpected(call.kind, &error.to_string()),
            Err(_) => return self.unexpected(call.kind, "no answer in time"),
        };
        let wait = nanoseconds(due.elapsed());
        let kind = call.kind;
        if let Err(why) = self.0.judge(call, reply, &tail) {
            self.unexpected(kind, &why);
        }
        let mut tally = self.tally();
        tally.waits.push((kind, wait));
        tally.late += u64::from(late);
    }

    /// What has been counted.
    pub(super) fn tally(&self) -> MutexGuard<'_, Tally> {
        held(&self.0.tally)
    }

    /// Counts a call that ended without an answer or an error.
    pub(super) fn broke_off(&self) {
        *self.tally().unexpected.entry("a call: broken off".to_owned()).or_default() += 1;
    }

    fn unexpected(&self, kind: Kind, why: &str) {
        let what = format!("{}: {why}", kind.name());
        *self.tally().unexpected.entry(what).or_default() += 1;
    }
}

impl Shared {
    fn call_of(&self, number: u64) -> Call {
        let kind = Kind::of(number);
        let account = usize::try_from(number).unwrap_or(0) % self.keys.len();
        let kept = match kind {
            Kind::Replay | Kind::Download => held(&self.kept).take(),
            Kind::Deletion => held(&self.kept).take_to_delete(),
            _ => None,
        };
        let Some(edited) = kept else {
            // At the beginning, there is no earlier result to come back to.
            let kind = if kind.is_edit() { kind } else { Kind::Balance };
            let request = if kind.is_edit() {
                self.edit(kind, account, number)
            } else {
                self.bare("GET", "/api/credits", account)
            };
            return Call { kind, account, number, request, kept: None };
        };
        let account = edited.account;
        let request = match kind {
            Kind::Replay => self.edit(edited.kind, account, edited.number),
            Kind::Deletion => {
                self.bare("DELETE", &format!("/api/generations/{}", edited.uuid), account)
            }
            _ => self.bare("GET", &edited.path, account),
        };
        Call { kind, account, number, request, kept: Some(edited) }
    }

    fn edit(&self, kind: Kind, account: usize, number: u64) -> String {
        let body = self.bodies.of(kind, number);
        let head = self.head("POST", "/api/image-edit", account);
        format!(
            "{head}content-type: application/json\r\nidempotency-key: soak-{number}\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    fn bare(&self, method: &str, path: &str, account: usize) -> String {
        self.head(method, path, account) + "\r\n"
    }

    fn head(&self, method: &str, path: &str, account: usize) -> String {
        let (address, key) = (self.address, self.keys.get(account).map_or("", |key| key));
        format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n")
    }

    async fn make(&self, call: &Call) -> Fallible<(Reply, Vec<u8>)> {
        // The connection that was returned last is taken first. If it is too old, all of them are.
        let idle = held(&self.idle).pop().filter(|(since, _)| since.elapsed() < IDLE_MAX);
        let mut connection = match idle {
            Some((_, connection)) => connection,
            None => {
                held(&self.idle).clear();
                Connection::open(self.address).await?
            }
        };
        let mut tail = Vec::new();
        let reply = connection.call(call.request.as_bytes(), |part| {
            let from = part.len().saturating_sub(TAIL_BYTES);
            tail.extend_from_slice(part.get(from..).unwrap_or_default());
            let surplus = tail.len().saturating_sub(TAIL_BYTES);
            tail.drain(..surplus);
        });
        let reply = reply.await?;
        held(&self.idle).push((Instant::now(), connection));
        Ok((reply, tail))
    }

    /// Whether the answer is correct. An edit that it has made is remembered.
    fn judge(&self, call: Call, reply: Reply, tail: &[u8]) -> Result<(), String> {
        let tail = String::from_utf8_lossy(tail);
        let (status, code) = call.kind.answer();
        if reply.status != status || !tail.contains(code) {
            return Err(format!("status {}", reply.status));
        }
        if reply.is_replayed != (call.kind == Kind::Replay) {
            return Err("the answer is wrongly marked as a replay or as new".into());
        }
        let Call { kind, account, number, kept, .. } = call;
        if kind.is_edit() && status == 200 {
            let mut tally = held(&self.tally);
            tally.edited.iter_mut().skip(account).take(1).for_each(|count| *count += 1);
            let uuid = between(&tail, "\"uuid\":\"").ok_or("no generation in the answer")?;
            let url = between(&tail, "\"stored_images\":[\"").ok_or("no result in the answer")?;
            let path = url.find("/files/").and_then(|at| url.get(at..)).ok_or("no path")?;
            let (uuid, path) = (uuid.to_owned(), path.to_owned());
            held(&self.kept).put(Edited { account, kind, number, uuid, path });
        } else if let Some(kept) = kept.filter(|_| kind != Kind::Deletion) {
            held(&self.kept).put(kept);
        }
        Ok(())
    }
}

/// The text after the last `start`, up to a quotation mark.
fn between<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.rsplit_once(start)?.1.split('"').next()
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The counts are correct even if another thread has panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
