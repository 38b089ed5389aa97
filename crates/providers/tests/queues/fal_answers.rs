//! How fal's responses are read.

use retouch_providers::queue::Fal;
use retouch_providers::upstream::{Answer, Dialect, Ticket};
use serde_json::json;

use super::support::{Sample, addresses_of, answer, line_of, outcome, ticket_of, with_header};

macro_rules! fixture {
    ($status:expr, $name:literal) => {
        answer($status, include_str!(concat!("../fixtures/fal/", $name, ".json")))
    };
}

const STATUS: &str = "https://queue.fal.run/fal-ai/nano-banana/requests/r1/status";
const RESULT: &str = "https://queue.fal.run/fal-ai/nano-banana/requests/r1";

fn submitted(answer: &Answer) -> String {
    outcome(Sample::edit("fal-ai/nano-banana/edit").answered(&Fal, answer))
}

fn waiting() -> Ticket {
    let sample = Sample::edit("fal-ai/nano-banana/edit");
    ticket_of(sample.answered(&Fal, &fixture!(200, "submitted")))
}

fn ended() -> Ticket {
    ticket_of(Fal.polled(&waiting(), &fixture!(200, "completed")))
}

fn result(answer: &Answer) -> String {
    outcome(Fal.polled(&ended(), answer))
}

#[test]
fn a_task_is_waited_for_where_fal_says_then_its_result_is_asked_for() {
    let ticket = waiting();
    assert_eq!(line_of(&Fal.poll(&ticket)), format!("GET {STATUS}"));
    assert_eq!(outcome(Fal.polled(&ticket, &fixture!(202, "in_queue"))), "working");
    assert_eq!(outcome(Fal.polled(&ticket, &fixture!(202, "in_progress"))), "working");
    let ended = ticket_of(Fal.polled(&ticket, &fixture!(200, "completed")));
    assert_eq!(line_of(&Fal.poll(&ended)), format!("GET {RESULT}"));
    assert_eq!((Fal.is_at_result(&ticket), Fal.is_at_result(&ended)), (false, true));
    let addresses = addresses_of(Fal.polled(&ended, &fixture!(200, "made")));
    assert_eq!(addresses, ["https://v3.fal.media/files/b/abc/one.png"]);
}

#[test]
fn a_video_is_found() {
    let addresses = addresses_of(Fal.polled(&ended(), &fixture!(200, "video")));
    assert_eq!(addresses, ["https://v3.fal.media/files/b/abc/one.mp4"]);
}

#[test]
fn a_black_picture_is_a_refusal() {
    assert_eq!(result(&fixture!(200, "nsfw")), "content");
}

#[test]
fn an_error_in_place_of_a_result_is_told_by_its_type() {
    assert_eq!(result(&fixture!(422, "policy")), "content");
    assert_eq!(result(&fixture!(422, "too_small")), "parameters");
    assert_eq!(result(&fixture!(422, "missing")), "parameters");
    assert_eq!(result(&fixture!(422, "no_media")), "failed");
    assert_eq!(result(&fixture!(500, "internal")), "failed");
    assert_eq!(result(&fixture!(504, "timeout")), "failed");
    assert_eq!(result(&answer(404, "{}")), "lost");
    assert_eq!(result(&answer(422, "<html>")), "failed");
    assert_eq!(result(&answer(200, "<html>")), "failed");
    assert_eq!(result(&with_header(answer(429, ""), "retry-after", "2")), "busy 2000");
}

#[test]
fn a_failure_of_their_machines_needs_no_second_look() {
    assert_eq!(outcome(Fal.polled(&waiting(), &fixture!(200, "runner_lost"))), "failed");
    assert_eq!(outcome(Fal.polled(&waiting(), &answer(404, "{}"))), "lost");
}

#[test]
fn a_result_without_a_picture_is_done_and_empty() {
    assert!(addresses_of(Fal.polled(&ended(), &answer(200, r#"{"images":[]}"#))).is_empty());
}

#[test]
fn errors_at_the_door_are_told_apart() {
    assert_eq!(submitted(&answer(401, r#"{"detail":"No key"}"#)), "barred");
    assert_eq!(submitted(&answer(403, r#"{"detail":"Exhausted balance"}"#)), "barred");
    assert_eq!(submitted(&answer(404, r#"{"detail":"Application not found"}"#)), "barred");
    assert_eq!(submitted(&answer(422, include_str!("../fixtures/fal/missing.json"))), "parameters");
    assert_eq!(submitted(&with_header(answer(429, ""), "retry-after", "1.5")), "busy 1500");
    assert_eq!(submitted(&answer(500, "")), "failed");
    assert_eq!(submitted(&answer(200, "{}")), "failed");
}

#[test]
fn only_a_gateway_in_front_of_the_queue_certainly_did_nothing() {
    let page = "<html><center>nginx</center></html>";
    assert_eq!(submitted(&answer(503, page)), "busy");
    let seen = with_header(answer(503, page), "x-fal-request-id", "r1");
    assert_eq!(submitted(&seen), "failed");
    assert_eq!(submitted(&answer(503, r#"{"detail":"x"}"#)), "failed");
    assert_eq!(submitted(&answer(504, page)), "failed");
}

#[test]
fn a_ticket_of_somebody_else_is_lost() {
    let strange = Ticket(json!({ "id": 7 }));
    assert_eq!(outcome(Fal.polled(&strange, &answer(200, "{}"))), "lost");
    assert_eq!(line_of(&Fal.poll(&strange)), line_of(&Fal.probe()));
}

#[test]
fn the_key_goes_to_the_queue_alone() {
    assert!(Fal.is_own_host("queue.fal.run"));
    assert!(!Fal.is_own_host("v3.fal.media"));
    assert!(!Fal.is_own_host("queue.fal.run.example.com"));
}

#[test]
fn the_probe_tells_a_wrong_key() {
    assert!(Fal.probed(&answer(404, "{}")).is_ok());
    let problem = Fal.probed(&answer(401, "{}")).expect_err("the key is wrong");
    assert!(problem.contains("ID:SECRET"));
    assert!(Fal.probed(&answer(502, "")).is_err());
}
