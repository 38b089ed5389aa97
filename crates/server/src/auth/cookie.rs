//! The cookies: of a session, of a browser whose user is away at the identity provider, and of a
//! known browser.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use retouch_core::Ids;
use url::Url;

use super::secret::SessionToken;

/// How long a browser is recognized, in seconds: 400 days, the longest that browsers keep a cookie
/// (RFC 6265bis, 5.5).
const BROWSER_S: i64 = 400 * 24 * 3_600;

/// How cookies are written, which depends on the scheme of the public URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CookieKind {
    /// With https: the `__Host-` prefix makes browsers insist on `Secure`, this exact host and the
    /// path `/`, so that a sibling domain cannot set the cookie.
    Secure,
    /// With plain http, where a browser would not keep a secure cookie.
    Plain,
}

impl CookieKind {
    /// The kind for a service at `public_url`.
    pub fn for_url(public_url: &Url) -> Self {
        if public_url.scheme() == "https" { Self::Secure } else { Self::Plain }
    }

    /// The name of the session cookie.
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

    /// The name of the cookie of a browser that connects an assistant.
    pub(super) fn connecting_name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-retouch_connecting",
            Self::Plain => "retouch_connecting",
        }
    }

    /// The name of the cookie of a user who is away at the identity provider.
    fn away_name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-retouch_away",
            Self::Plain => "retouch_away",
        }
    }

    /// The name of the cookie by which a browser is recognized.
    fn browser_name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-retouch_browser",
            Self::Plain => "retouch_browser",
        }
    }

    /// The attribute that ends a cookie of this kind.
    pub(crate) fn secure(self) -> &'static str {
        match self {
            Self::Secure => "; Secure",
            Self::Plain => "",
        }
    }
}

/// The hash of the session token in the cookies, if there is one.
pub fn session_hash(headers: &HeaderMap, kind: CookieKind) -> Option<[u8; 32]> {
    token_hash(headers, kind.name())
}

/// The hash of the token of a user who returns from the identity provider, if there is one.
pub fn away_hash(headers: &HeaderMap, kind: CookieKind) -> Option<[u8; 32]> {
    token_hash(headers, kind.away_name())
}

/// The hash of the token by which the browser is recognized, if it has one.
pub fn browser_hash(headers: &HeaderMap, kind: CookieKind) -> Option<[u8; 32]> {
    token_hash(headers, kind.browser_name())
}

/// The hash of the token by which the browser is recognized, and the `Set-Cookie` that renews it
/// for as long as browsers allow. A browser without a token gets a new one.
pub fn browser(headers: &HeaderMap, kind: CookieKind, ids: &Ids) -> ([u8; 32], HeaderValue) {
    let name = kind.browser_name();
    let known = values(headers, name).find_map(|text| Some((text, SessionToken::check(text)?)));
    if let Some((text, hash)) = known {
        return (hash, written(kind, name, text, BROWSER_S));
    }
    let token = SessionToken::new(ids);
    (token.hash(), written(kind, name, token.reveal(), BROWSER_S))
}

fn token_hash(headers: &HeaderMap, name: &str) -> Option<[u8; 32]> {
    values(headers, name).find_map(SessionToken::check)
}

/// The values of all cookies called `name`.
pub(crate) fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.filter(move |(one, _)| one.trim() == name).map(|(_, value)| value.trim())
}

/// The `Set-Cookie` that starts a session of `lifetime_ms`.
pub fn setting(kind: CookieKind, token: &SessionToken, lifetime_ms: i64) -> HeaderValue {
    written(kind, kind.name(), token.reveal(), lifetime_ms.max(0) / 1000)
}

/// The `Set-Cookie` that gives `token` to a browser whose user leaves for the identity provider.
/// Browsers send it when the user returns, because it is `Lax` and the return is a link.
pub fn away_setting(kind: CookieKind, token: &SessionToken, lifetime_ms: i64) -> HeaderValue {
    written(kind, kind.away_name(), token.reveal(), lifetime_ms.max(0) / 1000)
}

/// The `Set-Cookie` that removes the session token.
pub fn clearing(kind: CookieKind) -> HeaderValue {
    written(kind, kind.name(), "", 0)
}

/// The `Set-Cookie` that removes the token of a user who has returned.
pub fn away_clearing(kind: CookieKind) -> HeaderValue {
    written(kind, kind.away_name(), "", 0)
}

#[expect(clippy::expect_used, reason = "the parts are ASCII without control characters")]
pub(super) fn written(kind: CookieKind, name: &str, value: &str, lifetime_s: i64) -> HeaderValue {
    let secure = kind.secure();
    let text =
        format!("{name}={value}; Path=/; Max-Age={lifetime_s}; HttpOnly; SameSite=Lax{secure}");
    let mut header = HeaderValue::from_str(&text).expect("a cookie is a header's value");
    header.set_sensitive(true);
    header
}
