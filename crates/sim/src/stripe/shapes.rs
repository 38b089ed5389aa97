//! Objects in Stripe's format.

use serde_json::{Value, json};

/// A list.
pub(super) fn list(url: &str, data: &[Value]) -> Value {
    json!({ "object": "list", "data": data, "has_more": false, "url": url })
}

/// An item of a subscription, for the time between `from` and `to`.
pub(super) fn item(
    id: &str,
    (subscription, price): (&str, &Value),
    (from, to): (i64, i64),
) -> Value {
    json!({
        "id": id,
        "object": "subscription_item",
        "subscription": subscription,
        "price": price,
        "plan": null,
        "quantity": 1,
        "current_period_start": from,
        "current_period_end": to,
        "metadata": {},
    })
}

/// A line of an invoice.
pub(super) fn line(id: &str, (price, amount): (&Value, i64), (from, to): (i64, i64)) -> Value {
    json!({
        "id": id,
        "object": "line_item",
        "amount": amount,
        "currency": price["currency"],
        "description": if amount < 0 { "Unused time" } else { "A plan" },
        "discount_amounts": [],
        "livemode": false,
        "metadata": {},
        "parent": {
            "type": "subscription_item_details",
            "invoice_item_details": null,
            "subscription_item_details": { "proration": false },
        },
        "period": { "start": from, "end": to },
        "pricing": {
            "type": "price_details",
            "price_details": { "price": price["id"], "product": price["product"] },
            "unit_amount_decimal": price["unit_amount"].to_string(),
        },
        "quantity": 1,
        "taxes": [],
    })
}

/// A payment of an invoice with a payment intent.
pub(super) fn invoice_payment(id: &str, invoice: &Value, intent: &str) -> Value {
    json!({
        "id": id,
        "object": "invoice_payment",
        "invoice": invoice["id"],
        "amount_requested": invoice["amount_due"],
        "amount_paid": invoice["amount_due"],
        "currency": invoice["currency"],
        "is_default": true,
        "status": "paid",
        "payment": { "type": "payment_intent", "payment_intent": intent },
    })
}

/// A charge of a payment intent.
pub(super) fn charge(id: &str, (invoice, intent): (&Value, &str)) -> Value {
    json!({
        "id": id,
        "object": "charge",
        "amount": invoice["amount_due"],
        "amount_captured": invoice["amount_due"],
        "amount_refunded": 0,
        "captured": true,
        "currency": invoice["currency"],
        "customer": invoice["customer"],
        "disputed": false,
        "metadata": {},
        "paid": true,
        "payment_intent": intent,
        "refunded": false,
        "status": "succeeded",
    })
}
