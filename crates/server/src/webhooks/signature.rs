//! The secrets of a webhook, and signatures by them.
//!
//! Each message has two signatures, and receivers check the one they prefer: `v1` is an HMAC with a
//! secret that both sides know, and `v1a` is an Ed25519 signature, which needs no secret to check.

use std::fmt;

use base64_simd::STANDARD;
use retouch_core::Ids;
use ring::hmac;
use ring::signature::{Ed25519KeyPair, KeyPair};

/// The length of each secret in bytes.
const SECRET_BYTES: usize = 32;

/// The secrets of a webhook.
pub struct Secrets {
    shared: Vec<u8>,
    seed: Vec<u8>,
    pair: Ed25519KeyPair,
}

/// A message to sign.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The ID of the event.
    pub id: &'a str,
    /// When it is sent, in seconds since 1970-01-01.
    pub timestamp_s: i64,
    /// The body.
    pub body: &'a str,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[secret]")
    }
}

impl Secrets {
    /// New secrets. `None` only if the cryptography fails.
    pub fn new(ids: &Ids) -> Option<Self> {
        let (shared, seed) = (ids.secret::<SECRET_BYTES>(), ids.secret::<SECRET_BYTES>());
        Self::of(&shared, &seed)
    }

    /// The secrets with these bytes. `None` if the seed does not have 32.
    pub fn of(shared: &[u8], seed: &[u8]) -> Option<Self> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).ok()?;
        Some(Self { shared: shared.to_vec(), seed: seed.to_vec(), pair })
    }

    /// Both secrets as one text, to be encrypted.
    pub fn text(&self) -> String {
        STANDARD.encode_to_string([&*self.shared, &*self.seed].concat())
    }

    /// Reads that text.
    pub fn of_text(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode_to_vec(text).ok()?;
        let (shared, seed) = bytes.split_at_checked(SECRET_BYTES)?;
        Self::of(shared, seed)
    }

    /// The secret that receivers check `v1` with.
    pub fn shared_text(&self) -> String {
        format!("whsec_{}", STANDARD.encode_to_string(&self.shared))
    }

    /// The public key that receivers check `v1a` with.
    pub fn public_text(&self) -> String {
        format!("whpk_{}", STANDARD.encode_to_string(self.pair.public_key()))
    }

    /// Both signatures of a message, as its header has them.
    pub fn sign(&self, message: Message<'_>) -> String {
        let Message { id, timestamp_s, body } = message;
        let signed = format!("{id}.{timestamp_s}.{body}");
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.shared);
        let shared = STANDARD.encode_to_string(hmac::sign(&key, signed.as_bytes()));
        let public = STANDARD.encode_to_string(self.pair.sign(signed.as_bytes()));
        format!("v1,{shared} v1a,{public}")
    }
}
