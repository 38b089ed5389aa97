//! Checks that a webhook comes from Stripe: `Stripe-Signature: t=SECONDS,v1=HEX[,v1=HEX]` is an
//! HMAC-SHA256 of `SECONDS.BODY` with the endpoint's secret (the whole text, including `whsec_`).

use retouch_core::Timestamp;
use ring::hmac;
use thiserror::Error;

/// Allowed difference between the signature's time and ours, in seconds, as in Stripe's own
/// libraries.
pub const TOLERANCE_S: i64 = 300;
/// Maximum number of signatures that are checked.
const SIGNATURES_MAX: usize = 8;
/// Length of an HMAC-SHA256, in bytes.
const MAC_BYTES: usize = 32;

/// Why a webhook is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SignatureError {
    /// There is no signature, or it has the wrong form.
    #[error("the Stripe-Signature header does not have the form t=…,v1=…")]
    Malformed,
    /// The webhook was signed too long ago or in the future, so it may be a replay.
    #[error("the signature's timestamp is off by more than {TOLERANCE_S} seconds")]
    Stale,
    /// No signature matches the body.
    #[error("no signature matches the body")]
    Wrong,
}

/// Whether `header` signs `body` with one of `secrets`, at about `now`.
///
/// # Errors
/// [`SignatureError`].
pub fn verify<'a>(
    secrets: impl IntoIterator<Item = &'a str>,
    header: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<(), SignatureError> {
    let (time, signatures) = read(header).ok_or(SignatureError::Malformed)?;
    let seconds: i64 = time.parse().map_err(|_| SignatureError::Malformed)?;
    let message = [time.as_bytes(), b".", body].concat();
    let fits = |secret: &str| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        // This compares in constant time.
        signatures.iter().any(|mac| hmac::verify(&key, &message, mac).is_ok())
    };
    if !secrets.into_iter().any(fits) {
        return Err(SignatureError::Wrong);
    }
    let away_s = now.0.div_euclid(1_000).abs_diff(seconds);
    if away_s > TOLERANCE_S.unsigned_abs() { Err(SignatureError::Stale) } else { Ok(()) }
}

/// The signed time, and the signatures of the scheme v1. Other schemes are ignored.
fn read(header: &str) -> Option<(&str, Vec<[u8; MAC_BYTES]>)> {
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let mut times = parts().filter(|(name, _)| *name == "t");
    let (_, time) = times.next().filter(|_| times.next().is_none())?;
    let plain = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit());
    let signatures = parts().filter(|(name, _)| *name == "v1").filter_map(|(_, hex)| bytes(hex));
    let signatures: Vec<_> = signatures.take(SIGNATURES_MAX).collect();
    (plain && !signatures.is_empty()).then_some((time, signatures))
}

fn bytes(hex: &str) -> Option<[u8; MAC_BYTES]> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let read: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
    read.filter(|_| rest.is_empty())?.try_into().ok()
}
