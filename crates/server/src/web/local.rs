//! Where to go next, as an address of ours and never of anybody else's.

use url::Url;

/// A base that no address of ours has, to see whether one leaves it.
const BASE: &str = "http://retouch.invalid";

/// `text` as a path of this site, `/` where it is none.
pub(super) fn path(text: &str) -> String {
    let resolved = Url::parse(BASE).and_then(|base| base.join(text));
    match resolved {
        Ok(url) if url.origin().ascii_serialization() == BASE && text.starts_with('/') => {
            let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
            // What begins with two slashes would be read as a host.
            format!("/{}{query}", url.path().trim_start_matches('/'))
        }
        _ => "/".to_owned(),
    }
}

/// The page to sign in at, which leads on to `path`.
pub(super) fn sign_in(path: &str) -> String {
    let next = form_urlencoded::Serializer::new(String::new()).append_pair("next", path).finish();
    format!("/sign-in?{next}")
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_path_of_ours_stays_and_everything_else_becomes_the_studio() {
        let cases = [
            ("/history", "/history"),
            ("/history/x?from=1&b=%2F", "/history/x?from=1&b=%2F"),
            ("//evil.example/x", "/"),
            ("/\\evil.example", "/"),
            ("/\t/evil.example", "/"),
            ("https://evil.example", "/"),
            ("javascript:alert(1)", "/"),
            ("/.//evil.example", "/evil.example"),
            ("", "/"),
            ("history", "/"),
        ];
        for (text, wanted) in cases {
            assert_eq!(path(text), wanted, "{text:?}");
        }
    }
}
