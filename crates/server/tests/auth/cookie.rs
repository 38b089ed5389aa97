//! The session cookie.

use axum::http::HeaderMap;
use retouch_server::auth::cookie::{CookieKind, clearing, session_hash, setting};
use retouch_server::auth::secret::SessionToken;

use super::ids;

fn sent(values: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append("cookie", value.parse().unwrap());
    }
    headers
}

#[test]
fn the_name_and_secure_follow_the_public_address() {
    let kind = |url: &str| CookieKind::for_url(&url.parse().unwrap());
    assert_eq!(kind("https://example.com").name(), "__Host-retouch_session");
    assert_eq!(kind("http://localhost:8080").name(), "retouch_session");
    let token = SessionToken::new(&ids(1));
    let text = token.reveal();
    let set = |kind| setting(kind, &token, 7_776_000_999).to_str().unwrap().to_owned();
    assert_eq!(
        set(CookieKind::Secure),
        format!(
            "__Host-retouch_session={text}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure"
        )
    );
    assert_eq!(
        set(CookieKind::Plain),
        format!("retouch_session={text}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax")
    );
    assert_eq!(
        clearing(CookieKind::Plain).to_str().unwrap(),
        "retouch_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
    );
}

#[test]
fn the_token_is_found_among_other_cookies() {
    let token = SessionToken::new(&ids(2));
    let (hash, text) = (Some(token.hash()), token.reveal());
    let plain = |values: &[&str]| session_hash(&sent(values), CookieKind::Plain);
    assert_eq!(plain(&[&format!("retouch_session={text}")]), hash);
    assert_eq!(plain(&[&format!("a=b; retouch_session={text};c=d")]), hash);
    assert_eq!(plain(&["a=b", &format!("retouch_session={text}")]), hash);
    assert_eq!(plain(&[&format!("retouch_session=x; retouch_session={text}")]), hash);
}

#[test]
fn what_is_no_token_of_ours_is_none() {
    let text = SessionToken::new(&ids(3)).reveal().to_owned();
    let plain = |value: &str| session_hash(&sent(&[value]), CookieKind::Plain);
    assert_eq!(plain("retouch_session="), None);
    assert_eq!(plain("retouch_session"), None);
    assert_eq!(plain(&format!("other_session={text}")), None);
    assert_eq!(plain(&format!("Retouch_Session={text}")), None);
    assert_eq!(plain(&format!("retouch_session={text}x")), None);
    assert_eq!(session_hash(&HeaderMap::new(), CookieKind::Plain), None);
    let other = sent(&[&format!("retouch_session={text}")]);
    assert_eq!(session_hash(&other, CookieKind::Secure), None, "set by a page without TLS");
}
