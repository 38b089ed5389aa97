//! Files, which are uploaded before an input names them, and the account.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::StatusCode;
use serde_json::{Value, json};

use super::NAME;
use super::errors::{Error, authorised};
use crate::arrived::{Arrived, Content};
use crate::fault::{Call, Fault};
use crate::fields::{FieldError, Problem};
use crate::files::File;
use crate::world::{Turn, World};

/// `GET /v1/account`.
pub(super) async fn account(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let turn = Turn { provider: NAME, call: Call::Probe, prompt: "" };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => Json(json!({ "type": "user", "username": "sim", "name": "Sim" })).into_response(),
    };
    world.answer(turn, answer).await
}

/// `POST /v1/files`: a form with the part `content`, and optionally `metadata`.
pub(super) async fn upload(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let origin = arrived.origin();
    let (name, bytes) = match read(arrived) {
        Ok(file) => file,
        Err(wrong) => return Error::from(wrong).into_response(),
    };
    let turn = Turn { provider: NAME, call: Call::Upload, prompt: "" };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => {
            let body = stored(&world, (&name, bytes), &origin);
            (StatusCode::CREATED, Json(body)).into_response()
        }
    };
    world.answer(turn, answer).await
}

/// `GET /v1/files/{id}`.
pub(super) async fn show(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    arrived: Arrived,
) -> Response {
    match (authorised(&world, &arrived), world.files.find(&kept_as(&id))) {
        (Err(error), _) => error.into_response(),
        (_, None) => Error::not_found().into_response(),
        (_, Some(file)) => {
            Json(described((&id, &id), &file.bytes, &arrived.origin())).into_response()
        }
    }
}

/// The content of the file at `address`, which an input names.
pub(super) fn find(world: &World, address: &str) -> Option<Bytes> {
    let (_, id) = address.split_once("/v1/files/")?;
    world.files.find(&kept_as(id)).map(|file| file.bytes)
}

fn read(arrived: Arrived) -> Result<(String, Bytes), FieldError> {
    let Content::Form(parts) = arrived.content else {
        return Err(FieldError {
            path: String::new(),
            problem: Problem::Type("multipart/form-data"),
        });
    };
    if let Some(part) = parts.iter().find(|part| !["content", "metadata"].contains(&&*part.name)) {
        return Err(FieldError { path: part.name.clone(), problem: Problem::Unknown });
    }
    let content = parts.into_iter().find(|part| part.name == "content");
    let content = content.ok_or_else(|| FieldError::missing("content"))?;
    let no_file = FieldError { path: "content".into(), problem: Problem::Type("a file") };
    Ok((content.file_name.ok_or(no_file)?, content.bytes))
}

fn stored(world: &World, (name, bytes): (&str, Bytes), origin: &str) -> Value {
    let id = format!("file{:08}", world.number());
    let body = described((&id, name), &bytes, origin);
    world.files.keep(File {
        name: kept_as(&id),
        media_type: "application/octet-stream",
        bytes,
        prompt: String::new(),
    });
    body
}

fn described((id, name): (&str, &str), bytes: &Bytes, origin: &str) -> Value {
    json!({
        "id": id,
        "name": name,
        "content_type": "application/octet-stream",
        "size": bytes.len(),
        "etag": id,
        "checksums": { "sha256": "0".repeat(64) },
        "metadata": {},
        "created_at": "2026-11-20T10:00:00Z",
        "expires_at": "2026-11-21T10:00:00Z",
        "urls": { "get": format!("{origin}/{NAME}/v1/files/{id}") },
    })
}

fn kept_as(id: &str) -> String {
    format!("upload-{id}")
}
