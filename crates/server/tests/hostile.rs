//! A table of hostile requests, which are sent to the real process over real sockets. Each is
//! refused as its row says, and after all of them the service still works as before.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test helpers panic on failure and print details of the run; clippy exempts only tests"
)]

#[path = "hostile/addresses.rs"]
mod addresses;
#[path = "hostile/callers.rs"]
mod callers;
#[path = "hostile/connections.rs"]
mod connections;
#[path = "hostile/fields.rs"]
mod fields;
#[path = "crash/http.rs"]
mod http;
#[path = "hostile/json.rs"]
mod json;
#[path = "hostile/kinds.rs"]
mod kinds;
#[path = "hostile/outside.rs"]
mod outside;
#[path = "hostile/pictures.rs"]
mod pictures;
#[path = "hostile/row.rs"]
mod row;
#[path = "crash/service.rs"]
mod service;
#[path = "hostile/siege.rs"]
mod siege;
#[path = "hostile/streams.rs"]
mod streams;
#[path = "hostile/wire.rs"]
mod wire;

use std::fs;

use base64_simd::STANDARD;
use retouch_engine::{Picture, codec};

use http::Connection;
use outside::Trap;
use row::{Row, Sender};
use service::{Installation, Service};

/// The smallest number of rows in the table.
const ROWS_MIN: usize = 150;
/// The highest peak of the process's memory, in KiB: bodies of 64 MiB, what is parsed from them,
/// and the memory that the settings below give to edits.
const PEAK_KIB_MAX: u64 = 512 * 1024;
/// The most lines of `/metrics`. Hostile requests must not add label values.
const METRICS_LINES_MAX: usize = 1_000;
/// Sign-up credits and granted credits.
const CREDITS: i64 = 15 + 100_000;

/// Short timeouts, so that stalled requests are refused soon, and little memory.
const SETTINGS: [(&str, &str); 7] = [
    ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.77/32"),
    ("RETOUCH_FETCH__TOTAL_TIME_MAX", "3 s"),
    ("RETOUCH_SERVER__HEADER_READ_TIME_MAX", "2 s"),
    ("RETOUCH_SERVER__BODY_IDLE_MAX", "2 s"),
    ("RETOUCH_EDITS__MEMORY_MAX", "256 MiB"),
    ("RETOUCH_AUTH__SIGN_IN_ATTEMPTS_PER_MINUTE_PER_ACCOUNT", "1000"),
    ("RETOUCH_LOG__LEVEL", "debug"),
];

#[test]
#[ignore = "slow: sends hundreds of requests, some of them of 64 MiB"]
fn hostile_requests_are_refused_and_leave_nothing_behind() {
    let installation = Installation::new(&SETTINGS);
    installation.grant(CREDITS - 15);
    let service = installation.start();
    let picture = codec::encode_png(&Picture::from_rgba(2, 1, vec![90; 8]).unwrap()).unwrap();
    let picture = STANDARD.encode_to_string(picture);
    let sender = Sender { key: installation.key.clone(), picture };
    let trap = Trap::new();
    let tables: [(&str, Vec<Row>); 7] = [
        ("fields", fields::rows(&sender)),
        ("kinds", kinds::rows(&sender)),
        ("json", json::rows(&sender)),
        ("callers", callers::rows(&sender)),
        ("pictures", pictures::rows(&sender)),
        ("addresses", addresses::rows(&sender, trap.port, outside::host(trap.port))),
        ("wire", wire::rows(&sender)),
    ];
    let count: usize = tables.iter().map(|(_, rows)| rows.len()).sum();
    assert!(count >= ROWS_MIN, "only {count} rows");
    let mut wrong = Vec::new();
    for (table, rows) in &tables {
        for row in rows {
            if let Err(instead) = row.try_on(service.address) {
                wrong.push(format!("{table}: {}\n    {instead}", row.name));
            }
        }
        println!("{table}: {} rows, peak {} KiB", rows.len(), peak_kib(&service));
    }
    assert!(wrong.is_empty(), "{} of {count} rows:\n{}", wrong.len(), wrong.join("\n"));
    streams::check(service.address, &sender.key);
    trap.check();
    check(&service, &installation, &sender);
    // After a crash, the service starts again and finds nothing to settle.
    service.kill();
    let service = installation.start();
    println!("ready again after {:?}", service.ready);
    assert!(service.stop().success());
    installation.verify();
}

#[test]
#[ignore = "slow: runs all attacks for a while"]
fn a_service_of_one_gibibyte_outlives_all_attacks_at_the_same_time() {
    siege::run();
}

/// Checks that the service is up, its memory is small, only a normal edit is charged, and the
/// metrics and the log reveal nothing.
fn check(service: &Service, installation: &Installation, sender: &Sender) {
    let key = sender.key.as_str();
    let credits = service.get("/api/credits", key);
    assert_eq!((credits["available"].as_i64(), &credits["held"]), (Some(CREDITS), &0.into()));
    let peak_kib = peak_kib(service);
    assert!(peak_kib <= PEAK_KIB_MAX, "{peak_kib} KiB");
    let body = serde_json::json!({ "instruction": "sepia", "imageBase64": sender.picture });
    let headers = [http::bearer(key)];
    let edit = http::request("POST /api/image-edit", &headers, Some(body.to_string().as_bytes()));
    let answer = Connection::open(service.address).unwrap().call(&edit).unwrap();
    assert_eq!((answer.status, &answer.json()["cost"]), (200, &6.into()));
    assert_eq!(service.get("/api/credits", key)["available"], CREDITS - 6);
    let files = fs::read_dir(installation.data().join("blobs/files")).unwrap();
    assert_eq!(files.count(), 0, "a refused request left a file; the result is in the database");
    check_metrics(service);
    check_log(installation, sender);
}

fn check_metrics(service: &Service) {
    let mut connection = Connection::open(service.address).unwrap();
    let page = connection.call(&http::request("GET /metrics", &[], None)).unwrap();
    let page = String::from_utf8(page.body).unwrap();
    assert!(page.lines().count() <= METRICS_LINES_MAX, "{} lines", page.lines().count());
    assert!(page.contains("retouch_http_requests"), "{page}");
    for word in ["BREW", "passwd", "smuggled", "evil", "DROP"] {
        assert!(!page.contains(word), "{word} is in the metrics");
    }
}

/// Checks that the log, even at level `debug`, contains nothing that a caller sent.
fn check_log(installation: &Installation, sender: &Sender) {
    let log = installation.log();
    assert!(log.lines().count() > 100, "the log was not written: {log}");
    let secret = sender.key.trim_start_matches("retouch_");
    for word in
        [secret, &sender.picture, "sepia", "DROP TABLE", "correct horse", "passwd", "meta-data"]
    {
        assert!(!log.contains(word), "the log contains {word:.20}");
    }
}

/// The highest memory use of the process so far.
fn peak_kib(service: &Service) -> u64 {
    let status = fs::read_to_string(service.proc("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
