//! Checks the signatures of webhooks.

use retouch_core::Timestamp;
use retouch_outbound::payments::signature::{SignatureError, TOLERANCE_S, verify};
use ring::hmac;

const SECRET: &str = "whsec_test_secret";
const BODY: &[u8] = br#"{"id": "evt_1", "object": "event"}"#;
const NOW_S: i64 = 1_795_176_000;

fn sign(secret: &str, seconds: i64, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let message = [format!("{seconds}.").as_bytes(), body].concat();
    let mac = hmac::sign(&key, &message);
    mac.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check(header: &str, body: &[u8]) -> Result<(), SignatureError> {
    verify([SECRET], header, body, Timestamp(NOW_S * 1_000 + 999))
}

#[test]
fn a_signature_that_others_made_is_believed() {
    // Computed with Python's hmac module: HMAC-SHA256("whsec_test_secret", "1795176000." + body).
    let known = "5c0065098d646b3d63e41d6abbddac1de86c2358e02de5f3f267ab97f2ff8a9c";
    assert_eq!(sign(SECRET, NOW_S, BODY), known);
    assert_eq!(check(&format!("t={NOW_S},v1={known}"), BODY), Ok(()));
    assert_eq!(check(&format!("t={NOW_S}, v1={}", known.to_uppercase()), BODY), Ok(()));
}

#[test]
fn any_of_several_secrets_and_signatures_is_enough() {
    let (old, new) = (sign("whsec_old", NOW_S, BODY), sign("whsec_new", NOW_S, BODY));
    let now = Timestamp(NOW_S * 1_000);
    let both = format!("t={NOW_S},v1={old},v0=00ff,v1={new}");
    for secret in ["whsec_old", "whsec_new"] {
        assert_eq!(verify([secret], &both, BODY, now), Ok(()));
        assert_eq!(verify(["whsec_x", secret], &both, BODY, now), Ok(()));
    }
    assert_eq!(verify(["whsec_x"], &both, BODY, now), Err(SignatureError::Wrong));
    assert_eq!(verify([], &both, BODY, now), Err(SignatureError::Wrong));
}

#[test]
fn what_was_changed_or_signed_by_another_is_not_believed() {
    let right = sign(SECRET, NOW_S, BODY);
    let another_time = format!("t={},v1={right}", NOW_S + 1);
    assert_eq!(check(&another_time, BODY), Err(SignatureError::Wrong));
    assert_eq!(check(&format!("t={NOW_S},v1={right}"), b"{}"), Err(SignatureError::Wrong));
    let other = sign("whsec_other", NOW_S, BODY);
    assert_eq!(check(&format!("t={NOW_S},v1={other}"), BODY), Err(SignatureError::Wrong));
    // The scheme v0 is for Stripe's own tests and proves nothing.
    assert_eq!(check(&format!("t={NOW_S},v0={right}"), BODY), Err(SignatureError::Malformed));
}

#[test]
fn what_is_old_or_of_the_future_is_not_believed() {
    for (away, believed) in [
        (-TOLERANCE_S, Ok(())),
        (TOLERANCE_S, Ok(())),
        (-TOLERANCE_S - 1, Err(SignatureError::Stale)),
        (TOLERANCE_S + 1, Err(SignatureError::Stale)),
    ] {
        let seconds = NOW_S + away;
        let header = format!("t={seconds},v1={}", sign(SECRET, seconds, BODY));
        assert_eq!(check(&header, BODY), believed, "{away}");
    }
}

#[test]
fn nonsense_is_not_believed() {
    let right = sign(SECRET, NOW_S, BODY);
    for header in [
        String::new(),
        "t".into(),
        format!("v1={right}"),
        format!("t={NOW_S}"),
        format!("t={NOW_S},v1="),
        format!("t={NOW_S},v1={}", &right[..63]),
        format!("t={NOW_S},v1={right}00"),
        format!("t={NOW_S},v1={}", "zz".repeat(32)),
        format!("t=,v1={right}"),
        format!("t=-5,v1={right}"),
        format!("t={NOW_S},t={NOW_S},v1={right}"),
        format!("t=99999999999999999999999,v1={right}"),
    ] {
        assert_eq!(check(&header, BODY), Err(SignatureError::Malformed), "{header}");
    }
}
