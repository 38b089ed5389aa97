//! The file formats of results: as asked for, stored, repeated and downloaded.

use axum::http::Method;
use base64_simd::STANDARD;
use retouch_engine::{Picture, codec};
use serde_json::{Value, json};

use crate::support::persona::Answer;
use crate::support::{TestApp, pictures};

/// The media type and the image of the result in a response.
fn result(answer: &Answer) -> (String, Picture) {
    let body = answer.ok();
    let uri = body["data"][0]["url"].as_str().unwrap();
    let (kind, text) = uri.strip_prefix("data:").unwrap().split_once(";base64,").unwrap();
    let bytes = STANDARD.decode_to_vec(text).unwrap();
    let header = codec::probe(&bytes, &codec::Limits::default()).unwrap();
    assert_eq!(header.format.media_type(), kind, "the bytes are what they are said to be");
    (kind.to_owned(), codec::decode(&bytes, &codec::Limits::default()).unwrap())
}

fn stored(answer: &Answer) -> String {
    let url = answer.ok()["generation"]["stored_images"][0].as_str().unwrap().to_owned();
    url.strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
}

fn codes(answer: &Answer) -> Vec<Value> {
    let warnings = answer.ok()["warnings"].as_array().unwrap().clone();
    warnings.into_iter().map(|warning| warning["code"].clone()).collect()
}

#[tokio::test]
async fn a_result_has_the_format_that_was_asked_for_whoever_makes_it() {
    let app = TestApp::new().await;
    let ada = app.rich_caller("ada@example.com").await;
    for model in ["alpha-image-2-free", "gamma-2"] {
        for (format, extension) in [("png", "png"), ("jpeg", "jpg"), ("webp", "webp")] {
            let asked = json!({ "instruction": "sepia", "model": model, "output_format": format });
            let caller = ada.clone().with_header("idempotency-key", &format!("{model}{format}"));
            let answer = caller.edit_with(&asked).await;
            let kind = format!("image/{format}");
            assert_eq!(result(&answer).0, kind, "{model}");
            let path = stored(&answer);
            assert!(path.ends_with(&format!(".{extension}")), "{path}");
            let file = ada.get(&path).await;
            assert_eq!(file.header("content-type"), Some(kind.as_str()));
            let asked_again = caller.edit_with(&asked).await;
            assert_eq!(asked_again.header("idempotent-replayed"), Some("true"));
            assert_eq!(result(&asked_again), result(&answer));
            assert_eq!(ada.get(&path.replace("/files/", "/thumbnails/")).await.status, 200);
            // A result of any format is an input.
            let next = json!({ "instruction": "sepia", "imageUrl": format!("http://127.0.0.1:8080{path}") });
            assert_eq!(ada.edit_with(&next).await.status, 200);
            let uuid = answer.ok()["generation"]["uuid"].as_str().unwrap().to_owned();
            assert_eq!(ada.delete(&format!("/api/generations/{uuid}")).await.status, 204);
        }
    }
    let made = json!({ "instruction": "a red picture", "model": "alpha-image-2-free", "output_format": "webp" });
    assert_eq!(result(&ada.make(&made).await).0, "image/webp");
    app.check().await;
}

#[tokio::test]
async fn the_quality_of_a_jpeg_counts_and_lost_transparency_is_told() {
    let app = TestApp::new().await;
    let ada = app.rich_caller("ada@example.com").await;
    let photo = pictures::base64(200, 150);
    let bytes = |quality: Value| {
        let (ada, photo) = (ada.clone(), photo.clone());
        async move {
            let asked = json!({ "instruction": "sepia", "imageBase64": photo,
                "output_format": "jpeg", "output_compression": quality });
            ada.edit_with(&asked).await.ok()["data"][0]["url"].as_str().unwrap().len()
        }
    };
    assert!(bytes(json!(10)).await < bytes(json!(100)).await);
    let clear = json!({ "instruction": "round the corners", "output_format": "jpeg",
        "imageBase64": pictures::base64(200, 150) });
    assert_eq!(codes(&ada.edit_with(&clear).await), ["transparency_lost"]);
    let odd = json!({ "instruction": "sepia", "output_compression": 50 });
    assert_eq!(codes(&ada.edit_with(&odd).await), ["parameter_not_honored"]);
    for (field, value) in [
        ("output_format", json!("gif")),
        ("output_compression", json!(0)),
        ("output_compression", json!(101)),
    ] {
        let mut asked = json!({ "instruction": "sepia" });
        asked[field] = value;
        ada.edit_with(&asked).await.is_error(400, "invalid_value", Some(field));
    }
    let film = json!({ "instruction": "zoom in", "output_format": "webp" });
    assert_eq!(codes(&ada.video(&film).await), ["unknown_field"]);
    app.settled().await;
    app.check().await;
}

