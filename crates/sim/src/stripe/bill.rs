//! Creates and collects invoices.

use serde_json::{Value, json};

use super::shapes::{charge, invoice_payment, list};
use super::state::State;

/// The amount of a line after discounts.
fn charged(line: &Value) -> i64 {
    let off = line["discount_amounts"][0]["amount"].as_i64().unwrap_or(0);
    line["amount"].as_i64().unwrap_or(0) - off
}

impl State {
    /// Creates an invoice for `lines` and tries to collect it. Returns its ID and whether it is
    /// paid.
    pub(super) fn bill(
        &mut self,
        subscription: &str,
        reason: &str,
        lines: &[Value],
    ) -> (String, bool) {
        let customer = self.text(subscription, "customer");
        let total: i64 = lines.iter().map(charged).sum();
        let currency = lines.first().map(|line| line["currency"].clone());
        let before: i64 = self.number(&customer, "balance");
        // A negative balance is the customer's credit, which is used first.
        let after = if total > 0 { (before + total).min(0) } else { before + total };
        let due = (before + total - after).max(0);
        self.edit(&customer, |it| it["balance"] = json!(after));
        let id = self.name("in");
        let invoice = json!({
            "id": id,
            "object": "invoice",
            "amount_due": due,
            "amount_paid": 0,
            "amount_remaining": due,
            "attempt_count": 0,
            "billing_reason": reason,
            "currency": currency,
            "customer": customer,
            "ending_balance": after,
            "lines": list(&format!("/v1/invoices/{id}/lines"), lines),
            "metadata": {},
            "parent": {
                "type": "subscription_details",
                "subscription_details": { "metadata": {}, "subscription": subscription },
            },
            "post_payment_credit_notes_amount": 0,
            "starting_balance": before,
            "status": "open",
            "status_transitions": { "finalized_at": self.now, "paid_at": null },
            "subtotal": total,
            "total": total,
        });
        self.keep(invoice);
        self.tell("invoice.finalized", &id);
        self.edit(subscription, |it| it["latest_invoice"] = json!(id));
        let paid = self.collect(&id);
        (id, paid)
    }

    /// Tries to collect an open invoice. Returns whether it is paid.
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
            it["status_transitions"]["paid_at"] = json!(now);
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

    /// Refunds a charge, in part or in full. Returns the refund's ID.
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

    /// Fails a refund, as when the payer's bank returns it.
    pub(super) fn fail_refund(&mut self, refund: &str) {
        let (charged, amount) = (self.text(refund, "charge"), self.number(refund, "amount"));
        self.edit(refund, |it| it["status"] = json!("failed"));
        self.edit(&charged, |it| {
            let back = it["amount_refunded"].as_i64().unwrap_or(0) - amount;
            it["amount_refunded"] = json!(back);
            it["refunded"] = json!(false);
        });
        self.tell("refund.failed", refund);
    }
}
