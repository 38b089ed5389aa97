//! Redirects: at most three are followed, and every target is checked.

use super::support::{Server, fetch};
use retouch_outbound::fetch::FetchError;

async fn to(location: &str) -> Server {
    Server::answering(&format!(
        "HTTP/1.1 302 Found\r\nLocation: {location}\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"
    ))
    .await
}

#[tokio::test]
async fn up_to_three_are_followed() {
    let mut server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let mut kept = Vec::new();
    for _ in 0..3 {
        let next = to(server.url("/next").as_str()).await;
        kept.push(std::mem::replace(&mut server, next));
        assert_eq!(fetch(&server.url("/")).await.expect("three redirects are allowed"), "ok");
    }
    let fourth = to(server.url("/").as_str()).await;
    let refused = fetch(&fourth.url("/")).await;
    assert_eq!(refused, Err(FetchError::TooManyRedirects { redirects_max: 3 }));
    let heard = kept.iter().flat_map(Server::heard).collect::<String>().to_lowercase();
    assert!(!heard.contains("cookie") && !heard.contains("referer"), "{heard}");
}

#[tokio::test]
async fn a_loop_ends() {
    let server = to("/round").await;
    let refused = fetch(&server.url("/")).await;
    assert_eq!(refused, Err(FetchError::TooManyRedirects { redirects_max: 3 }));
    assert_eq!(server.heard().len(), 4);
}

#[tokio::test]
async fn inner_addresses_are_refused_on_the_way() {
    for location in [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "//10.0.0.1/",
        "http://2852039166/",
        "http://[fd00:ec2::254]/",
    ] {
        let server = to(location).await;
        assert_eq!(fetch(&server.url("/")).await, Err(FetchError::NotPublic), "{location}");
    }
}

#[tokio::test]
async fn other_schemes_and_users_are_refused_on_the_way() {
    for scheme in ["file", "gopher", "ftp"] {
        let server = to(&format!("{scheme}:///etc/passwd")).await;
        let expected = FetchError::Scheme { scheme: scheme.to_owned() };
        assert_eq!(fetch(&server.url("/")).await, Err(expected));
    }
    let data = to("data:image/png;base64,AAAA").await;
    let expected = FetchError::Scheme { scheme: "data".to_owned() };
    assert_eq!(fetch(&data.url("/")).await, Err(expected));
    let user = to("http://user:secret@127.0.0.1/").await;
    assert_eq!(fetch(&user.url("/")).await, Err(FetchError::UserInfo));
}

#[tokio::test]
async fn a_redirect_to_nowhere_is_refused() {
    let without = Server::answering("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n").await;
    assert_eq!(fetch(&without.url("/")).await, Err(FetchError::BadRedirect));
    let broken = to("http://[::1").await;
    assert_eq!(fetch(&broken.url("/")).await, Err(FetchError::BadRedirect));
}
