//! The OpenAI Images protocol: requests arrive as intended, and results are kept.

use retouch_engine::codec;
use retouch_providers::openai::{AZURE, OPENAI, OpenAi, Options, Profile};
use retouch_providers::{Output, ProviderError};
use serde_json::{Value, json};

use crate::stand::{KEY, Stand, job, png, simple};

fn dialect(profile: &'static Profile) -> OpenAi {
    OpenAi::new(profile, Options::default())
}

/// The size of the image in the result.
fn size(output: &Output) -> (u32, u32) {
    codec::probe(&output.file, &codec::Limits::default()).unwrap().size()
}

/// The text fields of a form, and the names and sizes of its files, in their order.
fn form(request: &Value) -> Vec<(String, Value)> {
    let parts = request["body"]["form"].as_array().unwrap();
    let content =
        |part: &Value| if part["text"].is_null() { &part["file"] } else { &part["text"] }.clone();
    parts.iter().map(|part| (part["name"].as_str().unwrap().into(), content(part))).collect()
}

#[tokio::test]
async fn an_edit_arrives_whole_and_its_picture_comes_back() {
    let stand = Stand::new("openai", dialect(&OPENAI));
    let pictures = [png((90, 60), [200, 0, 0, 255]), png((30, 30), [0, 0, 200, 255])];
    let fields = json!({ "instruction": "put ä 🦊 in", "aspectRatio": "3:2" });
    let output = stand.perform(&job("gpt-image-2", fields, &pictures)).await.unwrap();
    assert_eq!(size(&output), (1536, 1024));
    assert_eq!((output.usage.prompt_tokens, output.usage.completion_tokens), (4 + 2 * 388, 1056));
    assert!(output.warnings.is_empty(), "{:?}", output.warnings);

    let asked = form(&stand.asked("/images/edits").await);
    let names: Vec<_> = asked.iter().map(|(name, _)| name.as_str()).collect();
    let texts = ["model", "n", "output_format", "prompt", "quality", "size"];
    assert_eq!(names, [&texts[..], &["image[]", "image[]"]].concat());
    let prompt = &asked.iter().find(|(name, _)| name == "prompt").unwrap().1;
    assert_eq!(prompt, "put ä 🦊 in");
    let widths: Vec<_> = asked[6..].iter().map(|(_, file)| file["width"].clone()).collect();
    assert_eq!(widths, [90, 30], "the order of the pictures counts");
}

#[tokio::test]
async fn a_picture_out_of_words_comes_back() {
    let stand = Stand::new("openai", dialect(&OPENAI));
    let fields = json!({ "instruction": "a fox", "size": "1920x1080" });
    let output = stand.perform(&job("gpt-image-2", fields, &[])).await.unwrap();
    assert_eq!(size(&output), (1920, 1088));
    let asked = stand.asked("/images/generations").await;
    assert_eq!(asked["body"]["json"]["prompt"], "a fox");
}

#[tokio::test]
async fn older_models_get_one_of_their_three_sizes() {
    let stand = Stand::new("openai", dialect(&OPENAI));
    let fields = json!({ "instruction": "a fox", "size": "640x480" });
    let wide = job("gpt-image-1.5", fields, &[png((64, 64), [9, 9, 9, 255])]);
    assert_eq!(size(&stand.perform(&wide).await.unwrap()), (1536, 1024));
    assert_eq!(
        size(&stand.perform(&simple("gpt-image-1.5", "a fox")).await.unwrap()),
        (1536, 1024)
    );
}

#[tokio::test]
async fn azure_is_spoken_to_at_both_kinds_of_addresses() {
    let stand = Stand::new("azure", dialect(&AZURE));
    stand.perform(&simple("gpt-image-2", "a fox")).await.unwrap();
    stand.asked("/openai/v1/images/edits").await;
    assert!(stand.upstream.probe().await.is_ok());

    let options = Options { api_version: Some("2025-04-01-preview".into()) };
    let stand = Stand::new("azure", OpenAi::new(&AZURE, options));
    stand.perform(&simple("gpt-image-2", "a fox")).await.unwrap();
    let asked = stand.asked("/openai/deployments/gpt-image-2/images/edits").await;
    assert_eq!(asked["query"], json!([["api-version", "2025-04-01-preview"]]));
    let words = job("gpt-image-2", json!({ "instruction": "a fox" }), &[]);
    stand.perform(&words).await.unwrap();
    let missing = stand.perform(&simple("no-such", "a fox")).await;
    assert!(
        matches!(missing, Err(ProviderError::NotAccepted { retry_ms: None, .. })),
        "{missing:?}"
    );
}

#[tokio::test]
async fn a_wrong_key_is_reported_and_never_shown() {
    for (provider, profile) in [("openai", &OPENAI), ("azure", &AZURE)] {
        let wrong = format!("{KEY}-wrong");
        let stand = Stand::with_key(provider, dialect(profile), &wrong);
        let problem = stand.upstream.probe().await.unwrap_err();
        assert_eq!(problem, "the key was rejected (status 401)");
        let refused = stand.perform(&simple("gpt-image-2", "a fox")).await.unwrap_err();
        assert!(
            matches!(refused, ProviderError::NotAccepted { retry_ms: None, .. }),
            "{refused:?}"
        );
        assert!(!refused.to_string().contains("secret"), "{refused}");
    }
    let stand = Stand::new("openai", dialect(&OPENAI));
    assert_eq!(stand.upstream.probe().await.as_deref(), Ok("it lists 10 models"));
}

#[tokio::test]
async fn who_is_throttled_is_told_when_to_come_back() {
    let stand = Stand::new("openai", dialect(&OPENAI));
    stand.plan(json!({ "fault": "throttle", "retry_after": 7 })).await;
    let refused = stand.perform(&simple("gpt-image-2", "a fox")).await.unwrap_err();
    let ProviderError::NotAccepted { retry_ms: Some(7_000), .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(stand.submissions("a fox").await, (1, 0));
}
