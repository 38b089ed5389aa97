//! The lifecycle of a subscription: created, renewed, changed, ended.

use serde_json::{Value, json};

use super::calendar::next_after;
use super::shapes::{item, line, list};
use super::state::State;

/// How a change of plan is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Proration of the rest of the month: `none`, `create_prorations` (with the next invoice) or
    /// `always_invoice` (immediately).
    pub(super) proration: Proration,
    /// Whether a new month starts.
    pub(super) anchor_now: bool,
}

/// Whether the rest of a month is prorated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proration {
    /// The rest of the month is not prorated.
    None,
    /// With the next invoice.
    Later,
    /// Immediately.
    Now,
}

impl State {
    /// Creates a subscription to `price`, which starts with the first payment. It stays incomplete
    /// if the card is declined. Returns its ID.
    pub(super) fn begin(&mut self, customer: &str, price: &Value, metadata: &Value) -> String {
        let id = self.name("sub");
        let (from, to) = (self.now, next_after(self.now, self.now));
        let one = item(&self.name("si"), (&id, price), (from, to));
        self.keep(json!({
            "id": id,
            "object": "subscription",
            "billing_cycle_anchor": from,
            "cancel_at": null,
            "cancel_at_period_end": false,
            "canceled_at": null,
            "collection_method": "charge_automatically",
            "currency": price["currency"],
            "customer": customer,
            "ended_at": null,
            "items": list(&format!("/v1/subscription_items?subscription={id}"), &[one]),
            "latest_invoice": null,
            "metadata": metadata,
            "schedule": null,
            "status": "incomplete",
        }));
        self.tell("customer.subscription.created", &id);
        let amount = price["unit_amount"].as_i64().unwrap_or(0);
        let first = line(&self.name("il"), (price, amount), (from, to));
        let (_, paid) = self.bill(&id, "subscription_create", &[first]);
        if paid {
            self.edit(&id, |it| it["status"] = json!("active"));
            self.tell("customer.subscription.updated", &id);
        }
        id
    }

    /// Moves the time to `until`. Everything that falls due happens in order.
    pub(super) fn wait(&mut self, until: i64) {
        while let Some((end, id)) = self.next_due(until) {
            self.now = self.now.max(end);
            self.renew(&id, end);
        }
        self.now = self.now.max(until);
    }

    fn next_due(&self, until: i64) -> Option<(i64, String)> {
        let live = self
            .all("subscription")
            .into_iter()
            .filter(|it| matches!(it["status"].as_str(), Some("active" | "past_due")));
        let ends = live.filter_map(|it| {
            let end = it["items"]["data"][0]["current_period_end"].as_i64()?;
            Some((end, it["id"].as_str()?.to_owned()))
        });
        ends.filter(|(end, _)| *end <= until).min()
    }

    fn renew(&mut self, id: &str, end: i64) {
        let is = |field: &str, state: &Self| state.objects.get(id).map(|it| it[field].clone());
        let leaving = is("cancel_at_period_end", self) == Some(json!(true));
        if leaving || is("status", self) == Some(json!("past_due")) {
            return self.cancel(id);
        }
        let scheduled = self.scheduled(id);
        let anchor = is("billing_cycle_anchor", self).and_then(|it| it.as_i64()).unwrap_or(end);
        let to = next_after(anchor, end);
        self.edit(id, |it| {
            let one = &mut it["items"]["data"][0];
            one["current_period_start"] = json!(end);
            one["current_period_end"] = json!(to);
            if let Some(price) = scheduled {
                one["price"] = price;
            }
            it["schedule"] = Value::Null;
        });
        let price = self.price_of(id);
        let amount = price["unit_amount"].as_i64().unwrap_or(0);
        let mut lines = self.pending.remove(id).unwrap_or_default();
        lines.push(line(&self.name("il"), (&price, amount), (end, to)));
        let (_, paid) = self.bill(id, "subscription_cycle", &lines);
        if !paid {
            self.edit(id, |it| it["status"] = json!("past_due"));
        }
        self.tell("customer.subscription.updated", id);
    }

    /// The price that a schedule sets at the end of the month.
    fn scheduled(&self, id: &str) -> Option<Value> {
        let schedule = self.objects.get(&self.text(id, "schedule"))?;
        let price = schedule["phases"][1]["items"][0]["price"].as_str()?;
        self.objects.get(price).cloned()
    }

    /// Cancels a subscription at the end of the month, or takes the cancellation back.
    pub(super) fn leave(&mut self, id: &str, leaving: bool) {
        self.edit(id, |it| {
            let end = it["items"]["data"][0]["current_period_end"].clone();
            it["cancel_at_period_end"] = json!(leaving);
            it["cancel_at"] = if leaving { end } else { Value::Null };
        });
        self.tell("customer.subscription.updated", id);
    }

