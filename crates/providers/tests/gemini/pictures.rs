//! Requests to `generateContent`.

use http::Method;
use retouch_core::Kind;
use retouch_core::image::AspectRatio;
use retouch_engine::codec::Format;
use retouch_providers::RefusedKind;
use retouch_providers::gemini::Gemini;
use retouch_providers::upstream::{Auth, CallUrl, Dialect};
use serde_json::{Value, json};

use super::support::{call, codes, edit, json, picture};

const PRO: &str = "gemini-3-pro-image";

#[test]
fn the_whole_request_is_words_behind_the_pictures_in_their_order() {
    let mut asked = edit(Kind::ImageEdit);
    asked.aspect_ratio = AspectRatio::Ratio(16, 9);
    let pictures =
        [picture("one", Format::Png, (300, 200)), picture("two", Format::Jpeg, (10, 10))];
    let call = call(&asked, PRO, &pictures);
    assert_eq!(call.method, Method::POST);
    assert_eq!(call.url, CallUrl::Path(format!("/v1beta/models/{PRO}:generateContent")));
    assert_eq!(
        json(&call),
        json!({
            "contents": [{ "role": "user", "parts": [
                { "inlineData": { "mimeType": "image/png", "data": "b25l" } },
                { "inlineData": { "mimeType": "image/jpeg", "data": "dHdv" } },
                { "text": "make it dusk" },
            ]}],
            "generationConfig": {
                "responseModalities": ["IMAGE"],
                "candidateCount": 1,
                "imageConfig": { "aspectRatio": "16:9" },
            },
        })
    );
}

#[test]
fn a_picture_out_of_words_needs_nothing_else() {
    let call = call(&edit(Kind::TextToImage), "models/gemini-2.5-flash-image", &[]);
    let path = "/v1beta/models/gemini-2.5-flash-image:generateContent";
    assert_eq!(call.url, CallUrl::Path(path.into()));
    assert_eq!(json(&call)["contents"][0]["parts"], json!([{ "text": "make it dusk" }]));
    assert_eq!(json(&call)["generationConfig"]["imageConfig"], Value::Null);
}

#[test]
fn the_version_in_the_path_is_the_operators() {
    let edit = edit(Kind::TextToImage);
    let order = super::support::order(&edit, PRO, &[]);
    let call = Gemini::new("v1").submit(&order, &[]).unwrap().call;
    assert_eq!(call.url, CallUrl::Path(format!("/v1/models/{PRO}:generateContent")));
    assert_eq!(Gemini::new("v1").auth(), Auth::Header("x-goog-api-key"));
}

#[test]
fn what_to_keep_out_goes_behind_the_instruction_and_that_is_said() {
    let mut asked = edit(Kind::TextToImage);
    asked.negative_prompt = Some("people".into());
    let text = &json(&call(&asked, PRO, &[]))["contents"][0]["parts"][0]["text"];
    assert_eq!(text, "make it dusk\n\nAvoid: people");
    let warnings = Gemini::default().read(&asked, PRO).unwrap();
    assert_eq!(codes(&warnings), [("parameter_approximated", "negative_prompt")]);
}

#[test]
fn what_cannot_be_done_is_said_and_what_is_done_anyway_is_not() {
    let mut asked = edit(Kind::ImageEdit);
    (asked.watermark, asked.prompt_extend) = (Some(true), Some(true));
    asked.quality = Some(retouch_core::catalogue::Quality::High);
    let warnings = Gemini::default().read(&asked, PRO).unwrap();
    let expected = [
        ("parameter_approximated", "watermark"),
        ("parameter_not_honored", "prompt_extend"),
        ("parameter_not_honored", "quality"),
    ];
    assert_eq!(codes(&warnings), expected);
    assert!(warnings[0].message.contains("SynthID"), "{}", warnings[0].message);

    (asked.watermark, asked.prompt_extend) = (Some(false), Some(false));
    asked.quality = None;
    let warnings = Gemini::default().read(&asked, PRO).unwrap();
    assert_eq!(codes(&warnings), []);
}

#[test]
fn a_model_is_asked_only_for_what_it_makes() {
    let gemini = Gemini::default();
    let cases = [
        (Kind::Video, PRO, "images, not videos"),
        (Kind::ImageEdit, "veo-3.1-generate-preview", "videos, not images"),
        (Kind::TextToImage, "models/veo-3.1-generate-preview", "videos, not images"),
    ];
    for (kind, model, words) in cases {
        let refused = gemini.read(&edit(kind), model).unwrap_err();
        assert_eq!(refused.kind, RefusedKind::Parameters);
        assert!(refused.message.contains(words), "{}", refused.message);
    }
}

#[test]
fn the_pictures_of_a_request_fit_into_20_mb_as_base64() {
    for model in [PRO, "gemini-2.5-flash-image", "veo-3.1-generate-preview"] {
        let rules = Gemini::default().picture_rules(model);
        assert!(rules.total_bytes_max.div_ceil(3) * 4 + 100_000 < 20_000_000);
        assert!(rules.formats.contains(&Format::Png) && rules.formats.contains(&Format::Jpeg));
    }
    let count = |model| Gemini::default().picture_rules(model).count_max;
    assert_eq!((count(PRO), count("gemini-2.5-flash-image-preview")), (14, 3));
}
