//! Handles `GET` calls.

use serde_json::{Value, json};

use super::errors::Error;
use super::fields::Fields;
use super::shapes::list;
use super::state::{State, Stripe};

/// The types of objects that can be requested by ID, below the path of their list.
const KINDS: [(&str, &str); 9] = [
    ("customers", "customer"),
    ("prices", "price"),
    ("subscriptions", "subscription"),
    ("invoices", "invoice"),
    ("payment_intents", "payment_intent"),
    ("charges", "charge"),
    ("disputes", "dispute"),
    ("refunds", "refund"),
    ("subscription_schedules", "subscription_schedule"),
];
/// Default number of rows per page.
const LIMIT: i64 = 10;

/// Handles `GET path`.
pub(super) fn find(stripe: &Stripe, path: &str, mut fields: Fields) -> Result<Value, Error> {
    let state = stripe.lock();
    let found = match path.split('/').collect::<Vec<_>>()[..] {
        ["checkout", "sessions", id] => state.find("checkout.session", id)?.clone(),
        ["invoices", id, "lines"] => {
            limit(&mut fields)?;
            state.find("invoice", id)?["lines"].clone()
        }
        ["invoices", id] => invoice(&state, id, &mut fields)?,
        ["payment_intents", id] => {
            with(&state, ("payment_intent", id), ("latest_charge", &mut fields))?
        }
        ["subscriptions", id] => with(&state, ("subscription", id), ("schedule", &mut fields))?,
        ["invoice_payments"] => {
            fields.one_of("payment[type]", &["payment_intent"])?;
            let intent = fields.need("payment[payment_intent]")?;
            let paid =
                rows(&state, "invoice_payment", |it| it["payment"]["payment_intent"] == *intent);
            list("/v1/invoice_payments", &paid)
        }
        ["billing_portal", "configurations"] => super::portal::all(&state, &mut fields)?,
        ["billing_portal", "configurations", id] => {
            state.find("billing_portal.configuration", id)?.clone()
        }
        ["radar", "early_fraud_warnings", id] => {
            state.find("radar.early_fraud_warning", id)?.clone()
        }
        ["invoices"] => invoices(&state, &mut fields)?,
        ["refunds"] => {
            limit(&mut fields)?;
            let charge = fields.need("charge")?;
            list("/v1/refunds", &rows(&state, "refund", |it| it["charge"] == *charge))
        }
        ["disputes"] => {
            limit(&mut fields)?;
            let charge = fields.need("charge")?;
            list("/v1/disputes", &rows(&state, "dispute", |it| it["charge"] == *charge))
        }
        ["subscriptions"] => subscriptions(&state, &mut fields)?,
        ["checkout", "sessions"] => sessions(&state, &mut fields)?,
        ["charges"] => charges(&state, &mut fields)?,
        ["prices"] => {
            let keys: Vec<String> = fields.below("lookup_keys").into_values().collect();
            let wanted =
                |it: &Value| keys.is_empty() || keys.iter().any(|key| it["lookup_key"] == **key);
            list("/v1/prices", &rows(&state, "price", wanted))
        }
        ["events"] => events(&state, &mut fields)?,
        ["events", id] => {
            let event = state.events.iter().find(|event| event["id"] == id);
            event.cloned().ok_or_else(|| Error::no_such("event", id))?
        }
        [plural, id] => {
            let kind = KINDS.iter().find(|(all, _)| *all == plural);
            let (_, kind) = kind.ok_or_else(|| Error::no_address("GET", path))?;
            state.find(kind, id)?.clone()
        }
        _ => return Err(Error::no_address("GET", path)),
    };
    fields.end()?;
    Ok(found)
}

/// A page of a customer's invoices.
fn invoices(state: &State, fields: &mut Fields) -> Result<Value, Error> {
    let limit = limit(fields)?;
    let (customer, after) = (fields.take("customer"), fields.take("starting_after"));
    let found = rows(state, "invoice", |it| is(it, "customer", &customer));
    paged("/v1/invoices", found, (limit, after))
}

/// The checkouts of a customer, in a state, or of a payment.
fn sessions(state: &State, fields: &mut Fields) -> Result<Value, Error> {
    limit(fields)?;
    let (customer, status) = (fields.take("customer"), fields.take("status"));
    let intent = fields.take("payment_intent");
    let wanted = |it: &Value| {
        let its = is(it, "customer", &customer) && is(it, "status", &status);
        its && is(it, "payment_intent", &intent)
    };
    Ok(list("/v1/checkout/sessions", &rows(state, "checkout.session", wanted)))
}

