//! `POST /v1/images/generations`, JSON.

use axum::extract::{Path, State};
use axum::response::Response;

use super::answer::{What, answer};
use super::errors::Error;
use super::flavour::{Flavour, Server};
use super::order::Order;
use crate::arrived::Arrived;
use crate::fields::Fields;

/// Handles the call.
pub(super) async fn generations(State(server): State<Server>, arrived: Arrived) -> Response {
    match server.authorise(&arrived).and_then(|()| read(arrived, server.flavour)) {
        Ok(order) => answer(&server, What::Generation, order).await,
        Err(error) => server.tell(error),
    }
}

/// Handles the call to a deployment, which determines the model.
pub(super) async fn at_deployment(
    State(server): State<Server>,
    Path(deployment): Path<String>,
    arrived: Arrived,
) -> Response {
    let allowed = server.authorise(&arrived).and_then(|()| server.check_version(&arrived));
    match allowed.and_then(|()| read(arrived.with_model(&deployment), server.flavour)) {
        Ok(order) => answer(&server, What::Generation, order).await,
        Err(error) => server.tell(error),
    }
}

fn read(arrived: Arrived, flavour: Flavour) -> Result<Order, Error> {
    let mut fields = Fields::body(arrived)?;
    fields.one_of("moderation", &["auto", "low"])?;
    Order::read(fields, &[], flavour)
}
