//! The rule against cross-site requests, with every combination of its inputs.

use axum::http::{HeaderMap, Method, Uri};
use retouch_server::auth::origin::{CrossSite, check};

type Verdict = Result<(), CrossSite>;

fn ask(method: &Method, pairs: &[(&'static str, &str)]) -> Verdict {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(*name, value.parse().unwrap());
    }
    check(method, &headers, &Uri::from_static("/api/image-edit"))
}

#[test]
fn every_combination_of_method_site_and_origin() {
    let sites = [
        (None, None),
        (Some("same-origin"), Some(Ok(()))),
        (Some("none"), Some(Ok(()))),
        (Some("same-site"), Some(Err(CrossSite::OtherSite))),
        (Some("cross-site"), Some(Err(CrossSite::OtherSite))),
        (Some(""), Some(Err(CrossSite::OtherSite))),
        (Some("Same-Origin"), Some(Err(CrossSite::OtherSite))),
    ];
    let origins = [
        (None, Err(CrossSite::Unknown)),
        (Some("http://localhost:8080"), Ok(())),
        (Some("https://localhost:8080"), Ok(())),
        (Some("http://localhost:8081"), Err(CrossSite::OtherOrigin)),
        (Some("http://localhost"), Err(CrossSite::OtherOrigin)),
        (Some("http://127.0.0.1:8080"), Err(CrossSite::OtherOrigin)),
        (Some("http://evil.example"), Err(CrossSite::OtherOrigin)),
        (Some("null"), Err(CrossSite::OtherOrigin)),
        (Some(""), Err(CrossSite::OtherOrigin)),
    ];
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        for (site, by_site) in &sites {
            for (origin, by_origin) in &origins {
                let mut pairs = vec![("host", "localhost:8080")];
                pairs.extend(site.map(|site| ("sec-fetch-site", site)));
                pairs.extend(origin.map(|origin| ("origin", origin)));
                let expected = by_site.as_ref().unwrap_or(by_origin);
                assert_eq!(&ask(&method, &pairs), expected, "{method} {pairs:?}");
                for safe in [Method::GET, Method::HEAD, Method::OPTIONS] {
                    assert_eq!(ask(&safe, &pairs), Ok(()), "{safe} {pairs:?}");
                }
            }
        }
    }
}

#[test]
fn hosts_are_compared_as_browsers_write_them() {
    let same = |origin: &str, host: &str| {
        ask(&Method::POST, &[("origin", origin), ("host", host)]).is_ok()
    };
    assert!(same("https://example.com", "example.com"));
    assert!(same("https://example.com", "EXAMPLE.com:443"));
    assert!(same("http://example.com", "example.com:80"));
    assert!(same("http://[::1]:8080", "[::1]:8080"));
    assert!(same("http://127.0.0.1:8080", "127.0.0.1:8080"));
    assert!(!same("https://example.com", "example.com:80"));
    assert!(!same("https://example.com.evil.example", "example.com"));
    assert!(!same("https://evil.example", "example.com@evil.example"));
    assert!(!same("https://evil.example", "evil.example/example.com"));
    assert!(!same("https://example.com/path", "example.com"));
    assert!(!same("ftp://example.com", "example.com"));
    assert!(!same("https://example.com", ""));
}

#[test]
fn headers_that_are_sent_twice_must_agree_with_the_rule() {
    let site = |second: &str| {
        ask(&Method::POST, &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", second)])
    };
    assert_eq!(site("same-origin"), Ok(()));
    assert_eq!(site("cross-site"), Err(CrossSite::OtherSite));
    let twice =
        [("host", "a.example"), ("origin", "http://a.example"), ("origin", "http://b.example")];
    assert_eq!(ask(&Method::POST, &twice), Err(CrossSite::OtherOrigin));
}

#[test]
fn the_address_of_the_call_goes_before_its_host() {
    let mut headers = HeaderMap::new();
    headers.insert("origin", "http://localhost:8080".parse().unwrap());
    let over_http2 = Uri::from_static("http://localhost:8080/api/keys");
    assert_eq!(check(&Method::POST, &headers, &over_http2), Ok(()));
    headers.insert("host", "localhost:8080".parse().unwrap());
    let elsewhere = Uri::from_static("http://other.example/api/keys");
    assert_eq!(check(&Method::POST, &headers, &elsewhere), Err(CrossSite::OtherOrigin));
}