/// A customer's charges since a given time.
fn charges(state: &State, fields: &mut Fields) -> Result<Value, Error> {
    limit(fields)?;
    let from = fields.whole("created[gte]")?.unwrap_or(0);
    let customer = fields.take("customer");
    let wanted =
        |it: &Value| is(it, "customer", &customer) && it["created"].as_i64().unwrap_or(0) >= from;
    Ok(list("/v1/charges", &rows(state, "charge", wanted)))
}

/// Whether a field has the wanted value, if there is one.
fn is(object: &Value, field: &str, wanted: &Option<String>) -> bool {
    wanted.as_ref().is_none_or(|wanted| object[field] == **wanted)
}

/// A customer's subscriptions. Ended ones are included only if all are requested.
fn subscriptions(state: &State, fields: &mut Fields) -> Result<Value, Error> {
    limit(fields)?;
    let customer = fields.take("customer");
    let all = fields.take("status").as_deref() == Some("all");
    let wanted = |it: &Value| is(it, "customer", &customer) && (all || it["status"] != "canceled");
    let mut found = rows(state, "subscription", wanted);
    if !fields.expand(&["data.schedule"])?.is_empty() {
        for one in &mut found {
            if let Some(whole) = one["schedule"].as_str().and_then(|id| state.objects.get(id)) {
                one["schedule"] = whole.clone();
            }
        }
    }
    Ok(list("/v1/subscriptions", &found))
}

fn rows(state: &State, kind: &str, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
    state.all(kind).into_iter().filter(|it| wanted(it)).cloned().collect()
}

fn limit(fields: &mut Fields) -> Result<usize, Error> {
    match fields.whole("limit")?.unwrap_or(LIMIT) {
        limit @ 1..=100 => Ok(usize::try_from(limit).unwrap_or(1)),
        _ => Err(Error::param("parameter_invalid_integer", "limit", "From 1 to 100.")),
    }
}

/// An object, with the objects that it refers to expanded on request.
fn with(
    state: &State,
    (kind, id): (&str, &str),
    (field, fields): (&str, &mut Fields),
) -> Result<Value, Error> {
    let mut object = state.find(kind, id)?.clone();
    if !fields.expand(&[field])?.is_empty()
        && let Some(whole) = object[field].as_str().and_then(|id| state.objects.get(id))
    {
        object[field] = whole.clone();
    }
    Ok(object)
}

/// An invoice, with its payments on request.
fn invoice(state: &State, id: &str, fields: &mut Fields) -> Result<Value, Error> {
    let mut object = state.find("invoice", id)?.clone();
    if !fields.expand(&["payments"])?.is_empty() {
        let paid = rows(state, "invoice_payment", |it| it["invoice"] == id);
        object["payments"] = list(&format!("/v1/invoices/{id}/payments"), &paid);
    }
    Ok(object)
}

/// A page of events, newest first.
fn events(state: &State, fields: &mut Fields) -> Result<Value, Error> {
    let limit = limit(fields)?;
    let kinds: Vec<String> = fields.below("types").into_values().collect();
    let from = fields.whole("created[gte]")?.unwrap_or(0);
    let after = fields.take("starting_after");
    let wanted = state.events.iter().rev().filter(|event| {
        let kind = event["type"].as_str().unwrap_or_default();
        let is_one = kinds.is_empty() || kinds.iter().any(|one| one == kind);
        is_one && event["created"].as_i64().unwrap_or(0) >= from
    });
    paged("/v1/events", wanted.cloned().collect(), (limit, after))
}

/// A page of what was found, starting after the object `after`.
fn paged(
    url: &str,
    mut left: Vec<Value>,
    (limit, after): (usize, Option<String>),
) -> Result<Value, Error> {
    if let Some(after) = after {
        let place = left.iter().position(|it| it["id"] == *after);
        let place = place.ok_or_else(|| Error::no_such("object", &after))?;
        left.drain(..=place);
    }
    let more = left.len() > limit;
    left.truncate(limit);
    let mut page = list(url, &left);
    page["has_more"] = json!(more);
    Ok(page)
}
