//! Requests to Black Forest Labs, and how its responses are read.

use retouch_core::Kind;
use retouch_providers::queue::Bfl;
use retouch_providers::upstream::{Answer, Auth, Dialect, Fault, Ticket};
use serde_json::json;

use super::support::{Sample, addresses_of, answer, line_of, outcome, ticket_of, with_header};

macro_rules! fixture {
    ($status:expr, $name:literal) => {
        answer($status, include_str!(concat!("../fixtures/bfl/", $name, ".json")))
    };
}

fn submitted(answer: &Answer) -> String {
    outcome(Sample::edit("flux-2-pro").answered(&Bfl, answer))
}

fn ticket() -> Ticket {
    ticket_of(Sample::edit("flux-2-pro").answered(&Bfl, &fixture!(200, "submitted")))
}

fn polled(answer: &Answer) -> String {
    outcome(Bfl.polled(&ticket(), answer))
}

#[test]
fn kontext_takes_numbered_pictures_and_keeps_their_shape() {
    let sample = Sample::new(Kind::ImageEdit, "flux-kontext-pro", &[(9, 9), (9, 9)]);
    assert_eq!(line_of(&sample.submission(&Bfl, &[]).call), "POST /flux-kontext-pro");
    let expected = json!({
        "prompt": "make it night",
        "input_image": "AAAA",
        "input_image_2": "AQEB",
        "output_format": "png",
        "prompt_upsampling": false,
    });
    assert_eq!(sample.sent(&Bfl), expected);
    assert_eq!(Bfl.auth(), Auth::Header("x-key"));
}

#[test]
fn kontext_takes_any_ratio_up_to_a_bound() {
    let ratio = |sample: Sample| sample.sent(&Bfl)["aspect_ratio"].clone();
    let kontext = || Sample::edit("flux-kontext-max");
    assert_eq!(ratio(kontext().ratio(7, 5)), "7:5");
    assert_eq!(ratio(kontext().ratio(1, 9)), "9:21");
    assert_eq!(ratio(kontext().size("1200x800")), "3:2");
    assert_eq!(kontext().ratio(7, 5).warnings(&Bfl), Vec::<String>::new());
    assert_eq!(kontext().ratio(1, 9).warnings(&Bfl), ["parameter_approximated aspectRatio"]);
    assert_eq!(kontext().size("1200x800").warnings(&Bfl), ["parameter_approximated size"]);
}

#[test]
fn flux_2_takes_pixels() {
    let sent = Sample::edit("flux-2-pro").ratio(16, 9).sent(&Bfl);
    assert_eq!((&sent["width"], &sent["height"]), (&json!(1360), &json!(768)));
    assert_eq!(
        sent["prompt_upsampling"], false,
        "the provider would rewrite the instruction by default"
    );
    let untold = Sample::edit("flux-2-pro").sent(&Bfl);
    assert_eq!(untold.get("width"), None);
    assert_eq!(Bfl.picture_rules("flux-2-klein-4b").count_max, 4);
    assert_eq!(Bfl.picture_rules("flux-2-max").count_max, 8);
}

#[test]
fn flux_3_is_sent_nothing_that_it_does_not_know() {
    let sample = Sample::edit("flux-3-image").with_rarities().size("2048x2048");
    let expected = json!({
        "prompt": "make it night\n\nAvoid: people",
        "images": ["AAAA"],
        "aspect_ratio": "1:1",
        "resolution": "2k",
    });
    assert_eq!(sample.sent(&Bfl), expected);
    let warnings = [
        "parameter_approximated size",
        "parameter_approximated negative_prompt",
        "parameter_not_honored prompt_extend",
        "parameter_not_honored watermark",
        "parameter_not_honored quality",
    ];
    assert_eq!(sample.warnings(&Bfl), warnings);
    assert_eq!(Sample::edit("flux-3-image").sent(&Bfl)["aspect_ratio"], "auto");
}

