//! Which responses of servers are accepted.

use super::support::{Say, Server, fetch, fetcher, loopback};
use retouch_outbound::fetch::{FetchError, FetchSettings};

async fn fetched(answer: &str) -> Result<bytes::Bytes, FetchError> {
    let server = Server::answering(answer).await;
    fetch(&server.url("/")).await
}

#[tokio::test]
async fn a_body_comes_as_it_is_whatever_its_type() {
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 4\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\nabcd",
        "HTTP/1.0 200 OK\r\n\r\nabcd",
    ] {
        assert_eq!(fetched(answer).await.expect(answer), "abcd", "{answer}");
    }
}

#[tokio::test]
async fn nothing_is_told_to_the_server_but_what_it_needs() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    fetch(&server.url("/a.png?size=2#part")).await.expect("the response is accepted");
    let heard = server.heard().join("").to_lowercase();
    assert!(heard.starts_with("get /a.png?size=2 http/1.1\r\n"), "{heard}");
    assert!(heard.contains("\r\naccept-encoding: identity\r\n"), "{heard}");
    for header in ["cookie", "referer", "authorization", "range", "x-forwarded-for"] {
        assert!(!heard.contains(&format!("\r\n{header}:")), "{heard}");
    }
}

#[tokio::test]
async fn only_status_200_is_taken() {
    for status in [204, 206, 300, 304, 401, 403, 404, 416, 500, 503] {
        let answer = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n\r\n");
        assert_eq!(fetched(&answer).await, Err(FetchError::Status { status }));
    }
}

#[tokio::test]
async fn a_compressed_body_is_refused_unread() {
    for encoding in ["gzip", "br", "deflate", "gzip, identity", "zstd"] {
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\nContent-Length: 3\r\n\r\nabc"
        );
        assert_eq!(fetched(&answer).await, Err(FetchError::Encoded), "{encoding}");
    }
}

#[tokio::test]
async fn lengths_that_lie_are_found_out() {
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc";
    assert_eq!(fetched(short).await, Err(FetchError::Broken));
    let long = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdefgh";
    assert_eq!(fetched(long).await.expect("the stated length is accepted"), "abc");
    let two = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd";
    assert_eq!(fetched(two).await, Err(FetchError::Broken));
    let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc";
    assert_eq!(fetched(cut).await, Err(FetchError::Broken));
    let giant = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\nabc", u64::MAX / 2);
    assert!(matches!(fetched(&giant).await, Err(FetchError::TooLarge { .. })));
}

#[tokio::test]
async fn what_is_not_http_is_refused() {
    for answer in ["", "SSH-2.0-OpenSSH_9.6\r\n", "-ERR unknown command\r\n", "HTTP/1.1 2\r\n\r\n"]
    {
        assert_eq!(fetched(answer).await, Err(FetchError::Broken), "{answer}");
    }
}

#[tokio::test]
async fn an_endless_body_is_left_at_the_limit() {
    let heads =
        ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"];
    for head in heads {
        let more = b"400\r\n".iter().copied().chain([b'x'; 0x400]).chain(*b"\r\n").collect();
        let server = Server::saying(Say::Endlessly(head.into(), more)).await;
        let settings = FetchSettings { bytes_max: 100_000, ..loopback() };
        let refused = fetcher(settings).fetch(&server.url("/"), &()).await;
        assert_eq!(refused, Err(FetchError::TooLarge { bytes_max: 100_000 }));
    }
}

#[tokio::test]
async fn endless_heads_are_refused() {
    for more in ["X-More: and more\r\n", "x", "HTTP/1.1 100 Continue\r\n\r\n"] {
        let first = if more.starts_with("HTTP") { "" } else { "HTTP/1.1 200 OK\r\n" };
        let server = Server::saying(Say::Endlessly(first.into(), more.into())).await;
        let settings = FetchSettings { total_ms_max: 500, ..loopback() };
        let refused = fetcher(settings).fetch(&server.url("/"), &()).await;
        let expected = [FetchError::Broken, FetchError::TooSlow { ms_max: 500 }];
        assert!(refused.is_err_and(|error| expected.contains(&error)), "{more}");
    }
}

#[tokio::test]
async fn silence_is_waited_for_no_longer_than_the_deadline() {
    for said in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"] {
        let server = Server::saying(Say::ThenNothing(said.into())).await;
        let settings = FetchSettings { total_ms_max: 100, ..loopback() };
        let refused = fetcher(settings).fetch(&server.url("/"), &()).await;
        assert_eq!(refused, Err(FetchError::TooSlow { ms_max: 100 }), "{said}");
    }
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_taken() {
    let settings = || FetchSettings { bytes_max: 4, ..loopback() };
    let four = Server::answering("HTTP/1.1 200 OK\r\n\r\nabcd").await;
    assert_eq!(
        fetcher(settings()).fetch(&four.url("/"), &()).await.expect("four bytes fit"),
        "abcd"
    );
    let five = Server::answering("HTTP/1.1 200 OK\r\n\r\nabcde").await;
    let refused = fetcher(settings()).fetch(&five.url("/"), &()).await;
    assert_eq!(refused, Err(FetchError::TooLarge { bytes_max: 4 }));
}
