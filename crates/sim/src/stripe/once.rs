//! Checkouts that are paid once, without a subscription.

use http::StatusCode;
use serde_json::{Value, json};

use super::errors::Error;
use super::shapes::charge;
use super::state::State;

/// How a customer pays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct How {
    /// The discount of a promotion code, in percent.
    pub(super) percent_off: i64,
    /// Whether the money arrives later.
    pub(super) later: bool,
}

/// Pays at a checkout, or lets money arrive that was to come later. Returns the session. It stays open
/// if the card is declined.
pub(super) fn pay(state: &mut State, id: &str, how: How) -> Result<Value, Error> {
    let session = state.find("checkout.session", id)?.clone();
    let is_late = session["status"] == "complete" && session["payment_status"] == "unpaid";
    if session["status"] != "open" && !is_late {
        return Err(Error::plain(StatusCode::BAD_REQUEST, "sim", "The checkout has ended."));
    }
    let customer = session["customer"].as_str().unwrap_or_default();
    let total = session["amount_total"].as_i64().unwrap_or(0);
    let due = if is_late { total } else { total * (100 - how.percent_off) / 100 };
    if due > 0 && !is_late && state.declined.contains(customer) {
        return Ok(session);
    }
    let paid = if how.later && !is_late { "unpaid" } else { "paid" };
    let paid = if due == 0 { "no_payment_required" } else { paid };
    let intent = match session["payment_intent"].as_str() {
        Some(intent) => Some(intent.to_owned()),
        None => (due > 0).then(|| new_intent(state, &session, due)),
    };
    if let Some(intent) = intent.as_ref().filter(|_| paid == "paid") {
        collect(state, intent);
    }
    state.edit(id, |it| {
        it["amount_total"] = json!(due);
        it["payment_intent"] = json!(intent);
        it["payment_status"] = json!(paid);
        it["status"] = json!("complete");
    });
    let what = if is_late { "async_payment_succeeded" } else { "completed" };
    state.tell(&format!("checkout.session.{what}"), id);
    state.find("checkout.session", id).cloned()
}

fn new_intent(state: &mut State, session: &Value, amount: i64) -> String {
    let intent = state.name("pi");
    state.keep(json!({
        "id": intent,
        "object": "payment_intent",
        "amount": amount,
        "amount_received": 0,
        "currency": "usd",
        "customer": session["customer"],
        "latest_charge": null,
        "metadata": session["sim_intent_metadata"],
        "status": "processing",
    }))
}

/// Charges a payment intent.
fn collect(state: &mut State, intent: &str) {
    let (customer, amount) = (state.text(intent, "customer"), state.number(intent, "amount"));
    let paid = json!({ "amount_due": amount, "currency": "usd", "customer": customer });
    let charged = state.name("ch");
    state.keep(charge(&charged, (&paid, intent)));
    state.edit(intent, |it| {
        it["latest_charge"] = json!(charged);
        it["amount_received"] = json!(amount);
        it["status"] = json!("succeeded");
    });
    state.tell("charge.succeeded", &charged);
    state.tell("payment_intent.succeeded", intent);
}
