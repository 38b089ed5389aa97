//! The two secrets that a caller may hold: an API key and a session token. Each is shown once and
//! stored only as a hash. Both have enough random bits that plain SHA-256 is sufficient.

use std::fmt;

use retouch_core::Ids;
use sha2::{Digest, Sha256};

/// The prefix of every API key, so that people and secret scanners recognize it.
pub const KEY_PREFIX: &str = "retouch_";
/// Random characters in a key: 30 base-62 digits are 178 bits, more than the 160 bits recommended.
const KEY_RANDOM_CHARS: usize = 30;
/// Characters of the checksum: CRC-32 in base 62 has up to six digits (62^6 > 2^32).
const KEY_CHECKSUM_CHARS: usize = 6;
/// Characters of a key that lists show: its prefix and six more, which leaves 142 bits unknown.
const KEY_START_CHARS: usize = KEY_PREFIX.len() + 6;
/// Random bytes in a session token.
const TOKEN_BYTES: usize = 32;
/// Characters of a session token: 32 bytes in base64 without padding.
const TOKEN_CHARS: usize = 43;

/// The digits of base 62.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Random bytes from here on are discarded: 248 is the largest multiple of 62 in a byte, and using
/// higher values would make some digits more likely than others.
const FAIR_BYTES: u8 = 248;

/// Characters of a password that an administrator passes on: 20 base-62 digits are 119 bits.
const PASSWORD_CHARS: usize = 20;

/// A new password, for an administrator to pass on.
pub(crate) fn new_password(ids: &Ids) -> String {
    random_digits(ids).chars().take(PASSWORD_CHARS).collect()
}

/// An API key in clear text, to be shown once.
pub struct ApiKeySecret(String);

impl ApiKeySecret {
    /// A new key.
    pub fn new(ids: &Ids) -> Self {
        let text = format!("{KEY_PREFIX}{}", random_digits(ids));
        let sum = checksum(&text);
        Self(text + &sum)
    }

    /// The hash under which a key is stored, if `text` has the form and checksum of a key. Mistyped
    /// keys are rejected without a database query.
    pub fn check(text: &str) -> Option<[u8; 32]> {
        let random = text.strip_prefix(KEY_PREFIX)?;
        let is_long_enough = random.len() == KEY_RANDOM_CHARS + KEY_CHECKSUM_CHARS;
        if !is_long_enough || !random.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (body, sum) = text.split_at_checked(text.len() - KEY_CHECKSUM_CHARS)?;
        (checksum(body) == sum).then(|| sha256(text))
    }

    /// The key itself, for the one response that shows it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The first characters, by which its owner recognizes it.
    pub fn start(&self) -> &str {
        self.0.get(..KEY_START_CHARS).unwrap_or_default()
    }

    /// The hash under which it is stored.
    pub fn hash(&self) -> [u8; 32] {
        sha256(&self.0)
    }
}

impl fmt::Debug for ApiKeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKeySecret({}…)", self.start())
    }
}

/// The token of a session, as stored in its cookie.
pub struct SessionToken(String);

impl SessionToken {
    /// A new token.
    pub fn new(ids: &Ids) -> Self {
        let bytes: [u8; TOKEN_BYTES] = ids.secret();
        Self(base64_simd::URL_SAFE_NO_PAD.encode_to_string(bytes))
    }

    /// The hash under which a session is stored, if `text` has the form of a token.
    pub fn check(text: &str) -> Option<[u8; 32]> {
        let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (text.len() == TOKEN_CHARS && text.bytes().all(is_digit)).then(|| sha256(text))
    }

    /// The token itself, for the cookie.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash under which its session is stored.
    pub fn hash(&self) -> [u8; 32] {
        sha256(&self.0)
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(hidden)")
    }
}

fn random_digits(ids: &Ids) -> String {
    let mut digits = String::with_capacity(KEY_RANDOM_CHARS);
    // 64 bytes almost always include 30 usable ones; if not, the loop draws again.
    while digits.len() < KEY_RANDOM_CHARS {
        let bytes: [u8; 64] = ids.secret();
        let fair = bytes.iter().filter(|byte| **byte < FAIR_BYTES);
        let missing = KEY_RANDOM_CHARS - digits.len();
        digits.extend(fair.take(missing).map(|byte| digit(u32::from(*byte))));
    }
    digits
}

/// CRC-32 of `text` in base 62, always six digits long.
fn checksum(text: &str) -> String {
    let sum = crc32fast::hash(text.as_bytes());
    let places = (0..KEY_CHECKSUM_CHARS as u32).rev();
    places
        .map(|place| digit(62_u64.pow(place).try_into().map_or(0, |unit: u32| sum / unit)))
        .collect()
}

fn digit(number: u32) -> char {
    char::from(DIGITS[number as usize % DIGITS.len()])
}

/// SHA-256 of a text.
pub(crate) fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}
