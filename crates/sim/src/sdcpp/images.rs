//! This server's part of OpenAI's API: forms and JSON as it parses them, no usage, and errors as
//! text. The arguments that the real server reads from prompts are an error here, because Retouch
//! must never send them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::NAME;
use super::errors::Error;
use crate::arrived::{Arrived, Content};
use crate::delivery::{Kind, Wanted};
use crate::fault::{Call, Fault};
use crate::fields::{Fields, Form};
use crate::picture::{self, Format, sniff};
use crate::world::{Turn, World};

const EXTRA_ARGS: &str = "<sd_cpp_extra_args>";
const SIDE_PX: u32 = 512;

/// `POST /v1/images/edits`.
pub(super) async fn edits(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    answer(&world, read_edit(arrived)).await
}

/// `POST /v1/images/generations`.
pub(super) async fn generations(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let fields = if arrived.content == Content::Empty {
        Err(Error::bad("empty body"))
    } else {
        Fields::body(arrived).map_err(Error::from)
    };
    answer(&world, fields.and_then(|fields| read_rest(fields, &[]))).await
}

/// `GET /v1/models`, without the `object` field that other servers have next to the list.
pub(super) async fn models(State(world): State<Arc<World>>) -> Response {
    let model = json!({ "id": "sd-cpp-local", "object": "model", "owned_by": "local" });
    let turn = Turn { provider: NAME, call: Call::Probe, prompt: "" };
    let answer = |fault: Option<Fault>| match fault {
        None => Json(json!({ "data": [model] })).into_response(),
        Some(fault) => Error::from(fault).into_response(),
    };
    world.answer(turn, answer).await
}

fn read_edit(arrived: Arrived) -> Result<Wanted, Error> {
    let form = Form::body(arrived);
    let mut form = form.map_err(|_| Error::bad("Content-Type must be multipart/form-data"))?;
    let mut inputs = form.files(&["image[]"])?;
    let first = form.files(&["image"])?;
    if inputs.is_empty() {
        // Only the first image with this name is used.
        inputs.extend(first.into_iter().take(1));
    }
    form.files(&["mask"])?;
    if inputs.is_empty() {
        return Err(Error::bad("at least one image[] required"));
    }
    read_rest(form.into_fields(&["n", "output_compression"], &[])?, &inputs)
}

fn read_rest(mut fields: Fields, inputs: &[bytes::Bytes]) -> Result<Wanted, Error> {
    let prompt = fields.text("prompt")?.unwrap_or_default();
    if prompt.is_empty() {
        return Err(Error::bad("prompt required"));
    }
    if prompt.contains(EXTRA_ARGS) {
        return Err(Error::bad("invalid sd_cpp_extra_args"));
    }
    let size = fields.text("size")?;
    let asked = size.as_deref().and_then(|size| size.split_once('x'));
    let asked = asked.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let first = inputs.iter().find_map(|input| sniff(input));
    let of_first = first.map(|first| (first.width, first.height));
    let count = fields.whole("n", 1..=8)?.unwrap_or(1);
    let format = fields.one_of("output_format", &["png", "jpeg", "webp"])?;
    let kind = Kind::Picture(format.and_then(|name| Format::named(&name)).unwrap_or(Format::Png));
    let size = asked.or(of_first).unwrap_or((SIDE_PX, SIDE_PX));
    let count = count.try_into().unwrap_or(1);
    let seed = picture::seed(&prompt, inputs);
    Ok(Wanted { provider: NAME, prompt, seed, count, size, kind })
}

async fn answer(world: &World, wanted: Result<Wanted, Error>) -> Response {
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(error) => return error.into_response(),
    };
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &wanted.prompt };
    let answer = |fault: Option<Fault>| match fault {
        None => made(world, &wanted).into_response(),
        Some(fault) => Error::from(fault).into_response(),
    };
    world.answer(turn, answer).await
}

fn made(world: &World, wanted: &Wanted) -> Response {
    let delivery = world.deliver(wanted);
    if delivery.files.is_empty() {
        let text = "generate_image returned no results";
        return Error::new(StatusCode::INTERNAL_SERVER_ERROR, text).into_response();
    }
    let data: Value =
        delivery.files.iter().map(|file| json!({ "b64_json": file.base64 })).collect();
    let body = json!({ "created": world.now_s(), "output_format": "png", "data": data });
    Json(body).into_response()
}
