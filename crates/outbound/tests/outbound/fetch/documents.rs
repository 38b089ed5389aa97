//! Documents that speak for their own address: from exactly there, or not at all.

use retouch_outbound::fetch::{Caps, FetchError};

use super::support::{Say, Server, fetcher, loopback, public, url};

const CAPS: Caps = Caps { accept: "application/json", bytes_max: 100, total_ms_max: 10_000 };

#[tokio::test]
async fn a_document_is_read_within_its_limits() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await;
    let read = fetcher(loopback()).document(&server.url("/a.json"), CAPS).await;
    assert_eq!(read.as_deref(), Ok(&b"{}"[..]));
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
