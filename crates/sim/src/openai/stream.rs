//! The response as server-sent events: partial images, then finished ones.

use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::answer::{What, described, usage};
use super::order::Order;
use crate::world::World;

/// All events of an order.
pub(super) fn events(world: &World, what: What, order: &Order) -> Response {
    let delivery = world.deliver(&order.wanted);
    let kind = match what {
        What::Edit => "image_edit",
        What::Generation => "image_generation",
    };
    let mut text = String::new();
    for file in &delivery.files {
        let event = |name: &str, more: Value| {
            let kind = format!("{kind}.{name}");
            let mut fields = json!({
                "type": kind,
                "b64_json": file.base64,
                "created_at": world.now_s(),
            });
            merge(&mut fields, described(order));
            merge(&mut fields, more);
            format!("event: {kind}\ndata: {fields}\n\n")
        };
        for index in 0..order.partial_images {
            text += &event("partial_image", json!({ "partial_image_index": index }));
        }
        text += &event("completed", json!({ "usage": usage(order) }));
    }
    ([(CONTENT_TYPE, "text/event-stream; charset=utf-8")], text).into_response()
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}
