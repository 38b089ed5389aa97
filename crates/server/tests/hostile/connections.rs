//! Clients that hold connections: more than their share, without requests, for too long, or by
//! sending and reading slowly. Each connection is closed in time, and its place becomes free.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::http::{self, Connection, SILENCE_MAX};
use crate::service::{Installation, Service};
use crate::streams::{Frames, RST_STREAM};

/// Connections per client address.
const SHARE: usize = 4;

/// Short timeouts, so that the tests are short. The rate is the default one.
const SETTINGS: [(&str, &str); 5] = [
    ("RETOUCH_SERVER__CONNECTIONS_PER_ADDRESS_MAX", "4"),
    ("RETOUCH_SERVER__CONNECTION_IDLE_MAX", "500 ms"),
    ("RETOUCH_SERVER__CONNECTION_AGE_MAX", "1 min"),
    ("RETOUCH_SERVER__TRANSFER_GRACE", "1 s"),
    ("RETOUCH_SERVER__HEADER_READ_TIME_MAX", "30 s"),
];

/// The longest time that anything below may take: the limits above, plus what a busy machine adds.
const END_MAX: Duration = Duration::from_secs(20);

#[test]
fn an_address_has_a_share_of_the_connections_and_gets_it_back() {
    let installation = Installation::new(&SETTINGS);
    let service = installation.start();
    let mut held: Vec<TcpStream> = (0..SHARE).map(|_| begun(&service)).collect();
    assert!(is_refused(&service), "one more than the share");
    // One client completes its request and hangs up without reading the answer. The others hang up
    // in the middle of a request.
    held.pop().unwrap().write_all(b"\r\n").unwrap();
    until(|| !is_refused(&service));
    drop(held);
    until(|| metric(&service, "retouch_connections_open") == Some(1));
    assert!(metric(&service, "retouch_connection_limits_total{limit=\"address\"}").unwrap() >= 1);
    let again: Vec<TcpStream> = (0..SHARE).map(|_| begun(&service)).collect();
    assert!(is_refused(&service));
    drop(again);
    assert!(service.stop().success());
}

#[test]
fn connections_are_ended_that_answer_pings_and_ask_for_nothing() {
    // The time limit for a head is also the interval of pings.
    let settings = [SETTINGS.as_slice(), &[("RETOUCH_SERVER__HEADER_READ_TIME_MAX", "100 ms")]];
    let installation = Installation::new(&settings.concat());
    let service = installation.start();
    let began = Instant::now();
    let mut idle = Frames::open(service.address);
    let mut pings = 0;
    while let Some(frame) = idle.receive() {
        pings += u32::from(frame.is_ping());
        assert!(began.elapsed() < END_MAX, "still open after {pings} pings");
    }
    println!("HTTP/2 without a stream ended after {:?} and {pings} pings", began.elapsed());
    assert_eq!(limited(&service, "idle"), 1);
    until(|| metric(&service, "retouch_connections_open") == Some(1));
    assert!(service.stop().success());
}

#[test]
fn a_connection_of_requests_ends_when_it_is_old_and_the_last_request_is_answered() {
    let settings = [SETTINGS.as_slice(), &[("RETOUCH_SERVER__CONNECTION_AGE_MAX", "1 s")]];
    let installation = Installation::new(&settings.concat());
    let service = installation.start();
    let began = Instant::now();
    let mut connection = Connection::open(service.address).unwrap();
    let mut answers = 0;
    while let Ok(answer) = connection.call(&http::request("GET /healthz", &[], None)) {
        assert_eq!(answer.status, 200);
        answers += 1;
        assert!(began.elapsed() < END_MAX, "still open after {answers} answers");
    }
    println!("an old connection ended after {:?} and {answers} answers", began.elapsed());
    assert!(began.elapsed() >= Duration::from_millis(900) && answers > 0);
    assert_eq!(limited(&service, "age"), 1);
    assert!(service.stop().success());
}

