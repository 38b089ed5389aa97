//! `POST /images/generations`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::errors::{Error, answer, authorised};
use super::order::Order;
use super::stream;
use crate::arrived::Arrived;
use crate::delivery::{Delivered, Delivery};
use crate::fault::Call;
use crate::fields::Fields;
use crate::world::{Turn, World};

/// Answers the call.
pub(super) async fn generations(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let origin = arrived.origin();
    let order = authorised(&world, &arrived)
        .and_then(|()| Fields::body(arrived).map_err(Error::from))
        .and_then(Order::read);
    let order = match order {
        Ok(order) => order,
        Err(error) => return error.into_response(),
    };
    let turn = Turn { provider: super::NAME, call: Call::Submit, prompt: &order.wanted.prompt };
    let respond = |fault| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => made(&world, (&order, &origin)),
    };
    world.answer(turn, respond).await
}

fn made(world: &World, (order, origin): (&Order, &str)) -> Response {
    let delivery = world.deliver(&order.wanted);
    let items: Vec<Value> =
        delivery.files.iter().map(|file| item(world, file, (order, origin))).collect();
    if order.stream {
        return stream::events(world, order, &items);
    }
    let body = json!({
        "model": order.model,
        "created": world.now_s(),
        "data": items,
        "usage": usage(order, &delivery),
    });
    answer(StatusCode::OK, body)
}

fn item(world: &World, file: &Delivered, (order, origin): (&Order, &str)) -> Value {
    let (width, height) = file.size;
    let size = format!("{width}x{height}");
    if order.by_address {
        return json!({ "url": file.address(world, origin), "size": size });
    }
    json!({ "b64_json": file.base64, "size": size })
}

fn usage(order: &Order, delivery: &Delivery) -> Value {
    let pixels = |file: &Delivered| u64::from(file.size.0) * u64::from(file.size.1);
    let tokens: u64 = delivery.files.iter().map(|file| pixels(file) / 256).sum();
    json!({
        "generated_images": delivery.files.len(),
        "input_images": order.inputs,
        "output_tokens": tokens,
        "total_tokens": tokens,
    })
}
