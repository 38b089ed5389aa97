//! Images from text, and what each kind of call does with fields of another kind.

use serde_json::json;

use crate::support::{TestApp, pictures};

#[tokio::test]
async fn a_picture_out_of_words_is_made_answered_and_charged_like_an_edit() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await.with_header("idempotency-key", "t-1");
    let first = caller.make(&json!({ "prompt": "a red square", "n": 2 })).await;
    let body = first.ok();
    assert_eq!((&body["cost"], &body["model"]), (&json!(6), &json!("gamma-2")));
    assert_eq!(body["warnings"][0]["code"], "n_clamped");
    assert_eq!(pictures::of_data_uri(body["data"][0]["url"].as_str().unwrap()).size(), (2, 1));
    let generation = &body["generation"];
    assert_eq!(
        (&generation["kind"], &generation["status"]),
        (&json!("text_to_image"), &json!("succeeded"))
    );
    assert_eq!(generation["stored_images"].as_array().unwrap().len(), 1);
    assert_eq!(generation["stored_videos"], json!([]));
    assert_eq!(
        (&generation["warnings"], &generation["usage"]),
        (&body["warnings"], &body["usage"])
    );
    assert_eq!(caller.look(&first).await, *generation);
    let again = caller.make(&json!({ "n": 2.0, "prompt": "a red square" })).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!((again.ok(), caller.available().await), (body, 9));
    // A key belongs to one endpoint.
    assert_eq!(caller.edit("go").await.header("idempotent-replayed"), None);
    assert_eq!(caller.available().await, 3);
    let held = &caller.get("/api/credits/entries").await.ok()["data"];
    let told: Vec<_> = held.as_array().unwrap().iter().map(|one| &one["description"]).collect();
    assert!(told.contains(&&json!("Picture with gamma-2")), "{told:?}");
    app.check().await;
}

#[tokio::test]
async fn what_goes_wrong_with_a_picture_out_of_words_costs_nothing() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let cases = [
        (json!({ "prompt": "refuse" }), 400, "content_refused", None),
        (json!({ "prompt": "fail" }), 500, "upstream_error", None),
        (json!({ "prompt": "nonsense" }), 500, "upstream_error", None),
        (json!({}), 400, "missing_field", Some("instruction")),
        (
            json!({ "prompt": "x", "imageBase64": "AAAA" }),
            400,
            "too_many_images",
            Some("imageBase64"),
        ),
        (json!({ "prompt": "x", "model": "alpha-video-1" }), 400, "unknown_model", Some("model")),
        (
            json!({ "prompt": "x", "aspectRatio": "5:1" }),
            400,
            "unsupported_aspect_ratio",
            Some("aspectRatio"),
        ),
    ];
    for (fields, status, code, param) in cases {
        caller.make(&fields).await.is_error(status, code, param);
        assert_eq!(caller.available().await, 15, "{fields}");
    }
    for _ in 0..2 {
        assert_eq!(caller.make(&json!({ "prompt": "x" })).await.status, 200);
    }
    caller.make(&json!({ "prompt": "x" })).await.is_error(402, "insufficient_credits", None);
    app.anon().make(&json!({ "prompt": "x" })).await.is_error(401, "unauthenticated", None);
    app.check().await;
}

#[tokio::test]
async fn models_are_listed_by_what_they_make() {
    let app = TestApp::new().await;
    let anon = app.anon();
    let ids = async |path: &str| -> Vec<String> {
        let models = anon.get(path).await.ok();
        let models = models["data"].as_array().unwrap().clone();
        models.iter().map(|model| model["id"].as_str().unwrap().to_owned()).collect()
    };
    let pictures = ids("/api/models").await;
    assert_eq!(pictures.len(), 6);
    assert_eq!(ids("/api/models?kind=image_edit").await, pictures);
    assert_eq!(ids("/api/models?kind=text_to_image").await, pictures);
    let videos = ids("/api/models?kind=video").await;
    assert_eq!(videos, ["alpha-video-1", "beta-video-1", "gamma-video-1"]);
    let first = &anon.get("/api/models?kind=video").await.ok()["data"][0];
    assert_eq!((&first["credits"], &first["kinds"]), (&json!(21), &json!(["video"])));
    assert_eq!(first["durations_seconds"], json!([5, 10]));
    assert_eq!(first["providers"], json!(["scripted"]));
    let edits = &anon.get("/api/models").await.ok()["data"][0];
    assert_eq!(edits["kinds"], json!(["image_edit", "text_to_image"]));
    assert!(edits.get("durations_seconds").is_none());
    anon.get("/api/models?kind=film").await.is_error(400, "invalid_value", Some("kind"));
    app.check().await;
}
