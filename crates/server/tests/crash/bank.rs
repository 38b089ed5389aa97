//! Three servers on one PostgreSQL database under load, in the manner of Jepsen: they are killed,
//! halted, stopped and cut off, their clocks are wrong, keys are revoked, and the database's server is
//! crashed, one blow after the other. At the end every answer that was given is true, nothing else is
//! charged, nothing is held, and the books agree. Without a server of PostgreSQL that may be lost nothing
//! is tested.

#[path = "bank/patron.rs"]
mod patron;
#[path = "bank/way.rs"]
mod way;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::calls::Random;
use crate::database::Database;
use crate::service::{Installation, Service};
use crate::stream::Stream;
use crate::vendor::wait_until;
use crate::{SILENCE_MAX, books, seed};
use patron::Patron;
use way::Way;

/// Blows in `./test`; `RETOUCH_BANK_BLOWS` sets another number.
const BLOWS: u64 = 24;
const SERVERS: usize = 3;
const PATRONS: usize = 4;
/// Callers of each server.
const CALLERS: usize = 4;
/// Requests sent and answers received between two blows, at most.
const EVENTS_MAX: u64 = 80;
/// How long a server is halted at most: longer than a lease and what is waited for after it.
const HALT_MS_MAX: u64 = 6_000;
/// How wrong a server's clock is at most, in seconds.
const CLOCK_S_MAX: u64 = 7_200;

/// What all servers share.
struct Shared {
    database: Database,
    installation: Installation,
    patrons: Vec<Patron>,
    clock: Option<PathBuf>,
}

/// A server's place: whoever is in it now, and its way to the database.
struct Place {
    service: Mutex<Option<Service>>,
    way: Way,
}

impl Place {
    fn new(shared: &Shared, random: &mut Random) -> Self {
        let place = Self { service: Mutex::new(None), way: Way::to(shared.database.host()) };
        *place.lock() = Some(place.start(shared, random));
        place
    }

    fn lock(&self) -> MutexGuard<'_, Option<Service>> {
        self.service.lock().unwrap()
    }

    /// Where it is reached; waits while it is being replaced.
    fn address(&self) -> SocketAddr {
        self.lock().as_ref().unwrap().address
    }

    /// Ends the process there, one way or the other, and starts another one.
    fn replace(&self, shared: &Shared, random: &mut Random, end: impl FnOnce(Service)) {
        let mut place = self.lock();
        end(place.take().unwrap());
        *place = Some(self.start(shared, random));
    }

    /// A process with this way to the database and a clock that is wrong.
    fn start(&self, shared: &Shared, random: &mut Random) -> Service {
        let address = shared.database.address_by(self.way.address);
        let mut preparation = format!("export RETOUCH_STORE__DATABASE_URL='{address}';");
        if let Some(library) = &shared.clock {
            let ahead = random.below(2 * CLOCK_S_MAX) as i64 - CLOCK_S_MAX as i64;
            preparation += &format!(
                "export LD_PRELOAD='{}' FAKETIME={ahead:+} FAKETIME_DONT_FAKE_MONOTONIC=1 \
                 DONT_FAKE_MONOTONIC=1;",
                library.display()
            );
        }
        shared.installation.start_after(&preparation)
    }
}

/// What happens to a server, to what all share, or to a patron.
fn strike(place: &Place, shared: &Shared, random: &mut Random) -> &'static str {
    match random.below(12) {
        0..=2 => {
            place.replace(shared, random, Service::kill);
            "killed"
        }
        3..=4 => {
            let halted = Duration::from_millis(random.below(HALT_MS_MAX));
            let place = place.lock();
            let service = place.as_ref().unwrap();
            service.signal("STOP");
            thread::sleep(halted);
            service.signal("CONT");
            "halted"
        }
        5 => {
            place.replace(shared, random, |service| assert!(service.stop().success()));
            "stopped"
        }
        6 => {
            place.way.cut();
            "cut off"
        }
        7 => {
            place.way.be_silent(true);
            thread::sleep(Duration::from_millis(random.below(HALT_MS_MAX)));
            place.way.be_silent(false);
            "left without an answer for a while"
        }
        8 => {
            shared.database.cut();
            "cut off with the others"
        }
        9..=10 => {
            let patron = random.below(PATRONS as u64) as usize;
            shared.patrons[patron].change_key(&shared.installation);
            "told of a revoked key, as were the others"
        }
        _ => {
            Database::crash();
            "left without its database, which crashed"
        }
    }
}

