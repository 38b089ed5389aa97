//! A thousand streams of events on one server: what they cost while nothing happens, and that each
//! has the end.

use std::io::Read;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::http::{self, SILENCE_MAX};
use crate::service::Service;
use crate::vendor::{Run, wait_until};

const STREAMS: usize = 1_000;
/// How often the provider is polled before the work is done: long enough to open the streams.
const POLL_ROUNDS: u32 = 25;
/// The most memory that they may take together with their connections, which take nearly all of it:
/// about 14 KB each, whether optimized or not.
const BYTES_MAX: usize = 20_000_000;

#[test]
#[ignore = "slow: opens a thousand connections and waits for the provider's task"]
fn a_thousand_idle_streams_take_little_memory() {
    let run = Run::of(
        POLL_ROUNDS,
        &[
            ("RETOUCH_SERVER__EVENT_STREAMS_MAX", "1000"),
            ("RETOUCH_SERVER__EVENT_STREAMS_PER_ACCOUNT_MAX", "1000"),
            ("RETOUCH_SERVER__CONNECTIONS_MAX", "1100"),
            ("RETOUCH_SERVER__CONNECTIONS_PER_ADDRESS_MAX", "0"),
        ],
    );
    let service = run.installation.start();
    let key = run.installation.key.as_str();
    let accepted = run.begin(service.address);
    assert_eq!(accepted.status, 202, "{accepted:?}");
    let uuid = accepted.json()["generation"]["uuid"].as_str().unwrap().to_owned();
    let line = format!("GET /api/generations/{uuid}/events");
    let headers = [http::bearer(key), "Connection: close".to_owned()];
    let request = http::request(&line, &headers, None);
    // The first stream is not counted: it may be the first to need something that all share.
    let mut streams = vec![opened(&service, &request)];
    let before = bytes(&service);
    streams.extend((0..STREAMS - 1).map(|_| opened(&service, &request)));
    // What opening them took besides is returned to the system within seconds.
    let taken = || bytes(&service).saturating_sub(before);
    wait_until(|| taken() < BYTES_MAX || ended(&service, &uuid, key));
    println!("{STREAMS} streams take {} bytes", taken());
    assert!(taken() < BYTES_MAX, "{} bytes", taken());
    wait_until(|| ended(&service, &uuid, key));
    for mut stream in streams {
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("id: succeeded"), "{rest}");
    }
    assert!(service.stop().success());
    run.installation.verify();
}

/// A stream whose first event has arrived.
fn opened(service: &Service, request: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(SILENCE_MAX)).unwrap();
    std::io::Write::write_all(&mut stream, request).unwrap();
    let mut text = Vec::new();
    while !String::from_utf8_lossy(&text).contains("id: processing") {
        let mut some = [0; 4096];
        let length = stream.read(&mut some).unwrap();
        assert!(length > 0, "{}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&some[..length]);
    }
    stream
}

fn ended(service: &Service, uuid: &str, key: &str) -> bool {
    let generation: Value = service.get(&format!("/api/generations/{uuid}"), key);
    generation["status"] != json!("processing")
}

/// How much memory the process has.
fn bytes(service: &Service) -> usize {
    let status = std::fs::read_to_string(service.proc("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kib: usize = line.trim().trim_end_matches(" kB").parse().unwrap();
    kib * 1024
}