#[test]
fn an_early_answer_arrives_although_the_whole_body_is_sent_first() {
    const BODY_BYTES: usize = 16 << 20;
    let installation = Installation::new(&[
        ("RETOUCH_SERVER__BODY_SIZE_MAX", "24 MiB"),
        ("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "1"),
    ]);
    let service = installation.start();
    let key = installation.key.as_str();
    let (body, larger) = (vec![b' '; BODY_BYTES], vec![b' '; 2 * BODY_BYTES]);
    for (line, key, body, status) in [
        ("POST /api/nothing", key, &body, 404),
        ("PUT /api/image-edit", key, &body, 405),
        ("POST /api/image-edit", "retouch_unknown", &body, 401),
        ("POST /v1/images/edits", "retouch_unknown", &body, 401),
        ("POST /api/image-edit", key, &larger, 413),
        ("POST /api/uploads", key, &larger, 413),
        // The only call that is accepted. Its body is not JSON.
        ("POST /api/image-edit", key, &body, 400),
        ("POST /api/image-edit", key, &body, 429),
    ] {
        let request = http::request(line, &[http::bearer(key)], Some(body));
        let mut connection = Connection::open(service.address).unwrap();
        // The client reads nothing before it has sent everything.
        let sent = connection.send(&request);
        assert!(sent.is_ok(), "{line}: {sent:?} before {status}");
        let answer = connection.receive();
        assert_eq!(answer.map(|answer| answer.status).ok(), Some(status), "{line}");
    }
    assert!(service.stop().success());
}

#[test]
fn an_answer_to_a_head_announces_the_end_of_the_connection() {
    let installation = Installation::new(&SETTINGS);
    let service = installation.start();
    // The body follows only after the answer.
    let request = http::request("POST /mcp", &[], Some(b"{}"));
    let (head, _) = request.split_at(request.len() - 2);
    let mut client = TcpStream::connect(service.address).unwrap();
    client.write_all(head).unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    // Without a body, the connection goes on.
    let mut connection = Connection::open(service.address).unwrap();
    for (line, status) in [("GET /api/account", 401), ("GET /healthz", 200)] {
        let answer = connection.call(&http::request(line, &[], None)).unwrap();
        assert_eq!(answer.status, status, "{line}");
    }
    assert!(service.stop().success());
}

#[test]
fn a_body_that_comes_byte_by_byte_is_given_up() {
    let installation = Installation::new(&SETTINGS);
    let service = installation.start();
    let began = Instant::now();
    let mut slow = TcpStream::connect(service.address).unwrap();
    slow.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let head = "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 1000\r\n\r\n";
    slow.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    while answer.is_empty() {
        // This is far below the required rate, because each read waits for a while.
        let _ = slow.write_all(b" ");
        read_some(&mut slow, &mut answer);
        assert!(began.elapsed() < END_MAX, "the service still waits for the body");
    }
    println!("a slow body ended after {:?}", began.elapsed());
    assert!(answer.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(limited(&service, "slow_body"), 1);
    until(|| metric(&service, "retouch_connections_open") == Some(1));
    assert!(service.stop().success());
}

#[test]
fn answers_that_nobody_reads_are_given_up() {
    let installation = Installation::new(&SETTINGS);
    let service = installation.start();
    let began = Instant::now();
    // HTTP/1: the socket is full and stays full.
    let mut silent = TcpStream::connect(service.address).unwrap();
    silent.write_all(&requests(MANY)).unwrap();
    until(|| limited(&service, "slow_reader") == 1);
    println!("a client that reads nothing was cut off after {:?}", began.elapsed());
    until(|| metric(&service, "retouch_connections_open") == Some(1));
    // HTTP/2: the socket is read, but the stream's window is closed.
    let began = Instant::now();
    let mut shut = Frames::shut(service.address);
    shut.get(1, LARGE);
    while shut.receive().expect("the connection stays open when the stream is ended").kind
        != RST_STREAM
    {
        assert!(began.elapsed() < END_MAX, "the stream is still open");
    }
    println!("a stream with a closed window ended after {:?}", began.elapsed());
    assert_eq!(limited(&service, "slow_reader"), 2);
    drop(shut);
    until(|| metric(&service, "retouch_connections_open") == Some(1));
    assert!(service.stop().success());
}

#[test]
fn a_slow_reader_above_the_lowest_rate_gets_everything() {
    let settings = [SETTINGS.as_slice(), &[("RETOUCH_SERVER__TRANSFER_GRACE", "5 s")]];
    let installation = Installation::new(&settings.concat());
    let service = installation.start();
    let one = answer_bytes(&service, &requests(1));
    let mut reader = TcpStream::connect(service.address).unwrap();
    reader.set_read_timeout(Some(SILENCE_MAX)).unwrap();
    reader.write_all(&requests(20)).unwrap();
    let (mut bytes, mut piece) = (0, vec![0; 32 * 1024]);
    while bytes < 20 * one {
        let read = reader.read(&mut piece).unwrap();
        assert!(read > 0, "only {bytes} bytes of {}", 20 * one);
        bytes += read;
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(limited(&service, "slow_reader"), 0);
    assert!(service.stop().success());
}

/// A large answer that needs no account.
const LARGE: &str = "/openapi.json";
/// The number of such answers, which is more than the socket buffers of both sides hold.
const MANY: usize = 200;

fn requests(count: usize) -> Vec<u8> {
    http::request(&format!("GET {LARGE}"), &[], None).repeat(count)
}

/// The length of the answer to `request`, including its head.
fn answer_bytes(service: &Service, request: &[u8]) -> usize {
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(SILENCE_MAX)).unwrap();
    stream.write_all(request).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap()
}

/// A request whose head is incomplete.
fn begun(service: &Service) -> TcpStream {
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(SILENCE_MAX)).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n").unwrap();
    stream
}

/// Whether a further connection is closed without an answer.
fn is_refused(service: &Service) -> bool {
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(SILENCE_MAX)).unwrap();
    let request = http::request("GET /healthz", &["Connection: close".to_owned()], None);
    // The service may have closed the connection before this, or may close it while this is sent.
    let _ = stream.write_all(&request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer.is_empty()
}

fn read_some(stream: &mut TcpStream, into: &mut Vec<u8>) {
    let mut piece = [0; 4096];
    match stream.read(&mut piece) {
        Ok(read) => into.extend_from_slice(&piece[..read]),
        Err(error) => {
            let waits = [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind());
            assert!(waits, "{error}");
        }
    }
}

fn limited(service: &Service, limit: &str) -> u64 {
    let name = format!("retouch_connection_limits_total{{limit=\"{limit}\"}}");
    metric(service, &name).unwrap_or(0)
}

/// A number from `/metrics`; none if it is missing or the address has no connection left.
fn metric(service: &Service, name: &str) -> Option<u64> {
    let request = http::request("GET /metrics", &["Connection: close".to_owned()], None);
    let answer = Connection::open(service.address).ok()?.call(&request).ok()?;
    let page = String::from_utf8(answer.body).ok()?;
    page.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

fn until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < END_MAX, "the condition was not met in time");
        thread::sleep(Duration::from_millis(20));
    }
}
