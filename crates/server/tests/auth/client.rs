//! Which client a call comes from when it passes through proxies.

use std::net::IpAddr;

use axum::http::HeaderMap;
use ipnet::IpNet;
use retouch_server::auth::client::address;

fn seen(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
    let mut headers = HeaderMap::new();
    for value in forwarded {
        headers.append("x-forwarded-for", value.parse().unwrap());
    }
    let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
    address(peer.parse::<IpAddr>().unwrap(), &headers, &trusted).to_string()
}

#[test]
fn what_an_untrusted_caller_says_counts_for_nothing() {
    assert_eq!(seen("192.0.2.1", &["198.51.100.7"], &[]), "192.0.2.1");
    assert_eq!(seen("192.0.2.1", &["198.51.100.7"], &["10.0.0.0/8"]), "192.0.2.1");
}

#[test]
fn a_trusted_proxy_is_believed_about_its_own_caller_alone() {
    let trusted = ["10.0.0.0/8"];
    assert_eq!(seen("10.0.0.1", &["198.51.100.7"], &trusted), "198.51.100.7");
    assert_eq!(seen("10.0.0.1", &["6.6.6.6, 198.51.100.7"], &trusted), "198.51.100.7");
    assert_eq!(seen("10.0.0.1", &["6.6.6.6", "198.51.100.7, 10.0.0.2"], &trusted), "198.51.100.7");
    assert_eq!(seen("::ffff:10.0.0.1", &["2001:db8::1"], &trusted), "2001:db8::1");
}

#[test]
fn where_the_proxy_says_nothing_of_use_it_is_the_client() {
    let trusted = ["10.0.0.0/8"];
    assert_eq!(seen("10.0.0.1", &[], &trusted), "10.0.0.1");
    assert_eq!(seen("10.0.0.1", &["unknown"], &trusted), "10.0.0.1");
    assert_eq!(seen("10.0.0.1", &["198.51.100.7, unknown"], &trusted), "10.0.0.1");
    assert_eq!(seen("10.0.0.1", &["10.0.0.3"], &trusted), "10.0.0.3");
}
