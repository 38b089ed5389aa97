//! Invoices: made, paid or not.

use serde_json::{Value, json};

use super::shapes::{charge, invoice_payment, list};
use super::state::State;

impl State {
    /// Makes an invoice over `lines` and tries to have it paid; its id, and whether it is paid.
    pub(super) fn bill(
        &mut self,
        subscription: &str,
        reason: &str,
        lines: &[Value],
    ) -> (String, bool) {
        let customer = self.text(subscription, "customer");
        let total: i64 = lines.iter().filter_map(|line| line["amount"].as_i64()).sum();
        let currency = lines.first().map(|line| line["currency"].clone());
        let id = self.name("in");
        let invoice = json!({
            "id": id,
            "object": "invoice",
            "amount_due": total.max(0),
            "amount_paid": 0,
            "amount_remaining": total.max(0),
            "attempt_count": 0,
            "billing_reason": reason,
            "currency": currency,
            "customer": customer,
            "lines": list(&format!("/v1/invoices/{id}/lines"), lines),
            "metadata": {},
            "parent": {
                "type": "subscription_details",
                "subscription_details": { "metadata": {}, "subscription": subscription },
            },
            "status": "open",
            "subtotal": total,
            "total": total,
        });
        self.keep(invoice);
        self.tell("invoice.finalized", &id);
        self.edit(subscription, |it| it["latest_invoice"] = json!(id));
        let paid = self.collect(&id);
        (id, paid)
    }

    /// Tries to have an open invoice paid; whether it is.
    pub(super) fn collect(&mut self, id: &str) -> bool {
        self.edit(id, |it| {
            it["attempt_count"] = json!(it["attempt_count"].as_i64().unwrap_or(0) + 1);
        });
        let due = self.objects.get(id).and_then(|it| it["amount_due"].as_i64()).unwrap_or(0);
        if due > 0 && self.declined.contains(&self.text(id, "customer")) {
            self.tell("invoice.payment_failed", id);
            return false;
        }
        if due > 0 {
            self.charge(id);
        }
        let now = self.now;
        self.edit(id, |it| {
            it["status"] = json!("paid");
            it["amount_paid"] = json!(due);
            it["amount_remaining"] = json!(0);
            it["status_transitions"] = json!({ "paid_at": now });
        });
        self.tell("invoice.paid", id);
        true
    }

    fn charge(&mut self, id: &str) {
        let Some(invoice) = self.objects.get(id).cloned() else { return };
        let intent = self.name("pi");
        self.keep(json!({
            "id": intent,
            "object": "payment_intent",
            "amount": invoice["amount_due"],
            "amount_received": invoice["amount_due"],
            "currency": invoice["currency"],
            "customer": invoice["customer"],
            "latest_charge": null,
            "metadata": {},
            "status": "succeeded",
        }));
        let charged = self.name("ch");
        self.keep(charge(&charged, (&invoice, &intent)));
        self.edit(&intent, |it| it["latest_charge"] = json!(charged));
        let payment = self.name("inpay");
        self.keep(invoice_payment(&payment, &invoice, &intent));
        self.tell("charge.succeeded", &charged);
        self.tell("payment_intent.succeeded", &intent);
    }

    /// Pays a charge back, in part or whole; the refund's id.
    pub(super) fn refund(&mut self, charged: &str, amount: i64) -> String {
        let refund = self.name("re");
        self.keep(json!({
            "id": refund,
            "object": "refund",
            "amount": amount,
            "charge": charged,
            "currency": self.text(charged, "currency"),
            "metadata": {},
            "payment_intent": self.text(charged, "payment_intent"),
            "status": "succeeded",
        }));
        self.edit(charged, |it| {
            let back = it["amount_refunded"].as_i64().unwrap_or(0) + amount;
            it["amount_refunded"] = json!(back);
            it["refunded"] = json!(Some(back) == it["amount"].as_i64());
        });
        self.tell("charge.refunded", charged);
        refund
    }
}
