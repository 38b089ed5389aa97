//! All attacks at the same time. Each takes memory, turns or connections from a service limited to
//! one gibibyte, while a neighbor only wants small images edited.
//!
//! `RETOUCH_SIEGE_SECONDS` sets the duration. The neighbor's latencies and the process's memory are
//! printed; latencies are not asserted, because machines differ.

#[path = "siege/attacks.rs"]
mod attacks;
#[path = "siege/host.rs"]
mod host;
#[path = "siege/neighbor.rs"]
mod neighbor;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::json;
use socket2::{Domain, Socket, Type};

use crate::http::{self, Answer, Connection, SILENCE_MAX};
use crate::peak_kib;
use crate::service::{Installation, Service};

/// The duration of the siege in `./test`, in seconds.
const SECONDS: u64 = 15;
/// The memory that the process may use: here in KiB, and below in bytes for the kernel.
const MEMORY_KIB_MAX: u64 = 1 << 20;
/// The credits of every account: enough that none runs out, however long the siege lasts.
const CREDITS: i64 = 10_000_000;
/// Accounts that attack, each from its own address.
pub(crate) const ATTACKERS: usize = 6;
/// The first bytes of the attackers' addresses, from 127.0.1.1 on. The neighbor calls from
/// 127.0.0.1.
const ATTACKERS_FROM: [u8; 3] = [127, 0, 1];

/// An operator's settings for a machine with one gibibyte.
const SETTINGS: [(&str, &str); 6] = [
    ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.77/32"),
    ("RETOUCH_SERVER__BODIES_MEMORY_MAX", "256 MiB"),
    ("RETOUCH_SERVER__BODIES_MEMORY_PER_ACCOUNT_MAX", "96 MiB"),
    ("RETOUCH_EDITS__MEMORY_MAX", "256 MiB"),
    ("RETOUCH_EDITS__VIDEO_MEMORY_MAX", "64 MiB"),
    ("RETOUCH_PROVIDERS__OPENAI__API_KEY", "key"),
];

/// The service under attack.
pub(crate) struct Siege {
    pub(crate) address: SocketAddr,
    /// A host that never sends an image, or sends large ones.
    pub(crate) host: SocketAddr,
    /// The API keys of the attackers.
    pub(crate) keys: Vec<String>,
    /// The path of a large stored image of the first attacker.
    pub(crate) file: String,
    /// The call that created that image, to be replayed.
    pub(crate) replay: Vec<u8>,
    ended: (Mutex<bool>, Condvar),
    answers: Mutex<BTreeMap<(&'static str, String), u64>>,
}

/// Runs the siege and checks that the service still works as before.
pub(crate) fn run() {
    let host = host::start();
    let provider = format!("http://{host}/silent");
    let own = [("RETOUCH_PROVIDERS__OPENAI__BASE_URL", provider.as_str())];
    let installation = Installation::new(&[&SETTINGS[..], &own[..]].concat());
    installation.grant(CREDITS);
    let keys: Vec<String> = (0..ATTACKERS).map(|number| attacker(&installation, number)).collect();
    let service = installation.start_after(&limited());
    let replay = attacks::large_edit(&keys[0]);
    let made = call(service.address, 0, &replay).unwrap();
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let file = made.json()["generation"]["stored_images"][0].as_str().unwrap().to_owned();
    let file = file.split_once("/files/").map(|(_, name)| format!("/files/{name}")).unwrap();
    let address = service.address;
    let (ended, answers) = Default::default();
    let siege = Siege { address, host, keys, file, replay, ended, answers };
    let neighbor = siege.lay(&installation.key);
    siege.report();
    neighbor.report();
    println!("peak of the process: {} KiB", peak_kib(&service));
    check(&service, &installation);
    assert!(neighbor.failed.is_empty(), "the neighbor was refused: {:?}", neighbor.failed);
    assert!(service.stop().success());
    installation.verify();
}

/// An account with credits, and its key.
fn attacker(installation: &Installation, number: usize) -> String {
    let email = format!("attacker{number}@example.com");
    let create = ["account", "create", "--email", &email, "--password-stdin"];
    installation.run(&create, crate::service::PASSWORD);
    let credits = CREDITS.to_string();
    let credits = ["--credits", &credits, "--reason", "a siege"];
    let grant = [&["credits", "grant", "--account", &email], &credits[..]].concat();
    installation.run(&grant, "");
    let key = installation.run(&["key", "create", "--account", &email, "--name", "siege"], "");
    key.trim().to_owned()
}

/// Shell commands that limit the memory of the service, with a control group if one can be created.
fn limited() -> String {
    let bytes = MEMORY_KIB_MAX * 1024;
    format!(
        "group=/sys/fs/cgroup/memory$(sed -n 's/^.*:memory://p' /proc/self/cgroup)/retouch-siege-$$; \
         if mkdir \"$group\" 2>/dev/null; then echo {bytes} >\"$group/memory.limit_in_bytes\" && \
         echo $$ >\"$group/cgroup.procs\"; fi;"
    )
}

/// Checks that the service is up, stayed within its memory, and holds nothing for an edit that has
/// ended.
fn check(service: &Service, installation: &Installation) {
    let peak_kib = peak_kib(service);
    assert!(peak_kib <= MEMORY_KIB_MAX, "{peak_kib} KiB");
    let credits = service.get("/api/credits", &installation.key);
    assert_eq!(credits["held"], 0, "{credits}");
}

impl Siege {
    /// Runs all attacks until the time is over. Returns what the neighbor experienced.
    fn lay(&self, neighbor: &str) -> neighbor::Neighbor {
        let seconds = std::env::var("RETOUCH_SIEGE_SECONDS").ok();
        let seconds = seconds.map_or(SECONDS, |text| text.parse().unwrap());
        thread::scope(|scope| {
            for attack in attacks::ALL {
                for number in 0..attack.threads {
                    scope.spawn(move || {
                        while !self.wait(attack.pause) {
                            (attack.strike)(self, number);
                        }
                    });
                }
            }
            let neighbor = scope.spawn(|| neighbor::live(self, neighbor));
            self.wait(Duration::from_secs(seconds));
            *self.ended.0.lock().unwrap() = true;
            self.ended.1.notify_all();
            neighbor.join().unwrap()
        })
    }

