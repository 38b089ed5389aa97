//! Responses with another status than 200, and the probe.

use http::HeaderValue;
use retouch_core::Kind;
use retouch_providers::RefusedKind;
use retouch_providers::gemini::Gemini;
use retouch_providers::upstream::{Body, CallUrl, Dialect, Fault};

use super::support::{answer, edit, meaning, order, recorded, refused_for};

/// Whether an early retry is pointless, and how long to wait.
fn not_accepted(fault: Option<Fault>) -> (bool, Option<u64>) {
    match fault {
        Some(Fault::NotAccepted { wait_ms, is_lasting, .. }) => (is_lasting, wait_ms),
        other => panic!("not `NotAccepted`: {other:?}"),
    }
}

#[test]
fn throttling_waits_as_long_as_google_says() {
    let told = meaning(&recorded(429, "throttled")).err();
    assert_eq!(not_accepted(told), (false, Some(3_500)));

    let mut in_headers = answer(429, "slow down");
    in_headers.headers.insert("retry-after", HeaderValue::from_static("2"));
    assert_eq!(not_accepted(meaning(&in_headers).err()), (false, Some(2_000)));
    assert_eq!(not_accepted(meaning(&answer(429, "")).err()), (false, None));
}

#[test]
fn delays_that_are_none_are_passed_over() {
    for (delay, wait_ms) in
        [("-1s", Some(0)), ("0.0001s", Some(1)), ("3", None), ("soon", None), ("", None)]
    {
        let body = format!(r#"{{"error":{{"details":[{{"retryDelay":"{delay}"}}]}}}}"#);
        assert_eq!(not_accepted(meaning(&answer(429, body)).err()), (false, wait_ms), "{delay}");
    }
}

#[test]
fn what_only_the_operator_can_mend_is_lasting() {
    let lasting = [(429, "quota_of_the_day"), (400, "bad_key"), (400, "wrong_region")]
        .map(|(status, name)| not_accepted(meaning(&recorded(status, name)).err()));
    assert_eq!(lasting, [(true, None); 3]);
    for status in [401, 402, 403, 404] {
        assert_eq!(not_accepted(meaning(&answer(status, "no")).err()), (true, None), "{status}");
    }
}

#[test]
fn an_overload_is_not_lasting() {
    let body =
        r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#;
    assert_eq!(not_accepted(meaning(&answer(503, body)).err()), (false, None));
}

#[test]
fn a_wrong_argument_is_told_to_the_caller() {
    let meaning = meaning(&recorded(400, "wrong_argument"));
    let message = refused_for(RefusedKind::Parameters, meaning);
    assert!(message.contains("Unable to process input image."), "{message}");
}

#[test]
fn words_that_veo_does_not_film_are_a_refusal_of_content() {
    let body = r#"{"error":{"code":400,"message":"The prompt contains words that violate Google's Responsible AI practices.","status":"INVALID_ARGUMENT"}}"#;
    refused_for(RefusedKind::Content, meaning(&answer(400, body)));
}

#[test]
fn other_troubles_may_have_cost_something_and_are_failures() {
    let internal = r#"{"error":{"code":500,"message":"An internal error.","status":"INTERNAL"}}"#;
    let cases = [
        (500, internal, "status 500 INTERNAL: An internal error."),
        (502, "<html>Bad Gateway</html>", "status 502: <html>Bad Gateway</html>"),
        (504, "", "status 504: "),
        (499, "", "status 499: "),
        (400, "<html>", "status 400: <html>"),
        (302, "", "status 302: "),
    ];
    for (status, body, why) in cases {
        assert_eq!(meaning(&answer(status, body)), Err(Fault::Failed(why.into())), "{status}");
    }
}

#[test]
fn the_probe_lists_one_model_and_says_what_is_wrong() {
    let gemini = Gemini::default();
    let probe = gemini.probe();
    assert_eq!(probe.url, CallUrl::Path("/v1beta/models?pageSize=1".into()));
    assert_eq!(probe.body, Body::Empty);

    let good = answer(200, r#"{"models":[{"name":"models/gemini-3-pro-image"}]}"#);
    assert_eq!(gemini.probed(&good), Ok("the key is accepted".into()));
    let wrong = [
        (recorded(400, "bad_key"), "the key is invalid"),
        (answer(403, "no"), "no access"),
        (answer(404, "no"), "base_url"),
        (answer(500, "no"), "status 500"),
        (answer(200, "<html>"), "not a Gemini server"),
        (answer(200, r#"{"models":[]}"#), "no model"),
    ];
    for (answer, words) in wrong {
        let said = gemini.probed(&answer).unwrap_err();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn errors_of_videos_are_read_alike() {
    let edit = edit(Kind::Video);
    let order = order(&edit, "veo-3.1-generate-preview", &[]);
    let told = Gemini::default().submitted(&order, &recorded(429, "throttled")).err();
    assert_eq!(not_accepted(told), (false, Some(3_500)));
}
