//! Every field of an edit, with its default, aliases and limits.

use serde_json::{Value, json};

use crate::support::pictures;
use crate::support::{TestApp, persona::Persona};

async fn rejected(caller: &Persona, fields: Value, code: &str, param: &str) -> String {
    caller.edit_with(&fields).await.is_error(400, code, Some(param))
}

#[tokio::test]
async fn an_edit_answers_with_every_documented_field() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let answer = caller.edit_with(&json!({ "instruction": "rotate left" })).await;
    assert_eq!(answer.status, 200);
    let body = answer.ok();
    assert_eq!(body["model"], "alpha-image-2-free");
    assert_eq!(body["cost"], 6);
    assert_eq!(body["warnings"], json!([]));
    assert_eq!(
        body["usage"],
        json!({ "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0 })
    );
    assert_eq!(body["data"][0]["index"], 0);
    let result = pictures::of_data_uri(body["data"][0]["url"].as_str().unwrap());
    assert_eq!(result.size(), (3, 4));
    let generation = &body["generation"];
    assert_eq!(generation["kind"], "image_edit");
    assert_eq!(generation["status"], "succeeded");
    assert_eq!(generation["provider"], "built-in");
    assert_eq!(generation["instruction"], "rotate left");
    assert_eq!(generation["cost"], 6);
    assert_eq!(generation["created_at"], "2026-11-20T12:00:00.000Z");
    assert!(generation["plan"]["steps"].is_array());
    assert_eq!(generation["stored_images"].as_array().unwrap().len(), 1);
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn the_stored_copy_is_the_result() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let body = caller.edit_with(&json!({ "instruction": "invert the colours" })).await.ok();
    let url = body["generation"]["stored_images"][0].as_str().unwrap();
    let path = url.strip_prefix("http://127.0.0.1:8080").unwrap();
    let file = app.anon().get(path).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.header("content-type"), Some("image/png"));
    let inline = body["data"][0]["url"].as_str().unwrap();
    let inline = inline.strip_prefix("data:image/png;base64,").unwrap();
    assert_eq!(base64_simd::STANDARD.decode_to_vec(inline).unwrap(), file.bytes);
    let tag = file.header("etag").unwrap().to_owned();
    let again = app.anon().with_header("if-none-match", &tag).get(path).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    app.check().await;
}

#[tokio::test]
async fn every_model_serves_and_costs_what_the_table_says() {
    let app = TestApp::new().await;
    let models = app.anon().get("/api/models").await.ok();
    let expected = [
        ("alpha-image-2-free", 4, vec!["auto", "1:1", "3:2", "2:3"]),
        ("beta-image-2", 1, vec![]),
        ("gamma-2", 4, vec!["auto", "1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "21:9"]),
        ("beta-image-1-5", 1, vec!["1:1", "3:2", "2:3"]),
        ("delta-5-0", 4, vec!["auto", "1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "21:9"]),
        ("epsilon-image", 3, vec!["1:1", "16:9", "9:16", "4:3", "3:4"]),
    ];
    assert_eq!(models["data"].as_array().unwrap().len(), expected.len());
    for ((id, inputs, ratios), model) in expected.iter().zip(models["data"].as_array().unwrap()) {
        assert_eq!(model["id"], *id);
        assert_eq!(model["max_input_images"], *inputs, "{id}");
        assert_eq!(model["aspect_ratios"], json!(ratios), "{id}");
        assert_eq!((&model["credits"], &model["outputs_per_call"]), (&json!(6), &json!(1)), "{id}");
        let caller = app.caller(&format!("{id}@example.com")).await;
        let body = caller.edit_with(&json!({ "instruction": "grayscale", "model": id })).await.ok();
        assert_eq!((&body["model"], &body["cost"]), (&json!(id), &json!(6)), "{id}");
        for ratio in ratios {
            let fields = json!({ "instruction": "grayscale", "model": id, "aspectRatio": ratio });
            let checked = caller.edit_with(&fields).await;
            assert!(
                checked.status == 200 || checked.status == 402,
                "{id} {ratio}: {}",
                checked.status
            );
        }
        rejected(
            &caller,
            json!({ "instruction": "x", "model": id, "aspectRatio": "7:1 " }),
            code_of(ratios),
            "aspectRatio",
        )
        .await;
        let pictures =
            vec![format!("data:image/png;base64,{}", pictures::base64(2, 2)); inputs + 1];
        let fields = json!({ "instruction": "grayscale", "model": id, "imageUrls": pictures });
        rejected(&caller, fields, "too_many_images", "imageUrls").await;
    }
    app.check().await;
}

fn code_of(ratios: &[&str]) -> &'static str {
    if ratios.is_empty() { "invalid_value" } else { "unsupported_aspect_ratio" }
}

#[tokio::test]
async fn the_alias_is_served_under_the_models_own_name() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let fields = json!({ "instruction": "sepia", "model": "alpha-image-2" });
    assert_eq!(caller.edit_with(&fields).await.ok()["model"], "alpha-image-2-free");
    app.check().await;
}

#[tokio::test]
async fn quality_is_not_paid_for_where_it_is_not_used_and_is_refused_where_it_has_no_price() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let high = json!({ "instruction": "sepia", "model": "beta-image-1-5", "quality": "high" });
    let body = caller.edit_with(&high).await.ok();
    assert_eq!(
        (&body["cost"], &body["warnings"][0]["code"]),
        (&json!(6), &json!("quality_ignored"))
    );
    assert!(body["warnings"][0]["message"].as_str().unwrap().contains("6 credits"), "{body}");
    let low = json!({ "instruction": "sepia", "model": "beta-image-1-5", "quality": "low" });
    assert_eq!(caller.edit_with(&low).await.ok()["cost"], 6);
    let elsewhere = json!({ "instruction": "sepia", "model": "delta-5-0", "quality": "high" });
    let response = caller.edit_with(&elsewhere).await;
    let message = response.is_error(400, "invalid_value", Some("quality"));
    assert!(message.contains("quality medium, size 2K (6 credits)"), "{message}");
    app.check().await;
}

#[tokio::test]
async fn n_is_clamped_with_a_warning_and_refused_where_it_is_no_number_of_images() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let large = r#"{"instruction":"sepia","n":1e999,"imageBase64":"PICTURE"}"#;
    let large = large.replace("PICTURE", &pictures::base64(2, 2)).into_bytes();
    let body = caller.send(axum::http::Method::POST, "/api/image-edit", Some(large)).await.ok();
    assert_eq!(body["data"].as_array().unwrap().len(), 1);
    assert_eq!(body["warnings"][0]["code"], "n_clamped");
    let plain = json!({ "instruction": "sepia", "n": 1.0 });
    assert_eq!(caller.edit_with(&plain).await.ok()["warnings"], json!([]));
    for wrong in [json!(0), json!(-3), json!(1.5), json!(-0.0)] {
        rejected(&caller, json!({ "instruction": "sepia", "n": wrong }), "invalid_value", "n")
            .await;
    }
    for wrong in [json!("2"), json!(true), json!([1])] {
        rejected(&caller, json!({ "instruction": "sepia", "n": wrong }), "invalid_type", "n").await;
    }
    app.check().await;
}

