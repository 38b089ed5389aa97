//! Every fault that the simulators can cause: its outcome, that nothing is ordered twice, and that
//! the next call works.

use retouch_providers::ProviderError;
use retouch_providers::openai::{AZURE, OPENAI, OpenAi, Options, SGLANG, SdCpp, VLLM};
use retouch_providers::upstream::Dialect;
use serde_json::{Value, json};

use crate::stand::{Stand, simple};

/// A fault, and the outcome of the call that it happens to.
type Case = (&'static str, &'static str);

/// Faults of the call that orders the work, whatever the protocol.
const OF_ANY_CALL: [Case; 13] = [
    ("throttle", "not_accepted"),
    ("overloaded", "not_accepted"),
    ("bad_key", "not_accepted"),
    ("no_credit", "not_accepted"),
    ("internal_error", "failed"),
    ("bad_gateway_html", "failed"),
    ("empty_body", "failed"),
    ("not_json", "failed"),
    ("truncated_json", "failed"),
    ("wrong_content_type", "done"),
    ("close_before_answer", "unknown"),
    ("reset", "unknown"),
    ("close_mid_body", "unknown"),
];

/// Faults that take time.
const SLOW: [Case; 3] = [("slow", "done"), ("hang", "unknown"), ("oversized_body", "unknown")];

/// Faults of a refusal or a result.
const OF_RESULTS: [Case; 11] = [
    ("refuse_content_input", "refused"),
    ("refuse_content_output", "refused"),
    ("refuse_parameters", "refused"),
    ("unknown_model", "not_accepted"),
    ("no_image", "failed"),
    ("text_instead", "failed"),
    ("two_images", "done"),
    ("broken_base64", "failed"),
    ("not_a_picture", "failed"),
    ("truncated_picture", "failed"),
    ("huge_picture", "failed"),
];

/// Faults of a job.
const OF_JOBS: [Case; 13] = [
    ("refuse_parameters", "refused"),
    ("no_image", "failed"),
    ("two_images", "done"),
    ("broken_base64", "failed"),
    ("not_a_picture", "failed"),
    ("truncated_picture", "failed"),
    ("huge_picture", "failed"),
    ("task_failed", "failed"),
    ("task_failed_content", "failed"),
    ("task_lost", "unknown"),
    ("task_expired", "unknown"),
    ("refuse_content_input", "refused"),
    ("unknown_model", "refused"),
];

/// Faults of a single poll of a job, which is then repeated.
const OF_QUESTIONS: [&str; 8] = [
    "internal_error",
    "bad_gateway_html",
    "empty_body",
    "truncated_json",
    "throttle",
    "close_before_answer",
    "reset",
    "close_mid_body",
];

fn outcome(performed: &Result<retouch_providers::Output, ProviderError>) -> &'static str {
    performed.as_ref().map_or_else(ProviderError::outcome, |_| "done")
}

/// Makes one call with a fault, and then one without.
async fn meet(provider: &'static str, dialect: impl Dialect + 'static, fault: (Value, &str)) {
    let (plan, expected) = fault;
    let stand = Stand::new(provider, dialect);
    stand.plan(plan.clone()).await;
    let met = stand.perform(&simple("gpt-image-2", "the first")).await;
    assert_eq!(outcome(&met), expected, "{provider}, {plan}: {met:?}");
    let (received, worked) = stand.submissions("the first").await;
    assert_eq!(received, 1, "{provider}, {plan}: never twice");
    let may_be_tried_elsewhere = matches!(met, Err(ProviderError::NotAccepted { .. }));
    assert!(worked == 0 || !may_be_tried_elsewhere, "{provider}, {plan}: it may be paid for");
    let next = stand.perform(&simple("gpt-image-2", "the second")).await;
    assert_eq!(outcome(&next), "done", "{provider}, after {plan}: {next:?}");
}

fn plan(case: Case) -> (Value, &'static str) {
    let (fault, expected) = case;
    (json!({ "fault": fault, "ms": 200 }), expected)
}

#[tokio::test]
async fn openai_fails_in_every_way() {
    for case in OF_ANY_CALL.into_iter().chain(OF_RESULTS).chain(SLOW) {
        meet("openai", OpenAi::new(&OPENAI, Options::default()), plan(case)).await;
    }
}

#[tokio::test]
async fn azure_fails_in_every_way() {
    for case in OF_ANY_CALL.into_iter().chain(OF_RESULTS) {
        meet("azure", OpenAi::new(&AZURE, Options::default()), plan(case)).await;
    }
}

#[tokio::test]
async fn self_hosted_servers_fail_in_every_way() {
    for (provider, profile) in [("vllm", &VLLM), ("sglang", &SGLANG)] {
        for case in OF_ANY_CALL.into_iter().chain(OF_RESULTS) {
            meet(provider, OpenAi::new(profile, Options::default()), plan(case)).await;
        }
    }
}

#[tokio::test]
async fn jobs_fail_in_every_way() {
    for case in OF_ANY_CALL.into_iter().chain(OF_JOBS) {
        meet("sdcpp", SdCpp, plan(case)).await;
    }
}

#[tokio::test]
async fn a_question_about_a_job_is_asked_again() {
    for fault in OF_QUESTIONS {
        meet("sdcpp", SdCpp, (json!({ "fault": fault, "call": "poll" }), "done")).await;
    }
}
