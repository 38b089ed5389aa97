//! Messages to addresses of strangers: what is sent, what counts as a response, and where nothing is
//! sent.

use http::HeaderName;
use retouch_outbound::fetch::{FetchError, Post, Posted};
use url::Url;

use super::support::{Say, Server, fetcher, loopback, public, url};

fn post() -> Post {
    Post {
        headers: vec![(HeaderName::from_static("webhook-id"), "msg_1".into())],
        body: "{\"type\":\"test\"}".into(),
        total_ms_max: 10_000,
    }
}

async fn send(url: &Url) -> Result<Posted, FetchError> {
    fetcher(loopback()).post(url, &post()).await
}

#[tokio::test]
async fn a_message_is_sent_with_its_headers_and_the_status_comes_back() {
    let server =
        Server::answering("HTTP/1.1 202 Accepted\r\ncontent-length: 9\r\n\r\nis unread").await;
    let posted = send(&server.url("/hook?a=1")).await;
    assert_eq!(posted, Ok(Posted { status: 202, retry_after: None }));
    let heard = server.heard().concat().to_lowercase();
    assert!(heard.starts_with("post /hook?a=1 http/1.1\r\n"), "{heard}");
    for header in ["webhook-id: msg_1", "content-type: application/json", "content-length: 15"] {
        assert!(heard.contains(header), "{heard}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_a_wish_to_wait_comes_back() {
    let target = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    for status in [301, 302, 303, 307, 308] {
        let text = format!(
            "HTTP/1.1 {status} Elsewhere\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n",
            target.url("/")
        );
        let server = Server::answering(&text).await;
        assert_eq!(send(&server.url("/")).await, Ok(Posted { status, retry_after: None }));
    }
    assert!(target.heard().is_empty());
    let busy = "HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n";
    let posted = send(&Server::answering(busy).await.url("/")).await.map(|it| it.retry_after);
    assert_eq!(posted, Ok(Some("120".into())));
}

#[tokio::test]
async fn nothing_is_sent_to_private_networks_or_without_tls_elsewhere() {
    let server = Server::answering("HTTP/1.1 200 OK\r\n\r\n").await;
    let strict = fetcher(public());
    for (address, expected) in [
        (server.url("/"), FetchError::NotPublic),
        (url("https://169.254.169.254/latest"), FetchError::NotPublic),
        (url("https://[::ffff:10.0.0.1]/"), FetchError::NotPublic),
        (url("http://8.8.8.8/"), FetchError::NotEncrypted),
        (url("https://8.8.8.8:22/"), FetchError::Port { port: 22 }),
        (url("https://ada:secret@8.8.8.8/"), FetchError::UserInfo),
        (url("ftp://8.8.8.8/"), FetchError::Scheme { scheme: "ftp".into() }),
    ] {
        assert_eq!(strict.post(&address, &post()).await, Err(expected), "{address}");
    }
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn a_receiver_has_a_limited_time() {
    let server = Server::saying(Say::ThenNothing(b"HTTP/1.1 200 OK\r\n".to_vec())).await;
    let hasty = Post { total_ms_max: 50, ..post() };
    let sent = fetcher(loopback()).post(&server.url("/"), &hasty).await;
    assert_eq!(sent, Err(FetchError::TooSlow { ms_max: 50 }));
    let endless = Say::Endlessly(b"HTTP/1.1 200 OK\r\n".to_vec(), b"x: y\r\n".to_vec());
    let server = Server::saying(endless).await;
    assert_eq!(send(&server.url("/")).await, Err(FetchError::Broken));
}
