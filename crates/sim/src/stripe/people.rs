//! Controls below `_sim` for customers, banks and time.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Shared;
use super::errors::Error;
use super::life::{Change, Proration};
use super::{once, state};
use crate::arrived::{Arrived, Content};

/// Parses the JSON of a request.
pub(super) fn asked<T: for<'a> Deserialize<'a>>(arrived: Arrived) -> Result<T, Error> {
    let Content::Json(value) = arrived.content else {
        return Err(Error::plain(StatusCode::BAD_REQUEST, "sim", "Send JSON."));
    };
    serde_json::from_value(value)
        .map_err(|error| Error::plain(StatusCode::BAD_REQUEST, "sim", &error.to_string()))
}

/// `GET _sim/clock`.
pub(super) async fn time(State(shared): State<Shared>) -> Json<Value> {
    Json(json!({ "now": shared.stripe.lock().now }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wait {
    /// The time to move to, in seconds since 1970.
    until: Option<i64>,
    /// The time to add, in seconds.
    seconds: Option<i64>,
}

/// `POST _sim/clock`: moves the time forward.
pub(super) async fn wait(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).map(|asked: Wait| {
        let mut state = shared.stripe.lock();
        let until = asked.until.unwrap_or(state.now + asked.seconds.unwrap_or(0));
        state.wait(until);
        json!({ "now": state.now })
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Card {
    customer: String,
    declined: bool,
}

/// `POST _sim/card`: sets whether a customer's card is declined.
pub(super) async fn card(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: Card| {
        let mut state = shared.stripe.lock();
        state.find("customer", &asked.customer)?;
        if asked.declined {
            state.declined.insert(asked.customer);
        } else {
            state.declined.remove(&asked.customer);
        }
        Ok(json!({}))
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    session: String,
    /// The discount of a promotion code, in percent.
    #[serde(default)]
    percent_off: i64,
    /// Whether the money of a single payment arrives later. A second call lets it arrive.
    #[serde(default)]
    later: bool,
}

/// `POST _sim/pay`: a customer pays at the checkout.
pub(super) async fn pay(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: Session| {
        let state = &mut shared.stripe.lock();
        let session = state.find("checkout.session", &asked.session)?.clone();
        if session["mode"] != "payment" {
            return complete(state, &asked.session);
        }
        if asked.percent_off > 0 && session["allow_promotion_codes"] != true {
            return Err(Error::plain(StatusCode::BAD_REQUEST, "sim", "There is no field for it."));
        }
        let Session { session, percent_off, later } = asked;
        once::pay(state, &session, once::How { percent_off, later })
    }))
}

/// Completes a checkout and returns the session. It stays open if the card is declined.
pub(super) fn complete(state: &mut state::State, id: &str) -> Result<Value, Error> {
    let session = state.find("checkout.session", id)?.clone();
    if session["status"] != "open" {
        return Err(Error::plain(StatusCode::BAD_REQUEST, "sim", "The checkout has ended."));
    }
    if session["mode"] == "payment" {
        return once::pay(state, id, once::How::default());
    }
    let customer = session["customer"].as_str().unwrap_or_default();
    let price = state.find("price", session["sim_price"].as_str().unwrap_or_default())?.clone();
    let subscription = state.begin(customer, &price, &session["sim_metadata"]);
    if state.text(&subscription, "status") == "active" {
        let invoice = state.text(&subscription, "latest_invoice");
        state.edit(id, |it| {
            it["status"] = json!("complete");
            it["payment_status"] = json!("paid");
            it["subscription"] = json!(subscription);
            it["invoice"] = json!(invoice);
        });
        state.tell("checkout.session.completed", id);
    }
    state.find("checkout.session", id).cloned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retry {
    invoice: String,
}

/// `POST _sim/retry`: tries to collect an open invoice again, as Stripe does some days later.
pub(super) async fn retry(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: Retry| {
        let mut state = shared.stripe.lock();
        let invoice = state.find("invoice", &asked.invoice)?.clone();
        if invoice["status"] == "open" && state.collect(&asked.invoice) {
            let details = &invoice["parent"]["subscription_details"];
            let id = details["subscription"].as_str().unwrap_or_default();
            state.edit(id, |it| it["status"] = json!("active"));
            state.tell("customer.subscription.updated", id);
        }
        state.find("invoice", &asked.invoice).cloned()
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Switch {
    subscription: String,
    price: String,
    /// Whether to wait for the end of the month.
    #[serde(default)]
    later: bool,
}

/// `POST _sim/switch`: a customer changes the plan in the portal.
pub(super) async fn switch(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: Switch| {
        let mut state = shared.stripe.lock();
        state.find("subscription", &asked.subscription)?;
        let price = state.find("price", &asked.price)?.clone();
        if asked.later {
            state.change_later(&asked.subscription, &price);
        } else {
            let how = Change { proration: Proration::Now, anchor_now: false };
            state.change(&asked.subscription, &price, how);
        }
        state.find("subscription", &asked.subscription).cloned()
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancel {
    subscription: String,
}

/// `POST _sim/cancel`: a customer cancels the plan immediately in the portal, with a credit for the
/// rest of the month.
pub(super) async fn cancel(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: Cancel| {
        let mut state = shared.stripe.lock();
        state.find("subscription", &asked.subscription)?;
        state.cancel_with_money_back(&asked.subscription);
        state.find("subscription", &asked.subscription).cloned()
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FailRefund {
    refund: String,
}

/// `POST _sim/fail_refund`: the payer's bank returns a refund.
pub(super) async fn fail_refund(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: FailRefund| {
        let mut state = shared.stripe.lock();
        state.find("refund", &asked.refund)?;
        state.fail_refund(&asked.refund);
        state.find("refund", &asked.refund).cloned()
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Warn {
    charge: String,
}

/// `POST _sim/warn`: the card's issuer suspects fraud.
pub(super) async fn warn(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: Warn| {
        let mut state = shared.stripe.lock();
        let intent = state.find("charge", &asked.charge)?["payment_intent"].clone();
        let id = state.name("issfr");
        state.keep(json!({
            "id": id,
            "object": "radar.early_fraud_warning",
            "actionable": true,
            "charge": asked.charge,
            "fraud_type": "unauthorized_use_of_card",
            "payment_intent": intent,
        }));
        state.tell("radar.early_fraud_warning.created", &id);
        state.find("radar.early_fraud_warning", &id).cloned()
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dispute {
    /// The charge to dispute.
    charge: Option<String>,
    /// The dispute to close.
    dispute: Option<String>,
    /// The outcome: `won` or `lost`.
    status: Option<String>,
}

/// `POST _sim/dispute`: disputes a charge, or closes a dispute.
pub(super) async fn dispute(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).and_then(|asked: Dispute| {
        let mut state = shared.stripe.lock();
        if let Some(id) = asked.dispute {
            state.find("dispute", &id)?;
            state.edit(&id, |it| it["status"] = json!(asked.status));
            state.tell("charge.dispute.closed", &id);
            return state.find("dispute", &id).cloned();
        }
        let id = asked.charge.unwrap_or_default();
        let charge = state.find("charge", &id)?.clone();
        let dispute = state.name("du");
        state.keep(json!({
            "id": dispute,
            "object": "dispute",
            "amount": charge["amount"],
            "charge": id,
            "currency": charge["currency"],
            "metadata": {},
            "payment_intent": charge["payment_intent"],
            "reason": "fraudulent",
            "status": "needs_response",
        }));
        state.edit(&id, |it| it["disputed"] = json!(true));
        state.tell("charge.dispute.created", &dispute);
        state.find("dispute", &dispute).cloned()
    }))
}

/// The response with the outcome.
pub(super) fn answer(outcome: Result<Value, Error>) -> Response {
    outcome.map_or_else(IntoResponse::into_response, |value| Json(value).into_response())
}
