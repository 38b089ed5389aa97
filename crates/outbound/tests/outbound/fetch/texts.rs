//! URLs that are refused by their text alone, without a lookup or a connection.

use super::support::{fetcher, public, url};
use retouch_outbound::fetch::FetchError;
use url::Url;

#[tokio::test]
async fn every_spelling_of_an_inner_address_is_refused() {
    let fetcher = fetcher(public());
    for text in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://0/",
        "http://127.0.0.1./",
        "http://localhost/",
        "http://localhost./",
        "http://LOCALHOST/",
        "http://a.localhost/",
        "http://a.localhost./",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::7f00:1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[64:ff9b:1::a9fe:a9fe]/",
        "http://[2002:a9fe:a9fe::]/",
        "http://[2001:0:4136:e378:8000:63bf:5601:5601]/",
        "http://[fe80::5efe:a9fe:a9fe]/",
        "http://[fd00:ec2::254]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://192.0.0.192/",
        "http://①②⑦.⓪.⓪.①/",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
        "http://10.0.0.1\\@example.com/",
        "http://127.0.0.1\t/",
        "http://12\n7.0.0.1/",
        "https://127.0.0.1/",
        "http:/\\127.0.0.1/",
    ] {
        assert_eq!(fetcher.fetch(&url(text), &()).await, Err(FetchError::NotPublic), "{text}");
    }
}

#[tokio::test]
async fn other_schemes_users_and_ports_are_refused() {
    let fetcher = fetcher(public());
    for scheme in ["ftp", "file", "gopher", "data", "ws"] {
        let refused = fetcher.fetch(&url(&format!("{scheme}://1.1.1.1/")), &()).await;
        assert_eq!(refused, Err(FetchError::Scheme { scheme: scheme.to_owned() }));
    }
    for text in ["http://user@1.1.1.1/", "http://:secret@1.1.1.1/", "http://1.1.1.1@2.2.2.2/"] {
        assert_eq!(fetcher.fetch(&url(text), &()).await, Err(FetchError::UserInfo), "{text}");
    }
    for port in [0, 22, 25, 6379, 8080] {
        let refused = fetcher.fetch(&url(&format!("http://1.1.1.1:{port}/")), &()).await;
        assert_eq!(refused, Err(FetchError::Port { port }));
    }
}

#[test]
fn zone_ids_and_odd_hosts_are_no_addresses_at_all() {
    for text in ["http://[fe80::1%25eth0]/", "http://%00/", "http://256.1.1.1/", "http:///"] {
        assert!(Url::parse(text).is_err(), "{text}");
    }
}

#[test]
fn refusals_do_not_tell_hosts() {
    for error in [FetchError::NotPublic, FetchError::Unreachable, FetchError::Broken] {
        let text = error.to_string();
        assert!(!text.contains("127.") && !text.contains("refused"), "{text}");
    }
}
