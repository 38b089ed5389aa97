//! Codes of authenticator apps: time-based one-time passwords (RFC 6238) with six digits, 30
//! seconds and SHA-1, which every app supports.

use retouch_core::Timestamp;
use ring::hmac::{self, HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key};
use sha2::{Digest, Sha256};

/// The duration of a time step, in milliseconds.
const STEP_MS: i64 = 30_000;
/// How many steps a phone's clock may be ahead of or behind ours (RFC 6238, 5.2).
const STEPS_OFF_MAX: i64 = 1;
/// Digits of a code, and how many codes there are.
const DIGITS: usize = 6;
const CODES: u32 = 1_000_000;
/// The letters of base32 (RFC 4648, 6).
const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/// Letters per group of a recovery code.
const GROUP: usize = 4;

/// Random bytes in a recovery code: enough that no one can compute a table of all codes.
pub const RECOVERY_BYTES: usize = 10;

/// The time step around `now` whose code is `typed`, if there is one.
pub fn step(secret: &[u8], typed: &str, now: Timestamp) -> Option<i64> {
    let digits: String = typed.chars().filter(|letter| !letter.is_whitespace()).collect();
    let is_code = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    let typed: u32 = digits.parse().ok().filter(|_| is_code)?;
    let current = now.0.div_euclid(STEP_MS);
    // Always compute all codes, so that the response time does not reveal which one matched.
    let steps = current - STEPS_OFF_MAX..=current + STEPS_OFF_MAX;
    let matching = |first, step| if code(secret, step) == typed { Some(step) } else { first };
    steps.rev().fold(None, matching)
}

/// The code of a time step (RFC 4226, 5.3).
fn code(secret: &[u8], step: i64) -> u32 {
    let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let tag = hmac::sign(&key, &step.to_be_bytes());
    let tag = tag.as_ref();
    let offset = usize::from(tag.last().copied().unwrap_or(0) & 0x0f);
    let four = tag.get(offset..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    (u32::from_be_bytes(four) & 0x7fff_ffff) % CODES
}

/// Bytes in base32 without padding, the format in which apps accept secrets.
pub fn base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(5) {
        let mut five = [0; 8];
        for (place, byte) in five.iter_mut().skip(3).zip(chunk) {
            *place = *byte;
        }
        let bits = u64::from_be_bytes(five);
        let letters = (chunk.len() * 8).div_ceil(5);
        for index in 0..letters {
            let letter = (bits >> (35 - 5 * index)) & 31;
            text.extend(LETTERS.get(letter as usize).map(|byte| char::from(*byte)));
        }
    }
    text
}

/// A recovery code in the form shown to users, such as `abcd-efgh-ijkl-mnop`.
pub fn recovery_code(bytes: &[u8; RECOVERY_BYTES]) -> String {
    let letters = base32(bytes).to_ascii_lowercase().into_bytes();
    let groups = letters.chunks(GROUP).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("-")
}

/// The hash under which a recovery code is stored, independent of case, hyphens and spaces.
pub fn recovery_hash(typed: &str) -> [u8; 32] {
    let letters = typed.chars().filter(char::is_ascii_alphanumeric);
    let plain: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    Sha256::digest(plain).into()
}

#[cfg(test)]
mod tests {
    use retouch_core::Timestamp;

    use super::{base32, code, recovery_code, recovery_hash, step};

    /// The secret of RFC 6238, appendix B.
    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // The RFC lists eight digits; these are the last six.
        let vectors = [
            (59, 287_082),
            (1_111_111_109, 81_804),
            (1_111_111_111, 50_471),
            (1_234_567_890, 5_924),
            (2_000_000_000, 279_037),
            (20_000_000_000, 353_130),
        ];
        for (seconds, wanted) in vectors {
            assert_eq!(code(SECRET, seconds / 30), wanted, "{seconds}");
        }
    }

    #[test]
    fn a_code_is_accepted_one_step_early_or_late_and_no_more() {
        let at = |seconds: i64| Timestamp(seconds * 1_000);
        for seconds in [1_234_567_860, 1_234_567_890, 1_234_567_920] {
            assert_eq!(step(SECRET, " 005 924", at(seconds)), Some(41_152_263), "{seconds}");
        }
        for seconds in [1_234_567_830, 1_234_567_950] {
            assert_eq!(step(SECRET, "005924", at(seconds)), None, "{seconds}");
        }
        for typed in ["5924", "0005924", "+05924", "00592a", ""] {
            assert_eq!(step(SECRET, typed, at(1_234_567_890)), None, "{typed}");
        }
    }

    #[test]
    fn base32_is_that_of_rfc_4648() {
        let vectors =
            [("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ")];
        for (plain, wanted) in vectors {
            assert_eq!(base32(plain.as_bytes()), wanted);
        }
        assert_eq!(base32(SECRET), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    }

    #[test]
    fn a_recovery_code_is_the_same_however_it_is_typed() {
        let shown = recovery_code(&[0xff; 10]);
        assert_eq!(shown, "7777-7777-7777-7777");
        assert_eq!(recovery_hash(&shown), recovery_hash(" 7777777777777777 "));
    }
}
