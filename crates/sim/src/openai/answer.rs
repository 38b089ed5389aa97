//! The response to an order: JSON, or a stream of events.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::errors::{Error, with_headers};
use super::flavour::Server;
use super::order::Order;
use super::stream;
use crate::delivery::Kind;
use crate::fault::Call;
use crate::world::{Turn, World};

/// The call to answer. Its events are named after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Edit,
    Generation,
}

/// Answers a valid order.
pub(super) async fn answer(server: &Server, what: What, order: Order) -> Response {
    let (world, provider) = (&*server.world, server.flavour.name());
    let turn = Turn { provider, call: Call::Submit, prompt: &order.wanted.prompt };
    let answer = |fault| match fault {
        Some(fault) => server.tell(Error::from(fault)),
        None if order.stream => with_headers(stream::events(world, what, &order)),
        None => with_headers(made(world, &order)),
    };
    world.answer(turn, answer).await
}

/// The response body. Images are borrowed, because they are large and this is used to measure
/// speed.
#[derive(Debug, Serialize)]
struct Body<'a> {
    created: u64,
    #[serde(flatten)]
    described: Value,
    data: Vec<Picture<'a>>,
    usage: Value,
}

#[derive(Debug, Serialize)]
struct Picture<'a> {
    b64_json: &'a str,
}

fn made(world: &World, order: &Order) -> Response {
    let delivery = world.deliver(&order.wanted);
    let data = delivery.files.iter().map(|file| Picture { b64_json: &file.base64 }).collect();
    let (created, described) = (world.now_s(), described(order));
    Json(Body { created, described, data, usage: usage(order) }).into_response()
}

/// What every response and event says about the images.
pub(super) fn described(order: &Order) -> Value {
    let format = match order.wanted.kind {
        Kind::Picture(format) => format.media_type().trim_start_matches("image/"),
        Kind::Video => "mp4",
    };
    let (width, height) = order.wanted.size;
    json!({
        "background": order.background,
        "output_format": format,
        "quality": order.quality,
        "size": format!("{width}x{height}"),
    })
}

/// Token counts that determine the price, in numbers that are easy to check.
pub(super) fn usage(order: &Order) -> Value {
    let (text, images) = (order.wanted.prompt.split_whitespace().count(), order.inputs * 388);
    let output = order.wanted.count * 1056;
    json!({
        "input_tokens": text + images,
        "input_tokens_details": { "text_tokens": text, "image_tokens": images },
        "output_tokens": output,
        "output_tokens_details": { "image_tokens": output, "text_tokens": 0 },
        "total_tokens": text + images + output,
    })
}
