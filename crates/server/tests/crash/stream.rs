//! Many callers at the same time, some of whom hang up in the middle, until the service is gone.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::calls::{self, Random};
use crate::http::{self, Answer, Connection};
use crate::journal::{Journal, Next, Receipt, Step, path_of};

/// Callers at the same time.
pub(crate) const CALLERS: u64 = 6;

/// The pause before a caller asks again for a result.
const PAUSE: Duration = Duration::from_millis(2);

/// How a call ends if its key is refused.
const REFUSED: io::ErrorKind = io::ErrorKind::PermissionDenied;

/// The target of a stream of calls, and what is known about it.
pub(crate) struct Stream<'a> {
    pub(crate) address: SocketAddr,
    pub(crate) key: &'a str,
    pub(crate) journal: &'a Journal,
    pub(crate) ended: &'a AtomicBool,
}

/// How far a caller goes with a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Patient,
    /// Hangs up before the body is complete.
    BreaksOff,
    /// Hangs up instead of waiting for the answer.
    LooksAway,
    /// Cancels the generation, if it does not wait for the result anyway.
    Cancels,
}

/// An edit to call for.
#[derive(Clone, Copy)]
struct Call {
    number: u64,
    manner: Manner,
}

impl Stream<'_> {
    /// One caller: sends call after call on a kept connection until the stream ends. Reports every
    /// sent request and every received answer to `events`.
    pub(crate) fn run(&self, seed: u64, events: &Sender<()>) {
        let mut random = Random::new(seed);
        let mut connection = None;
        while !self.ended.load(Ordering::Relaxed) {
            let step = self.journal.lock().step(&mut random);
            let done = match &step {
                Step::Edit(number) => {
                    let manner = manner(&mut random);
                    self.edit(&mut connection, Call { number: *number, manner }, events)
                }
                Step::Delete(uuid) => self.delete(&mut connection, uuid),
            };
            let Err(error) = done else { continue };
            connection = None;
            if let Step::Edit(number) = step {
                self.journal.lock().lost(number);
            }
            // The service is gone, or the key was revoked.
            if [io::ErrorKind::ConnectionRefused, REFUSED].contains(&error.kind()) {
                return;
            }
        }
    }

    /// Repeats every call whose outcome is unknown, until it is known.
    pub(crate) fn repeat_open(&self) {
        let mut connection = Connection::open(self.address).unwrap();
        while let Some(number) = { self.journal.lock().pop_open() } {
            let answer = connection.call(&calls::edit(number, self.key)).unwrap();
            let next = self.journal.lock().answered_with(number, &answer);
            let call = Call { number, manner: Manner::Patient };
            self.go_on(&mut connection, call, next).unwrap();
        }
    }

    fn edit(
        &self,
        connection: &mut Option<Connection>,
        call: Call,
        events: &Sender<()>,
    ) -> io::Result<()> {
        let Call { number, manner } = call;
        let connection = self.connected(connection)?;
        let request = match self.journal.lock().is_known(number) {
            true => calls::edit_for_bytes(number, self.key),
            false => calls::edit(number, self.key),
        };
        let was_revoked = self.journal.lock().revoked.contains(self.key);
        if manner == Manner::BreaksOff {
            connection.send(&request[..request.len() - 40])?;
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        connection.send(&request)?;
        let _ = events.send(());
        if manner == Manner::LooksAway {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let answer = connection.receive()?;
        let _ = events.send(());
        let next = {
            let mut known = self.journal.lock();
            if known.is_refused(self.key, was_revoked, &answer) {
                return Err(REFUSED.into());
            }
            known.answered_with(number, &answer)
        };
        self.go_on(connection, call, next)
    }

    fn go_on(&self, connection: &mut Connection, call: Call, next: Next) -> io::Result<()> {
        match next {
            Next::Nothing => Ok(()),
            Next::Follow(uuid) => self.follow(connection, call, &uuid),
            Next::Fetch(paths) => self.fetch(connection, call.number, paths),
        }
    }

    /// Fetches the images of a call and finds their generations, which its answer does not name.
    fn fetch(
        &self,
        connection: &mut Connection,
        number: u64,
        paths: Vec<String>,
    ) -> io::Result<()> {
        let mut receipts = Vec::new();
        for path in paths {
            let file = connection.call(&http::request(&format!("GET {path}"), &[], None))?;
            let (200, Some(uuid)) = (file.status, self.find(connection, &path)?) else {
                // A fault.
                return Err(io::ErrorKind::Interrupted.into());
            };
            receipts.push(Receipt { uuid, path, png: file.body });
        }
        // All at the same time: what is known may be deleted by another caller.
        let mut known = self.journal.lock();
        for (index, receipt) in receipts.into_iter().enumerate() {
            known.fetched((number, index), receipt);
        }
        Ok(())
    }

    /// The generation whose image is at `path`.
    fn find(&self, connection: &mut Connection, path: &str) -> io::Result<Option<String>> {
        let mut line = "GET /api/generations?limit=100".to_owned();
        loop {
            let page = self.ask(connection, &line)?.json();
            let mut all = page["data"].as_array().into_iter().flatten();
            let is_at =
                |it: &Value| it["stored_images"][0].as_str().is_some_and(|it| it.ends_with(path));
            if let Some(found) = all.find(|generation| is_at(generation)) {
                return Ok(found["uuid"].as_str().map(str::to_owned));
            }
            let Some(cursor) = page["next_cursor"].as_str() else { return Ok(None) };
            line = format!("GET /api/generations?limit=100&cursor={cursor}");
        }
    }

    /// Cancels an accepted call or not, and asks for its result until it has ended.
    fn follow(&self, connection: &mut Connection, call: Call, uuid: &str) -> io::Result<()> {
        if call.manner == Manner::Cancels && self.cancel(connection, uuid)? {
            return Ok(());
        }
        loop {
            let answer = self.ask(connection, &format!("GET /api/generations/{uuid}"))?;
            let generation = answer.json();
            match (answer.status, generation["status"].as_str()) {
                (200, Some("processing")) => thread::sleep(PAUSE),
                (200, Some("succeeded")) => {
                    let path = path_of(generation["stored_images"][0].as_str().unwrap());
                    let request = http::request(&format!("GET {path}"), &[], None);
                    let file = connection.call(&request)?;
                    if file.status == 200 {
                        let receipt = Receipt { uuid: uuid.to_owned(), path, png: file.body };
                        self.journal.lock().fetched((call.number, 0), receipt);
                        return Ok(());
                    }
                    // Another caller has deleted it meanwhile, or there is a fault.
                    thread::sleep(PAUSE);
                }
                (200, _) => {
                    self.journal.lock().failed(call.number, &generation);
                    return Ok(());
                }
                // A fault, or another caller has deleted it.
                (404 | 500 | 503, _) => return Err(io::ErrorKind::Interrupted.into()),
                _ => panic!("generation {uuid}: {answer:?}"),
            }
        }
    }

    /// Cancels a generation. Returns whether that was acknowledged.
    fn cancel(&self, connection: &mut Connection, uuid: &str) -> io::Result<bool> {
        self.journal.lock().cancels.entry(uuid.to_owned()).or_default();
        let answer = self.ask(connection, &format!("POST /api/generations/{uuid}/cancel"))?;
        Ok(self.journal.lock().canceled(uuid, &answer))
    }

    /// Calls `line` without a body.
    fn ask(&self, connection: &mut Connection, line: &str) -> io::Result<Answer> {
        let was_revoked = self.journal.lock().revoked.contains(self.key);
        let answer = connection.call(&http::request(line, &[http::bearer(self.key)], None))?;
        match self.journal.lock().is_refused(self.key, was_revoked, &answer) {
            true => Err(REFUSED.into()),
            false => Ok(answer),
        }
    }

    fn delete(&self, connection: &mut Option<Connection>, uuid: &str) -> io::Result<()> {
        let line = format!("DELETE /api/generations/{uuid}");
        let request = http::request(&line, &[http::bearer(self.key)], None);
        let was_revoked = self.journal.lock().revoked.contains(self.key);
        let answer = self.connected(connection)?.call(&request)?;
        let mut known = self.journal.lock();
        if known.is_refused(self.key, was_revoked, &answer) {
            return Err(REFUSED.into());
        }
        known.deleted(uuid, &answer);
        Ok(())
    }

    fn connected<'c>(
        &self,
        connection: &'c mut Option<Connection>,
    ) -> io::Result<&'c mut Connection> {
        match connection {
            Some(open) => Ok(open),
            None => Ok(connection.insert(Connection::open(self.address)?)),
        }
    }
}

fn manner(random: &mut Random) -> Manner {
    match random.below(12) {
        0 => Manner::BreaksOff,
        1 => Manner::LooksAway,
        2..=4 => Manner::Cancels,
        _ => Manner::Patient,
    }
}
