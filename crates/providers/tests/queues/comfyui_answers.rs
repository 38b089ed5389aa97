//! How ComfyUI's responses are read.

use retouch_core::Kind;
use retouch_providers::upstream::{Answer, Dialect, Ticket};
use serde_json::json;

use super::comfyui::server;
use super::support::{ID, Sample, addresses_of, answer, line_of, outcome, ticket_of};

macro_rules! fixture {
    ($name:literal) => {
        answer(200, include_str!(concat!("../fixtures/comfyui/", $name, ".json")))
    };
}

fn submitted(answer: &Answer) -> String {
    outcome(Sample::new(Kind::TextToImage, "words", &[]).answered(&server(), answer))
}

fn waiting(kind: Kind) -> Ticket {
    Ticket(json!({ "prompt_id": ID, "kind": kind }))
}

fn gone(kind: Kind) -> Ticket {
    ticket_of(server().polled(&waiting(kind), &fixture!("queue_of_others")))
}

#[test]
fn the_queue_is_asked_first_then_the_history() {
    let server = server();
    let ticket = waiting(Kind::ImageEdit);
    assert_eq!(outcome(server.polled(&ticket, &fixture!("queue_running"))), "working");
    assert_eq!(outcome(server.polled(&ticket, &fixture!("queue_pending"))), "working");
    let gone = ticket_of(server.polled(&ticket, &fixture!("queue_of_others")));
    assert_eq!(line_of(&server.poll(&gone)), format!("GET /history/{ID}"));
    assert_eq!(outcome(server.polled(&gone, &answer(200, "{}"))), "lost");
}

#[test]
fn saved_pictures_are_kept_and_previews_are_not() {
    let meaning = server().polled(&gone(Kind::ImageEdit), &fixture!("history_made"));
    let expected = [
        "GET /view?filename=night_00001_.png&subfolder=a+b&type=output",
        "GET /view?filename=night_00002_.png&subfolder=&type=output",
    ];
    assert_eq!(addresses_of(meaning), expected);
    let meaning = server().polled(&gone(Kind::ImageEdit), &fixture!("history_preview"));
    let expected = ["GET /view?filename=temp_00001_.png&subfolder=&type=temp"];
    assert_eq!(addresses_of(meaning), expected);
}

#[test]
fn videos_are_told_from_their_first_frames() {
    let meaning = server().polled(&gone(Kind::Video), &fixture!("history_video"));
    let expected = ["GET /view?filename=film_00001.mp4&subfolder=&type=output"];
    assert_eq!(addresses_of(meaning), expected);
}

#[test]
fn a_failed_workflow_says_which_node() {
    let failed = server().polled(&gone(Kind::ImageEdit), &fixture!("history_error"));
    let Err(retouch_providers::upstream::Fault::Failed(reason)) = failed else {
        panic!("{failed:?}")
    };
    assert!(reason.contains("KSampler") && reason.contains("out of memory"), "{reason}");
}

#[test]
fn answers_that_say_nothing_about_the_task_are_asked_for_again() {
    for ticket in [waiting(Kind::ImageEdit), gone(Kind::ImageEdit)] {
        assert_eq!(outcome(server().polled(&ticket, &answer(502, "<html>"))), "busy");
        assert_eq!(outcome(server().polled(&ticket, &answer(200, "<html>"))), "failed");
    }
    let strange = Ticket(json!("x"));
    assert_eq!(outcome(server().polled(&strange, &answer(200, "{}"))), "lost");
}

#[test]
fn a_submission_is_queued_under_our_name() {
    let sample = Sample::new(Kind::TextToImage, "words", &[]);
    let named = |body: &str| {
        let ticket = ticket_of(sample.answered(&server(), &answer(200, body.to_owned())));
        ticket.0["prompt_id"].as_str().map(str::to_owned)
    };
    let queued = json!({ "prompt_id": ID, "number": 3, "node_errors": {} });
    assert_eq!(named(&queued.to_string()).as_deref(), Some(ID));
    assert_eq!(
        named(r#"{"prompt_id":"older-server","number":3}"#).as_deref(),
        Some("older-server")
    );
    assert_eq!(named(r#"{"prompt_id":"../queue"}"#).as_deref(), Some(ID));
    assert_eq!(named("<html>").as_deref(), Some(ID));
}

#[test]
fn a_workflow_that_the_server_refuses_is_the_operators_trouble() {
    let refused = answer(400, include_str!("../fixtures/comfyui/refused.json"));
    let meaning = Sample::new(Kind::TextToImage, "words", &[]).answered(&server(), &refused);
    let Err(retouch_providers::upstream::Fault::NotAccepted { reason, is_lasting, .. }) = meaning
    else {
        panic!("{meaning:?}")
    };
    assert!(is_lasting);
    assert!(reason.contains("node 4 (CheckpointLoaderSimple): Value not in list"), "{reason}");
    assert_eq!(submitted(&answer(401, "")), "barred");
    assert_eq!(submitted(&answer(429, "")), "busy");
    assert_eq!(submitted(&answer(503, "")), "busy");
}

#[test]
fn a_gateways_error_is_asked_about() {
    assert_eq!(submitted(&answer(502, "<html>")), "submitted");
    assert_eq!(submitted(&answer(500, "")), "submitted");
}

#[test]
fn the_probe_says_what_runs_where() {
    let said = server().probed(&fixture!("system_stats")).expect("the probe succeeds");
    assert_eq!(said, "ComfyUI 0.3.71 on cuda:0 NVIDIA H200");
    assert!(server().probed(&answer(404, "")).is_err());
}
