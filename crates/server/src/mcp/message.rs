//! Looks at a message before it is read as a whole. A message of many small values would need many
//! times its bytes of memory, and text that is not JSON-RPC deserves a JSON-RPC error.

use std::borrow::Cow;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use memchr::memchr2;
use serde::Deserialize;
use serde_json::json;

/// The most values in a message. A plan has a few hundred.
const VALUES_MAX: usize = 10_000;

/// The codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;

/// Why a message cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    code: i32,
    message: &'static str,
}

/// What every request and notification has.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    method: Cow<'a, str>,
}

/// Checks that `body` is one message of JSON-RPC 2.0, small enough to be read.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(body: &[u8]) -> Result<(), Unreadable> {
    let unreadable = |code, message| Err(Unreadable { code, message });
    if has_more_values_than(body, VALUES_MAX) {
        return unreadable(INVALID_REQUEST, "The message has more than 10,000 values.");
    }
    match serde_json::from_slice::<Envelope<'_>>(body) {
        Ok(envelope) if envelope.jsonrpc == "2.0" && !envelope.method.is_empty() => Ok(()),
        Err(error) if !error.is_data() => unreadable(PARSE_ERROR, "The body is not JSON in UTF-8."),
        _ => Err(unrecognized()),
    }
}

/// The error of a body that is JSON, but not a message.
pub(super) fn unrecognized() -> Unreadable {
    let message = "The body must be one JSON-RPC 2.0 request or notification, with `jsonrpc`, `method` \
                   and, if it has any, `params` in an object.";
    Unreadable { code: INVALID_REQUEST, message }
}

/// Whether `json` has more than `most` values. Every value but the first comes after a comma, a
/// colon or an opening bracket.
fn has_more_values_than(json: &[u8], most: usize) -> bool {
    let (mut rest, mut count) = (json, 0);
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => rest = after_text(after),
            b',' | b':' | b'[' | b'{' => count += 1,
            _ => {}
        }
        if count > most {
            return true;
        }
    }
    false
}

/// What follows the text that `json` is in the middle of.
fn after_text(json: &[u8]) -> &[u8] {
    let mut rest = json;
    while let Some(at) = memchr2(b'"', b'\\', rest) {
        let is_end = rest.get(at) == Some(&b'"');
        // A backslash also hides the character after it.
        let next = at + if is_end { 1 } else { 2 };
        rest = rest.get(next..).unwrap_or_default();
        if is_end {
            return rest;
        }
    }
    &[]
}

impl IntoResponse for Unreadable {
    fn into_response(self) -> Response {
        let error = json!({ "code": self.code, "message": self.message });
        let body = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (StatusCode::BAD_REQUEST, kind, body).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts() {
        for (json, count) in [
            (r#"{"a":[1,2,{"b":null}]}"#, 7),
            (r#"["a,b:c[d]{e}", "\",\\"]"#, 2),
            (r#""not closed,,,"#, 0),
            (r#""\"#, 0),
            ("", 0),
        ] {
            let is_more = |most: usize| has_more_values_than(json.as_bytes(), most);
            assert!(!is_more(count) && (count == 0 || is_more(count - 1)), "{json}");
        }
    }

    #[test]
    fn only_a_single_message_is_read() {
        let code = |body: &str| check(body.as_bytes()).err().map(|error| error.code);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), None);
        for (body, expected) in [
            ("", PARSE_ERROR),
            ("{", PARSE_ERROR),
            ("\u{feff}{}", PARSE_ERROR),
            ("[]", INVALID_REQUEST),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, INVALID_REQUEST),
        ] {
            assert_eq!(code(body), Some(expected), "{body}");
        }
        let many =
            format!(r#"{{"jsonrpc":"2.0","method":"x","params":[{}0]}}"#, "0,".repeat(9_999));
        assert_eq!(code(&many), Some(INVALID_REQUEST));
    }
}
