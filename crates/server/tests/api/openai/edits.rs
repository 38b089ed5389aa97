//! Edits and generations, sent as JSON.

use serde_json::{Value, json};

use super::{EDITS, GENERATIONS, data_url, edit, file};
use crate::support::{TestApp, pictures, scripted};

#[tokio::test]
async fn an_edit_is_charged_and_recorded_like_any_other() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let asked = json!({ "prompt": "go", "response_format": "b64_json" });
    let answer = edit(&caller, asked).await;
    let ms: u64 = answer.header("openai-processing-ms").unwrap().parse().unwrap();
    assert!(ms < 60_000);
    assert!(answer.header("x-request-id").is_some());
    let receipt = (answer.header("x-retouch-cost"), answer.header("x-retouch-balance"));
    assert_eq!(receipt, (Some("6"), Some("9")));
    let body = answer.ok();
    assert_eq!(file(&body), scripted::png());
    assert_eq!(body["created"], 1_795_176_000);
    assert_eq!((&body["size"], &body["output_format"]), (&json!("2x1"), &json!("png")));
    for absent in ["quality", "background"] {
        assert_eq!(body.get(absent), None, "{absent} is not known");
    }
    let tokens = json!({
        "input_tokens": 3, "input_tokens_details": { "image_tokens": 0, "text_tokens": 0 },
        "output_tokens": 4, "total_tokens": 7,
    });
    assert_eq!(body["usage"], tokens);
    let warning = json!([
        { "code": "test_warning", "param": "prompt", "message": "a warning of the provider" }
    ]);
    assert_eq!(body["warnings"], warning);
    assert_eq!(caller.available().await, 9);
    let listed = caller.get("/api/generations").await.ok();
    assert_eq!(listed["data"][0]["instruction"], "go");
    assert_eq!(listed["data"][0]["request"]["pictures"], json!([null]));
    app.check().await;
}

#[tokio::test]
async fn the_built_in_editor_edits_and_creates() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let answer = edit(&caller, json!({ "model": "gpt-image-2", "prompt": "rotate left" })).await;
    let result = file(&answer.ok());
    assert_eq!(pictures::of_data_uri(&uri(&result)).size(), (3, 4));
    let asked = json!({
        "prompt": "a gradient from red to blue", "model": "gpt-image-1", "size": "64x80",
        "output_format": "webp", "quality": "auto", "user": "someone",
    });
    let body = caller.post(GENERATIONS, &asked).await.ok();
    assert_eq!(&file(&body)[8..12], b"WEBP");
    assert_eq!((&body["size"], &body["output_format"]), (&json!("64x80"), &json!("webp")));
    assert_eq!(body.get("warnings"), None);
    assert_eq!(body.get("usage"), None, "the built-in editor has no tokens");
    assert_eq!(caller.available().await, 3);
    app.check().await;
}

fn uri(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", base64_simd::STANDARD.encode_to_string(png))
}

#[tokio::test]
async fn the_name_of_the_model_decides_the_form_unless_the_call_names_one() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    for (model, format, is_url) in [
        (Some("gpt-image-2"), None, false),
        (Some("chatgpt-image-latest"), None, false),
        (None, None, false),
        (Some("dall-e-3"), None, true),
        (Some("alpha-image-2-free"), None, true),
        (Some("gpt-image-2"), Some("url"), true),
        (Some("dall-e-3"), Some("b64_json"), false),
    ] {
        let asked = json!({
            "prompt": "a gradient from red to blue", "model": model, "response_format": format, "size": "64x64",
        });
        let body = caller.post(GENERATIONS, &asked).await.ok();
        let image = &body["data"][0];
        assert_eq!(image["url"].is_string(), is_url, "{asked}");
        assert_eq!(image["b64_json"].is_string(), !is_url, "{asked}");
        if is_url {
            // Clients fetch it with the headers of the call.
            let path = image["url"].as_str().unwrap();
            let path = path.strip_prefix("http://127.0.0.1:8080").unwrap();
            assert_eq!(caller.get(path).await.status, 200);
        }
    }
    app.check().await;
}

#[tokio::test]
async fn images_are_named_by_address_by_upload_and_inline() {
    let app = TestApp::new().await;
    let ada = app.rich_caller("ada@example.com").await;
    let bob = app.caller("bob@example.com").await;
    let png = ada.clone().with_header("content-type", "image/png");
    let upload =
        png.send(axum::http::Method::POST, "/api/uploads", Some(pictures::png(6, 4))).await.ok();
    let made = edit(&ada, json!({ "prompt": "go", "response_format": "url" })).await.ok();
    let images = json!([
        { "image_url": data_url() }, { "file_id": upload["id"] }, made["data"][0]["url"],
        { "image_url": upload["url"], "file_id": null },
    ]);
    let asked = json!({ "prompt": "put the pictures side by side", "model": "gpt-image-2", "images": images });
    let result = file(&ada.post(EDITS, &asked).await.ok());
    assert!(pictures::of_data_uri(&uri(&result)).size().0 > 6);
    let asked = json!({ "prompt": "go", "images": [{ "file_id": upload["id"] }] });
    edit(&bob, asked).await.is_error(400, "image_fetch_failed", Some("images[0].file_id"));
    for (images, param) in [
        (json!([{ "file_id": "../account" }]), "images[0].file_id"),
        (json!([{ "file_id": "a", "image_url": data_url() }]), "images[0]"),
        (json!([{}]), "images[0]"),
        (json!([7]), "images[0]"),
        (json!([{ "image_url": "ftp://example.com" }]), "images[0].image_url"),
    ] {
        let answer = edit(&ada, json!({ "prompt": "go", "images": images })).await;
        assert_eq!(answer.json()["error"]["param"], param, "{images}");
        assert_eq!(answer.status, 400, "{images}");
    }
    let path = format!("/api/uploads/{}", upload["id"].as_str().unwrap());
    assert_eq!(ada.delete(&path).await.status, 204);
    app.check().await;
}