#[test]
#[ignore = "slow: strikes three servers 24 times"]
fn three_servers_that_are_struck_owe_nobody_anything() {
    let Some(database) = Database::fragile("bank") else { return };
    let blows = std::env::var("RETOUCH_BANK_BLOWS").map_or(BLOWS, |text| text.parse().unwrap());
    let seed = seed();
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let shared = shared(database);
    let places: Vec<Place> = (0..SERVERS).map(|_| Place::new(&shared, &mut random)).collect();
    let ended = AtomicBool::new(false);
    let (events, happened) = mpsc::channel();
    thread::scope(|scope| {
        for (number, place) in places.iter().cycle().take(SERVERS * CALLERS).enumerate() {
            let (patron, ended) = (&shared.patrons[number % PATRONS], &ended);
            let (events, seed) = (events.clone(), random.next());
            scope.spawn(move || {
                let (mut random, journal) = (Random::new(seed), &patron.journal);
                while !ended.load(Ordering::Relaxed) {
                    let key = &patron.key();
                    let stream = Stream { address: place.address(), key, journal, ended };
                    stream.run(random.next(), &events);
                }
            });
        }
        for blow in 0..blows {
            for _ in 0..1 + random.below(EVENTS_MAX) {
                happened.recv_timeout(SILENCE_MAX).unwrap();
            }
            let struck = random.below(SERVERS as u64) as usize;
            let how = strike(&places[struck], &shared, &mut random);
            println!("blow {blow}: server {struck} was {how}");
            if blow % 5 == 2 {
                shared.patrons[blow as usize % PATRONS].grant(&shared.installation, 5);
            }
        }
        ended.store(true, Ordering::Relaxed);
    });
    finish(&places, &shared);
}

fn shared(database: Database) -> Shared {
    let installation = Installation::new(&[
        ("RETOUCH_STORE__DATABASE_URL", &database.address()),
        ("RETOUCH_EDITS__LEASE_MS", "1500"),
        ("RETOUCH_EDITS__LEASE_RENEW_EVERY_MS", "500"),
        ("RETOUCH_EDITS__SWEEP_EVERY_MS", "100"),
    ]);
    let patrons = (0..PATRONS).map(|number| Patron::new(&installation, number)).collect();
    let clock = wrong_clock();
    println!("clocks are wrong: {}", clock.is_some());
    Shared { database, installation, patrons, clock }
}

/// The library of the package faketime, where it is installed.
fn wrong_clock() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?;
    let library = |folder: PathBuf| folder.join("faketime/libfaketime.so.1");
    folders.flatten().map(|entry| library(entry.path())).find(|library| library.exists())
}

/// Repeats what broke off, then checks everything, for every patron on every server.
fn finish(places: &[Place], shared: &Shared) {
    let (ended, mut stored) = (AtomicBool::new(false), BTreeSet::new());
    let services: Vec<Service> = places.iter().map(|place| place.lock().take().unwrap()).collect();
    let since = Instant::now();
    let held = |service: &Service, patron: &Patron| {
        service.get("/api/credits", &patron.key())["held"].as_i64().unwrap()
    };
    for patron in &shared.patrons {
        wait_until(|| held(&services[0], patron) == 0);
    }
    println!("nothing is held {:?} after the last blow", since.elapsed());
    for patron in &shared.patrons {
        let (key, journal) = (&patron.key(), &patron.journal);
        Stream { address: services[0].address, key, journal, ended: &ended }.repeat_open();
        let mut books = patron.books.lock().unwrap();
        for service in &services {
            assert_eq!(held(service, patron), 0);
            books.check(service, key, journal);
        }
        stored.extend(books.check_calls(&services[0], key, journal));
        let known = journal.lock();
        let (succeeded, refused) = (known.receipts.len(), known.refused.len());
        println!(
            "{succeeded} calls succeeded, {refused} were refused, {} answers were repetitions, {} \
             were of faults, {} deletions, {} keys were revoked",
            known.replays,
            known.faults,
            known.deletions.len(),
            known.revoked.len(),
        );
        assert!(succeeded > 10 && refused > 0 && known.replays > 0);
    }
    books::check_stored(&shared.installation, &stored);
    for service in services {
        assert!(service.stop().success());
    }
}
