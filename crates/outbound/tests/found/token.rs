//! A line with a token, then keys or claims: refused, or accepted only if the keys fit and the
//! claims are for this service and valid now.

use base64_simd::URL_SAFE_NO_PAD;
use retouch_core::Timestamp;
use serde_json::Value;

use crate::counting::peak_bytes;
use crate::identity::{Expected, KeySet, check as check_claims, verify};

/// The time at which claims are checked, in seconds since 1970.
const NOW_S: i64 = 1_800_000_000;
/// What the claims of the inputs must match.
const EXPECTED: Expected<'_> = Expected {
    issuer: "https://id.example.com",
    client_id: "retouch",
    nonce: "a nonce",
    proven_since: None,
};
/// Memory in bytes for each byte of input, and memory that does not depend on the input. A JSON
/// value takes at most 72 bytes, and briefly twice that in a list that grows.
const BYTES_EACH: u64 = 256;
const FIXED_BYTES: u64 = 16_384;

/// Examples of the accepted algorithms: each has a token and the key that signed it.
const SIGNED: [&str; 3] = [
    include_str!("inputs/token/rfc7515_a2_rs256"),
    include_str!("inputs/token/rfc7515_a3_es256"),
    include_str!("inputs/token/rfc8037_a4_eddsa"),
];

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let (token, rest) = text.split_once('\n').unwrap_or((text, ""));
    let allowed = BYTES_EACH * bytes.len() as u64 + FIXED_BYTES;
    let (keys, peak) = peak_bytes(|| KeySet::read(rest.as_bytes()).unwrap_or_default());
    assert!(peak <= allowed, "{peak} bytes for {} of keys", rest.len());
    assert!(keys.len() <= 100, "{} keys", keys.len());
    let (seen, peak) = peak_bytes(|| verify(token, &keys));
    assert!(peak <= allowed, "{peak} bytes for a token of {}", token.len());
    if let Ok(payload) = seen {
        assert!(!keys.is_empty());
        assert_eq!(payload, second_part(token));
    }
    for right in SIGNED {
        known_key(token, right);
    }
    claims(rest, allowed);
}

/// A public key, whose private key is not in the repository, accepts the token that was signed with
/// it and no other.
fn known_key(token: &str, right: &str) {
    let (known, keys) = right.trim_end().split_once('\n').expect("two lines");
    let keys = KeySet::read(keys.as_bytes()).expect("a set of keys");
    assert_eq!(verify(token, &keys).is_ok(), token == known, "{token}");
}

fn second_part(token: &str) -> Vec<u8> {
    let part = token.split('.').nth(1).expect("a token has three parts");
    URL_SAFE_NO_PAD.decode_to_vec(part).expect("the payload is base64url")
}

/// Checks claims, and compares accepted ones with the result of another JSON reader.
fn claims(json: &str, allowed: u64) {
    let now = Timestamp(NOW_S * 1_000);
    let (seen, peak) = peak_bytes(|| check_claims(json.as_bytes(), &EXPECTED, now));
    assert!(peak <= allowed, "{peak} bytes for {} of claims", json.len());
    let Ok(identity) = seen else { return };
    let said: Value = serde_json::from_str(json).expect("the claims are JSON");
    assert_eq!(said["iss"], EXPECTED.issuer);
    assert_eq!(said["nonce"], EXPECTED.nonce);
    assert_eq!(said["sub"], identity.subject.as_str());
    assert!((1..=255).contains(&identity.subject.len()));
    let audience = &said["aud"];
    let named = |one: &Value| one == EXPECTED.client_id;
    assert!(named(audience) || audience.as_array().is_some_and(|all| all.iter().any(named)));
    let seconds = |name: &str| said[name].as_f64().expect("a number");
    let (now, skew) = (NOW_S as f64, 60.0);
    assert!(seconds("exp") > now - skew - 0.001 && seconds("iat") <= now + skew + 0.001);
    assert!(identity.proven_at.is_none_or(|at| at.0 <= NOW_S * 1_000));
    let verified = matches!(&said["email_verified"], it if *it == true || *it == "true");
    assert_eq!(identity.email_is_verified, verified);
}