#[test]
fn videos_are_made_of_words() {
    let sample = Sample::new(Kind::Video, "flux-3-video", &[]).ratio(9, 16);
    let expected = json!({
        "prompt": "make it night",
        "mode": "t2v",
        "aspect_ratio": "9:16",
        "duration": 5,
    });
    assert_eq!(sample.sent(&Bfl), expected);
    assert_eq!(Bfl.picture_rules("flux-3-video").count_max, 0);
}

#[test]
fn a_task_is_asked_for_at_its_own_cluster() {
    let call = Bfl.poll(&ticket());
    assert_eq!(line_of(&call), "GET https://api.us1.bfl.ai/v1/get_result?id=t1");
    for host in ["api.bfl.ai", "api.us1.bfl.ai", "api.eu.bfl.ai", "api.bfl.ml"] {
        assert!(Bfl.is_own_host(host), "{host}");
    }
    for host in ["delivery-eu1.bfl.ai", "bfl.ai", "api.bfl.ai.example.com", "api.evilbfl.ai"] {
        assert!(!Bfl.is_own_host(host), "{host}");
    }
}

#[test]
fn each_status_has_its_meaning() {
    for status in ["Pending", "Reasoning", "Generating"] {
        assert_eq!(polled(&answer(200, json!({ "status": status }).to_string())), "working");
    }
    let addresses = addresses_of(Bfl.polled(&ticket(), &fixture!(200, "ready")));
    assert_eq!(addresses, ["https://delivery-eu1.bfl.ai/results/a/sample.png?sig=s"]);
    assert_eq!(polled(&fixture!(200, "request_moderated")), "content");
    assert_eq!(polled(&answer(200, r#"{"status":"Content Moderated"}"#)), "content");
    assert_eq!(polled(&fixture!(200, "error")), "failed");
    assert_eq!(polled(&answer(200, r#"{"status":"Task not found"}"#)), "lost");
    assert_eq!(polled(&answer(404, r#"{"id":"t1","status":"Task not found"}"#)), "lost");
    assert_eq!(polled(&answer(404, "<html>")), "lost");
    assert_eq!(polled(&answer(200, "<html>")), "failed");
    assert_eq!(polled(&fixture!(429, "throttled")), "busy 5000");
}

#[test]
fn a_refusal_tells_its_reasons() {
    let refused = Bfl.polled(&ticket(), &fixture!(200, "request_moderated"));
    let Err(Fault::Refused(refused)) = refused else { panic!("{refused:?}") };
    assert!(refused.message.contains("Violence"), "{}", refused.message);
}

#[test]
fn errors_at_the_door_are_told_apart() {
    assert_eq!(submitted(&fixture!(422, "invalid")), "parameters");
    assert_eq!(submitted(&answer(400, r#"{"detail":"Invalid image"}"#)), "parameters");
    assert_eq!(submitted(&answer(402, r#"{"detail":"Insufficient credits"}"#)), "barred");
    assert_eq!(submitted(&answer(401, "")), "barred");
    assert_eq!(submitted(&answer(403, r#"{"detail":"Not authenticated"}"#)), "barred");
    assert_eq!(submitted(&answer(404, "")), "barred");
    assert_eq!(submitted(&fixture!(429, "throttled")), "busy 5000");
    assert_eq!(submitted(&with_header(answer(429, ""), "retry-after", "7")), "busy 7000");
    assert_eq!(submitted(&answer(503, "")), "busy");
    assert_eq!(submitted(&answer(500, "")), "failed");
    assert_eq!(submitted(&answer(200, r#"{"id":"t1"}"#)), "failed");
}

#[test]
fn the_probe_tells_what_is_left() {
    let said = Bfl.probed(&answer(200, r#"{"credits":12.5}"#)).expect("the probe succeeds");
    assert!(said.contains("12.5"), "{said}");
    assert!(Bfl.probed(&answer(403, "{}")).is_err());
}
