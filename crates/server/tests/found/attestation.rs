//! Bytes as an attestation object, as a COSE key, and as the numbers in one: refused, or read in
//! little memory into a passkey that can be stored and used.

use crate::auth::passkey::{ALGORITHMS, Distrust, Signed};
use crate::counting::peak_bytes;
use crate::vectors::relying_party;

/// Longest credential ID, in bytes (Web Authentication, 7.1, step 25).
const ID_BYTES_MAX: usize = 1023;
/// Memory in bytes for each byte of input. The shortest entry of a map has 2 bytes and takes 64 in
/// a list that doubles when it grows.
const BYTES_EACH: u64 = 128;
/// Memory in bytes that does not depend on the input.
const FIXED_BYTES: u64 = 4096;

pub(crate) fn check(bytes: &[u8]) {
    let allowed = BYTES_EACH * bytes.len() as u64 + FIXED_BYTES;
    let (made, peak) = peak_bytes(|| relying_party().made(bytes));
    assert!(peak <= allowed, "{peak} bytes for {}", bytes.len());
    if let Ok(made) = made {
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!((1..=ID_BYTES_MAX).contains(&made.id.len()), "{} bytes of ID", made.id.len());
        assert!(has(&made.id) && has(&made.public_key), "the ID and the key come from the input");
        assert!(made.may_back_up || !made.is_backed_up);
        assert_eq!(refusal(&made.public_key), Distrust::Signature, "the key can be used");
    }
    let (seen, peak) = peak_bytes(|| refusal(bytes));
    assert!(peak <= allowed, "{peak} bytes for {} of a key", bytes.len());
    assert!(matches!(seen, Distrust::Malformed | Distrust::Algorithm | Distrust::Signature));
    for algorithm in ALGORITHMS {
        assert_eq!(refusal(&key(algorithm, bytes)), Distrust::Signature, "{algorithm}");
    }
}

/// A COSE key of the right form for `algorithm`, with arbitrary numbers.
fn key(algorithm: i64, numbers: &[u8]) -> Vec<u8> {
    let (first, second) = numbers.split_at(numbers.len() / 2);
    let (kind_and_algorithm, curve): (&[u8], Option<u8>) = match algorithm {
        -8 => (&[1, 1, 3, 0x27], Some(6)),
        -7 => (&[1, 2, 3, 0x26], Some(1)),
        _ => (&[1, 3, 3, 0x39, 1, 0], None),
    };
    let mut key = [&[0xa5], kind_and_algorithm, &[0x20]].concat();
    match curve {
        Some(curve) => key.push(curve),
        None => key.extend(byte_string(numbers)),
    }
    key.push(0x21);
    key.extend(byte_string(first));
    key.push(0x22);
    key.extend(byte_string(second));
    key
}

fn byte_string(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap_or_default();
    [&[0x5a], &length.to_be_bytes()[..], bytes].concat()
}

/// The error for an empty signature, checked with `key`.
fn refusal(key: &[u8]) -> Distrust {
    let signed = Signed { client_data: b"{}", authenticator_data: &[0; 37], signature: b"" };
    let said = relying_party().said(&signed, key, false);
    said.expect_err("no key has made a signature of no bytes")
}
