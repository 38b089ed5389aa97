//! The response as server-sent events: one for each image, then a summary.

use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::order::Order;
use crate::world::World;

/// All events of an order with these images.
pub(super) fn events(world: &World, order: &Order, items: &[Value]) -> Response {
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        let mut fields = json!({
            "type": "image_generation.partial_succeeded",
            "model": order.model,
            "created": world.now_s(),
            "image_index": index,
        });
        if let (Value::Object(fields), Value::Object(item)) = (&mut fields, item) {
            fields.extend(item.clone());
        }
        text += &event(&fields);
    }
    let tokens = items.len() * 16_384;
    text += &event(&json!({
        "type": "image_generation.completed",
        "model": order.model,
        "created": world.now_s(),
        "usage": {
            "generated_images": items.len(),
            "output_tokens": tokens,
            "total_tokens": tokens,
        },
    }));
    text += "data: [DONE]\n\n";
    ([(CONTENT_TYPE, "text/event-stream; charset=utf-8")], text).into_response()
}

fn event(fields: &Value) -> String {
    let name = fields.get("type").and_then(Value::as_str).unwrap_or_default();
    format!("event: {name}\ndata: {fields}\n\n")
}
