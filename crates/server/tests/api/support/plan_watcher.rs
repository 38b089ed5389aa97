//! A program that is told by a webhook when an account has another plan. It sometimes refuses.

use std::collections::BTreeMap;
use std::sync::Arc;

use retouch_core::{AccountId, WebhookId};
use retouch_server::app::App;
use retouch_server::webhooks::deliver::deliver_due;
use retouch_store::{Delivery, DeliveryStatus, PageRequest};
use serde_json::{Value, json};

use super::persona::Persona;
use super::receiver::Receiver;
use super::till::Payer;

/// What a service with such a program needs.
pub const SETTINGS: [(&str, &str); 2] = [
    ("RETOUCH_SERVER__SECRET_KEY", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="),
    ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.0/8"),
];

pub struct PlanWatcher {
    app: Arc<App>,
    caller: Persona,
    receiver: Receiver,
    account: AccountId,
    webhook: WebhookId,
    /// The plan when it began to watch.
    first: Value,
    /// What the events say, by their ids.
    heard: BTreeMap<String, Value>,
}

impl PlanWatcher {
    /// Watches the account of `payer`.
    pub async fn of(app: &Arc<App>, payer: &Payer) -> Self {
        let receiver = Receiver::open().await;
        let wanted = json!({ "url": receiver.url("/hook"), "events": ["plan.changed"] });
        let made = payer.person.post("/api/webhooks", &wanted).await.ok();
        let account = payer.caller.get("/api/account").await.ok();
        Self {
            app: Arc::clone(app),
            caller: payer.caller.clone(),
            receiver,
            account: account["id"].as_str().unwrap().parse().unwrap(),
            webhook: made["id"].as_str().unwrap().parse().unwrap(),
            first: account["plan"].clone(),
            heard: BTreeMap::new(),
        }
    }

    /// Receives what is due. Refuses one message if `refuses`.
    pub async fn receive(&mut self, refuses: bool) {
        if refuses {
            self.receiver.answer(Some("500 Internal Server Error"));
        }
        deliver_due(&self.app).await.unwrap();
        for message in self.receiver.take() {
            let id = message.header("webhook-id").to_owned();
            self.heard.insert(id, message.json()["data"].clone());
        }
    }

    /// Receives the rest, and checks that all changes together lead from the first plan to the current
    /// one: every plan was left as often as it was entered, except for these two.
    pub async fn check(&mut self) {
        loop {
            let waiting = self.deliveries(DeliveryStatus::Waiting).await;
            if waiting.is_empty() {
                break;
            }
            for delivery in waiting {
                let queueing =
                    self.app.store.redeliver(&self.account, &self.webhook, &delivery.id).await;
                assert!(queueing.unwrap().is_some());
            }
            self.receive(false).await;
        }
        let accepted = self.deliveries(DeliveryStatus::Delivered).await.len();
        assert_eq!(accepted, self.heard.len(), "{:?}", self.heard);
        let mut entered: BTreeMap<String, i64> = BTreeMap::new();
        for change in self.heard.values() {
            *entered.entry(change["plan"].to_string()).or_default() += 1;
            *entered.entry(change["previous_plan"].to_string()).or_default() -= 1;
        }
        let current = self.caller.get("/api/account").await.ok()["plan"].clone();
        *entered.entry(self.first.to_string()).or_default() += 1;
        *entered.entry(current.to_string()).or_default() -= 1;
        assert!(entered.values().all(|times| *times == 0), "{entered:?}: {:?}", self.heard);
    }

    /// Whether an event has arrived.
    pub fn has_heard_something(&self) -> bool {
        !self.heard.is_empty()
    }

    async fn deliveries(&self, status: DeliveryStatus) -> Vec<Delivery> {
        let page = PageRequest { limit: 100, cursor: None };
        let filter = (Some(status), &page);
        let found = self.app.store.list_deliveries(&self.account, &self.webhook, filter).await;
        found.unwrap().data
    }
}