#[tokio::test]
async fn the_instruction_has_at_most_800_characters_however_many_bytes_they_take() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let text = |count: usize| format!("add the text \"{}\"", "ö".repeat(count - 15));
    assert_eq!(text(800).chars().count(), 800);
    assert_eq!(
        caller.edit_with(&json!({ "instruction": text(800), "model": "gamma-2" })).await.status,
        200
    );
    let message =
        rejected(&caller, json!({ "instruction": text(801) }), "too_long", "instruction").await;
    assert!(message.contains("801") && message.contains("800"), "{message}");
    rejected(&caller, json!({ "prompt": text(801) }), "too_long", "prompt").await;
    for empty in ["", "  \n\t "] {
        rejected(&caller, json!({ "instruction": empty }), "invalid_value", "instruction").await;
    }
    rejected(&caller, json!({}), "missing_field", "instruction").await;
    rejected(&caller, json!({ "instruction": 5 }), "invalid_type", "instruction").await;
    rejected(&caller, json!({ "instruction": "sepia\u{0}" }), "invalid_value", "instruction").await;
    app.check().await;
}

#[tokio::test]
async fn prompt_is_another_name_for_instruction() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    assert_eq!(caller.edit_with(&json!({ "prompt": "sepia" })).await.status, 200);
    let same = json!({ "prompt": "sepia", "instruction": "sepia" });
    assert_eq!(caller.edit_with(&same).await.status, 200);
    let other = json!({ "prompt": "sepia", "instruction": "grayscale" });
    rejected(&caller, other, "conflicting_fields", "prompt").await;
    let null = json!({ "prompt": null, "instruction": "sepia", "imageUrls": null, "size": null });
    assert_eq!(caller.edit_with(&null).await.status, 402);
    app.check().await;
}

#[tokio::test]
async fn size_and_aspect_ratio_are_checked_together() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let with = |model: &str, size: &str, ratio: Value| json!({ "instruction": "sepia", "model": model, "size": size, "aspectRatio": ratio });
    for (size, code) in [
        ("64", "invalid_value"),
        ("63x64", "invalid_value"),
        ("64x4097", "invalid_value"),
        ("ax64", "invalid_value"),
        ("64x", "invalid_value"),
        ("-64x64", "invalid_value"),
        ("99999999999x64", "invalid_value"),
    ] {
        rejected(&caller, with("gamma-2", size, Value::Null), code, "size").await;
    }
    rejected(&caller, with("gamma-2", "300x200", json!("1:1")), "conflicting_fields", "size").await;
    rejected(
        &caller,
        with("epsilon-image", "300x200", Value::Null),
        "unsupported_aspect_ratio",
        "size",
    )
    .await;
    let body = caller.edit_with(&with("alpha-image-2-free", "96*64", json!("3:2"))).await.ok();
    assert_eq!(pictures::of_data_uri(body["data"][0]["url"].as_str().unwrap()).size(), (96, 64));
    let body = caller.edit_with(&with("alpha-image-2-free", "auto", json!("1:1"))).await.ok();
    assert_eq!(pictures::of_data_uri(body["data"][0]["url"].as_str().unwrap()).size(), (3, 3));
    app.check().await;
}

