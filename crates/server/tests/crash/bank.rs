//! Three servers on one PostgreSQL database under load, in the manner of Jepsen. One fault follows
//! another: servers are killed, paused, stopped and cut off, their clocks are wrong, keys are
//! revoked, and the database server crashes. At the end, every answer and every event was true,
//! nothing else is charged, nothing is held and the ledger is correct. Does nothing without a
//! PostgreSQL server that may crash.

#[path = "bank/patron.rs"]
mod patron;
#[path = "bank/way.rs"]
mod way;

use std::collections::BTreeSet;
use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::calls::Random;
use crate::database::Database;
use crate::service::{Installation, Service};
use crate::stream::Stream;
use crate::vendor::wait_until;
use crate::{SILENCE_MAX, books, seed, webhook};
use patron::Patron;
use way::Way;

/// Faults in `./test`. `RETOUCH_BANK_BLOWS` sets another number.
const BLOWS: u64 = 24;
const SERVERS: usize = 3;
const PATRONS: usize = 4;
/// Callers per server.
const CALLERS: usize = 4;
/// The most requests sent and answers received between two faults.
const EVENTS_MAX: u64 = 80;
/// The longest pause of a server, in milliseconds: longer than a lease and the wait after it.
const HALT_MS_MAX: u64 = 6_000;
/// The largest error of a server's clock, in seconds.
const CLOCK_S_MAX: u64 = 7_200;

/// Encrypts the secrets of webhooks: 32 bytes in base64.
const SECRET_KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";

/// What all servers share.
struct Shared {
    database: Database,
    installation: Installation,
    patrons: Vec<Patron>,
    clock: Option<PathBuf>,
}

/// A server's slot: the current process, and its connection to the database.
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

    /// The address of the current process. Waits while it is being replaced.
    fn address(&self) -> SocketAddr {
        self.lock().as_ref().unwrap().address
    }

    /// Ends the current process with `end` and starts another.
    fn replace(&self, shared: &Shared, random: &mut Random, end: impl FnOnce(Service)) {
        let mut place = self.lock();
        end(place.take().unwrap());
        *place = Some(self.start(shared, random));
    }

    /// Starts a process with this connection to the database and a wrong clock.
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

/// Injects a fault into one server, into what all servers share, or into an account. Returns what
/// was done.
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
            "cut off from the database"
        }
        7 => {
            place.way.be_silent(true);
            thread::sleep(Duration::from_millis(random.below(HALT_MS_MAX)));
            place.way.be_silent(false);
            "without answers from the database for a while"
        }
        8 => {
            shared.database.cut();
            "cut off from the database, like the others"
        }
        9..=10 => {
            let patron = random.below(PATRONS as u64) as usize;
            shared.patrons[patron].change_key(&shared.installation);
            "used with a revoked key, like the others"
        }
        _ => {
            Database::crash();
            "running when the database crashed"
        }
    }
}

#[test]
#[ignore = "slow: injects 24 faults into three servers"]
fn three_servers_under_faults_keep_the_ledger_correct() {
    let Some(database) = Database::fragile("bank") else { return };
    let blows = std::env::var("RETOUCH_BANK_BLOWS").map_or(BLOWS, |text| text.parse().unwrap());
    let seed = seed();
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let shared = shared(database);
    let places: Vec<Place> = (0..SERVERS).map(|_| Place::new(&shared, &mut random)).collect();
    for patron in &shared.patrons {
        patron.listen(places[0].lock().as_ref().unwrap(), random.next());
    }
    let ended = AtomicBool::new(false);
    let (events, happened) = mpsc::channel();
    thread::scope(|scope| {
        let running = Running(&ended);
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
            println!("fault {blow}: server {struck} was {how}");
            if blow % 5 == 2 {
                shared.patrons[blow as usize % PATRONS].grant(&shared.installation, 5);
            }
        }
        drop(running);
    });
    finish(&places, &shared);
}

/// Ends the callers when it is dropped, so that a failed check does not wait for them forever.
struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn shared(database: Database) -> Shared {
    let installation = Installation::new(&[
        ("RETOUCH_STORE__DATABASE_URL", &database.address()),
        ("RETOUCH_EDITS__LEASE", "1.5 s"),
        ("RETOUCH_EDITS__LEASE_RENEW_EVERY", "500 ms"),
        ("RETOUCH_EDITS__SWEEP_EVERY", "100 ms"),
        ("RETOUCH_SERVER__SECRET_KEY", SECRET_KEY),
        webhook::LOOPBACK,
    ]);
    let patrons = (0..PATRONS).map(|number| Patron::new(&installation, number)).collect();
    let clock = wrong_clock();
    println!("clocks are wrong: {}", clock.is_some());
    Shared { database, installation, patrons, clock }
}

/// The library of the package faketime, if it is installed.
fn wrong_clock() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?;
    let library = |folder: PathBuf| folder.join("faketime/libfaketime.so.1");
    folders.flatten().map(|entry| library(entry.path())).find(|library| library.exists())
}

/// Repeats the interrupted calls, then checks everything, for every account on every server.
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
    println!("nothing was held {:?} after the last fault", since.elapsed());
    for patron in &shared.patrons {
        let (key, journal) = (&patron.key(), &patron.journal);
        Stream { address: services[0].address, key, journal, ended: &ended }.repeat_open();
        let mut books = patron.books.lock().unwrap();
        for service in &services {
            assert_eq!(held(service, patron), 0);
            books.check(service, key, journal);
        }
        stored.extend(books.check_calls(&services[0], key, journal));
        drop(books);
        patron.check_events(&services[0]);
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
    for service in services {
        assert!(service.stop().success());
    }
    remove_orphans(shared, &stored);
    books::check_stored(&shared.installation, &stored);
}

/// Lets the service look for files that belong to no call, once they are old enough. Two faults in a
/// row may leave some: a server that stood still while another one released its edit stores the
/// result when it goes on, and is killed before it deletes it.
fn remove_orphans(shared: &Shared, stored: &BTreeSet<String>) {
    let names = || books::stored_names(&shared.installation);
    let orphans = names().len() - stored.len();
    println!("{orphans} files belong to no call");
    assert!(orphans <= CALLERS, "more than the calls of one server");
    // One that is always there, so that the sweep has something to find.
    let folder = shared.installation.data().join("blobs/files");
    File::create_new(folder.join(format!("{:040x}.png", 0))).unwrap();
    for path in books::stored_files(&shared.installation).values() {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    let service = shared.installation.start();
    wait_until(|| names().len() == stored.len());
    assert!(service.stop().success());
}
