//! The real process, killed and stopped during a stream of real calls in both protocols: acknowledged
//! results are there and charged once, nothing else is charged, nothing stays held, and a webhook
//! receives an event about each.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test helpers panic on failure and print details of the run; clippy exempts only tests"
)]

#[path = "crash/backup.rs"]
mod backup;
#[path = "crash/bank.rs"]
mod bank;
#[path = "crash/books.rs"]
mod books;
#[path = "crash/calls.rs"]
mod calls;
#[path = "crash/database.rs"]
mod database;
#[path = "crash/disk.rs"]
mod disk;
#[path = "crash/http.rs"]
mod http;
#[path = "crash/journal.rs"]
mod journal;
#[path = "crash/nodes.rs"]
mod nodes;
#[path = "crash/power.rs"]
mod power;
#[path = "crash/service.rs"]
mod service;
#[path = "crash/stream.rs"]
mod stream;
#[path = "crash/vendor.rs"]
mod vendor;
#[path = "crash/video.rs"]
mod video;
#[path = "crash/watching.rs"]
mod watching;
#[path = "crash/webhook.rs"]
mod webhook;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use books::{Books, generations};
use calls::Random;
use journal::Journal;
use service::{EMAIL, Installation, Service};
use stream::{CALLERS, Stream};
use webhook::Webhook;

/// Kills in `./test`. `RETOUCH_CRASH_CYCLES` sets another number.
const CYCLES: u64 = 50;
/// The seed of the calls and of the times of the kills. `RETOUCH_CRASH_SEED` sets another.
const SEED: u64 = 20_261_122;
/// The longest time from a start after a crash to the ready line, on a busy machine.
const READY_MAX: Duration = Duration::from_secs(10);
/// The longest wait for the next event in a stream of calls.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// The most requests sent and answers received in a cycle before the process is ended.
const EVENTS_MAX: u64 = 60;
/// The longest delay between that moment and the end of the process, in microseconds, so that the
/// end can fall anywhere in the work.
const DELAY_US_MAX: u64 = 4_000;

/// More than enough credits for every call of a run.
const GRANTED: i64 = 1_000_000;
const SIGN_UP: i64 = 15;

/// A run: the service's folder and everything that the callers know.
struct Run {
    installation: Installation,
    journal: Journal,
    books: Books,
    random: Random,
    /// The account's webhook, from the first start on.
    webhook: Option<Webhook>,
}

impl Run {
    fn new(seed: u64) -> Self {
        Self::on(Installation::new(&[]), seed)
    }

    fn on(mut installation: Installation, seed: u64) -> Self {
        println!("seed {seed}");
        installation.grant(GRANTED);
        let (name, value) = webhook::LOOPBACK;
        installation.environment.push((name.to_owned(), value.to_owned()));
        let (journal, books) = (Journal::default(), Books::new(GRANTED + SIGN_UP));
        Self { installation, journal, books, random: Random::new(seed), webhook: None }
    }

    /// Starts the service, which must be ready soon and have settled everything.
    fn start(&mut self) -> Service {
        let service = self.installation.start();
        assert!(service.ready <= READY_MAX, "ready after {:?}", service.ready);
        if self.webhook.is_none() {
            self.webhook = Some(Webhook::of(&service, EMAIL, self.random.next()));
        }
        self.books.check(&service, &self.installation.key, &self.journal);
        service
    }

    /// Starts a cycle. In one of ten cycles, commands run while the service runs.
    fn begin(&mut self, cycle: u64) -> Service {
        let service = self.start();
        if cycle % 10 == 5 {
            self.grant();
            self.installation.verify();
        }
        service
    }

    /// Lets callers call until a random moment, then ends the service with `end` while they call.
    fn interrupt(&mut self, service: Service, end: impl FnOnce(Service)) {
        let ended = AtomicBool::new(false);
        let key = self.installation.key.as_str();
        let stream =
            Stream { address: service.address, key, journal: &self.journal, ended: &ended };
        let (events, happened) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..CALLERS {
                let (stream, seed, events) = (&stream, self.random.next(), events.clone());
                scope.spawn(move || stream.run(seed, &events));
            }
            drop(events);
            for _ in 0..1 + self.random.below(EVENTS_MAX) {
                happened.recv_timeout(SILENCE_MAX).unwrap();
            }
            spin(Duration::from_micros(self.random.below(DELAY_US_MAX)));
            end(service);
            ended.store(true, Ordering::Relaxed);
        });
    }

    /// Grants a few credits while the service runs.
    fn grant(&mut self) {
        self.installation.grant(5);
        self.books.granted += 5;
    }

    /// Repeats the interrupted calls, then checks everything.
    fn finish(mut self) {
        let service = self.start();
        let (key, ended) = (self.installation.key.as_str(), AtomicBool::new(false));
        let stream =
            Stream { address: service.address, key, journal: &self.journal, ended: &ended };
        stream.repeat_open();
        self.books.check_end(&service, &self.installation, &self.journal);
        let webhook = self.webhook.as_ref().unwrap();
        webhook.finish(&service);
        webhook.check(&generations(&service, key, |_| false), &self.books.charged, &self.journal);
        assert!(service.stop().success());
        let known = self.journal.lock();
        println!(
            "{} calls succeeded, {} were refused, {} answers were replays, {} deletions, {} cancels",
            known.receipts.len(),
            known.refused.len(),
            known.replays,
            known.deletions.len(),
            known.cancels.values().filter(|acknowledged| **acknowledged).count(),
        );
        assert!(known.receipts.len() > 20 && !known.refused.is_empty() && known.replays > 0);
    }
}

#[test]
#[ignore = "slow: kills the server 50 times"]
fn a_killed_service_charges_what_it_acknowledged_and_nothing_else() {
    let mut run = Run::new(seed());
    for cycle in 0..cycles(CYCLES) {
        let service = run.begin(cycle);
        run.interrupt(service, Service::kill);
    }
    run.finish();
}

#[test]
#[ignore = "slow: stops the server five times"]
fn a_stopped_service_ends_well_and_leaves_nothing_open() {
    let mut run = Run::new(seed());
    for _ in 0..5 {
        let service = run.start();
        run.interrupt(service, |service| {
            let status = service.stop();
            assert!(status.success(), "{status}");
        });
    }
    run.finish();
}

/// `RETOUCH_CRASH_CYCLES`, or else this number.
fn cycles(usual: u64) -> u64 {
    std::env::var("RETOUCH_CRASH_CYCLES").map_or(usual, |text| text.parse().unwrap())
}

/// `RETOUCH_CRASH_SEED`, or else a fixed number, so that a run does not pass or fail by chance.
fn seed() -> u64 {
    std::env::var("RETOUCH_CRASH_SEED").map_or(SEED, |text| text.parse().unwrap())
}

/// Waits in a busy loop, because a sleep would be too coarse.
fn spin(time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        std::hint::spin_loop();
    }
}
