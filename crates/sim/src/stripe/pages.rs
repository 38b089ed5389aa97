//! Minimal versions of the pages that customers are sent to: a checkout, and the customer portal
//! with the cost of changes.

use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use http::StatusCode;
use serde_json::Value;

use super::Shared;
use super::errors::Error;
use super::life::{Change, Proration};
use super::people::complete;
use super::state;
use crate::arrived::{Arrived, Content};

/// `GET /c/pay/{session}`: the checkout.
pub(super) async fn checkout(
    State(shared): State<Shared>,
    Path(session): Path<String>,
) -> Response {
    match shared.stripe.lock().find("checkout.session", &session) {
        Ok(session) if session["status"] == "open" => page(
            "Checkout",
            &format!(
                "<p>{}{}</p><form method=post><button>Pay</button></form><a href={}>Back</a>",
                money(&session["amount_total"]),
                if session["mode"] == "payment" { "" } else { " a month" },
                session["cancel_url"]
            ),
        ),
        Ok(_) => page("This checkout has ended", ""),
        Err(error) => error.into_response(),
    }
}

/// `POST /c/pay/{session}`: the customer pays and returns.
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
        Ok(_) => page("Your card was declined", ""),
        Err(error) => error.into_response(),
    }
}

/// `GET /p/session/{visit}`: the portal, or a change to confirm.
pub(super) async fn portal(State(shared): State<Shared>, Path(visit): Path<String>) -> Response {
    let state = shared.stripe.lock();
    let visit = match state.find("billing_portal.session", &visit) {
        Ok(visit) => visit,
        Err(error) => return error.into_response(),
    };
    let back = format!("<p><a href={}>Back</a></p>", visit["return_url"]);
    let change = &visit["sim_change"];
    if let (Some(id), Some(price)) = (change["subscription"].as_str(), change["price"].as_str()) {
        let lines = state.proration(id, &state.objects.get(price).cloned().unwrap_or_default());
        let due: i64 = lines.iter().filter_map(|line| line["amount"].as_i64()).sum();
        let button = button("change", &format!("Confirm and pay {}", money(&due.max(0).into())));
        return page("Confirm your change", &(button + &back));
    }
    let rows: String =
        state.live(visit["customer"].as_str().unwrap_or_default()).iter().map(plan).collect();
    page("Your plan", &(rows + &back))
}

/// `POST /p/session/{visit}`: the customer's action in the portal.
pub(super) async fn act(
    State(shared): State<Shared>,
    Path(visit): Path<String>,
    arrived: Arrived,
) -> Response {
    let mut state = shared.stripe.lock();
    let done = perform(&mut state, &visit, &arrived);
    done.map_or_else(IntoResponse::into_response, |back| Redirect::to(&back).into_response())
}

fn perform(state: &mut state::State, visit: &str, arrived: &Arrived) -> Result<String, Error> {
    let visit = state.find("billing_portal.session", visit)?.clone();
    let Content::Other(body) = &arrived.content else { return Err(nothing()) };
    let act = form_urlencoded::parse(body).find(|(name, _)| name == "act").map(|(_, it)| it);
    let customer = visit["customer"].as_str().unwrap_or_default();
    let live = state.live(customer);
    let id = live.first().and_then(|it| it["id"].as_str()).ok_or_else(nothing)?;
    match act.as_deref() {
        Some("change") => {
            let price = visit["sim_change"]["price"].as_str().unwrap_or_default();
            let price = state.find("price", price)?.clone();
            state.change(id, &price, Change { proration: Proration::Now, anchor_now: false });
        }
        Some("leave") => state.leave(id, true),
        Some("stay") => state.leave(id, false),
        _ => return Err(nothing()),
    }
    Ok(visit["return_url"].as_str().unwrap_or_default().to_owned())
}

fn nothing() -> Error {
    Error::plain(StatusCode::BAD_REQUEST, "sim", "Nothing to do.")
}

/// A subscription and its actions.
fn plan(it: &Value) -> String {
    let price = money(&it["items"]["data"][0]["price"]["unit_amount"]);
    let button = match it["cancel_at_period_end"] == true {
        true => button("stay", "Keep the plan"),
        false => button("leave", "Cancel the plan"),
    };
    format!("<p>{price} a month, {}</p>{button}", it["status"].as_str().unwrap_or_default())
}

fn button(act: &str, words: &str) -> String {
    format!("<form method=post><button name=act value={act}>{words}</button></form>")
}

fn money(cents: &Value) -> String {
    let cents = cents.as_i64().unwrap_or(0);
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn page(title: &str, body: &str) -> Response {
    Html(format!("<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{body}"))
        .into_response()
}
