//! Faults of the network. Except for a redirect, the work was done in every case, so a client that
//! simply repeats its request would order and pay twice.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use retouch_sim::Sim;
use serde_json::Value;

use super::client::{Seen, connect, counted, generate, order, request, send, sim};

fn faulty(sim: &Sim, fault: &str) -> Seen {
    let prompt = format!("a [sim:{fault}]");
    let seen = generate(sim, &prompt);
    assert_eq!(counted(sim, "openai", &prompt), (1, 1), "{fault}");
    seen
}

#[test]
fn a_proxy_shows_its_page() {
    let seen = faulty(&sim(), "bad_gateway_html");
    assert_eq!((seen.status, seen.header("content-type")), (502, Some("text/html")));
    assert!(seen.body.starts_with(b"<html>"));
}

#[test]
fn bodies_are_not_what_they_should_be() {
    let sim = sim();
    let empty = faulty(&sim, "empty_body");
    assert_eq!((empty.status, empty.body.len()), (200, 0));
    let words = faulty(&sim, "not_json");
    assert!(words.status == 200 && serde_json::from_slice::<Value>(&words.body).is_err());
    let whole = faulty(&sim, "wrong_content_type");
    assert_eq!((whole.status, whole.header("content-type")), (200, Some("text/plain")));
    assert_eq!(whole.pictures().len(), 1);
    let half = faulty(&sim, "truncated_json");
    assert_eq!(half.header("content-length"), Some(half.body.len().to_string().as_str()));
    assert!(half.body.starts_with(b"{") && half.body.len() > 100);
    let error = serde_json::from_slice::<Value>(&half.body).expect_err("the end is missing");
    assert!(error.is_eof());
}

#[test]
fn a_body_ends_before_its_length() {
    let seen = faulty(&sim(), "close_mid_body");
    let length: usize = seen.header("content-length").expect("a length").parse().expect("digits");
    assert_eq!((seen.status, seen.body.len(), seen.end), (200, length / 2, Ok(())));
}

#[test]
fn a_connection_closes_without_a_byte() {
    let seen = faulty(&sim(), "close_before_answer");
    assert_eq!((seen.status, seen.body.len(), seen.end), (0, 0, Ok(())));
}

#[test]
fn a_connection_is_reset() {
    let seen = faulty(&sim(), "reset");
    assert_eq!((seen.status, seen.end), (0, Err(ErrorKind::ConnectionReset)));
}

#[test]
fn an_answer_never_comes() {
    let sim = sim();
    let request = request("POST", "/openai/v1/images/generations", &order("[sim:hang]"));
    let seen = send(&sim, &request, Duration::from_millis(300));
    assert_eq!((seen.status, seen.end), (0, Err(ErrorKind::WouldBlock)));
    assert_eq!(counted(&sim, "openai", "[sim:hang]"), (1, 1));
    // Stopping the simulators does not wait for the open connection.
    drop(sim);
}

#[test]
fn a_body_stops_in_the_middle() {
    let sim = sim();
    let order = order("[sim:hang_mid_body]");
    let request = request("POST", "/openai/v1/images/generations", &order);
    let seen = send(&sim, &request, Duration::from_millis(500));
    let length: usize = seen.header("content-length").expect("a length").parse().expect("digits");
    assert_eq!((seen.status, seen.end), (200, Err(ErrorKind::WouldBlock)));
    assert_eq!(seen.body.len(), length / 2);
}

#[test]
fn a_call_is_sent_elsewhere() {
    let sim = sim();
    let seen = generate(&sim, "[sim:redirect_elsewhere]");
    assert_eq!((seen.status, seen.header("location")), (307, Some("http://10.11.12.13/elsewhere")));
    assert_eq!(counted(&sim, "openai", "[sim:redirect_elsewhere]"), (1, 0));
}

#[test]
fn an_answer_comes_late() {
    let began = Instant::now();
    let seen = faulty(&sim(), "slow ms=200");
    assert!(seen.status == 200 && began.elapsed() >= Duration::from_millis(200));
}

#[test]
fn an_answer_does_not_end() {
    let sim = sim();
    let mut stream = connect(&sim);
    let order = order("[sim:oversized_body]");
    stream.write_all(&request("POST", "/openai/v1/images/generations", &order)).expect("sent");
    let mut bytes = vec![0; 5_000_000];
    stream.read_exact(&mut bytes).expect("more than any response has");
    assert!(bytes.starts_with(b"HTTP/1.1 200 OK\r\n") && bytes.ends_with(b"    "));
}
