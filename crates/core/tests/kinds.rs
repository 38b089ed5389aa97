//! Tests text-to-image and video requests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use retouch_core::catalogue::{Catalogue, EMBEDDED};
use retouch_core::edit::{Body, Edit, Reason, Rejected, RequestLimits};
use retouch_core::{Credits, Kind};
use serde_json::{Value, json};

fn accept(kind: Kind, body: &Value) -> Result<Edit, Rejected> {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    let text = body.to_string();
    let limits = RequestLimits { image_bytes_max: 1000 };
    catalogue.accept(kind, &Body::parse(text.as_bytes())?, limits)
}

fn refused(kind: Kind, body: &Value) -> (Reason, Option<String>, String) {
    let rejected = accept(kind, body).unwrap_err();
    (rejected.reason, rejected.param, rejected.message)
}

#[test]
fn a_picture_out_of_words_costs_what_an_edit_costs_and_takes_no_picture() {
    let body = json!({ "prompt": "a red square", "size": "512x512", "n": 3 });
    let edit = accept(Kind::TextToImage, &body).unwrap();
    assert_eq!((edit.kind, edit.price, edit.pictures.len()), (Kind::TextToImage, credits(6), 0));
    assert_eq!(edit.model.id, "alpha-image-2-free");
    assert!(edit.warnings[0].message.contains("1 image"), "{:?}", edit.warnings);
    let dear = json!({ "prompt": "x", "model": "beta-image-1-5", "quality": "high" });
    assert_eq!(accept(Kind::TextToImage, &dear).unwrap().price, credits(22));
    for (field, value) in [
        ("imageUrl", json!("https://example.com/a.png")),
        ("imageUrls", json!(["https://example.com/a.png"])),
        ("imageBase64", json!("AAAA")),
    ] {
        let (reason, param, message) =
            refused(Kind::TextToImage, &json!({ "prompt": "x", field: value }));
        assert_eq!((reason, param.as_deref()), (Reason::TooManyImages, Some(field)));
        assert!(message.contains("/api/image-edit"), "{message}");
    }
    let absent = json!({ "prompt": "x", "imageUrls": [], "imageUrl": null });
    assert_eq!(accept(Kind::TextToImage, &absent).unwrap().warnings, []);
}

#[test]
fn a_video_takes_pictures_up_to_its_models_number_or_none() {
    let edit = accept(Kind::Video, &json!({ "instruction": "zoom in", "n": 2 })).unwrap();
    assert_eq!((edit.kind, edit.price, edit.duration_seconds), (Kind::Video, credits(21), Some(5)));
    assert_eq!((edit.model.id.as_str(), edit.pictures.len()), ("alpha-video-1", 0));
    assert!(edit.warnings[0].message.contains("1 video"), "{:?}", edit.warnings);
    let pictures = |count: usize| {
        let urls = vec!["https://example.com/a.png"; count];
        json!({ "instruction": "x", "model": "gamma-video-1", "imageUrls": urls })
    };
    assert_eq!(accept(Kind::Video, &pictures(1)).unwrap().pictures.len(), 1);
    assert_eq!(refused(Kind::Video, &pictures(2)).0, Reason::TooManyImages);
}

#[test]
fn a_duration_is_a_whole_number_among_those_of_the_model() {
    let with = |seconds: &str| -> Value {
        serde_json::from_str(&format!(
            "{{\"instruction\":\"x\",\"model\":\"beta-video-1\",\"duration_seconds\":{seconds}}}"
        ))
        .unwrap()
    };
    for (written, seconds) in [("4", 4), ("6.0", 6), ("60e-1", 6), ("null", 4)] {
        let edit = accept(Kind::Video, &with(written)).unwrap();
        let asked = (Some(seconds), written != "null");
        assert_eq!((edit.duration_seconds, edit.is_duration_asked), asked, "{written}");
    }
    for wrong in ["0", "-4", "5", "4.5", "1e300", "99999999999999999999"] {
        let (reason, param, message) = refused(Kind::Video, &with(wrong));
        assert_eq!(reason, Reason::InvalidValue, "{wrong}");
        assert_eq!(param.as_deref(), Some("duration_seconds"));
        assert!(message.contains("4, 6, 8"), "{message}");
    }
    for wrong in ["\"4\"", "true", "[4]"] {
        assert_eq!(refused(Kind::Video, &with(wrong)).0, Reason::InvalidType, "{wrong}");
    }
}

#[test]
fn a_model_does_what_its_kinds_say_and_nothing_else() {
    let named = |model: &str| json!({ "instruction": "x", "model": model, "imageBase64": "AAAA" });
    let (reason, param, message) = refused(Kind::Video, &named("gamma-2"));
    assert_eq!((reason, param.as_deref()), (Reason::UnknownModel, Some("model")));
    assert!(message.contains("alpha-video-1") && !message.contains("delta"), "{message}");
    let (reason, _, message) = refused(Kind::ImageEdit, &named("alpha-video-1"));
    assert_eq!(reason, Reason::UnknownModel);
    assert!(message.contains("gamma-2") && !message.contains("beta-video"), "{message}");
    assert_eq!(refused(Kind::TextToImage, &named("gamma-video-1")).0, Reason::UnknownModel);
}

#[test]
fn a_catalogue_without_videos_makes_none() {
    let begin = EMBEDDED.find("[[models]]\nid = \"alpha-video-1\"").unwrap();
    let end = EMBEDDED.find("[[plans]]").unwrap();
    let text = format!("{}{}", &EMBEDDED[..begin], &EMBEDDED[end..]);
    let catalogue = Catalogue::parse(&text.replace("default_video_model", "# default")).unwrap();
    let limits = RequestLimits { image_bytes_max: 1000 };
    let body = Body::parse(br#"{"instruction":"zoom in"}"#).unwrap();
    let rejected = catalogue.accept(Kind::Video, &body, limits).unwrap_err();
    assert_eq!(rejected.reason, Reason::UnknownModel);
}

#[test]
fn a_field_of_another_call_is_named_as_unknown() {
    let body = json!({ "instruction": "x", "imageBase64": "AAAA", "duration_seconds": 5 });
    let warnings = accept(Kind::ImageEdit, &body).unwrap().warnings;
    assert_eq!(warnings[0].param.as_deref(), Some("duration_seconds"));
    let body = json!({ "instruction": "x", "duration_second": 5 });
    let warnings = accept(Kind::Video, &body).unwrap().warnings;
    assert!(warnings[0].message.contains("`duration_seconds`"), "{warnings:?}");
}

fn credits(number: u32) -> Credits {
    Credits::from(number)
}
