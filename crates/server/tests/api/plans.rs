//! Plans of the built-in editor: previewing one, and running one in place of an instruction.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn a_plan_in_place_of_words_gives_the_same_picture() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let words = "brighten the top half, then rotate left";
    let first = caller.edit_with(&json!({ "instruction": words })).await.ok();
    let plan = &first["generation"]["plan"];
    let again = caller.edit_with(&json!({ "plan": plan })).await.ok();
    assert_eq!(again["data"][0]["url"], first["data"][0]["url"]);
    assert_eq!(again["generation"]["plan"]["steps"], plan["steps"]);
    // The plan shows the words of the request. Without a request, it shows the words of its own
    // steps.
    assert_eq!(
        again["generation"]["instruction"],
        "increase the brightness by 20% in the top half, then rotate 90 degrees counterclockwise"
    );
    let red = json!({ "instruction": "a plain red picture", "pictures": 0 });
    let shown = caller.post("/api/plan", &red).await.ok();
    let made = caller.make(&json!({ "plan": shown["plan"], "model": "alpha-image-2" })).await.ok();
    assert_eq!(made["generation"]["kind"], "text_to_image");
    app.check().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_plan_is_said_and_costs_nothing() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let blur = |step: serde_json::Value| json!({ "plan": { "version": 1, "steps": [step] } });
    let cases = [
        (json!({ "plan": "blur" }), "invalid_type", "an object"),
        (json!({ "plan": {}, "instruction": "blur" }), "conflicting_fields", "replaces"),
        (json!({ "plan": {}, "prompt": "blur" }), "conflicting_fields", "replaces"),
        (json!({ "plan": {} }), "instruction_not_supported", "version"),
        (json!({ "plan": { "version": 1, "steps": [] } }), "instruction_not_supported", "no steps"),
        (
            json!({ "plan": { "version": 2, "steps": [{ "operation": "sepia", "percent": 1 }] } }),
            "instruction_not_supported",
            "version 2",
        ),
        (blur(json!({ "operation": "paint" })), "instruction_not_supported", "paint"),
        (blur(json!({ "operation": "blur" })), "instruction_not_supported", "sigma_px"),
        (
            blur(json!({ "operation": "blur", "sigma_px": 2, "radius": 3 })),
            "instruction_not_supported",
            "`radius`",
        ),
        (
            blur(json!({ "operation": "blur", "sigma_px": 1e9 })),
            "instruction_not_supported",
            "100px",
        ),
        (
            blur(json!({ "operation": "blur", "sigma_px": 1, "note": "x".repeat(17_000) })),
            "too_long",
            "16384",
        ),
        (
            blur(json!({ "operation": "join", "layout": "stacked" })),
            "instruction_not_supported",
            "at least two",
        ),
        // The model gamma-2 is served by another provider.
        (
            json!({ "plan": { "version": 1, "steps": [{ "operation": "sepia", "percent": 1 }] }, "model": "gamma-2" }),
            "instruction_not_supported",
            "built-in editor",
        ),
    ];
    for (fields, code, said) in cases {
        let param = Some("plan");
        let message = caller.edit_with(&fields).await.is_error(400, code, param);
        assert!(message.contains(said), "{fields}: {message}");
    }
    assert_eq!(caller.available().await, 15);
    app.check().await;
}

#[tokio::test]
async fn what_would_be_done_is_shown_without_doing_it() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let ask = |body: serde_json::Value| {
        let caller = &caller;
        async move { caller.post("/api/plan", &body).await }
    };
    let plan = ask(json!({ "instruction": "a bit brighter", "aspectRatio": "1:1" })).await.ok();
    let words = ["increase the brightness by 10%", "crop to the ratio 1:1 at the center"];
    assert_eq!(plan["plan"]["words"], json!(words));
    assert_eq!(plan["plan"]["understood"][0]["words"], "a bit brighter");
    assert!(plan["plan"]["assumed"].to_string().contains("10%"), "{plan}");
    let again = ask(json!({ "plan": plan["plan"], "size": "64x64" })).await.ok();
    assert_eq!(again["plan"]["words"][2], "resize to fill 64x64 pixels");
    let refused = ask(json!({ "instruction": "brighten the sky" })).await.ok();
    let refusal = &refused["refusal"];
    assert_eq!((&refused["plan"], &refusal["words"]), (&json!(null), &json!("brighten the sky")));
    assert_eq!(refusal["kind"], "needs_generative_model");
    assert_eq!((&refusal["span"], &refusal["nearest"]), (&json!([0, 16]), &json!(null)));
    let named = ask(json!({ "prompt": "a bit brighter" })).await.ok();
    assert_eq!(named["plan"]["words"], json!([words[0]]));
    let alone = ask(json!({ "instruction": "put them side by side" })).await.ok();
    assert_eq!(alone["refusal"]["kind"], "missing_detail");
    let both = ask(json!({ "instruction": "put them side by side", "pictures": 2 })).await.ok();
    assert_eq!(both["refusal"], json!(null));
    let cases = [
        (json!({ "instruction": "x".repeat(801) }), "too_long", Some("instruction")),
        (json!({ "prompt": "x".repeat(801) }), "too_long", Some("prompt")),
        (json!({ "instruction": " " }), "invalid_value", Some("instruction")),
        (json!({ "instruction": "blur \u{0}" }), "invalid_value", Some("instruction")),
        (
            json!({ "instruction": "blur", "prompt": "sharpen" }),
            "conflicting_fields",
            Some("prompt"),
        ),
        (json!({ "instruction": "blur", "pictures": "2" }), "invalid_type", Some("pictures")),
        (json!({ "instruction": "blur", "pictures": -1 }), "invalid_value", Some("pictures")),
        (
            json!({ "instruction": "blur", "size": "100x100", "aspectRatio": "16:9" }),
            "conflicting_fields",
            Some("size"),
        ),
        (json!({ "instruction": "blur", "pictures": 5 }), "invalid_value", Some("pictures")),
        (json!({ "instruction": "blur", "size": "9x9" }), "invalid_value", Some("size")),
        (
            json!({ "instruction": "blur", "aspectRatio": "wide" }),
            "invalid_value",
            Some("aspectRatio"),
        ),
        (json!({ "instruction": "blur", "plan": {} }), "conflicting_fields", Some("plan")),
        (json!({ "plan": {} }), "instruction_not_supported", Some("plan")),
        (json!({}), "missing_field", Some("instruction")),
    ];
    for (body, code, param) in cases {
        ask(body).await.is_error(400, code, param);
    }
    // Visitors may plan, too, within their limit.
    let visited = app.anon().post("/api/plan", &json!({ "instruction": "blur" })).await;
    assert_eq!(visited.status, 200);
    assert_eq!(caller.available().await, 15);
    app.check().await;
}

#[tokio::test]
async fn a_video_is_planned_before_it_is_made() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let video = json!({ "kind": "video", "instruction": "zoom in slowly", "duration_seconds": 5 });
    let shown = caller.post("/api/plan", &video).await.ok();
    let words = shown["plan"]["words"][0].as_str().expect("words");
    assert!(words.starts_with("a 5 second video"), "{words}");
    let video = json!({ "kind": "video", "instruction": "make the cup explode" });
    let refused = caller.post("/api/plan", &video).await.ok();
    assert_eq!(refused["refusal"]["kind"], "needs_generative_model");
    let wrong = caller.post("/api/plan", &json!({ "kind": "film", "instruction": "zoom" })).await;
    wrong.is_error(400, "invalid_value", Some("kind"));
    app.check().await;
}
