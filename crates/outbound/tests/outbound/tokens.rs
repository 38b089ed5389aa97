//! The examples of RFC 7515, appendix A, and RFC 8037, appendix A.4, checked as the service checks
//! ID tokens.

use base64_simd::URL_SAFE_NO_PAD;
use retouch_outbound::identity::{KeySet, TokenError, verify};

/// HMAC with SHA-256.
const HS256: &str = include_str!("../found/inputs/token/rfc7515_a1_hs256");
const RS256: &str = include_str!("../found/inputs/token/rfc7515_a2_rs256");
const ES256: &str = include_str!("../found/inputs/token/rfc7515_a3_es256");
/// ECDSA with P-521.
const ES512: &str = include_str!("../found/inputs/token/rfc7515_a4_es512");
const NONE: &str = include_str!("../found/inputs/token/rfc7515_a5_none");
/// A header that is a list of the object's values.
const LIST: &str = r#"["ES256",null,null]"#;
const EDDSA: &str = include_str!("../found/inputs/token/rfc8037_a4_eddsa");

/// The token on a file's first line, and the keys on its second.
fn example(text: &str) -> (&str, &str) {
    text.trim_end().split_once('\n').unwrap()
}

fn keys(text: &str) -> KeySet {
    KeySet::read(example(text).1.as_bytes()).unwrap()
}

fn part(text: &str) -> String {
    URL_SAFE_NO_PAD.encode_to_string(text)
}

#[test]
fn the_examples_of_the_three_algorithms_are_verified() {
    let claims =
        "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}";
    for (text, payload) in [(RS256, claims), (ES256, claims), (EDDSA, "Example of Ed25519 signing")]
    {
        assert_eq!(verify(example(text).0, &keys(text)), Ok(payload.as_bytes().to_vec()));
    }
}

#[test]
fn other_algorithms_and_none_are_refused_whatever_the_keys() {
    for text in [HS256, ES512, NONE] {
        for other in [text, RS256, ES256, EDDSA] {
            assert_eq!(verify(example(text).0, &keys(other)), Err(TokenError::Algorithm), "{text}");
        }
    }
    assert!(
        keys(HS256).is_empty() && keys(ES512).is_empty(),
        "the service accepts neither algorithm"
    );
    for name in ["none", "None", "NONE", "", "HS256", "RS1", "PS256", "es256", "ES256K"] {
        let token = format!("{}.{}.", part(&format!("{{\"alg\":\"{name}\"}}")), part("{}"));
        assert_eq!(verify(&token, &keys(ES256)), Err(TokenError::Algorithm), "{name}");
    }
}

#[test]
fn a_key_verifies_only_the_algorithm_of_its_own_kind() {
    let all = [RS256, ES256, EDDSA];
    for (token, keys_of) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
        let expected = if token == keys_of { None } else { Some(TokenError::KeyUnknown) };
        assert_eq!(verify(example(token).0, &keys(keys_of)).err(), expected, "{token} {keys_of}");
    }
    // The header of one algorithm with the rest of another's token.
    for (of, name) in [(RS256, "ES256"), (ES256, "RS256"), (EDDSA, "ES256")] {
        let (_, rest) = example(of).0.split_once('.').unwrap();
        let token = format!("{}.{rest}", part(&format!("{{\"alg\":\"{name}\"}}")));
        assert!(verify(&token, &keys(of)).is_err(), "{name}");
    }
    for text in all {
        let purpose = example(text).1.replace("\"kty\"", "\"use\":\"enc\",\"kty\"");
        assert!(
            KeySet::read(purpose.as_bytes()).unwrap().is_empty(),
            "a key for encryption is ignored"
        );
        let other = example(text).1.replace("\"kty\"", "\"alg\":\"PS512\",\"kty\"");
        assert!(KeySet::read(other.as_bytes()).unwrap().is_empty(), "a key for PS512 is ignored");
    }
}

/// Replaces every character of the token and of the key, one at a time.
#[test]
fn an_example_with_one_character_changed_anywhere_is_refused() {
    for text in [RS256, ES256, EDDSA] {
        let (token, shown) = example(text);
        let right = keys(text);
        for at in 0..token.len() {
            for with in ['A', 'B', '.', '=', '\0'] {
                let mut spoilt = token.to_owned();
                spoilt.replace_range(at..=at, with.encode_utf8(&mut [0; 4]));
                if spoilt != token {
                    assert!(verify(&spoilt, &right).is_err(), "{at}: {spoilt}");
                }
            }
            assert!(verify(&token[..at], &right).is_err(), "{at} characters");
        }
        assert!(verify(&format!("{token}A"), &right).is_err());
        let values_at = shown.find(['n', 'x']).unwrap();
        for at in values_at..shown.len() {
            let mut spoilt = shown.to_owned();
            spoilt.replace_range(at..=at, if &shown[at..=at] == "A" { "B" } else { "A" });
            let believed = KeySet::read(spoilt.as_bytes()).map(|keys| verify(token, &keys));
            assert!(!matches!(believed, Ok(Ok(_))), "{at}: {spoilt}");
        }
    }
}

#[test]
fn a_token_that_demands_what_we_do_not_know_is_refused() {
    let (_, rest) = example(ES256).0.split_once('.').unwrap();
    for header in
        [r#"{"alg":"ES256","crit":["exp"]}"#, r#"{"alg":"ES256","alg":"ES256"}"#, LIST, ""]
    {
        let token = format!("{}.{rest}", part(header));
        assert_eq!(verify(&token, &keys(ES256)), Err(TokenError::Malformed), "{header}");
    }
}
