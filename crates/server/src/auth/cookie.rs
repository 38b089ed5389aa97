//! The session's cookie, the one of a browser whose owner is at the provider of identities, and the one
//! by which a browser is known again.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use retouch_core::Ids;
use url::Url;

use super::secret::SessionToken;

/// How long a browser is known again, in seconds: 400 days, the longest that browsers keep a cookie
/// (RFC 6265bis, 5.5).
const BROWSER_S: i64 = 400 * 24 * 3_600;

/// How the cookie is written, which depends on the address that callers use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CookieKind {
    /// On an https address: the `__Host-` prefix makes browsers insist on `Secure`, on this very
    /// host and on the whole path, so that no neighbour can plant one.
    Secure,
    /// On a plain-http address, where a browser would not keep a secure cookie.
    Plain,
}

impl CookieKind {
    /// The kind for a service whose callers use `public_url`.
    pub fn for_url(public_url: &Url) -> Self {
        if public_url.scheme() == "https" { Self::Secure } else { Self::Plain }
    }

    /// The cookie's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-retouch_session",
            Self::Plain => "retouch_session",
        }
    }

    /// The name of the cookie of a browser that has signed up.
    pub(super) fn sign_up_name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-retouch_sign_up",
            Self::Plain => "retouch_sign_up",
        }
    }

    /// The name of the cookie of somebody who is away at the provider of identities.
    fn away_name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-retouch_away",
            Self::Plain => "retouch_away",
        }
    }

    /// The name of the cookie by which a browser is known again.
    fn browser_name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-retouch_browser",
            Self::Plain => "retouch_browser",
        }
    }

    /// What a cookie of this kind has at its end.
    pub(crate) fn secure(self) -> &'static str {
        match self {
            Self::Secure => "; Secure",
            Self::Plain => "",
        }
    }
}

/// The hash of the session token that a call shows, if it shows one.
pub fn session_hash(headers: &HeaderMap, kind: CookieKind) -> Option<[u8; 32]> {
    token_hash(headers, kind.name())
}

/// The hash of the token that the browser of somebody who was away shows, if it shows one.
pub fn away_hash(headers: &HeaderMap, kind: CookieKind) -> Option<[u8; 32]> {
    token_hash(headers, kind.away_name())
}

/// The hash of the token by which a browser is known again, if it has one.
pub fn browser_hash(headers: &HeaderMap, kind: CookieKind) -> Option<[u8; 32]> {
    token_hash(headers, kind.browser_name())
}

/// The hash of the token by which a browser is known again, and the `Set-Cookie` that makes it keep
/// the token for as long as browsers keep cookies; a new token where it has none.
pub fn browser(headers: &HeaderMap, kind: CookieKind, ids: &Ids) -> ([u8; 32], HeaderValue) {
    let name = kind.browser_name();
    let known = values(headers, name).find_map(|text| Some((text, SessionToken::check(text)?)));
    if let Some((text, hash)) = known {
        return (hash, written(kind, (name, text), BROWSER_S));
    }
    let token = SessionToken::new(ids);
    (token.hash(), written(kind, (name, token.reveal()), BROWSER_S))
}

fn token_hash(headers: &HeaderMap, name: &str) -> Option<[u8; 32]> {
    values(headers, name).find_map(SessionToken::check)
}

/// What the cookies with this name hold.
pub(super) fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.filter(move |(one, _)| one.trim() == name).map(|(_, value)| value.trim())
}

/// The `Set-Cookie` that gives a browser `token` for `lifetime_ms`.
pub fn setting(kind: CookieKind, token: &SessionToken, lifetime_ms: i64) -> HeaderValue {
    written(kind, (kind.name(), token.reveal()), lifetime_ms.max(0) / 1000)
}

/// The `Set-Cookie` that gives the browser of somebody who goes away `token` for `lifetime_ms`. It
/// comes back with them, because it is `Lax` and they come by a link.
pub fn away_setting(kind: CookieKind, token: &SessionToken, lifetime_ms: i64) -> HeaderValue {
    written(kind, (kind.away_name(), token.reveal()), lifetime_ms.max(0) / 1000)
}

/// The `Set-Cookie` that makes a browser forget its token.
pub fn clearing(kind: CookieKind) -> HeaderValue {
    written(kind, (kind.name(), ""), 0)
}

/// The `Set-Cookie` that makes the browser of somebody who has come back forget its token.
pub fn away_clearing(kind: CookieKind) -> HeaderValue {
    written(kind, (kind.away_name(), ""), 0)
}

#[expect(clippy::expect_used, reason = "the parts are ASCII without control characters")]
pub(super) fn written(
    kind: CookieKind,
    (name, value): (&str, &str),
    lifetime_s: i64,
) -> HeaderValue {
    let secure = kind.secure();
    let text =
        format!("{name}={value}; Path=/; Max-Age={lifetime_s}; HttpOnly; SameSite=Lax{secure}");
    let mut header = HeaderValue::from_str(&text).expect("a cookie is a header's value");
    header.set_sensitive(true);
    header
}
