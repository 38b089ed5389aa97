//! Previews: what the built-in editor makes, smaller, for members and visitors, stored nowhere.

use axum::http::Method;
use base64_simd::STANDARD;
use retouch_engine::{Picture, codec};
use serde_json::{Value, json};

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures};

/// An image of one color.
fn plain(width: u32, height: u32) -> Vec<u8> {
    let pixels = [40, 90, 160, 255].repeat(width as usize * height as usize);
    codec::encode_png(&Picture::from_rgba(width, height, pixels).unwrap()).unwrap()
}

fn data(file: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode_to_string(file))
}

/// The size of the preview itself.
fn shown(answer: &Value) -> (u32, u32) {
    let (kind, text) = answer["image"].as_str().unwrap().split_once(";base64,").unwrap();
    let bytes = STANDARD.decode_to_vec(text).unwrap();
    let header = codec::probe(&bytes, &codec::Limits::default()).unwrap();
    assert_eq!(kind, format!("data:{}", header.format.media_type()));
    header.size()
}

/// Checks that the preview is as large as it may be, apart from rounding.
#[track_caller]
fn assert_shown(answer: &Value, side_max: u32, ratio: f64) {
    let (width, height) = shown(answer);
    assert!((side_max - 8..=side_max).contains(&width.max(height)), "{width}x{height}");
    assert!((f64::from(width) / f64::from(height) / ratio - 1.0).abs() < 0.02, "{width}x{height}");
}

fn size(answer: &Value) -> (u64, u64) {
    (answer["width"].as_u64().unwrap(), answer["height"].as_u64().unwrap())
}

async fn preview(caller: &Persona, body: &Value) -> Answer {
    caller.post("/api/preview", body).await
}

#[tokio::test]
async fn a_preview_shows_an_uploaded_image_smaller_and_says_how_large_it_would_be() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let sent = ada.clone().with_header("content-type", "image/png");
    let image = sent.send(Method::POST, "/api/uploads", Some(plain(2000, 1000))).await.ok();
    let asked = json!({ "instruction": "add a 100px red border", "imageUrls": [image["url"]] });
    let first = preview(&ada, &asked).await.ok();
    assert_eq!(size(&first), (2200, 1200));
    assert_shown(&first, 1024, 2200.0 / 1200.0);
    assert_eq!(first["warnings"], json!([]));

    // The plan can be sent back, changed or not.
    let mut plan = first["plan"].clone();
    plan["steps"][0]["width"] = "200px".into();
    let again = json!({ "plan": plan, "imageUrls": [image["url"]], "max_side": 256 });
    let second = preview(&ada, &again).await.ok();
    assert_eq!(size(&second), (2400, 1400));
    assert_shown(&second, 256, 2400.0 / 1400.0);

    let nothing = json!({ "plan": { "version": 1, "steps": [] }, "imageUrls": [image["url"]] });
    let same = preview(&ada, &nothing).await.ok();
    assert_eq!((size(&same), shown(&same)), ((2000, 1000), (1024, 512)));

    // Transparency is kept.
    let round = json!({ "instruction": "crop to a circle", "imageUrls": [image["url"]] });
    let round = preview(&ada, &round).await.ok();
    assert!(round["image"].as_str().unwrap().starts_with("data:image/png;"), "{round}");

    // Nothing was stored or charged.
    assert_eq!(ada.available().await, 15);
    assert_eq!(app.results().len(), 0);
    assert_eq!(ada.get("/api/generations").await.ok()["data"], json!([]));
    let path = format!("/api/uploads/{}", image["id"].as_str().unwrap());
    assert_eq!(ada.delete(&path).await.status, 204);
    preview(&ada, &asked).await.is_error(400, "image_fetch_failed", Some("imageUrls[0]"));
    app.check().await;
}

