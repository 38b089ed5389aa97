//! The formats of results.

use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};

use super::errors::{REQUEST_ID, answer};
use crate::delivery::{Delivery, Wanted};
use crate::world::World;

/// The response to a call that is not a task.
pub(super) fn at_once(world: &World, (wanted, origin): (&Wanted, &str)) -> Response {
    let delivery = world.deliver(wanted);
    let (width, height) = wanted.size;
    let body = json!({
        "output": { "choices": choices(world, (&delivery, origin)) },
        "usage": { "image_count": delivery.files.len(), "width": width, "height": height },
        "request_id": REQUEST_ID,
    });
    answer(StatusCode::OK, body)
}

/// One choice for each image, or one with text.
pub(super) fn choices(world: &World, (delivery, origin): (&Delivery, &str)) -> Vec<Value> {
    let choice = |part: Value| {
        json!({
            "finish_reason": "stop",
            "message": { "role": "assistant", "content": [part] },
        })
    };
    let words = delivery.text.map(|text| json!({ "text": text }));
    let pictures =
        delivery.files.iter().map(|file| json!({ "image": file.address(world, origin) }));
    words.into_iter().chain(pictures).map(choice).collect()
}
