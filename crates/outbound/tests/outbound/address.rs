//! Which IP addresses are public: every class of the special-purpose registries, and disguised
//! spellings.

use ipnet::IpNet;
use retouch_outbound::address::{is_allowed, is_permitted, is_public};
use std::net::IpAddr;

fn address(text: &str) -> IpAddr {
    text.parse().unwrap_or_else(|_| panic!("{text} is an IP address"))
}

#[test]
fn ordinary_addresses_are_public() {
    for text in [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.15",
        "168.63.129.17",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "203.0.112.255",
        "223.255.255.255",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2606:4700:4700::1111",
        "2a00:1450::1",
        "2001:db7:ffff::1",
        "2001:db9::1",
        "2003::1",
        "2620:fe::fe",
    ] {
        assert!(is_public(address(text)), "{text}");
    }
}

#[test]
fn special_addresses_are_not() {
    for text in [
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "168.63.129.16",
        "169.254.0.0",
        "169.254.169.254",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
    ] {
        assert!(!is_public(address(text)), "{text}");
    }
}

#[test]
fn special_ipv6_addresses_are_not() {
    for text in [
        "::",
        "::1",
        "100::1",
        "2001::1",
        "2001:1ff::1",
        "2001:db8::1",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ] {
        assert!(!is_public(address(text)), "{text}");
    }
}

#[test]
fn an_ipv4_address_inside_an_ipv6_one_is_never_public() {
    for text in [
        "::ffff:169.254.169.254",
        "::ffff:8.8.8.8",
        "::ffff:0:169.254.169.254",
        "::169.254.169.254",
        "::127.0.0.1",
        "::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:5601:5601",
        "2a00::5efe:a9fe:a9fe",
        "2a00::200:5efe:a9fe:a9fe",
        "2606:4700::5efe:7f00:1",
    ] {
        assert!(!is_public(address(text)), "{text}");
    }
}

#[test]
fn the_operator_may_name_networks() {
    let allowed: Vec<IpNet> =
        ["10.1.0.0/16", "::1/128"].iter().map(|text| text.parse().expect("a network")).collect();
    for (text, expected) in [
        ("10.1.2.3", true),
        ("::ffff:10.1.2.3", true),
        ("::1", true),
        ("10.2.0.1", false),
        ("127.0.0.1", false),
        ("::ffff:127.0.0.1", false),
        ("64:ff9b::a01:203", false),
    ] {
        assert_eq!(is_allowed(address(text), &allowed), expected, "{text}");
        assert_eq!(is_permitted(address(text), &allowed), expected, "{text}");
    }
    assert!(
        is_permitted(address("8.8.8.8"), &allowed) && !is_allowed(address("8.8.8.8"), &allowed)
    );
}