#[tokio::test]
async fn a_preview_is_refused_for_the_reasons_of_an_edit() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let image = data(&plain(40, 30));
    let ask = |fields: Value| {
        let (ada, mut body) = (ada.clone(), fields);
        body["imageUrls"] = json!([image]);
        async move { preview(&ada, &body).await }
    };
    let refused = ask(json!({ "instruction": "remove the dog" })).await;
    refused.is_error(400, "instruction_not_supported", Some("instruction"));
    ask(json!({})).await.is_error(400, "missing_field", Some("instruction"));
    for side in [json!(15), json!(1025), json!(2.5)] {
        let wrong = ask(json!({ "instruction": "sepia", "max_side": side })).await;
        wrong.is_error(400, "invalid_value", Some("max_side"));
    }
    let full = json!({ "width": 40, "height": 30 });
    for sizes in
        [json!([full, full]), json!([{ "width": 40 }]), json!([{ "width": 400, "height": 400 }])]
    {
        let wrong = ask(json!({ "instruction": "sepia", "input_sizes": sizes })).await;
        wrong.is_error(400, "invalid_value", Some("input_sizes"));
    }
    let away = json!({ "instruction": "sepia", "imageUrl": "http://127.0.0.1:9/a.png" });
    let said = preview(&ada, &away).await.is_error(400, "image_fetch_failed", Some("imageUrl"));
    assert!(said.contains("/api/uploads"), "{said}");
    let made = preview(&ada, &json!({ "instruction": "a red picture of 2048x1024 pixels" })).await;
    assert_eq!((size(&made.ok()), shown(&made.ok())), ((2048, 1024), (1024, 512)));
    app.check().await;
}

#[tokio::test]
async fn a_visitor_previews_reduced_copies_within_a_limit() {
    let limit = [("RETOUCH_STUDIO__VISITOR_PREVIEWS_PER_MINUTE_PER_ADDRESS", "3")];
    let app = TestApp::with(&limit).await;
    let visitor = app.anon();
    let asked = json!({
        "instruction": "add a 100px red border",
        "imageUrls": [data(&plain(1000, 500))],
        "input_sizes": [{ "width": 4000, "height": 2000 }],
    });
    let answer = preview(&visitor, &asked).await.ok();
    assert_eq!(size(&answer), (4200, 2200));
    assert!((992..=1024).contains(&shown(&answer).0), "no larger than what was sent");
    let away = json!({ "instruction": "sepia", "imageUrl": "http://127.0.0.1:9/a.png" });
    preview(&visitor, &away).await.is_error(400, "image_fetch_failed", Some("imageUrl"));
    assert_eq!(visitor.post("/api/plan", &json!({ "instruction": "sepia" })).await.status, 200);
    preview(&visitor, &asked).await.is_error(429, "rate_limited", None);
    visitor.post("/api/plan", &json!({ "instruction": "sepia" })).await.is_error(
        429,
        "rate_limited",
        None,
    );
    let other = visitor.calling_from([192, 0, 2, 1]);
    assert_eq!(preview(&other, &asked).await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn visitors_get_nothing_where_the_operator_says_so() {
    let limit = [("RETOUCH_STUDIO__VISITOR_PREVIEWS_PER_MINUTE_PER_ADDRESS", "0")];
    let app = TestApp::with(&limit).await;
    let asked = json!({ "instruction": "sepia", "imageUrls": [data(&plain(10, 10))] });
    preview(&app.anon(), &asked).await.is_error(401, "unauthenticated", None);
    app.anon().post("/api/plan", &asked).await.is_error(401, "unauthenticated", None);
    assert_eq!(preview(&app.caller("ada@example.com").await, &asked).await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn an_animated_image_says_that_one_frame_is_used() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let gif = include_bytes!("../../../engine/tests/pictures/animated.gif");
    let asked = json!({ "instruction": "sepia", "imageBase64": STANDARD.encode_to_string(gif) });
    let is_told = |answer: Value| answer["warnings"][0]["code"] == "first_frame_only";
    assert!(is_told(preview(&ada, &asked).await.ok()));
    assert!(is_told(ada.edit_with(&asked).await.ok()));
    let still = json!({ "instruction": "sepia", "imageBase64": pictures::base64(4, 3) });
    assert_eq!(preview(&ada, &still).await.ok()["warnings"], json!([]));
    app.check().await;
}
