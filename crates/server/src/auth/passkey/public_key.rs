//! Public keys in COSE format (RFC 9053), and their signatures.

use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};

use super::Distrust;
use super::cbor::Value;

/// `EdDSA` with Ed25519.
const EDDSA: i64 = -8;
/// ECDSA with P-256 and SHA-256.
const ES256: i64 = -7;
/// RSA with PKCS #1 1.5 and SHA-256, the only algorithm of some older devices.
const RS256: i64 = -257;

/// The algorithms to request, best first, by their numbers in the COSE registry.
pub const ALGORITHMS: [i64; 3] = [EDDSA, ES256, RS256];

/// The labels of the parts of a key. Every key has a type and an algorithm; the meaning of the
/// other labels depends on the type.
const KIND: i64 = 1;
const ALGORITHM: i64 = 3;
const FIRST: i64 = -1;
const SECOND: i64 = -2;
const THIRD: i64 = -3;

/// A public key.
pub(super) enum PublicKey {
    Ed25519(Vec<u8>),
    /// An uncompressed point.
    P256(Vec<u8>),
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
}

impl PublicKey {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Distrust> {
        let key = Value::read(&mut &*bytes)?;
        let part = |label: i64| key.at(&Value::Number(label));
        let is = |label: i64, wanted: i64| part(label) == Some(&Value::Number(wanted));
        let bytes = |label: i64| {
            let bytes = part(label).and_then(Value::bytes).ok_or(Distrust::Malformed);
            bytes.map(<[u8]>::to_vec)
        };
        if is(ALGORITHM, EDDSA) && is(KIND, 1) && is(FIRST, 6) {
            Ok(Self::Ed25519(bytes(SECOND)?))
        } else if is(ALGORITHM, ES256) && is(KIND, 2) && is(FIRST, 1) {
            Ok(Self::P256([&[4][..], &bytes(SECOND)?, &bytes(THIRD)?].concat()))
        } else if is(ALGORITHM, RS256) && is(KIND, 3) {
            Ok(Self::Rsa { n: bytes(FIRST)?, e: bytes(SECOND)? })
        } else {
            Err(Distrust::Algorithm)
        }
    }

    pub(super) fn check(&self, message: &[u8], signature: &[u8]) -> Result<(), Distrust> {
        let seen = match self {
            Self::Ed25519(point) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature)
            }
            Self::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            Self::Rsa { n, e } => RsaPublicKeyComponents { n, e }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
        };
        seen.map_err(|_| Distrust::Signature)
    }
}
