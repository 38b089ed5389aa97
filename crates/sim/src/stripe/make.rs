//! Handles `POST` and `DELETE` calls.

use http::StatusCode;
use serde_json::{Value, json};

use super::errors::Error;
use super::fields::Fields;
use super::life::{Change, Proration};
use super::state::{State, Stripe};

/// Handles `POST path` at `origin`.
pub(super) fn make(
    stripe: &Stripe,
    (path, origin): (&str, &str),
    mut fields: Fields,
) -> Result<Value, Error> {
    let mut state = stripe.lock();
    let make = match path.split('/').collect::<Vec<_>>()[..] {
        ["customers"] => customer(&mut fields)?,
        ["prices"] => price(&mut fields)?,
        ["checkout", "sessions"] => session(&state, &mut fields)?,
        ["billing_portal", "sessions"] => visit(&state, &mut fields)?,
        ["refunds"] => return refund(&mut state, fields),
        ["customers", id] => return change_customer(&mut state, id, fields),
        ["checkout", "sessions", id, "expire"] => return expire(&mut state, id, fields),
        ["billing_portal", "configurations", id] => {
            return super::portal::change(&mut state, id, fields);
        }
        ["subscriptions", id] => {
            let id = id.to_owned();
            return update(&mut state, &id, fields);
        }
        _ => return Err(Error::no_address("POST", path)),
    };
    fields.end()?;
    Ok(keep(&mut state, make, origin))
}

/// Handles `DELETE path`.
pub(super) fn end(stripe: &Stripe, path: &str) -> Result<Value, Error> {
    let mut state = stripe.lock();
    match path.split('/').collect::<Vec<_>>()[..] {
        ["subscriptions", id] => {
            if state.find("subscription", id)?["status"] == "canceled" {
                return Err(Error::no_such("subscription", id));
            }
            state.cancel(id);
            state.find("subscription", id).cloned()
        }
        ["customers", id] => delete_customer(&mut state, id),
        _ => Err(Error::no_address("DELETE", path)),
    }
}

/// Deletes a customer, which immediately ends all its subscriptions.
fn delete_customer(state: &mut State, id: &str) -> Result<Value, Error> {
    if state.find("customer", id)?["deleted"] == true {
        return Err(Error::no_such("customer", id));
    }
    let its = state.all("subscription").into_iter().filter(|it| it["customer"] == id);
    let live = its.filter(|it| it["status"] != "canceled");
    let live: Vec<String> = live.filter_map(|it| it["id"].as_str().map(str::to_owned)).collect();
    live.iter().for_each(|subscription| state.cancel(subscription));
    let gone = json!({ "id": id, "object": "customer", "deleted": true });
    state.edit(id, |it| *it = gone.clone());
    Ok(gone)
}

fn change_customer(state: &mut State, id: &str, mut fields: Fields) -> Result<Value, Error> {
    if state.find("customer", id)?["deleted"] == true {
        return Err(Error::no_such("customer", id));
    }
    let email = fields.take("email");
    fields.end()?;
    if let Some(email) = email {
        state.edit(id, |it| it["email"] = json!(email));
        state.tell("customer.updated", id);
    }
    state.find("customer", id).cloned()
}

/// Closes an open checkout.
fn expire(state: &mut State, id: &str, fields: Fields) -> Result<Value, Error> {
    fields.end()?;
    if state.find("checkout.session", id)?["status"] != "open" {
        let message = "Only Checkout Sessions with a status in [\"open\"] can be expired.";
        return Err(Error::plain(StatusCode::BAD_REQUEST, "invalid_request_error", message));
    }
    state.edit(id, |it| {
        it["status"] = json!("expired");
        it["url"] = Value::Null;
    });
    state.tell("checkout.session.expired", id);
    state.find("checkout.session", id).cloned()
}

/// A new object, the prefix of its ID, and the path of its page, if it has one.
struct Making {
    prefix: &'static str,
    page: Option<&'static str>,
    object: Value,
}

