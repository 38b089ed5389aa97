//! Three servers on one PostgreSQL database under load, in the manner of Jepsen: they are killed,
//! halted, stopped and cut off, and the database's server is crashed, one blow after the other. At the
//! end every answer that was given is true, nothing else is charged, nothing is held, and the books
//! agree. Without a server of PostgreSQL that may be lost nothing is tested.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::books::Books;
use crate::calls::Random;
use crate::database::Database;
use crate::journal::Journal;
use crate::service::{Installation, Service};
use crate::stream::Stream;
use crate::vendor::wait_until;
use crate::{GRANTED, SIGN_UP, SILENCE_MAX, seed};

/// Blows in `./test`; `RETOUCH_BANK_BLOWS` sets another number.
const BLOWS: u64 = 16;
const SERVERS: usize = 3;
/// Callers of each server.
const CALLERS: u64 = 3;
/// Requests sent and answers received between two blows, at most.
const EVENTS_MAX: u64 = 80;
/// How long a server is halted at most: longer than a lease and what is waited for after it.
const HALT_MS_MAX: u64 = 6_000;

/// A server's place: whoever is in it now.
struct Place(Mutex<Option<Service>>);

impl Place {
    fn lock(&self) -> MutexGuard<'_, Option<Service>> {
        self.0.lock().unwrap()
    }

    /// Where it is reached; waits while it is being replaced.
    fn address(&self) -> SocketAddr {
        self.lock().as_ref().unwrap().address
    }

    /// Ends the process there, one way or the other, and starts another one.
    fn replace(&self, installation: &Installation, end: impl FnOnce(Service)) {
        let mut place = self.lock();
        end(place.take().unwrap());
        *place = Some(installation.start());
    }
}

/// What all servers share.
struct Shared {
    database: Database,
    installation: Installation,
}

/// What happens to a server, or to what all share.
fn strike(place: &Place, shared: &Shared, random: &mut Random) -> &'static str {
    let installation = &shared.installation;
    match random.below(9) {
        0..=2 => {
            place.replace(installation, Service::kill);
            "killed"
        }
        3..=5 => {
            let halted = Duration::from_millis(random.below(HALT_MS_MAX));
            let place = place.lock();
            let service = place.as_ref().unwrap();
            service.signal("STOP");
            thread::sleep(halted);
            service.signal("CONT");
            "halted"
        }
        6 => {
            place.replace(installation, |service| assert!(service.stop().success()));
            "stopped"
        }
        7 => {
            shared.database.cut();
            "cut off with the others"
        }
        _ => {
            Database::crash();
            "left without its database, which crashed"
        }
    }
}

#[test]
#[ignore = "slow: strikes three servers 16 times"]
fn three_servers_that_are_struck_owe_nobody_anything() {
    let Some(database) = Database::fragile("bank") else { return };
    let blows = std::env::var("RETOUCH_BANK_BLOWS").map_or(BLOWS, |text| text.parse().unwrap());
    let seed = seed();
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let installation = Installation::new(&[
        ("RETOUCH_STORE__DATABASE_URL", &database.address()),
        ("RETOUCH_EDITS__LEASE_MS", "1500"),
        ("RETOUCH_EDITS__LEASE_RENEW_EVERY_MS", "500"),
        ("RETOUCH_EDITS__SWEEP_EVERY_MS", "100"),
    ]);
    let shared = Shared { database, installation };
    let installation = &shared.installation;
    installation.grant(GRANTED);
    let places: Vec<Place> =
        (0..SERVERS).map(|_| Place(Mutex::new(Some(installation.start())))).collect();
    let journal = Journal::among_faults();
    let mut books = Books::new(GRANTED + SIGN_UP);
    let ended = AtomicBool::new(false);
    let (events, happened) = mpsc::channel();
    thread::scope(|scope| {
        for place in &places {
            for _ in 0..CALLERS {
                let (journal, ended, events) = (&journal, &ended, events.clone());
                let (key, seed) = (installation.key.as_str(), random.next());
                scope.spawn(move || {
                    let mut random = Random::new(seed);
                    while !ended.load(Ordering::Relaxed) {
                        let stream = Stream { address: place.address(), key, journal, ended };
                        stream.run(random.next(), &events);
                    }
                });
            }
        }
        for blow in 0..blows {
            for _ in 0..1 + random.below(EVENTS_MAX) {
                happened.recv_timeout(SILENCE_MAX).unwrap();
            }
            let struck = random.below(SERVERS as u64) as usize;
            let how = strike(&places[struck], &shared, &mut random);
            println!("blow {blow}: server {struck} was {how}");
            if blow % 5 == 2 {
                installation.grant(5);
                books.granted += 5;
            }
        }
        ended.store(true, Ordering::Relaxed);
    });
    finish(&places, installation, (&mut books, &journal));
}

/// Repeats what broke off, then checks everything, on every server.
fn finish(places: &[Place], installation: &Installation, (books, journal): (&mut Books, &Journal)) {
    let (key, ended) = (installation.key.as_str(), AtomicBool::new(false));
    let services: Vec<Service> = places.iter().map(|place| place.lock().take().unwrap()).collect();
    let since = Instant::now();
    let held = |service: &Service| service.get("/api/credits", key)["held"].as_i64().unwrap();
    wait_until(|| held(&services[0]) == 0);
    println!("nothing is held {:?} after the last blow", since.elapsed());
    let stream = Stream { address: services[0].address, key, journal, ended: &ended };
    stream.repeat_open();
    for service in &services {
        assert_eq!(held(service), 0);
        books.check(service, key, journal);
    }
    books.check_end(&services[0], installation, journal);
    for service in services {
        assert!(service.stop().success());
    }
    let known = journal.lock();
    let (succeeded, refused) = (known.receipts.len(), known.refused.len());
    println!(
        "{succeeded} calls succeeded, {refused} were refused, {} answers were repetitions, {} \
         were of faults, {} deletions",
        known.replays,
        known.faults,
        known.deletions.len(),
    );
    assert!(succeeded > 20 && refused > 0 && known.replays > 0);
}