    /// Waits that long, or until the end. Returns whether the end has come.
    pub(crate) fn wait(&self, pause: Duration) -> bool {
        let ended = self.ended.0.lock().unwrap();
        let (ended, _) = self.ended.1.wait_timeout_while(ended, pause, |ended| !*ended).unwrap();
        *ended
    }

    /// Makes a call as the attacker `number` and counts the kind of answer.
    pub(crate) fn strike(&self, attack: &'static str, number: usize, request: &[u8]) {
        let answer = call(self.address, 1 + number % ATTACKERS, request);
        self.count(attack, &answer.map_err(|error| error.kind().to_string()));
    }

    pub(crate) fn count(&self, attack: &'static str, answer: &Result<Answer, String>) {
        let name = match answer {
            Ok(answer) => match answer.json()["error"]["code"].as_str() {
                Some(code) => format!("{} {code}", answer.status),
                None => answer.status.to_string(),
            },
            Err(error) => error.clone(),
        };
        *self.answers.lock().unwrap().entry((attack, name)).or_default() += 1;
    }

    /// The key of the attacker `number`.
    pub(crate) fn key(&self, number: usize) -> &str {
        &self.keys[number % ATTACKERS]
    }

    fn report(&self) {
        for ((attack, answer), count) in &*self.answers.lock().unwrap() {
            println!("{attack}: {count} x {answer}");
        }
    }
}

/// Calls from the address of the attacker `number`; 0 is the neighbor.
pub(crate) fn call(to: SocketAddr, number: usize, request: &[u8]) -> std::io::Result<Answer> {
    Connection::on(connect(to, number)?)?.call(request)
}

/// A connection from that address.
pub(crate) fn connect(to: SocketAddr, number: usize) -> std::io::Result<TcpStream> {
    let [a, b, c] = ATTACKERS_FROM;
    let from = match u8::try_from(number).unwrap() {
        0 => Ipv4Addr::LOCALHOST,
        number => Ipv4Addr::new(a, b, c, number),
    };
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::new(IpAddr::V4(from), 0).into())?;
    socket.connect_timeout(&to.into(), SILENCE_MAX)?;
    Ok(socket.into())
}

/// A call with a JSON body.
pub(crate) fn post(path: &str, key: &str, body: &serde_json::Value) -> Vec<u8> {
    http::request(&format!("POST {path}"), &[http::bearer(key)], Some(body.to_string().as_bytes()))
}

/// An edit by the built-in editor.
pub(crate) fn edit(key: &str, image: &str) -> Vec<u8> {
    let body = json!({ "model": "epsilon-image", "instruction": "sepia", "imageBase64": image });
    post("/api/image-edit", key, &body)
}