fn keep(state: &mut State, making: Making, origin: &str) -> Value {
    let id = state.name(making.prefix);
    let mut object = making.object;
    object["id"] = json!(id);
    if let Some(page) = making.page {
        object["url"] = json!(format!("{origin}/{page}/{id}"));
    }
    state.keep(object);
    state.objects.get(&id).cloned().unwrap_or_default()
}

fn customer(fields: &mut Fields) -> Result<Making, Error> {
    let email = fields.take("email");
    if email.as_ref().is_some_and(|email| !email.contains('@')) {
        return Err(Error::param("email_invalid", "email", "Invalid email address"));
    }
    let object = json!({
        "object": "customer",
        "balance": 0,
        "currency": null,
        "email": email,
        "metadata": fields.below("metadata"),
        "name": fields.take("name"),
    });
    Ok(Making { prefix: "cus", page: None, object })
}

fn price(fields: &mut Fields) -> Result<Making, Error> {
    let amount = fields.whole("unit_amount")?.filter(|amount| *amount >= 0);
    let amount = amount.ok_or_else(|| Error::missing("unit_amount"))?;
    let interval = fields.one_of("recurring[interval]", &["day", "week", "month", "year"])?;
    fields.need("product_data[name]")?;
    let object = json!({
        "object": "price",
        "active": true,
        "billing_scheme": "per_unit",
        "currency": fields.need("currency")?,
        "lookup_key": fields.take("lookup_key"),
        "metadata": fields.below("metadata"),
        "product": "prod_plans",
        "recurring": interval.map(|it| json!({
            "interval": it, "interval_count": 1, "usage_type": "licensed",
        })),
        "type": "recurring",
        "unit_amount": amount,
        "unit_amount_decimal": amount.to_string(),
    });
    Ok(Making { prefix: "price", page: None, object })
}

fn session(state: &State, fields: &mut Fields) -> Result<Making, Error> {
    let mode = fields.one_of("mode", &["subscription", "payment"])?;
    let mode = mode.ok_or_else(|| Error::missing("mode"))?;
    let customer = fields.need("customer")?;
    state.named("customer", &customer, "customer")?;
    let (price, amount) = match mode.as_str() {
        "payment" => (None, one_off(fields)?),
        _ => {
            let price = fields.need("line_items[0][price]")?;
            state.named("price", &price, "line_items[0][price]")?;
            let amount = state.find("price", &price)?["unit_amount"].clone();
            (Some(price), amount)
        }
    };
    let intent_metadata = fields.below("payment_intent_data[metadata]");
    if fields.whole("line_items[0][quantity]")? != Some(1) {
        return Err(Error::missing("line_items[0][quantity]"));
    }
    let object = json!({
        "object": "checkout.session",
        "allow_promotion_codes": fields.flag("allow_promotion_codes")?,
        "amount_total": amount,
        "cancel_url": fields.take("cancel_url"),
        "client_reference_id": fields.take("client_reference_id"),
        "customer": customer,
        "invoice": null,
        "metadata": fields.below("metadata"),
        "mode": mode,
        "payment_intent": null,
        "payment_status": "unpaid",
        "status": "open",
        "subscription": null,
        "success_url": fields.need("success_url")?,
        // These fields are internal.
        "sim_intent_metadata": intent_metadata,
        "sim_price": price,
        "sim_metadata": fields.below("subscription_data[metadata]"),
    });
    Ok(Making { prefix: "cs_test", page: Some("c/pay"), object })
}

/// The amount of a single payment, in cents.
fn one_off(fields: &mut Fields) -> Result<Value, Error> {
    const PRICE: &str = "line_items[0][price_data]";
    fields.need(&format!("{PRICE}[currency]"))?;
    fields.need(&format!("{PRICE}[product_data][name]"))?;
    let name = format!("{PRICE}[unit_amount]");
    let amount = fields.whole(&name)?.filter(|amount| *amount > 0);
    amount.map(Value::from).ok_or_else(|| Error::missing(&name))
}

