//! What a browser keeps while a person who connects an assistant signs in: the assistant's request.
//! It would be too long for the address of the sign-in page, and strangers could send any number of
//! requests for this server to keep.

use axum::http::{HeaderMap, HeaderValue};
use form_urlencoded::byte_serialize;

use super::cookie::{self, CookieKind};

/// How long the browser keeps it, in seconds: an hour, in which a new person can confirm their
/// address.
const KEPT_S: i64 = 3_600;
/// The maximum length of the cookie's value, in bytes. Browsers keep about 4,000.
const BYTES_MAX: usize = 3_500;

/// The `Set-Cookie` that keeps the request in `query`. None if it is too long.
pub(crate) fn setting(kind: CookieKind, query: &str) -> Option<HeaderValue> {
    let value: String = byte_serialize(query.as_bytes()).collect();
    let fits = value.len() <= BYTES_MAX;
    fits.then(|| cookie::written(kind, kind.connecting_name(), &value, KEPT_S))
}

/// The query that the browser has kept.
pub(crate) fn kept(headers: &HeaderMap, kind: CookieKind) -> Option<String> {
    let value = cookie::values(headers, kind.connecting_name()).next()?;
    let field = format!("query={value}");
    let (_, query) = form_urlencoded::parse(field.as_bytes()).next()?;
    Some(query.into_owned()).filter(|query| query.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// The `Set-Cookie` that removes it.
pub(crate) fn clearing(kind: CookieKind) -> HeaderValue {
    cookie::written(kind, kind.connecting_name(), "", 0)
}

#[cfg(test)]
mod tests {
    use axum::http::header::COOKIE;

    use super::*;

    #[test]
    fn a_request_is_kept_as_it_was() {
        let query =
            "client_id=https%3A%2F%2Fa.example%2Fx&state=a%3Bb%2C%22c%22%20+d&scope=edit%20read";
        for kind in [CookieKind::Secure, CookieKind::Plain] {
            let cookie = setting(kind, query).unwrap();
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let headers = [(COOKIE, pair.parse().unwrap())].into_iter().collect();
            assert_eq!(kept(&headers, kind).as_deref(), Some(query));
        }
        assert_eq!(setting(CookieKind::Plain, &"x".repeat(3_501)), None);
        let forged = [(COOKIE, "retouch_connecting=a%0d%0ab".parse().unwrap())];
        assert_eq!(kept(&forged.into_iter().collect(), CookieKind::Plain), None);
    }
}
