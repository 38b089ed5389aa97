//! Real keys whose private halves are public. They are for tests only.

use base64_simd::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::{KeyPair as RsaKeyPair, PublicKeyComponents};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256,
};
use serde::Deserialize;
use serde_json::{Value, json};

const RSA: &[u8] = include_bytes!("../../assets/oidc-rsa.der");
const P256: &[u8] = include_bytes!("../../assets/oidc-p256.der");
/// The seeds of the provider's Ed25519 key and of another one that it never publishes.
const SEEDS: [[u8; 32]; 2] = [[1; 32], [2; 32]];

/// The algorithm of signatures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum Algorithm {
    #[default]
    #[serde(rename = "RS256")]
    Rs256,
    #[serde(rename = "ES256")]
    Es256,
    #[serde(rename = "EdDSA")]
    EdDsa,
}

/// The provider's only key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub(super) algorithm: Algorithm,
    pub(super) kid: String,
}

impl Default for Keys {
    fn default() -> Self {
        Self { algorithm: Algorithm::default(), kid: "first".into() }
    }
}

impl Keys {
    /// The public key set, as it is published.
    pub(super) fn shown(&self) -> Value {
        let mut key = self.public().unwrap_or_default();
        key["kid"] = json!(self.kid);
        key["use"] = json!("sig");
        key["alg"] = json!(self.name());
        json!({ "keys": [key] })
    }

    /// The algorithm's name in tokens.
    pub(super) fn name(&self) -> &'static str {
        match self.algorithm {
            Algorithm::Rs256 => "RS256",
            Algorithm::Es256 => "ES256",
            Algorithm::EdDsa => "EdDSA",
        }
    }

    /// Signs `message`.
    pub(super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        match self.algorithm {
            Algorithm::Rs256 => {
                let key = RsaKeyPair::from_pkcs8(RSA).ok()?;
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).ok()?;
                Some(signature)
            }
            Algorithm::Es256 => {
                let signature = p256()?.sign(&SystemRandom::new(), message).ok()?;
                Some(signature.as_ref().to_vec())
            }
            Algorithm::EdDsa => Some(sign_as(0, message)),
        }
    }

    fn public(&self) -> Option<Value> {
        match self.algorithm {
            Algorithm::Rs256 => {
                let key = RsaKeyPair::from_pkcs8(RSA).ok()?;
                let parts = PublicKeyComponents::<Vec<u8>>::from(key.public());
                Some(json!({ "kty": "RSA", "n": text(&parts.n), "e": text(&parts.e) }))
            }
            Algorithm::Es256 => {
                let key = p256()?;
                let (x, y) = key.public_key().as_ref().get(1..)?.split_at_checked(32)?;
                Some(json!({ "kty": "EC", "crv": "P-256", "x": text(x), "y": text(y) }))
            }
            Algorithm::EdDsa => {
                let key = Ed25519KeyPair::from_seed_unchecked(&SEEDS[0]).ok()?;
                let x = text(key.public_key().as_ref());
                Some(json!({ "kty": "OKP", "crv": "Ed25519", "x": x }))
            }
        }
    }
}

/// Signs `message` with someone else's key.
pub(super) fn forge(message: &[u8]) -> Vec<u8> {
    sign_as(1, message)
}

/// Encodes bytes as in tokens and keys.
pub(super) fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode_to_string(bytes)
}

fn sign_as(seed: usize, message: &[u8]) -> Vec<u8> {
    let key = Ed25519KeyPair::from_seed_unchecked(&SEEDS[seed]);
    key.map(|key| key.sign(message).as_ref().to_vec()).unwrap_or_default()
}

fn p256() -> Option<EcdsaKeyPair> {
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, P256, &SystemRandom::new()).ok()
}
