//! Encryption of the secrets that administrators enter in the browser, and of those that sign events
//! for webhooks. The key is not in the database, so a copy of the database doesn't reveal them.

use std::fmt;
use std::sync::Arc;

use base64_simd::STANDARD;
use retouch_core::Entropy;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::config::Secret;

/// The length of a key in bytes.
pub const KEY_BYTES: usize = 32;

/// The operator's secret key.
#[derive(Clone)]
pub struct SecretKey(Arc<LessSafeKey>);

impl fmt::Debug for SecretKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[secret]")
    }
}

impl SecretKey {
    /// The key of 32 bytes in base64; `None` if `text` is anything else.
    pub fn of(text: &Secret) -> Option<Self> {
        let bytes = STANDARD.decode_to_vec(text.reveal().trim().as_bytes()).ok()?;
        let key = UnboundKey::new(&AES_256_GCM, &bytes).ok()?;
        Some(Self(Arc::new(LessSafeKey::new(key))))
    }

    /// Encrypts `secret`, which can be opened only under the same `name`. `None` if the cipher
    /// fails, which it does only for texts of gigabytes.
    pub fn seal(&self, name: &str, secret: &Secret, entropy: &dyn Entropy) -> Option<Vec<u8>> {
        // Random nonces are safe for the few secrets of an operator and those of webhooks: for
        // billions, they would not be.
        let mut sealed = vec![0; NONCE_LEN];
        entropy.fill(&mut sealed);
        let nonce = Nonce::try_assume_unique_for_key(&sealed).ok()?;
        let mut content = secret.reveal().as_bytes().to_vec();
        self.0.seal_in_place_append_tag(nonce, Aad::from(name), &mut content).ok()?;
        sealed.extend(content);
        Some(sealed)
    }

    /// Decrypts what [`Self::seal`] made under `name`. `None` if another key made it, or if it was
    /// changed.
    pub fn open(&self, name: &str, sealed: &[u8]) -> Option<Secret> {
        let (nonce, content) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut content = content.to_vec();
        let opened = self.0.open_in_place(nonce, Aad::from(name), &mut content).ok()?;
        std::str::from_utf8(opened).ok().map(Secret::new)
    }
}

#[cfg(test)]
mod tests {
    use retouch_core::SeededEntropy;

    use super::*;

    fn key(byte: u8) -> SecretKey {
        SecretKey::of(&Secret::new(STANDARD.encode_to_string([byte; 32]))).unwrap()
    }

    #[test]
    fn a_secret_opens_only_with_its_key_and_under_its_name() {
        let (secret, entropy) = (Secret::new("sk-123"), SeededEntropy::new(1));
        let mut sealed = key(1).seal("openai", &secret, &entropy).unwrap();
        assert!(!sealed.windows(6).any(|bytes| bytes == b"sk-123"));
        assert_eq!(key(1).open("openai", &sealed).unwrap(), secret);
        assert_eq!(key(2).open("openai", &sealed), None);
        assert_eq!(key(1).open("gemini", &sealed), None);
        assert_eq!(key(1).open("openai", &sealed[..5]), None);
        *sealed.last_mut().unwrap() ^= 1;
        assert_eq!(key(1).open("openai", &sealed), None);
    }

    #[test]
    fn a_key_is_32_bytes_in_base64() {
        for text in ["", "short", &STANDARD.encode_to_string([1; 31]), "not base64 at all!"] {
            assert!(SecretKey::of(&Secret::new(text)).is_none(), "{text}");
        }
    }
}
