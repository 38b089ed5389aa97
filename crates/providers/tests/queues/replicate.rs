//! Requests to Replicate.

use retouch_core::Kind;
use retouch_providers::queue::Replicate;
use retouch_providers::upstream::{Auth, Body, Dialect, PartContent};
use serde_json::json;

use super::support::{Sample, answer, json_of, line_of, outcome};

const UPLOADED: &str = include_str!("../fixtures/replicate/file.json");

#[test]
fn an_edit_matches_the_shape_of_the_first_picture() {
    let sample = Sample::edit("google/nano-banana-pro");
    let call = sample.submission(&Replicate, &[]).call;
    assert_eq!(line_of(&call), "POST /models/google/nano-banana-pro/predictions");
    assert!(call.headers.is_empty(), "it is not waited for before it has a name");
    let expected = json!({ "input": {
        "prompt": "make it night",
        "image_input": ["data:image/png;base64,AAAA"],
        "output_format": "png",
        "aspect_ratio": "match_input_image",
        "resolution": "1K",
    }});
    assert_eq!(sample.sent(&Replicate), expected);
    assert_eq!(Replicate.auth(), Auth::Bearer);
}

#[test]
fn versions_and_deployments_have_addresses_of_their_own() {
    let hash = "a1".repeat(32);
    for (model, line, version) in [
        ("a/b", "POST /models/a/b/predictions", json!(null)),
        ("a/b:c3", "POST /predictions", json!("a/b:c3")),
        (hash.as_str(), "POST /predictions", json!(hash)),
        ("deployments/a/b", "POST /deployments/a/b/predictions", json!(null)),
    ] {
        let call = Sample::edit(model).submission(&Replicate, &[]).call;
        assert_eq!(line_of(&call), line);
        assert_eq!(json_of(&call)["version"], version, "{model}");
    }
}

#[test]
fn heavy_pictures_are_uploaded_and_keep_their_place() {
    let sizes = [(9, 9), (9, 9), (9, 9)];
    let sample = Sample::new(Kind::ImageEdit, "qwen/qwen-image-edit-plus", &sizes);
    let sample = sample.heavy(1, 300 << 10);
    let uploads = Replicate.uploads(&sample.order());
    let [upload] = uploads.as_slice() else { panic!("one upload: {uploads:?}") };
    assert_eq!(line_of(upload), "POST /files");
    let Body::Form(parts) = &upload.body else { panic!("a form") };
    assert_eq!(parts[0].name, "content");
    let PartContent::File { file_name, media_type, bytes } = &parts[0].content else { panic!() };
    let seen = (file_name.as_str(), *media_type, bytes.len());
    assert_eq!(seen, ("picture-2.jpeg", "image/jpeg", 300 << 10));
    let call = sample.submission(&Replicate, &[answer(201, UPLOADED)]).call;
    let images = json!([
        "data:image/png;base64,AAAA",
        "https://api.replicate.com/v1/files/f1",
        "data:image/jpeg;base64,AgIC",
    ]);
    assert_eq!(json_of(&call)["input"]["image"], images);
}

#[test]
fn a_failed_upload_is_no_work_done() {
    let sample = Sample::edit("google/nano-banana").heavy(0, 300 << 10);
    let submit = |status, body: &'static str| {
        let submission = Replicate.submit(&sample.order(), &[answer(status, body)]);
        outcome(submission.map(|_| unreachable!("the upload failed")))
    };
    assert_eq!(submit(500, ""), "busy");
    assert_eq!(submit(201, "{}"), "busy");
    assert_eq!(submit(401, "{}"), "barred");
    assert_eq!(submit(429, r#"{"detail":"resets in ~3s."}"#), "busy 3000");
}

#[test]
fn an_exact_size_is_asked_for_where_it_can_be() {
    let sent = Sample::edit("bytedance/seedream-4").size("1600x1200").sent(&Replicate);
    let expected = json!({
        "prompt": "make it night",
        "image_input": ["data:image/png;base64,AAAA"],
        "max_images": 1,
        "sequential_image_generation": "disabled",
        "size": "custom",
        "width": 1600,
        "height": 1200,
    });
    assert_eq!(sent["input"], expected);
    let sent = Sample::edit("bytedance/seedream-4").ratio(3, 2).sent(&Replicate);
    assert_eq!(
        (&sent["input"]["size"], &sent["input"]["aspect_ratio"]),
        (&json!("2K"), &json!("3:2"))
    );
}

#[test]
fn a_size_is_a_shape_and_a_step_elsewhere() {
    let sample = Sample::edit("google/nano-banana-2").size("2000x2100");
    let input = &sample.sent(&Replicate)["input"];
    assert_eq!((&input["aspect_ratio"], &input["resolution"]), (&json!("1:1"), &json!("2K")));
    assert_eq!(sample.warnings(&Replicate), ["parameter_approximated size"]);
}

#[test]
fn what_replicate_cannot_do_is_said() {
    let sample = Sample::edit("openai/gpt-image-1.5").ratio(16, 9).with_rarities();
    let expected = json!({
        "prompt": "make it night\n\nAvoid: people",
        "input_images": ["data:image/png;base64,AAAA"],
        "number_of_images": 1,
        "output_format": "png",
        "aspect_ratio": "3:2",
        "quality": "high",
    });
    assert_eq!(sample.sent(&Replicate)["input"], expected);
    let warnings = [
        "parameter_approximated aspectRatio",
        "parameter_approximated negative_prompt",
        "parameter_not_honored prompt_extend",
        "parameter_not_honored watermark",
    ];
    assert_eq!(sample.warnings(&Replicate), warnings);
}

#[test]
fn rewriting_is_off_unless_it_is_asked_for() {
    let input = &Sample::edit("black-forest-labs/flux-kontext-max").sent(&Replicate)["input"];
    assert_eq!(input["prompt_upsampling"], false);
    assert_eq!(input["input_image"], "data:image/png;base64,AAAA");
    let input = &Sample::edit("qwen/qwen-image-2-pro").with_rarities().sent(&Replicate)["input"];
    assert_eq!(input["enable_prompt_expansion"], true);
    assert_eq!(input["negative_prompt"], "people");
}

#[test]
fn videos_say_their_length_as_a_number() {
    let sample = Sample::new(Kind::Video, "bytedance/seedance-1-pro", &[(1280, 720)]);
    let expected = json!({
        "prompt": "make it night",
        "image": "data:image/png;base64,AAAA",
        "duration": 5,
    });
    assert_eq!(sample.sent(&Replicate)["input"], expected);
    assert_eq!(sample.warnings(&Replicate), Vec::<String>::new());
}