fn visit(state: &State, fields: &mut Fields) -> Result<Making, Error> {
    const CHANGE: &str = "flow_data[subscription_update_confirm]";
    let customer = fields.need("customer")?;
    state.named("customer", &customer, "customer")?;
    let flow = fields.one_of("flow_data[type]", &["subscription_update_confirm"])?;
    let mut change = Value::Null;
    if flow.is_some() {
        let subscription = fields.need(&format!("{CHANGE}[subscription]"))?;
        let named = format!("{CHANGE}[subscription]");
        let owner = &state.named("subscription", &subscription, &named)?["customer"];
        let item = fields.need(&format!("{CHANGE}[items][0][id]"))?;
        let price = fields.need(&format!("{CHANGE}[items][0][price]"))?;
        state.find("price", &price)?;
        fields.whole(&format!("{CHANGE}[items][0][quantity]"))?;
        let its = &state.find("subscription", &subscription)?["items"]["data"][0]["id"];
        if *owner != *customer || *its != *item {
            let param = format!("{CHANGE}[items][0][id]");
            return Err(Error::param(
                "resource_missing",
                &param,
                "It belongs to another subscription.",
            ));
        }
        change = json!({ "subscription": subscription, "price": price });
    }
    let object = json!({
        "object": "billing_portal.session",
        "configuration": fields.take("configuration").unwrap_or_else(|| "bpc_default".into()),
        "customer": customer,
        "flow": flow.map(|kind| json!({ "type": kind })),
        "return_url": fields.take("return_url"),
        "sim_change": change,
    });
    Ok(Making { prefix: "bps", page: Some("p/session"), object })
}

fn refund(state: &mut State, mut fields: Fields) -> Result<Value, Error> {
    let charge = match fields.take("payment_intent") {
        Some(intent) => {
            state.find("payment_intent", &intent)?;
            state.text(&intent, "latest_charge")
        }
        None => fields.need("charge")?,
    };
    let object = state.find("charge", &charge)?;
    let left =
        object["amount"].as_i64().unwrap_or(0) - object["amount_refunded"].as_i64().unwrap_or(0);
    let amount = fields.whole("amount")?.unwrap_or(left);
    fields.end()?;
    if amount <= 0 || amount > left {
        let message = format!("Refund amount is greater than unrefunded amount ({left})");
        return Err(Error::param("charge_already_refunded", "amount", &message));
    }
    let refund = state.refund(&charge, amount);
    state.find("refund", &refund).cloned()
}

fn update(state: &mut State, id: &str, mut fields: Fields) -> Result<Value, Error> {
    let its = state.find("subscription", id)?["items"]["data"][0]["id"].clone();
    if state.text(id, "status") == "canceled" {
        let message = "A canceled subscription can only update its cancellation_details.";
        return Err(Error::plain(StatusCode::BAD_REQUEST, "invalid_request_error", message));
    }
    let leaving = fields.flag("cancel_at_period_end")?;
    let item = fields.take("items[0][id]");
    let price = fields.take("items[0][price]");
    let proration = ["none", "create_prorations", "always_invoice"];
    let proration = match fields.one_of("proration_behavior", &proration)?.as_deref() {
        Some("none") => Proration::None,
        Some("always_invoice") => Proration::Now,
        _ => Proration::Later,
    };
    let anchor = fields.one_of("billing_cycle_anchor", &["now", "unchanged"])?;
    fields.end()?;
    if let Some(leaving) = leaving {
        state.leave(id, leaving);
    }
    if let Some(price) = price {
        if item.is_none_or(|item| its != *item) {
            return Err(Error::missing("items[0][id]"));
        }
        let price = state.find("price", &price)?.clone();
        state.change(
            id,
            &price,
            Change { proration, anchor_now: anchor.as_deref() == Some("now") },
        );
    }
    state.find("subscription", id).cloned()
}