#[tokio::test]
async fn a_stored_image_is_downloaded_in_any_format_under_a_safe_name() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let path = stored(&ada.edit("go").await);
    let got = app.anon().get(&format!("{path}?format=webp&download=holiday.jpg")).await;
    assert_eq!(got.header("content-type"), Some("image/webp"));
    assert_eq!(
        got.header("content-disposition"),
        Some("attachment; filename=\"holiday.webp\"; filename*=UTF-8''holiday.webp")
    );
    let read = |bytes: &[u8]| codec::decode(bytes, &codec::Limits::default()).unwrap();
    let plain = ada.get(&path).await;
    assert_eq!(read(&got.bytes), read(&plain.bytes));
    assert_ne!(got.header("etag"), plain.header("etag"));
    assert_eq!(plain.header("content-disposition"), None);
    let named = ada.get(&format!("{path}?download=%22a%2F..%0D%0Ab")).await;
    assert_eq!(named.bytes, plain.bytes);
    let name = named.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment; filename=\"a..b.png\""), "{name}");
    let wrong = ada.get(&format!("{path}?format=gif")).await;
    wrong.is_error(400, "invalid_value", Some("format"));
    app.check().await;
}

#[tokio::test]
async fn a_photo_of_a_phone_is_refused_by_its_name() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    for (brand, name) in [(b"heic", "HEIC photo"), (b"avif", "AVIF image")] {
        let head = [b"\x00\x00\x00\x1cftyp".as_slice(), brand, b"\0\0\0\0mif1", brand, b"miaf"];
        let file = [head.concat(), vec![0; 100]].concat();
        let asked =
            json!({ "instruction": "sepia", "imageBase64": STANDARD.encode_to_string(&file) });
        let edit = ada.edit_with(&asked).await.is_error(400, "invalid_image", Some("imageBase64"));
        let uploading = ada.clone().with_header("content-type", "image/jpeg");
        let upload = uploading.send(Method::POST, "/api/uploads", Some(file)).await;
        let upload = upload.is_error(400, "invalid_image", Some("file"));
        for said in [edit, upload] {
            let tells = said.contains("export") || said.contains("Export");
            assert!(said.contains(name) && tells, "{said}");
        }
    }
    app.check().await;
}

