//! The pages that people are sent to, as plain as can be.

use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Redirect, Response};

use super::Shared;
use super::people::complete;
use crate::arrived::Arrived;

/// `GET /c/pay/{session}`: the checkout.
pub(super) async fn checkout(
    State(shared): State<Shared>,
    Path(session): Path<String>,
) -> Response {
    match shared.stripe.lock().find("checkout.session", &session) {
        Ok(session) => Html(format!(
            "<!doctype html><title>Checkout</title><h1>Pay {} cents</h1>\
             <form method=post><button>Pay</button></form>",
            session["amount_total"]
        ))
        .into_response(),
        Err(error) => error.into_response(),
    }
}

/// `POST /c/pay/{session}`: somebody pays, and goes back.
pub(super) async fn pay(
    State(shared): State<Shared>,
    Path(session): Path<String>,
    _arrived: Arrived,
) -> Response {
    match complete(&mut shared.stripe.lock(), &session) {
        Ok(done) if done["status"] == "complete" => {
            let back = done["success_url"].as_str().unwrap_or_default();
            Redirect::to(&back.replace("{CHECKOUT_SESSION_ID}", &session)).into_response()
        }
        Ok(_) => Html("<!doctype html><title>Checkout</title><h1>Your card was declined</h1>")
            .into_response(),
        Err(error) => error.into_response(),
    }
}

/// `GET /p/session/{visit}`: the portal.
pub(super) async fn portal(State(shared): State<Shared>, Path(visit): Path<String>) -> Response {
    match shared.stripe.lock().find("billing_portal.session", &visit) {
        Ok(visit) => Html(format!(
            "<!doctype html><title>Portal</title><h1>Your plan</h1><a href={}>Back</a>",
            visit["return_url"]
        ))
        .into_response(),
        Err(error) => error.into_response(),
    }
}
