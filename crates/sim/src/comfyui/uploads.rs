//! Uploads, downloads, and the server's description of itself.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header;
use serde_json::json;

use super::NAME;
use super::errors::Error;
use crate::arrived::{Arrived, Content};
use crate::fault::{Call, Fault};
use crate::files::File;
use crate::world::{Turn, World};

/// The parts of the form other than the file.
const TEXTS: [&str; 3] = ["type", "subfolder", "overwrite"];

/// `POST /upload/image`.
pub(super) async fn upload(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let Some((name, bytes)) = read(arrived) else { return Error::of_upload().into_response() };
    let turn = Turn { provider: NAME, call: Call::Upload, prompt: "" };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => {
            let kept = File {
                name: format!("input-{name}"),
                media_type: "application/octet-stream",
                bytes,
                prompt: String::new(),
            };
            world.files.keep(kept);
            Json(json!({ "name": name, "subfolder": "", "type": "input" })).into_response()
        }
    };
    world.answer(turn, answer).await
}

/// The uploaded file that a `LoadImage` node names.
pub(super) fn find(world: &World, name: &str) -> Option<Bytes> {
    world.files.find(&format!("input-{name}")).map(|file| file.bytes)
}

/// `GET /view?filename=&subfolder=&type=output`.
pub(super) async fn view(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let name = arrived.query("filename").unwrap_or_default();
    let is_output = arrived.query("type").is_none_or(|kind| kind == "output");
    let Some(file) = world.files.find(name).filter(|_| is_output) else {
        return Error::not_found().into_response();
    };
    let turn = Turn { provider: NAME, call: Call::File, prompt: &file.prompt };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => ([(header::CONTENT_TYPE, file.media_type)], file.bytes.clone()).into_response(),
    };
    world.answer(turn, answer).await
}

/// `GET /system_stats`.
pub(super) async fn system_stats(State(world): State<Arc<World>>) -> Response {
    let turn = Turn { provider: NAME, call: Call::Probe, prompt: "" };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => Json(json!({
            "system": { "os": "posix", "comfyui_version": "0.3.71", "embedded_python": false },
            "devices": [{ "name": "sim", "type": "cpu", "index": 0 }],
        }))
        .into_response(),
    };
    world.answer(turn, answer).await
}

fn read(arrived: Arrived) -> Option<(String, Bytes)> {
    let Content::Form(parts) = arrived.content else { return None };
    if parts.iter().any(|part| part.name != "image" && !TEXTS.contains(&&*part.name)) {
        return None;
    }
    let image = parts.into_iter().find(|part| part.name == "image")?;
    Some((image.file_name?, image.bytes))
}
