//! Client data and authenticator data, separated by a line break: refused, or read as the
//! specification says and believed only if the device of a test vector signed exactly these bytes.

use std::sync::LazyLock;

use serde_json::Value;

use crate::auth::passkey::{Ceremony, Made, Signed};
use crate::counting::peak_bytes;
use crate::vectors::{self, Vector, relying_party};

/// Memory in bytes for each byte of input, and memory that does not depend on the input.
const BYTES_EACH: u64 = 16;
const FIXED_BYTES: u64 = 16_384;

/// The one vector that passes all of the service's rules and has an attestation of the most common
/// format, with its passkey.
static SIGNED: LazyLock<(Vector, Made)> = LazyLock::new(|| {
    let vector = vectors::all().into_iter().find(|vector| vector.name == "packed-es256");
    let vector = vector.expect("the vector is in section 16");
    let made = relying_party().made(vector.part("create.attestation"));
    (vector, made.expect("the vector is accepted"))
});

pub(crate) fn check(bytes: &[u8]) {
    let at = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (client_data, rest) = bytes.split_at(at);
    let authenticator_data = rest.get(1..).unwrap_or_default();
    read(client_data);

    let (vector, made) = &*SIGNED;
    let signature = vector.part("get.signature");
    let signed = Signed { client_data, authenticator_data, signature };
    let is_right = client_data == vector.part("get.client_data")
        && authenticator_data == vector.part("get.authenticator_data");
    for may_back_up in [made.may_back_up, !made.may_back_up] {
        let seen = relying_party().said(&signed, &made.public_key, may_back_up);
        assert_eq!(seen.is_ok(), is_right && may_back_up == made.may_back_up, "{seen:?}");
    }
}

/// Reads client data, and compares the result with that of another JSON reader.
fn read(client_data: &[u8]) {
    let allowed = BYTES_EACH * client_data.len() as u64 + FIXED_BYTES;
    for (asked, kind) in [(Ceremony::Create, "webauthn.create"), (Ceremony::Get, "webauthn.get")] {
        let (seen, peak) = peak_bytes(|| relying_party().challenge(client_data, asked));
        assert!(peak <= allowed, "{peak} bytes for {}", client_data.len());
        let Ok(challenge) = seen else { continue };
        // The other reader also refuses details that the service ignores: numbers out of range,
        // half a surrogate pair.
        let Ok(said) = serde_json::from_slice::<Value>(client_data) else { continue };
        assert_eq!(said["type"], kind);
        assert_eq!(said["challenge"], challenge.as_str());
        assert_eq!(said["origin"], "https://example.org");
        assert_ne!(said["crossOrigin"], true);
        assert!(said["topOrigin"].is_null());
    }
}
