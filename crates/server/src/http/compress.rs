//! Compresses pages and the OpenAPI document with gzip.
//!
//! Compression can reveal secrets (BREACH): the length of a compressed response tells whether a guess
//! that someone else put into it, such as the search words of `/history?q=`, repeats something secret
//! in it. The attacker has to make the victim's browser load our pages with the session cookie, and
//! such a request comes from another site. So a response to a request with credentials is compressed
//! only if the browser says that one of our own pages, or the person at the address bar, asked for it.
//! Only GET is compressed, because pages that show a new key answer a POST. The API's JSON, which can
//! contain keys and tokens, is never compressed, and images are compressed already.

use std::io::Write;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::Response;
use flate2::write::GzEncoder;
use http_body::Body as _;
use http_body_util::BodyExt;

/// Responses below this size, in bytes, fit into one packet as they are.
const BYTES_MIN: u64 = 1_000;
/// Larger responses, in bytes, are streamed and not held in memory.
const BYTES_MAX: u64 = 1024 * 1024;
/// The document that is the same for everyone.
const PUBLIC: &str = "/openapi.json";

/// What a request says about compressing its response.
pub struct Compression {
    is_wanted: bool,
    is_public: bool,
}

impl Compression {
    /// What `request` says.
    pub fn of(request: &Request) -> Self {
        let headers = request.headers();
        Self {
            is_wanted: request.method() == Method::GET && takes_gzip(headers) && is_safe(headers),
            is_public: request.uri().path() == PUBLIC,
        }
    }

    /// Compresses the response if that is worthwhile and safe.
    pub async fn apply(self, mut response: Response) -> Response {
        if !is_page(response.headers()) && !self.is_public {
            return response;
        }
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
        let size = response.body().size_hint().exact().unwrap_or(u64::MAX);
        if !self.is_wanted || !(BYTES_MIN..=BYTES_MAX).contains(&size) {
            return response;
        }
        compressed(response).await
    }
}

/// Whether a client accepts gzip.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = accepted.filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let refused = weight.trim().trim_start_matches("q=").parse() == Ok(0.0);
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// The bytes, compressed with gzip.
///
/// # Errors
/// None in memory; the encoder's interface has them.
pub fn gzip(bytes: &[u8], level: flate2::Compression) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Whether no other site can have caused this request with the reader's credentials.
fn is_safe(headers: &HeaderMap) -> bool {
    let is_anyone =
        !headers.contains_key(header::COOKIE) && !headers.contains_key(header::AUTHORIZATION);
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    is_anyone || matches!(site, Some(b"same-origin" | b"none"))
}

fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    kind.is_some_and(|kind| kind.starts_with(b"text/html"))
}

async fn compressed(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    // The body is in memory already and its size is known, so this neither waits nor grows.
    let Ok(whole) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(parts, Body::empty());
    };
    let Ok(packed) = gzip(&whole, flate2::Compression::new(5)) else {
        return Response::from_parts(parts, Body::from(whole));
    };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(packed))
}

#[cfg(test)]
mod tests {
    use super::{is_safe, takes_gzip};
    use axum::http::{HeaderMap, HeaderName, HeaderValue};

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn other_sites_cannot_measure_pages_of_the_signed_in() {
        let cookie = ("cookie", "session=x");
        for (pairs, safe) in [
            (vec![], true),
            (vec![cookie], false),
            (vec![cookie, ("sec-fetch-site", "cross-site")], false),
            (vec![cookie, ("sec-fetch-site", "same-site")], false),
            (vec![cookie, ("sec-fetch-site", "same-origin")], true),
            (vec![cookie, ("sec-fetch-site", "none")], true),
            (vec![("authorization", "Bearer x")], false),
        ] {
            assert_eq!(is_safe(&headers(&pairs)), safe, "{pairs:?}");
        }
    }

    #[test]
    fn a_weight_of_zero_refuses_gzip() {
        for (value, takes) in
            [("gzip, br", true), ("br;q=1, gzip;q=0.5", true), ("gzip;q=0", false), ("br", false)]
        {
            assert_eq!(takes_gzip(&headers(&[("accept-encoding", value)])), takes, "{value}");
        }
    }
}