#[tokio::test]
async fn the_instruction_may_say_the_format_and_the_quality() {
    let app = TestApp::new().await;
    let ada = app.rich_caller("ada@example.com").await;
    let photo = pictures::base64(200, 150);
    let edit = |instruction: &str, more: Value| {
        let mut asked = json!({ "instruction": instruction, "imageBase64": photo });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let ada = ada.clone();
        async move { ada.edit_with(&asked).await }
    };
    let none = || json!({});

    let answer = edit("sepia, then save it as jpg with quality 40", none()).await;
    assert_eq!(result(&answer).0, "image/jpeg");
    assert!(stored(&answer).ends_with(".jpg"));
    let body = answer.ok();
    let generation = &body["generation"];
    let said = json!({ "format": "jpeg", "quality": 40 });
    assert_eq!(generation["plan"]["output"], said);
    assert_eq!(generation["plan"]["words"][1], "save as JPEG with quality 40");
    let fields = json!({ "output_format": "jpeg", "output_compression": 40 });
    assert_eq!(result(&edit("sepia", fields).await), result(&answer), "as if in the fields");
    let again = ada.edit_with(&json!({ "plan": generation["plan"], "imageBase64": photo })).await;
    assert_eq!(result(&again), result(&answer), "a plan can be replayed");

    // Words and fields that agree, or complete each other.
    let agreeing = json!({ "output_format": "jpeg", "output_compression": 40 });
    for (words, more) in [
        ("sepia, then save as JPEG", agreeing),
        ("sepia, JPEG", json!({ "output_compression": 40 })),
        ("sepia, quality 40", json!({ "output_format": "jpeg" })),
    ] {
        let same = edit(words, more).await;
        assert_eq!((result(&same), codes(&same)), (result(&answer), vec![]), "{words}");
    }

    let small = edit("resize to 2000 pixels wide, under 20 KB", none()).await;
    assert_eq!(result(&small).0, "image/jpeg");
    let file = ada.get(&stored(&small)).await;
    assert!(file.bytes.len() <= 20_000, "{} bytes", file.bytes.len());
    let limited = json!({ "bytes_max": 20_000 });
    assert_eq!(small.ok()["generation"]["plan"]["output"], limited);
    let as_asked = edit("under 20 KB", json!({ "output_format": "webp" })).await;
    assert_eq!(result(&as_asked).0, "image/webp");
    let smaller = edit("resize to 2000 pixels wide, save as PNG under 20 KB", none()).await;
    assert_eq!(
        (result(&smaller).0.as_str(), codes(&smaller)),
        ("image/png", vec!["result_differs".into()])
    );

    let alone = edit("webp please", none()).await;
    assert_eq!(result(&alone).0, "image/webp");
    assert_eq!(alone.ok()["generation"]["plan"]["steps"], json!([]));
    let clean = edit("strip all metadata", none()).await;
    assert_eq!(result(&clean).0, "image/png");
    assert_eq!(
        result(&edit("strip all metadata", json!({ "output_format": "webp" })).await).0,
        "image/webp"
    );
    let clear = edit("round the corners, save as jpg", none()).await;
    assert_eq!(codes(&clear), ["transparency_lost"]);
    let odd = edit("sepia, save as webp", json!({ "output_compression": 40 })).await;
    assert_eq!(codes(&odd), ["parameter_not_honored"]);
    let made = json!({
        "instruction": "a plain red picture, save it as webp", "model": "alpha-image-2-free"
    });
    assert_eq!(result(&ada.make(&made).await).0, "image/webp");
    app.check().await;
}

#[tokio::test]
async fn what_the_words_and_the_fields_say_about_the_file_must_agree() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let jpeg = json!({ "version": 1, "steps": [], "output": { "format": "jpeg" } });
    for (asked, param, said) in [
        (
            json!({ "instruction": "sepia, save as jpg", "output_format": "png" }),
            "instruction",
            "JPEG",
        ),
        (
            json!({ "instruction": "sepia, jpg at 80", "output_compression": 70 }),
            "instruction",
            "70 and 80",
        ),
        (json!({ "plan": jpeg, "output_format": "webp" }), "instruction", "WebP"),
        (json!({ "instruction": "save it as gif" }), "instruction", "PNG, JPEG or WebP"),
        (json!({ "instruction": "save it as png and as jpg" }), "instruction", "choose one"),
        (json!({ "instruction": "jpg with quality 101" }), "instruction", "1 to 100"),
        (json!({ "instruction": "reduce the file size" }), "instruction", "under 500 KB"),
        (
            json!({ "plan": { "version": 1, "steps": [], "output": { "format": "webp", "quality": 9 } } }),
            "plan",
            "only a JPEG",
        ),
        (
            json!({ "plan": { "version": 1, "steps": [], "output": { "format": "gif" } } }),
            "plan",
            "gif",
        ),
    ] {
        let answer = ada.edit_with(&asked).await;
        let message = answer.is_error(400, "instruction_not_supported", Some(param));
        assert!(message.contains(said), "{asked}: {message}");
        let previewed = ada.post("/api/preview", &asked_of_preview(&asked)).await;
        assert_eq!(previewed.status, 400, "{asked}");
    }
    assert_eq!(ada.available().await, 15);
    let bob = app.rich_caller("bob@example.com").await;
    // Other providers get the words as they are.
    let other =
        json!({ "instruction": "sepia, save as jpg", "model": "gamma-2", "output_format": "webp" });
    assert_eq!(bob.edit_with(&other).await.status, 200);
    app.check().await;
}

/// The same request with an image, as previews need it.
fn asked_of_preview(asked: &Value) -> Value {
    let mut asked = asked.clone();
    asked["imageBase64"] = pictures::base64(20, 15).into();
    asked
}
