//! Documents that speak for their own address: from exactly there, or not at all.

use retouch_outbound::fetch::{Caps, FetchError};

use super::support::{Say, Server, fetcher, loopback, public, url};

const CAPS: Caps = Caps { accept: "application/json", bytes_max: 100, total_ms_max: 10_000 };

#[tokio::test]
async fn a_document_is_read_within_its_limits() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await;
    let read = fetcher(loopback()).document(&server.url("/a.json"), CAPS).await;
    assert_eq!(read.unwrap().bytes, "{}");
    assert!(server.heard().concat().to_lowercase().contains("accept: application/json"));
    let text = format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(101));
    let large = Server::answering(&text).await;
    let refused = fetcher(loopback()).document(&large.url("/"), CAPS).await;
    assert_eq!(refused, Err(FetchError::TooLarge { bytes_max: 100 }));
    let silent = Server::saying(Say::ThenNothing(Vec::new())).await;
    let hasty = Caps { total_ms_max: 10, ..CAPS };
    let refused = fetcher(loopback()).document(&silent.url("/"), hasty).await;
    assert_eq!(refused, Err(FetchError::TooSlow { ms_max: 10 }));
}

#[tokio::test]
async fn a_document_is_fresh_for_as_long_as_its_server_says() {
    for (headers, seconds) in [
        ("", 0),
        ("cache-control: max-age=60\r\n", 60),
        ("Cache-Control: public, Max-Age=\"60\"\r\nage: 20\r\n", 40),
        ("cache-control: max-age=60\r\ncache-control: s-maxage=7\r\n", 7),
        ("cache-control: max-age=60\r\nage: 99\r\n", 0),
        ("cache-control: max-age=60, no-cache\r\n", 0),
        ("cache-control: no-store, max-age=60\r\n", 0),
        ("cache-control: private=\"x-name\", max-age=60\r\n", 0),
        ("cache-control: max-age=-1\r\n", 0),
        ("cache-control: max-age=soon\r\n", 0),
        ("expires: Thu, 01 Dec 2044 16:00:00 GMT\r\n", 0),
    ] {
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n{headers}\r\n{{}}");
        let server = Server::answering(&answer).await;
        let read = fetcher(loopback()).document(&server.url("/"), CAPS).await.unwrap();
        assert_eq!(read.fresh_for.as_secs(), seconds, "{headers}");
    }
}

#[tokio::test]
async fn a_document_is_nowhere_else() {
    let target = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await;
    let moved = format!("HTTP/1.1 302 Found\r\nlocation: {}\r\n\r\n", target.url("/"));
    let server = Server::answering(&moved).await;
    let refused = fetcher(loopback()).document(&server.url("/"), CAPS).await;
    assert_eq!(refused, Err(FetchError::TooManyRedirects { redirects_max: 0 }));
    let strict = fetcher(public());
    for (address, expected) in [
        (target.url("/"), FetchError::NotPublic),
        (url("https://169.254.169.254/latest"), FetchError::NotPublic),
        (url("http://8.8.8.8/"), FetchError::NotEncrypted),
        (url("file:///etc/passwd"), FetchError::Scheme { scheme: "file".into() }),
    ] {
        assert_eq!(strict.document(&address, CAPS).await, Err(expected), "{address}");
    }
    assert!(target.heard().is_empty());
}
