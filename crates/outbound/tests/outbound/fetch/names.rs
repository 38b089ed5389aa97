//! Host names whose addresses an attacker controls.

use super::support::{Script, Server, loopback, public, url};
use retouch_outbound::fetch::{FetchError, FetchSettings, Fetcher};
use std::sync::Arc;

fn scripted(settings: FetchSettings, script: &Arc<Script>) -> Fetcher {
    Fetcher::with_resolver(settings, Arc::clone(script) as _).expect("TLS can be set up")
}

#[tokio::test]
async fn a_name_that_leads_inside_is_refused() {
    for inner in ["10.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254", "::ffff:127.0.0.1"] {
        let script = Script::of(&[&[inner]]);
        let refused =
            scripted(public(), &script).fetch(&url("http://metadata.google.internal/"), &()).await;
        assert_eq!(refused, Err(FetchError::NotPublic), "{inner}");
    }
}

#[tokio::test]
async fn a_name_with_public_and_inner_addresses_is_refused() {
    for both in [["1.1.1.1", "10.0.0.1"], ["127.0.0.1", "2606:4700:4700::1111"]] {
        let script = Script::of(&[&both]);
        let refused = scripted(public(), &script).fetch(&url("http://mixed.example/"), &()).await;
        assert_eq!(refused, Err(FetchError::NotPublic), "{both:?}");
    }
}

#[tokio::test]
async fn a_name_is_asked_once_and_the_socket_goes_where_the_answer_said() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc").await;
    // A second lookup would lead elsewhere. A careless client makes one when it connects.
    let script = Script::of(&[&["127.0.0.1"], &["169.254.169.254"]]);
    let address = url(&format!("http://flips.example:{}/a?b=c", server.address.port()));
    let fetcher = scripted(loopback(), &script);
    assert_eq!(fetcher.fetch(&address, &()).await.expect("the address is allowed"), "abc");
    let heard = server.heard().join("");
    let host = format!("\r\nhost: flips.example:{}\r\n", server.address.port());
    assert!(heard.starts_with("GET /a?b=c HTTP/1.1\r\n"), "{heard}");
    assert!(heard.to_lowercase().contains(&host), "{heard}");
    assert_eq!(fetcher.fetch(&address, &()).await, Err(FetchError::NotPublic));
}

#[tokio::test]
async fn a_redirect_to_the_same_name_is_checked_again() {
    let server =
        Server::answering("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
            .await;
    let script = Script::of(&[&["127.0.0.1"], &["10.0.0.1"]]);
    let address = url(&format!("http://flips.example:{}/", server.address.port()));
    assert_eq!(
        scripted(loopback(), &script).fetch(&address, &()).await,
        Err(FetchError::NotPublic)
    );
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn a_name_without_an_address_and_a_closed_port_read_the_same() {
    let unknown =
        scripted(loopback(), &Script::of(&[])).fetch(&url("http://nobody.example/"), &()).await;
    let closed = {
        let server = Server::answering("").await;
        let address = server.url("/");
        drop(server);
        scripted(loopback(), &Script::of(&[])).fetch(&address, &()).await
    };
    assert_eq!(unknown, Err(FetchError::Unreachable));
    assert_eq!(closed, Err(FetchError::Unreachable));
}

#[tokio::test]
async fn a_public_name_opens_no_odd_port() {
    let script = Script::of(&[&["1.1.1.1"]]);
    let refused =
        scripted(loopback(), &script).fetch(&url("http://public.example:6379/"), &()).await;
    assert_eq!(refused, Err(FetchError::Port { port: 6379 }));
}