    /// Cancels a subscription immediately.
    pub(super) fn cancel(&mut self, id: &str) {
        let now = self.now;
        self.edit(id, |it| {
            it["status"] = json!("canceled");
            it["ended_at"] = json!(now);
            it["canceled_at"] = json!(now);
        });
        self.tell("customer.subscription.deleted", id);
    }

    /// The lines for a change to `price` during a month: the credit for the old price, and the
    /// charge for the new one.
    pub(super) fn proration(&self, id: &str, price: &Value) -> Vec<Value> {
        let one = self.objects.get(id).map(|it| it["items"]["data"][0].clone()).unwrap_or_default();
        let from = one["current_period_start"].as_i64().unwrap_or(self.now);
        let end = one["current_period_end"].as_i64().unwrap_or(self.now);
        let amount = |price: &Value| price["unit_amount"].as_i64().unwrap_or(0);
        let share = |price: &Value| {
            (amount(price) * (end - self.now) + (end - from) / 2) / (end - from).max(1)
        };
        let rest = (self.now, end);
        let change = |price: &Value, amount: i64| {
            let mut change = line("", (price, amount), rest);
            change["parent"]["subscription_item_details"]["proration"] = json!(true);
            change
        };
        vec![change(&one["price"], -share(&one["price"])), change(price, share(price))]
    }

    /// Cancels a subscription immediately, with a credit for the rest of the month.
    pub(super) fn cancel_with_money_back(&mut self, id: &str) {
        let price = self.price_of(id);
        let mut lines = self.proration(id, &price);
        lines.truncate(1);
        for line in &mut lines {
            line["id"] = json!(self.name("il"));
        }
        self.cancel(id);
        self.bill(id, "subscription_update", &lines);
    }

    /// A customer's active subscriptions, newest first.
    pub(super) fn live(&self, customer: &str) -> Vec<Value> {
        let all = self.all("subscription").into_iter();
        let live = all.filter(|it| it["customer"] == customer && it["status"] != "canceled");
        live.cloned().collect()
    }

    /// Changes the price immediately.
    pub(super) fn change(&mut self, id: &str, price: &Value, how: Change) {
        let one = self.objects.get(id).map(|it| it["items"]["data"][0].clone()).unwrap_or_default();
        let end = one["current_period_end"].as_i64().unwrap_or(self.now);
        let now = self.now;
        let to = if how.anchor_now { next_after(now, now) } else { end };
        let full = price["unit_amount"].as_i64().unwrap_or(0);
        let mut lines = Vec::new();
        if how.proration != Proration::None {
            lines = self.proration(id, price);
            if how.anchor_now {
                lines.truncate(1);
            }
        }
        if how.anchor_now {
            lines.push(line("", (price, full), (now, to)));
        }
        for line in &mut lines {
            line["id"] = json!(self.name("il"));
        }
        self.edit(id, |it| {
            it["items"]["data"][0]["price"] = price.clone();
            if how.anchor_now {
                it["billing_cycle_anchor"] = json!(now);
                it["items"]["data"][0]["current_period_start"] = json!(now);
                it["items"]["data"][0]["current_period_end"] = json!(to);
            }
        });
        self.tell("customer.subscription.updated", id);
        if how.proration == Proration::Later && !how.anchor_now {
            self.pending.entry(id.to_owned()).or_default().extend(lines);
        } else if !lines.is_empty() {
            self.bill(id, "subscription_update", &lines);
        }
    }

    /// Changes the price at the end of the month.
    pub(super) fn change_later(&mut self, id: &str, price: &Value) {
        let one = self.objects.get(id).map(|it| it["items"]["data"][0].clone()).unwrap_or_default();
        let phase = |price: &Value, from: &Value, to: Value| {
            json!({
                "start_date": from, "end_date": to,
                "items": [{ "price": price, "quantity": 1 }],
            })
        };
        let (from, end) = (&one["current_period_start"], &one["current_period_end"]);
        let schedule = self.name("sub_sched");
        self.keep(json!({
            "id": schedule,
            "object": "subscription_schedule",
            "customer": self.text(id, "customer"),
            "phases": [
                phase(&one["price"]["id"], from, end.clone()),
                phase(&price["id"], end, Value::Null),
            ],
            "status": "active",
            "subscription": id,
        }));
        self.edit(id, |it| it["schedule"] = json!(schedule));
        self.tell("customer.subscription.updated", id);
    }

    /// The price of a subscription.
    pub(super) fn price_of(&self, id: &str) -> Value {
        let found = self.objects.get(id).map(|it| it["items"]["data"][0]["price"].clone());
        found.unwrap_or_default()
    }
}
