//! Requests to ComfyUI.

use std::collections::BTreeMap;

use retouch_core::Kind;
use retouch_providers::comfyui::{ComfyUi, Workflow};
use retouch_providers::upstream::{Body, Dialect, PartContent};
use serde_json::json;

use super::support::{ID, Sample, answer, json_of, line_of, outcome};

/// A server with the workflows of the fixtures: `edit`, `words`, `film`, `bare`.
pub(crate) fn server() -> ComfyUi {
    let files = [
        ("edit", include_str!("../fixtures/comfyui/edit.json")),
        ("words", include_str!("../fixtures/comfyui/words.json")),
        ("film", include_str!("../fixtures/comfyui/film.json")),
        ("bare", include_str!("../fixtures/comfyui/bare.json")),
    ];
    let parsed = files.map(|(name, text)| {
        (name.to_owned(), Workflow::parse(text).expect("the fixture is a workflow"))
    });
    ComfyUi::new(BTreeMap::from(parsed))
}

fn edit() -> Sample {
    Sample::new(Kind::ImageEdit, "edit", &[(1200, 800), (90, 90)])
}

fn uploaded(name: &str) -> retouch_providers::upstream::Answer {
    answer(200, json!({ "name": name, "subfolder": "", "type": "input" }).to_string())
}

#[test]
fn pictures_are_uploaded_under_names_of_the_edit() {
    let sample = edit();
    let uploads = server().uploads(&sample.order());
    assert_eq!(uploads.len(), 2);
    assert_eq!(line_of(&uploads[1]), "POST /upload/image");
    let Body::Form(parts) = &uploads[1].body else { panic!("a form") };
    let names: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["image", "type", "overwrite"]);
    let PartContent::File { file_name, media_type, .. } = &parts[0].content else { panic!() };
    let expected = (format!("retouch-{ID}-2.jpeg"), "image/jpeg");
    assert_eq!((file_name.clone(), *media_type), expected);
}

#[test]
fn the_slots_are_filled_and_nothing_else_is_touched() {
    let sample = edit().with(|edit| edit.negative_prompt = Some("people".into()));
    let folder = json!({ "name": "two.jpg", "subfolder": "in", "type": "input" });
    let uploads = [uploaded("one (1).png"), answer(200, folder.to_string())];
    let submission =
        server().submit(&sample.order(), &uploads).expect("the workflow can be filled in");
    assert_eq!(line_of(&submission.call), "POST /prompt");
    let sent = json_of(&submission.call);
    assert_eq!(sent["prompt_id"], ID);
    let nodes = &sent["prompt"];
    assert_eq!(nodes["6"]["inputs"]["text"], "A photograph. make it night, in detail");
    assert_eq!(nodes["6"]["inputs"]["clip"], json!(["4", 1]));
    assert_eq!(nodes["7"]["inputs"]["text"], "people");
    assert_eq!(nodes["10"]["inputs"]["image"], "one (1).png");
    assert_eq!(nodes["11"]["inputs"]["image"], "in/two.jpg");
    assert_eq!(
        (&nodes["5"]["inputs"]["width"], &nodes["5"]["inputs"]["height"]),
        (&json!(1248), &json!(832))
    );
    assert_eq!(nodes["3"]["inputs"]["seed"], json!(1));
    assert_eq!(nodes["3"]["inputs"]["steps"], json!(20));
}

#[test]
fn the_task_has_its_name_before_it_is_sent() {
    let sample = Sample::new(Kind::TextToImage, "words", &[]);
    let server = server();
    let ticket = sample.submission(&server, &[]).ticket.expect("the client names the task");
    assert_eq!(ticket.0["prompt_id"], ID);
    assert_eq!(line_of(&server.poll(&ticket)), "GET /queue");
}

#[test]
fn words_are_words_whatever_they_hold() {
    let nasty = r#"say "{{seed}}" \ and {{instruction}}"#;
    let sample = Sample::new(Kind::TextToImage, "words", &[]);
    let sample = sample.with(|edit| edit.instruction = nasty.into());
    let text = &sample.sent(&server())["prompt"]["6"]["inputs"]["text"];
    assert_eq!(text, nasty);
}

#[test]
fn videos_have_frames() {
    let sample = Sample::new(Kind::Video, "film", &[(832, 480)]);
    let call = sample.submission(&server(), &[uploaded("a.png")]).call;
    let nodes = &json_of(&call)["prompt"];
    assert_eq!(nodes["2"]["inputs"]["length"], json!(81), "5 s of 16 frames, and one");
    assert_eq!(nodes["2"]["inputs"]["seconds"], json!(5));
    assert_eq!(sample.warnings(&server()), Vec::<String>::new());
}

#[test]
fn a_size_is_made_of_multiples_of_16() {
    let sample = edit().size("1000x700");
    let call = sample.submission(&server(), &[uploaded("a"), uploaded("b")]).call;
    let inputs = &json_of(&call)["prompt"]["5"]["inputs"];
    assert_eq!((&inputs["width"], &inputs["height"]), (&json!(1008), &json!(704)));
    assert_eq!(sample.warnings(&server()), ["parameter_approximated size"]);
    assert_eq!(edit().size("1024x768").warnings(&server()), Vec::<String>::new());
}

#[test]
fn what_the_workflow_has_no_slot_for_is_said() {
    let sample = Sample::new(Kind::TextToImage, "bare", &[]).with_rarities().ratio(3, 2);
    let warnings = [
        "parameter_not_honored aspectRatio",
        "parameter_not_honored quality",
        "parameter_not_honored watermark",
        "parameter_not_honored prompt_extend",
        "parameter_approximated negative_prompt",
    ];
    assert_eq!(sample.warnings(&server()), warnings);
    let text = sample.sent(&server())["prompt"]["1"]["inputs"]["text"].clone();
    assert_eq!(text, "make it night\n\nAvoid: people");
}

#[test]
fn a_workflow_is_asked_only_for_what_it_makes() {
    let server = server();
    let refused = |kind, model, sizes: &[(u32, u32)]| {
        Sample::new(kind, model, sizes).refused(&server).message
    };
    assert!(refused(Kind::ImageEdit, "film", &[(9, 9)]).contains("makes videos"));
    assert!(refused(Kind::Video, "words", &[]).contains("makes images"));
    assert!(
        refused(Kind::ImageEdit, "edit", &[(9, 9)]).contains("needs 2 input images; you sent 1")
    );
    assert!(refused(Kind::ImageEdit, "nobody", &[(9, 9)]).contains("no workflow"));
    assert_eq!(server.picture_rules("edit").count_max, 2);
    assert_eq!(server.picture_rules("words").count_max, 0);
}

#[test]
fn a_failed_upload_is_no_work_done() {
    let sample = Sample::new(Kind::Video, "film", &[(832, 480)]);
    let submit = |status, body: &'static str| {
        let submission = server().submit(&sample.order(), &[answer(status, body)]);
        outcome(submission.map(|_| unreachable!("the upload failed")))
    };
    assert_eq!(submit(500, ""), "busy");
    assert_eq!(submit(200, "{}"), "busy");
    assert_eq!(submit(401, ""), "barred");
}
