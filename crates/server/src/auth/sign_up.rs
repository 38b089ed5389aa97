//! What a browser keeps from a sign-up until its email address is confirmed.
//!
//! Confirming the address creates an account whose password was chosen at sign-up. In the browser
//! that signed up, one click is enough; elsewhere the password is required. Otherwise, a stranger
//! could sign up with your address, and one careless click of yours would create an account that
//! the stranger can enter.

use axum::http::{HeaderMap, HeaderValue};
use form_urlencoded::byte_serialize;

use super::cookie::{self, CookieKind};
use super::secret::SessionToken;

/// The maximum length of the stored path, in bytes; a cookie has room for about 4,000.
pub(crate) const NEXT_BYTES_MAX: usize = 1_000;

/// What a browser has stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The hash of its secret.
    pub browser_hash: [u8; 32],
    /// The path to open after signing up. Check it before you redirect to it.
    pub next: String,
}

/// The `Set-Cookie` that marks the browser of a sign-up and remembers `next`.
pub fn setting(
    kind: CookieKind,
    secret: &SessionToken,
    next: &str,
    lifetime_ms: i64,
) -> HeaderValue {
    let next = if next.len() > NEXT_BYTES_MAX { "/" } else { next };
    let next: String = byte_serialize(next.as_bytes()).collect();
    let value = format!("{}.{next}", secret.reveal());
    cookie::written(kind, kind.sign_up_name(), &value, lifetime_ms.max(0) / 1000)
}

/// The `Set-Cookie` that removes it.
pub fn clearing(kind: CookieKind) -> HeaderValue {
    cookie::written(kind, kind.sign_up_name(), "", 0)
}

/// What the browser has stored, if it has signed up.
pub fn kept(headers: &HeaderMap, kind: CookieKind) -> Option<Kept> {
    let read = |value: &str| {
        let (secret, next) = value.split_once('.')?;
        let browser_hash = SessionToken::check(secret)?;
        let next = format!("next={next}");
        let next = form_urlencoded::parse(next.as_bytes()).next()?.1.into_owned();
        Some(Kept { browser_hash, next })
    };
    cookie::values(headers, kind.sign_up_name()).find_map(read)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::http::header::COOKIE;
    use retouch_core::{Ids, SeededEntropy, TestClock, Timestamp};

    use super::*;

    #[test]
    fn what_is_kept_comes_back_whole() {
        let clock = Arc::new(TestClock::new(Timestamp(0)));
        let ids = Ids::new(clock, Arc::new(SeededEntropy::new(1)));
        for kind in [CookieKind::Secure, CookieKind::Plain] {
            for (next, back) in [("/a?b=c;d, \"e\"&f=ü%20", None), (&*"/x".repeat(600), Some("/"))]
            {
                let secret = SessionToken::new(&ids);
                let cookie = setting(kind, &secret, next, 60_000);
                let pair = cookie.to_str().unwrap().split(';').next().unwrap();
                let headers = [(COOKIE, pair.parse().unwrap())].into_iter().collect();
                let wanted =
                    Kept { browser_hash: secret.hash(), next: back.unwrap_or(next).into() };
                assert_eq!(kept(&headers, kind), Some(wanted));
            }
        }
    }
}