#[tokio::test]
async fn a_model_without_ratios_accepts_one_and_says_that_it_is_not_applied() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    for ratio in ["1:1", "auto"] {
        let fields =
            json!({ "instruction": "sepia", "model": "beta-image-2", "aspectRatio": ratio });
        let body = caller.edit_with(&fields).await.ok();
        assert_eq!(body["warnings"][0]["code"], "aspect_ratio_not_applied", "{ratio}");
        assert_eq!(pictures::of_data_uri(body["data"][0]["url"].as_str().unwrap()).size(), (4, 3));
    }
    app.check().await;
}

#[tokio::test]
async fn optional_fields_have_types_and_what_cannot_be_honoured_is_named() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    for (field, wrong) in [
        ("watermark", json!("yes")),
        ("prompt_extend", json!(1)),
        ("negative_prompt", json!([])),
        ("quality", json!(3)),
        ("model", json!(7)),
        ("aspectRatio", json!(1)),
    ] {
        rejected(&caller, json!({ "instruction": "sepia", field: wrong }), "invalid_type", field)
            .await;
    }
    rejected(
        &caller,
        json!({ "instruction": "sepia", "quality": "best" }),
        "invalid_value",
        "quality",
    )
    .await;
    rejected(
        &caller,
        json!({ "instruction": "sepia", "negative_prompt": "x".repeat(801) }),
        "too_long",
        "negative_prompt",
    )
    .await;
    let message = rejected(
        &caller,
        json!({ "instruction": "sepia", "model": "gpt" }),
        "unknown_model",
        "model",
    )
    .await;
    assert!(
        message.contains("alpha-image-2-free") && message.contains("epsilon-image"),
        "{message}"
    );
    let fields = json!({ "instruction": "sepia", "watermark": true, "prompt_extend": true, "negative_prompt": "rain", "aspect_ratio": "1:1", "seed": 4 });
    let body = caller.edit_with(&fields).await.ok();
    let named: Vec<&str> =
        body["warnings"].as_array().unwrap().iter().map(|w| w["param"].as_str().unwrap()).collect();
    for param in ["watermark", "prompt_extend", "negative_prompt", "aspect_ratio", "seed"] {
        assert!(named.contains(&param), "{param} in {named:?}");
    }
    let slip =
        body["warnings"].as_array().unwrap().iter().find(|w| w["param"] == "aspect_ratio").unwrap();
    assert!(slip["message"].as_str().unwrap().contains("`aspectRatio`"), "{slip}");
    app.check().await;
}

#[tokio::test]
async fn an_instruction_that_cannot_be_done_is_refused_before_anything_is_held() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let fields = json!({ "instruction": "rotate left and remove the dog" });
    let message = caller.edit_with(&fields).await.is_error(
        400,
        "instruction_not_supported",
        Some("instruction"),
    );
    assert!(message.contains("dog"), "{message}");
    caller.edit("refuse at once").await.is_error(400, "content_refused", None);
    assert_eq!(caller.get("/api/credits/entries").await.ok()["data"].as_array().unwrap().len(), 1);
    assert_eq!(caller.get("/api/generations").await.ok()["data"], json!([]));
    app.check().await;
}

#[tokio::test]
async fn size_and_type_come_before_the_caller_and_the_caller_before_the_text() {
    let app = TestApp::with(&[("RETOUCH_SERVER__BODY_SIZE_MAX", "2000 B")]).await;
    let anon = app.anon();
    let large = json!({ "instruction": "x".repeat(3000) });
    anon.post("/api/image-edit", &large).await.is_error(401, "unauthenticated", None);
    let declared = anon.clone().with_header("content-length", "3000");
    declared.post("/api/image-edit", &large).await.is_error(413, "body_too_large", None);
    let typed = anon.clone().with_header("content-type", "text/plain");
    typed.post("/api/image-edit", &json!({})).await.is_error(415, "unsupported_media_type", None);
    let answer = anon.post("/api/image-edit", &json!({})).await;
    answer.is_error(401, "unauthenticated", None);
    assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer"));
    let caller = app.caller("ada@example.com").await;
    caller.post("/api/image-edit", &large).await.is_error(413, "body_too_large", None);
    let charset = caller.with_header("content-type", "Application/JSON; charset=utf-8");
    charset.edit_with(&json!({})).await.is_error(400, "missing_field", Some("instruction"));
    app.check().await;
}

#[tokio::test]
async fn a_result_of_another_size_than_asked_for_carries_a_warning() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let asked = json!({ "instruction": "go", "model": "gamma-2", "size": "320x180" });
    let body = caller.edit_with(&asked).await.ok();
    let warnings = body["warnings"].as_array().unwrap();
    let differs = warnings.iter().find(|warning| warning["code"] == "result_differs").unwrap();
    assert_eq!(differs["param"], "size");
    let message = "The provider returned an image of 2x1 pixels instead of 320x180.";
    assert_eq!(differs["message"], message);
    app.check().await;
}
