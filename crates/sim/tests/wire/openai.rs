//! The `OpenAI` protocol's own errors: for every fault that it has an error for, and for invalid
//! requests.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{call, counted, decoded, generate, order, plan, request, send, sim};
/// Each fault, with its status and code in this protocol.
const TOLD: [(&str, u16, Option<&str>); 9] = [
    ("refuse_content_input", 400, Some("moderation_blocked")),
    ("refuse_content_output", 400, Some("moderation_blocked")),
    ("refuse_parameters", 400, Some("invalid_value")),
    ("bad_key", 401, Some("invalid_api_key")),
    ("no_credit", 429, Some("insufficient_quota")),
    ("unknown_model", 404, Some("model_not_found")),
    ("throttle", 429, Some("rate_limit_exceeded")),
    ("overloaded", 503, None),
    ("internal_error", 500, None),
];

/// Faults that happen before any work is done.
const UNPAID: [&str; 7] = [
    "refuse_content_input",
    "refuse_parameters",
    "bad_key",
    "no_credit",
    "unknown_model",
    "throttle",
    "overloaded",
];

#[test]
fn each_fault_is_told_in_the_providers_shape() {
    let sim = sim();
    for (fault, status, code) in TOLD {
        let prompt = format!("[sim:{fault}]");
        let seen = generate(&sim, &prompt);
        let error = &seen.json()["error"];
        assert_eq!((seen.status, error["code"].as_str()), (status, code), "{fault}");
        assert!(error["message"].is_string() && error["type"].is_string(), "{fault}");
        let worked = u64::from(!UNPAID.contains(&fault));
        assert_eq!(counted(&sim, "openai", &prompt), (1, worked), "{fault}");
    }
}

#[test]
fn a_hint_comes_only_where_it_was_asked_for() {
    let sim = sim();
    let seen = generate(&sim, "[sim:throttle retry_after=3]");
    assert_eq!(
        (seen.header("retry-after"), seen.header("retry-after-ms")),
        (Some("3"), Some("3000"))
    );
    assert_eq!(generate(&sim, "[sim:throttle]").header("retry-after"), None);
}

#[test]
fn what_is_wrong_is_said_and_uses_no_fault_up() {
    let sim = sim();
    plan(&sim, &json!({ "fault": "internal_error" }));
    let wrong = [
        (json!({ "colour": "red" }), "unknown_parameter", "colour"),
        (json!({ "size": "1000x1000" }), "invalid_value", "size"),
        (json!({ "size": "64x64x64" }), "invalid_value", "size"),
        (json!({ "size": 1024 }), "invalid_type", "size"),
        (json!({ "n": 11 }), "invalid_value", "n"),
        (json!({ "n": "1" }), "invalid_type", "n"),
        (json!({ "quality": "xhigh" }), "invalid_value", "quality"),
        (json!({ "prompt": "" }), "missing_required_parameter", "prompt"),
        (json!({ "response_format": "b64_json" }), "unknown_parameter", "response_format"),
        (json!({ "input_fidelity": "high" }), "unknown_parameter", "input_fidelity"),
        (json!({ "model": "dall-e-3" }), "model_not_found", "model"),
        (
            json!({ "output_format": "jpeg", "background": "transparent" }),
            "invalid_value",
            "background",
        ),
    ];
    for (fields, code, param) in wrong {
        let mut body = order("a square");
        for (name, value) in fields.as_object().expect("fields") {
            body[name] = value.clone();
        }
        let error = call(&sim, "POST", "/openai/v1/images/generations", &body).json();
        let error = &error["error"];
        assert_eq!((error["code"].as_str(), error["param"].as_str()), (Some(code), Some(param)));
    }
    assert_eq!(generate(&sim, "a square").status, 500);
    assert_eq!(generate(&sim, "a square").status, 200);
}

#[test]
fn a_form_is_read_part_by_part() {
    let sim = sim();
    let input = generate(&sim, "the input").pictures().remove(0);
    let parts = [("model", "gpt-image-2"), ("prompt", "edit it")];
    let seen = send(&sim, &form(&parts, &[("image", &input)]), Duration::from_secs(20));
    assert_eq!(seen.json()["usage"]["input_tokens_details"]["image_tokens"], 388);
    // Without a size, the result has the shape of the input, which is wider than high.
    assert_eq!(seen.json()["size"], "1536x1024");
    let two = [("image[]", &*input), ("image[]", &input)];
    let seen = send(&sim, &form(&parts, &two), Duration::from_secs(20));
    assert_eq!(seen.json()["usage"]["input_tokens_details"]["image_tokens"], 776);

    let code = |parts: &[(&str, &str)], files: &[(&str, &[u8])]| {
        let seen = send(&sim, &form(parts, files), Duration::from_secs(20));
        seen.json()["error"]["code"].as_str().map(str::to_owned)
    };
    assert_eq!(code(&parts, &[]).as_deref(), Some("missing_required_parameter"));
    assert_eq!(code(&parts, &[("image", b"no")]).as_deref(), Some("invalid_image_file"));
    assert_eq!(code(&parts, &[("picture", &input)]).as_deref(), Some("unknown_parameter"));
    let twice = [parts[0], parts[1], parts[1]];
    assert_eq!(code(&twice, &[("image", &input)]).as_deref(), Some("invalid_value"));
    let fidelity = [parts[0], parts[1], ("input_fidelity", "high")];
    assert_eq!(code(&fidelity, &[("image", &input)]).as_deref(), Some("unknown_parameter"));
}

#[test]
fn a_stream_has_every_event() {
    let sim = sim();
    let mut body = order("streamed");
    body["stream"] = true.into();
    body["partial_images"] = 2.into();
    let seen = call(&sim, "POST", "/openai/v1/images/generations", &body);
    assert_eq!(seen.header("content-type"), Some("text/event-stream; charset=utf-8"));
    let text = String::from_utf8(seen.body).expect("text");
    let data: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .collect();
    let kinds: Vec<_> = data.iter().map(|event| event["type"].as_str().expect("text")).collect();
    let (partial, completed) = ("image_generation.partial_image", "image_generation.completed");
    assert_eq!(kinds, [partial, partial, completed]);
    assert!(decoded(data[2]["b64_json"].as_str().expect("base64")).is_some());
    assert_eq!(data[1]["partial_image_index"], 1);
}

/// A form with these texts and files.
fn form(texts: &[(&str, &str)], files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, text) in texts {
        let head =
            format!("--B\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
        body.extend(head.into_bytes());
    }
    for (name, file) in files {
        let head = format!(
            "--B\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"a.png\"\r\n\
             content-type: image/png\r\n\r\n"
        );
        body.extend(head.into_bytes());
        body.extend(*file);
        body.extend(b"\r\n");
    }
    body.extend(b"--B--\r\n");
    let head = request("POST", "/openai/v1/images/edits", &Value::Null);
    let head = String::from_utf8(head).expect("text");
    let head = head
        .replace("application/json", "multipart/form-data; boundary=B")
        .replace("content-length: 0", &format!("content-length: {}", body.len()));
    [head.into_bytes(), body].concat()
}