#[tokio::test]
async fn every_parameter_is_honored_refused_or_named_in_a_warning() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let codes = |body: &Value| {
        let warnings = body["warnings"].as_array().cloned().unwrap_or_default();
        let named = warnings.iter().map(|one| one["param"].as_str().unwrap_or_default().to_owned());
        named.filter(|param| param != "prompt").collect::<Vec<_>>()
    };
    for (fields, warned) in [
        (json!({ "moderation": "low" }), vec!["moderation"]),
        (json!({ "moderation": "auto", "style": "vivid", "partial_images": 2 }), vec![]),
        (json!({ "input_fidelity": "high", "style": "natural" }), vec!["input_fidelity", "style"]),
        (json!({ "colour": "red", "user": "u", "safety_identifier": "s" }), vec!["colour"]),
        (json!({ "output_compression": 100 }), vec!["output_compression"]),
        (json!({ "output_format": "jpeg", "output_compression": 0 }), vec![]),
        (json!({ "quality": "standard", "n": "1", "size": "auto", "background": "auto" }), vec![]),
        (json!({ "aspectRatio": "3:2", "negative_prompt": "people" }), vec![]),
    ] {
        let mut asked = json!({ "prompt": "go" });
        asked.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let body = edit(&caller, asked).await.ok();
        assert_eq!(codes(&body), warned, "{fields}");
    }
    for (fields, code, param) in [
        (json!({ "background": "transparent" }), "request_refused", "background"),
        (
            json!({ "background": "transparent", "output_format": "jpeg" }),
            "conflicting_fields",
            "background",
        ),
        (json!({ "background": "blue" }), "invalid_value", "background"),
        (json!({ "mask": { "image_url": data_url() } }), "request_refused", "mask"),
        (json!({ "markup": "x" }), "request_refused", "markup"),
        (json!({ "svg": { "model": "x" } }), "request_refused", "svg"),
        (json!({ "output_format": "gif" }), "invalid_value", "output_format"),
        (json!({ "quality": "max" }), "invalid_value", "quality"),
        (json!({ "quality": "hd" }), "invalid_value", "quality"),
        (json!({ "n": 0 }), "invalid_value", "n"),
        (json!({ "n": 11 }), "invalid_value", "n"),
        (json!({ "n": 1.5 }), "invalid_value", "n"),
        (json!({ "partial_images": 4 }), "invalid_value", "partial_images"),
        (json!({ "stream": "perhaps" }), "invalid_type", "stream"),
        (json!({ "response_format": "png" }), "invalid_value", "response_format"),
        (json!({ "size": [1024, 1024] }), "invalid_type", "size"),
        (json!({ "prompt": true }), "invalid_type", "prompt"),
        (json!({ "prompt": null }), "missing_field", "prompt"),
        (json!({ "prompt": " " }), "invalid_value", "prompt"),
        (json!({ "images": [] }), "missing_field", "image"),
        (json!({ "model": "no-such-model" }), "unknown_model", "model"),
        (json!({ "model": "alpha-video-1" }), "unknown_model", "model"),
    ] {
        let mut asked = json!({ "prompt": "go" });
        asked.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        edit(&caller, asked).await.is_error(400, code, Some(param));
    }
    let asked = json!({ "prompt": "go", "model": "gamma-2", "image": data_url() });
    let said =
        caller.post(GENERATIONS, &asked).await.is_error(400, "too_many_images", Some("image"));
    assert!(said.contains("/v1/images/edits"), "{said}");
    app.check().await;
}

#[tokio::test]
async fn long_prompts_go_to_providers_that_take_them() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let long = "ö".repeat(32_000);
    assert_eq!(edit(&caller, json!({ "prompt": long })).await.status, 200);
    let too_long = edit(&caller, json!({ "prompt": format!("{long}.") })).await;
    let said = too_long.is_error(400, "too_long", Some("prompt"));
    assert_eq!(said, "`prompt` is too long: 32001 of 32000 characters.");
    let asked = json!({ "prompt": "ö".repeat(801), "model": "gpt-image-2" });
    let said = edit(&caller, asked).await.is_error(400, "too_long", Some("prompt"));
    assert!(said.contains("801 of 800 characters"), "{said}");
    caller.edit(&"ö".repeat(801)).await.is_error(400, "too_long", Some("instruction"));
    app.check().await;
}
