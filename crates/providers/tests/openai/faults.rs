//! What a response without a result means: the table of docs/providers/openai.md.

use retouch_providers::RefusedKind;
use retouch_providers::openai::{LITELLM, OPENAI};
use retouch_providers::upstream::{Answer, Fault};

use crate::support::{answer, dialect, edit, fixture, with_header};

fn fault_of(answer: &Answer) -> Fault {
    edit("gpt-image-2", &[(1024, 1024)]).answered(&dialect(&OPENAI), answer).unwrap_err()
}

fn fault(status: u16, body: &'static str) -> Fault {
    fault_of(&answer(status, body))
}

/// The kind and the message of a refusal.
fn refused(fault: Fault) -> (RefusedKind, String) {
    match fault {
        Fault::Refused(refused) => (refused.kind, refused.message),
        other => panic!("not refused: {other:?}"),
    }
}

/// How long to wait, if the provider is busy for now.
fn busy(fault: Fault) -> Option<u64> {
    match fault {
        Fault::NotAccepted { wait_ms, is_lasting: false, .. } => wait_ms,
        other => panic!("not busy: {other:?}"),
    }
}

/// Why the request was not accepted at all.
fn barred(fault: Fault) -> String {
    match fault {
        Fault::NotAccepted { reason, wait_ms: None, is_lasting: true } => reason,
        other => panic!("not barred: {other:?}"),
    }
}

fn is_failed(fault: &Fault) -> bool {
    matches!(fault, Fault::Failed(_))
}

#[test]
fn content_is_refused_in_the_providers_words() {
    let bodies = [
        (fixture!("moderation_blocked"), "safety_violations=[violence]"),
        (fixture!("moderation_blocked_output"), "safety_violations=[sexual]"),
        (fixture!("content_policy_violation"), "rejected as a result"),
        (fixture!("azure_content_filter"), "Your task failed as a result of our safety system."),
        (fixture!("azure_inner"), "Your task failed."),
        (fixture!("litellm_moderation"), "safety_violations=[violence]"),
    ];
    for (body, words) in bodies {
        let (kind, message) = refused(fault(400, body));
        assert_eq!(kind, RefusedKind::Content, "{body}");
        assert!(message.contains(words), "{message}");
        assert!(!message.contains("litellm"), "the message reveals the gateway: {message}");
    }
}

#[test]
fn a_wrong_request_is_refused_in_the_servers_words() {
    let cases = [
        (400, fixture!("invalid_value"), "1000x1000"),
        (400, fixture!("text_error"), "prompt required"),
        (400, fixture!("detail"), "b64_json"),
        (400, fixture!("detail_object"), "no such size"),
        (422, fixture!("detail_list"), "body.prompt: Field required; body.n.0: Input should be"),
        (413, fixture!("text_error"), "prompt required"),
        (413, "<html>413</html>", "the images are too large"),
    ];
    for (status, body, words) in cases {
        let (kind, message) = refused(fault(status, body));
        assert_eq!(kind, RefusedKind::Parameters, "{body}");
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn what_the_operator_must_mend_lasts() {
    let cases = [
        (401, fixture!("invalid_api_key")),
        (401, ""),
        (402, "{}"),
        (403, fixture!("unsupported_country")),
        (404, fixture!("model_not_found")),
        (404, fixture!("azure_no_deployment")),
        (404, fixture!("flat")),
        (404, "<html>nginx</html>"),
        (405, ""),
        (307, ""),
        (501, ""),
        (400, fixture!("wrong_model")),
        (400, fixture!("billing_hard_limit")),
        (429, fixture!("insufficient_quota")),
        (400, fixture!("litellm_unknown_model")),
        (400, r#"{"detail":"Model mismatch: request specifies 'a' but server is running 'b'."}"#),
        (400, fixture!("litellm_no_database")),
        (400, fixture!("litellm_budget")),
        (429, fixture!("litellm_quota")),
    ];
    for (status, body) in cases {
        let reason = barred(fault(status, body));
        assert!(reason.contains(&status.to_string()), "{reason}");
        assert!(!reason.contains("sk-secret"), "{reason}");
    }
}

#[test]
fn who_is_throttled_is_told_how_long() {
    let throttled = || answer(429, fixture!("rate_limit"));
    assert_eq!(busy(fault_of(&throttled())), None);
    assert_eq!(busy(fault_of(&with_header(throttled(), "retry-after", "20"))), Some(20_000));
    assert_eq!(busy(fault_of(&with_header(throttled(), "retry-after-ms", "1500"))), Some(1_500));
    assert_eq!(busy(fault(429, fixture!("azure_throttled"))), Some(22_000));
    assert_eq!(busy(fault(503, fixture!("overloaded"))), None);
}

#[test]
fn a_limit_that_is_used_up_says_when_it_is_there_again() {
    let resets = [("6m0s", Some(360_000)), ("1.5s", Some(1_500)), ("20ms", Some(20))];
    for (reset, wait_ms) in resets.into_iter().chain([("soon", None), ("0s", None), ("5", None)]) {
        let spent =
            with_header(answer(429, fixture!("rate_limit")), "x-ratelimit-remaining-requests", "0");
        let spent = with_header(spent, "x-ratelimit-reset-requests", reset);
        assert_eq!(busy(fault_of(&spent)), wait_ms, "{reset}");
    }
    let left = with_header(answer(429, "{}"), "x-ratelimit-remaining-requests", "3");
    assert_eq!(busy(fault_of(&with_header(left, "x-ratelimit-reset-requests", "6m0s"))), None);
}

#[test]
fn what_may_have_been_done_is_never_tried_elsewhere() {
    let cases = [
        (500, fixture!("server_error")),
        (500, fixture!("text_error_more")),
        (503, fixture!("image_server_error")),
        (502, "<html><h1>502 Bad Gateway</h1></html>"),
        (504, ""),
        (524, "error code: 524"),
        (408, ""),
        (409, ""),
        (400, "<html>400 Bad Request</html>"),
        (418, "[]"),
    ];
    for (status, body) in cases {
        let fault = fault(status, body);
        assert!(is_failed(&fault), "{status} {body}: {fault:?}");
    }
}

#[test]
fn litellm_is_read_as_the_provider_behind_it() {
    let answer = answer(400, fixture!("litellm_moderation"));
    let sample = edit("pictures", &[(64, 64)]);
    let (kind, _) = refused(sample.answered(&dialect(&LITELLM), &answer).unwrap_err());
    assert_eq!(kind, RefusedKind::Content);
}
