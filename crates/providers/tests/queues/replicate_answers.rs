//! How Replicate's responses are read.

use retouch_providers::queue::Replicate;
use retouch_providers::upstream::{Answer, Dialect, Ticket};
use serde_json::json;

use super::support::{Sample, addresses_of, answer, line_of, outcome, ticket_of, with_header};

macro_rules! fixture {
    ($status:expr, $name:literal) => {
        answer($status, include_str!(concat!("../fixtures/replicate/", $name, ".json")))
    };
}

fn submitted(answer: &Answer) -> String {
    outcome(Sample::edit("google/nano-banana").answered(&Replicate, answer))
}

fn polled(answer: &Answer) -> String {
    outcome(Replicate.polled(&Ticket(json!({ "id": "p1" })), answer))
}

/// A prediction that ended in this way.
fn ended(status: &str, output: &serde_json::Value, error: &str) -> Answer {
    answer(
        200,
        json!({ "id": "p1", "status": status, "output": output, "error": error }).to_string(),
    )
}

#[test]
fn a_prediction_is_named_then_asked_for_by_its_name() {
    let sample = Sample::edit("google/nano-banana");
    let ticket = ticket_of(sample.answered(&Replicate, &fixture!(201, "starting")));
    assert_eq!(ticket, Ticket(json!({ "id": "p1" })));
    assert_eq!(line_of(&Replicate.poll(&ticket)), "GET /predictions/p1");
    assert_eq!(polled(&fixture!(200, "processing")), "working");
    let addresses = addresses_of(Replicate.polled(&ticket, &fixture!(200, "succeeded")));
    assert_eq!(addresses, ["https://replicate.delivery/xezq/abc/out.png"]);
}

#[test]
fn an_output_is_one_address_or_several_or_none() {
    let addresses = |output| {
        let answer = ended("succeeded", &output, "");
        addresses_of(Replicate.polled(&Ticket(json!({ "id": "p1" })), &answer))
    };
    assert_eq!(addresses(json!("https://a.example/1")), ["https://a.example/1"]);
    assert_eq!(addresses(json!(["https://a.example/1", "https://a.example/2"])).len(), 2);
    assert!(addresses(json!(null)).is_empty());
    assert_eq!(polled(&ended("succeeded", &json!({ "text": "no" }), "")), "failed");
    assert_eq!(polled(&ended("succeeded", &json!([7]), "")), "failed");
}

#[test]
fn a_prediction_may_have_ended_at_once() {
    let sample = Sample::edit("google/nano-banana");
    assert_eq!(addresses_of(sample.answered(&Replicate, &fixture!(201, "succeeded"))).len(), 1);
    assert_eq!(submitted(&fixture!(201, "sensitive")), "content");
}

#[test]
fn a_failed_prediction_says_why_in_its_text() {
    assert_eq!(polled(&fixture!(200, "sensitive")), "content");
    assert_eq!(polled(&ended("failed", &json!(null), "Output was FLAGGED")), "content");
    assert_eq!(polled(&ended("failed", &json!(null), "NSFW content detected")), "content");
    assert_eq!(polled(&ended("failed", &json!(null), "CUDA out of memory")), "failed");
    assert_eq!(polled(&ended("canceled", &json!(null), "")), "failed");
    assert_eq!(polled(&ended("aborted", &json!(null), "")), "failed");
    assert_eq!(polled(&fixture!(200, "removed")), "lost");
}

#[test]
fn a_look_up_says_little_about_the_task_when_it_fails() {
    assert_eq!(polled(&answer(404, "{}")), "lost");
    assert_eq!(polled(&fixture!(429, "throttled")), "busy 30000");
    assert_eq!(polled(&answer(502, "<html>")), "failed");
    assert_eq!(polled(&answer(200, "<html>")), "failed");
    let strange = Ticket(json!("p1"));
    assert_eq!(outcome(Replicate.polled(&strange, &fixture!(200, "succeeded"))), "lost");
}

#[test]
fn errors_at_the_door_are_told_apart() {
    assert_eq!(submitted(&fixture!(422, "invalid")), "parameters");
    assert_eq!(submitted(&fixture!(422, "no_version")), "barred");
    assert_eq!(submitted(&answer(401, r#"{"title":"Unauthenticated","status":401}"#)), "barred");
    assert_eq!(submitted(&answer(402, r#"{"title":"Insufficient credit"}"#)), "barred");
    assert_eq!(submitted(&answer(404, "")), "barred");
    assert_eq!(submitted(&fixture!(429, "throttled")), "busy 30000");
    let hinted = with_header(fixture!(429, "throttled"), "retry-after", "4");
    assert_eq!(submitted(&hinted), "busy 4000");
    assert_eq!(submitted(&answer(503, "")), "busy");
    assert_eq!(submitted(&answer(500, "")), "failed");
    assert_eq!(submitted(&answer(201, "{}")), "failed");
}

#[test]
fn a_name_that_is_no_name_is_not_asked_for() {
    let strange = answer(201, r#"{"id":"../account","status":"starting"}"#);
    assert_eq!(submitted(&strange), "failed");
}

#[test]
fn the_probe_tells_a_wrong_key_and_a_wrong_address() {
    assert_eq!(line_of(&Replicate.probe()), "GET /account");
    assert!(Replicate.probed(&answer(200, "{}")).is_ok());
    assert!(Replicate.probed(&answer(401, "{}")).expect_err("no").contains("key"));
    assert!(Replicate.probed(&answer(404, "{}")).expect_err("no").contains("/v1"));
}
