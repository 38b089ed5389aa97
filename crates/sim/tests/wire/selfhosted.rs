//! Servers for open models, and how they deviate from the `OpenAI` protocol.

use serde_json::{Value, json};

use super::client::{call, sim};

fn generate(provider: &str, fields: &Value) -> (u16, Value) {
    let mut body = json!({ "prompt": "a square", "size": "64x48" });
    let fields = fields.as_object().expect("fields").clone();
    body.as_object_mut().expect("an object").extend(fields);
    let path = format!("/{provider}/v1/images/generations");
    let seen = call(&sim(), "POST", &path, &body);
    (seen.status, seen.json())
}

#[test]
fn each_takes_its_own_fields() {
    let guided = json!({ "negative_prompt": "blur", "guidance_scale": 4.5, "seed": 7 });
    assert_eq!(generate("vllm", &guided).0, 200);
    assert_eq!(generate("sglang", &guided).0, 200);
    assert_eq!(generate("sglang", &json!({ "enhance_prompt": true })).0, 200);
    let (status, body) = generate("vllm", &json!({ "enhance_prompt": true }));
    assert_eq!((status, &body["detail"][0]["loc"]), (422, &json!(["body", "enhance_prompt"])));
    assert_eq!(generate("vllm", &json!({ "seed": "7" })).0, 422);
}

#[test]
fn each_answers_in_its_own_form() {
    let (_, body) = generate("vllm", &json!({}));
    assert!(body["data"][0]["b64_json"].is_string() && body["usage"].is_null());
    assert_eq!(generate("vllm", &json!({ "response_format": "url" })).0, 422);
    let (_, body) = generate("sglang", &json!({}));
    assert!(body["data"][0]["url"].is_string() && body["usage"]["image_count"] == 1);
    let (_, body) = generate("sglang", &json!({ "response_format": "b64_json" }));
    assert!(body["data"][0]["b64_json"].is_string());
}

#[test]
fn errors_are_details() {
    let (status, body) = generate("vllm", &json!({ "model": "no-such-model" }));
    assert!(status == 400 && body["detail"].is_string());
    let (status, body) = generate("sglang", &json!({ "prompt": "[sim:internal_error]" }));
    assert!(status == 500 && body["detail"].is_string());
}
