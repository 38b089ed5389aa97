//! Redirect targets that never leave this site.

use url::Url;

use crate::auth::sign_up::NEXT_BYTES_MAX;

/// A base URL that no real URL has, to detect targets that leave it.
const BASE: &str = "http://retouch.invalid";

/// `text` as a path of this site, or `/` if it is not one or is too long to be stored.
pub(super) fn path(text: &str) -> String {
    let path = resolved(text);
    if path.len() > NEXT_BYTES_MAX { "/".to_owned() } else { path }
}

fn resolved(text: &str) -> String {
    let resolved = Url::parse(BASE).and_then(|base| base.join(text));
    match resolved {
        Ok(url) if url.origin().ascii_serialization() == BASE && text.starts_with('/') => {
            let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
            // Two slashes at the start would be read as a host.
            format!("/{}{query}", url.path().trim_start_matches('/'))
        }
        _ => "/".to_owned(),
    }
}

/// The sign-in page, which leads to `path` afterwards.
pub(super) fn sign_in(path: &str) -> String {
    let next = form_urlencoded::Serializer::new(String::new()).append_pair("next", path).finish();
    format!("/sign-in?{next}")
}

#[cfg(test)]
mod tests {
    use super::{NEXT_BYTES_MAX, path};

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

    #[test]
    fn a_path_that_is_too_long_to_be_kept_becomes_the_studio() {
        let long = |bytes: usize| format!("/{}", "x".repeat(bytes - 1));
        assert_eq!(path(&long(NEXT_BYTES_MAX)), long(NEXT_BYTES_MAX));
        assert_eq!(path(&long(NEXT_BYTES_MAX + 1)), "/");
        // The limit applies to the stored form, where each escaped byte counts as three.
        assert_eq!(path(&format!("/{}", "\u{e4}".repeat(200))), "/");
    }
}
