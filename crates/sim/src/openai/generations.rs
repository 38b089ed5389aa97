//! `POST /v1/images/generations`, JSON.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::answer::{What, answer};
use super::errors::{Error, authorised};
use super::order::Order;
use crate::arrived::Arrived;
use crate::check::Fields;
use crate::world::World;

/// Answers the call.
pub(super) async fn generations(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    match authorised(&world, &arrived).and_then(|()| read(arrived)) {
        Ok(order) => answer(&world, What::Generation, order).await,
        Err(error) => error.into_response(),
    }
}

fn read(arrived: Arrived) -> Result<Order, Error> {
    let mut fields = Fields::body(arrived)?;
    fields.one_of("moderation", &["auto", "low"])?;
    Order::read(fields, &[])
}
