//! Checks the signatures of tokens (RFC 7515, compact form) with the provider's public keys (RFC
//! 7517). The type of the key decides how a signature is checked, never the token's header.

use base64_simd::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use serde::Deserialize;
use serde_json::Value;

use super::TokenError;

/// Maximum number of keys that are considered. Large providers publish three or four.
const KEYS_MAX: usize = 100;

/// The provider's keys that can verify tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeySet(Vec<Key>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    id: Option<String>,
    kind: Kind,
}

/// A public key. Each type verifies exactly one algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// RS256: modulus and exponent.
    Rsa { n: Vec<u8>, e: Vec<u8> },
    /// ES256: an uncompressed point of P-256.
    P256(Vec<u8>),
    /// `EdDSA` with Ed25519.
    Ed25519(Vec<u8>),
}

#[derive(Deserialize)]
struct JsonWebKey {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

impl KeySet {
    /// Parses a key set. Keys of another type or purpose are left out.
    ///
    /// # Errors
    /// What is wrong with the set as a whole.
    pub fn read(json: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct All {
            keys: Vec<Value>,
        }
        let all: All = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let keys = all.keys.into_iter().take(KEYS_MAX);
        let keys = keys.filter_map(|value| serde_json::from_value::<JsonWebKey>(value).ok());
        Ok(Self(keys.filter_map(JsonWebKey::key).collect()))
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The payload of a token, after checking that one of `keys` signed it.
///
/// # Errors
/// [`TokenError`]; [`TokenError::KeyUnknown`] when newer keys may help.
pub fn verify(token: &str, keys: &KeySet) -> Result<Vec<u8>, TokenError> {
    let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
    let (header, payload) = signed.split_once('.').ok_or(TokenError::Malformed)?;
    let (header, signature) = (decoded(header)?, decoded(signature)?);
    // serde would also accept an array with the same values in order.
    if header.first() != Some(&b'{') {
        return Err(TokenError::Malformed);
    }
    let header: Header = serde_json::from_slice(&header).map_err(|_| TokenError::Malformed)?;
    // `crit` lists extensions that must be understood, and this program supports none.
    if header.crit.is_some() {
        return Err(TokenError::Malformed);
    }
    if !["RS256", "ES256", "EdDSA"].contains(&&*header.alg) {
        return Err(TokenError::Algorithm);
    }
    let fits = |key: &&Key| {
        key.kind.algorithm() == header.alg
            && (header.kid.is_none() || key.id.is_none() || header.kid == key.id)
    };
    let mut fitting = keys.0.iter().filter(fits).peekable();
    fitting.peek().ok_or(TokenError::KeyUnknown)?;
    if fitting.any(|key| key.kind.has_signed(signed.as_bytes(), &signature)) {
        decoded(payload)
    } else {
        Err(TokenError::Signature)
    }
}

impl JsonWebKey {
    fn key(self) -> Option<Key> {
        if self.purpose.as_deref().is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let bytes = |text: Option<String>| decoded(&text?).ok();
        let kind = match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", _) => Kind::Rsa { n: bytes(self.n)?, e: bytes(self.e)? },
            ("EC", Some("P-256")) => {
                Kind::P256([&[4][..], &bytes(self.x)?, &bytes(self.y)?].concat())
            }
            ("OKP", Some("Ed25519")) => Kind::Ed25519(bytes(self.x)?),
            _ => return None,
        };
        // A key for another algorithm of its type, such as RS512, verifies nothing here.
        let fits = self.alg.is_none_or(|alg| alg == kind.algorithm());
        fits.then_some(Key { id: self.kid, kind })
    }
}

impl Kind {
    fn algorithm(&self) -> &'static str {
        match self {
            Self::Rsa { .. } => "RS256",
            Self::P256(_) => "ES256",
            Self::Ed25519(_) => "EdDSA",
        }
    }

    fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match self {
            Self::Rsa { n, e } => RsaPublicKeyComponents { n, e }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
            Self::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature)
            }
            Self::Ed25519(point) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature)
            }
        };
        verified.is_ok()
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, TokenError> {
    URL_SAFE_NO_PAD.decode_to_vec(text).map_err(|_| TokenError::Malformed)
}
