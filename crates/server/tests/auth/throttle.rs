//! Throttles, by a clock that the test moves.

use std::net::IpAddr;
use std::time::Duration;

use governor::clock::FakeRelativeClock;
use retouch_core::Email;
use retouch_server::auth::throttle::{Throttled, Throttles};
use retouch_server::config::{Settings, Sources};

fn throttles() -> (Throttles<FakeRelativeClock>, FakeRelativeClock) {
    let sources = Sources::none()
        .with("RETOUCH_AUTH__SIGN_IN_ATTEMPTS_PER_MINUTE_PER_ACCOUNT", "3")
        .with("RETOUCH_AUTH__SIGN_IN_ATTEMPTS_PER_MINUTE_PER_ADDRESS", "5")
        .with("RETOUCH_AUTH__SIGN_UP_PER_HOUR_PER_ADDRESS", "2")
        .with("RETOUCH_AUTH__LETTERS_PER_HOUR_PER_EMAIL", "2")
        .with("RETOUCH_AUTH__LETTERS_PER_HOUR_PER_ADDRESS", "3")
        .with("RETOUCH_AUTH__LINKS_PER_MINUTE_PER_ADDRESS", "2");
    let clock = FakeRelativeClock::default();
    (Throttles::with_clock(&Settings::load(&sources).unwrap(), &[], &clock), clock)
}

fn from(address: &str) -> Option<IpAddr> {
    Some(address.parse().unwrap())
}

fn ada() -> Email {
    "ada@example.com".parse().unwrap()
}

#[test]
fn an_account_has_its_attempts_whoever_makes_them() {
    let (throttles, clock) = throttles();
    for number in 1..=3 {
        assert_eq!(throttles.sign_in(&ada(), from(&format!("192.0.2.{number}"))), Ok(()));
    }
    let shouted: Email = "ADA@Example.com".parse().unwrap();
    assert_eq!(throttles.sign_in(&shouted, from("192.0.2.9")), Err(Throttled { wait_s: 20 }));
    let bob = "bob@example.com".parse().unwrap();
    assert_eq!(throttles.sign_in(&bob, from("192.0.2.9")), Ok(()));

    clock.advance(Duration::from_secs(19));
    assert_eq!(throttles.sign_in(&ada(), from("192.0.2.10")), Err(Throttled { wait_s: 1 }));
    clock.advance(Duration::from_secs(1));
    assert_eq!(throttles.sign_in(&ada(), from("192.0.2.11")), Ok(()));
}

#[test]
fn an_address_has_its_attempts_whichever_account_it_tries() {
    let (throttles, clock) = throttles();
    let attempt = |number: u32| {
        let email = format!("user{number}@example.com").parse().unwrap();
        throttles.sign_in(&email, from("192.0.2.1"))
    };
    assert!((1..=5).all(|number| attempt(number).is_ok()));
    assert_eq!(attempt(6), Err(Throttled { wait_s: 12 }));
    clock.advance(Duration::from_secs(60));
    assert!((7..=11).all(|number| attempt(number).is_ok()));
}

#[test]
fn one_ipv6_network_is_one_client_and_a_mapped_address_is_its_ipv4_one() {
    let (throttles, _clock) = throttles();
    assert_eq!(throttles.sign_up(from("2001:db8:0:1::1")), Ok(()));
    assert_eq!(throttles.sign_up(from("2001:db8:0:1:ffff::2")), Ok(()));
    assert_eq!(throttles.sign_up(from("2001:db8:0:1::3")), Err(Throttled { wait_s: 1800 }));
    assert_eq!(throttles.sign_up(from("2001:db8:0:2::1")), Ok(()));

    assert_eq!(throttles.sign_up(from("192.0.2.1")), Ok(()));
    assert_eq!(throttles.sign_up(from("::ffff:192.0.2.1")), Ok(()));
    assert!(throttles.sign_up(from("192.0.2.1")).is_err());
    assert_eq!(throttles.sign_up(from("192.0.2.2")), Ok(()));
}

#[test]
fn many_clients_do_not_fill_the_memory_and_leave_room_when_they_are_gone() {
    let (throttles, clock) = throttles();
    let address = |number: u32| Some(IpAddr::from(number.to_be_bytes()));
    let refused = (0..60_000).filter(|number| throttles.sign_up(address(*number)).is_err()).count();
    assert_eq!(refused, 10_000, "50,000 are remembered");
    clock.advance(Duration::from_secs(7200));
    assert_eq!(throttles.sign_up(address(70_000)), Ok(()), "the first who comes finds room");
}

#[test]
fn letters_are_counted_for_whom_they_go_to_and_for_who_asks() {
    let (throttles, clock) = throttles();
    for number in 1..=2 {
        assert_eq!(throttles.letter(&ada(), from(&format!("192.0.2.{number}"))), Ok(()));
    }
    let full = throttles.letter(&"ADA@example.com".parse().unwrap(), from("192.0.2.3"));
    assert_eq!(full, Err(Throttled { wait_s: 1800 }));
    let to = |number: u32| format!("user{number}@example.com").parse().unwrap();
    for number in 1..=3 {
        assert_eq!(throttles.letter(&to(number), from("192.0.2.9")), Ok(()));
    }
    assert_eq!(throttles.letter(&to(4), from("192.0.2.9")), Err(Throttled { wait_s: 1200 }));
    clock.advance(Duration::from_secs(1800));
    assert_eq!(throttles.letter(&ada(), from("192.0.2.4")), Ok(()));
}

#[test]
fn links_are_counted_for_who_tries_them() {
    let (throttles, _) = throttles();
    for _ in 0..2 {
        assert_eq!(throttles.link(from("192.0.2.1")), Ok(()));
    }
    assert_eq!(throttles.link(from("192.0.2.1")), Err(Throttled { wait_s: 30 }));
    assert_eq!(throttles.link(from("192.0.2.2")), Ok(()));
}
