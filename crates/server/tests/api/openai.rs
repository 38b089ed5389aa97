//! OpenAI's Images API at `/v1`: the same flow, prices and books as `/api`.

#[path = "openai/edits.rs"]
mod edits;
#[path = "openai/events.rs"]
mod events;
#[path = "openai/forms.rs"]
mod forms;
#[path = "openai/later.rs"]
mod later;
#[path = "openai/models.rs"]
mod models;
#[path = "openai/refusals.rs"]
mod refusals;
#[path = "openai/retries.rs"]
mod retries;
#[path = "openai/several.rs"]
mod several;

use axum::http::Method;
use base64_simd::STANDARD;
use serde_json::{Value, json};

use crate::support::persona::{Answer, Persona};
use crate::support::pictures;

const EDITS: &str = "/v1/images/edits";
const GENERATIONS: &str = "/v1/images/generations";
const BOUNDARY: &str = "----a boundary";

/// A part of a form: its name, its other headers and its content.
type Part<'a> = (&'a str, &'a str, &'a [u8]);

/// The headers of a part with a file.
const FILE: &str = "; filename=\"in.png\"\r\nContent-Type: image/png";

/// A form with these parts.
fn form(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, more, content) in parts {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n"
        );
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
    body
}

async fn send_form(caller: &Persona, body: Vec<u8>) -> Answer {
    let kind = format!("multipart/form-data; boundary=\"{BOUNDARY}\"");
    caller.clone().with_header("content-type", &kind).send(Method::POST, EDITS, Some(body)).await
}

/// A data URL with a small image.
fn data_url() -> String {
    format!("data:image/png;base64,{}", pictures::base64(4, 3))
}

/// An edit of a small image with these fields, by the scripted model unless they name another.
async fn edit(caller: &Persona, fields: Value) -> Answer {
    let mut body = json!({ "model": "gamma-2", "images": [{ "image_url": data_url() }] });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    caller.post(EDITS, &body).await
}

/// The file in the only image of an answer.
fn file(answer: &Value) -> Vec<u8> {
    assert_eq!(answer["data"].as_array().unwrap().len(), 1, "{answer}");
    STANDARD.decode_to_vec(answer["data"][0]["b64_json"].as_str().unwrap()).unwrap()
}
