//! What Stripe knows: objects by their name, events in their order, and what time it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::VERSION;
use super::errors::Error;

/// When its time begins, in seconds since 1970: 2026-11-20T12:00:00Z.
const BEGINNING_S: i64 = 1_795_176_000;

/// The name of the portal's default configuration.
pub(super) const PORTAL: &str = "bpc_default";

/// One account at Stripe.
#[derive(Debug, Default)]
pub(super) struct Stripe(Mutex<State>);

impl Stripe {
    /// Everything, for one call at a time.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What Stripe knows.
#[derive(Debug)]
pub(super) struct State {
    /// What time it is, in seconds since 1970.
    pub(super) now: i64,
    /// Every object by its id.
    pub(super) objects: BTreeMap<String, Value>,
    /// The ids of all objects, in the order in which they were made.
    made: Vec<String>,
    /// How many names have been given.
    named: u64,
    /// Events, oldest first.
    pub(super) events: Vec<Value>,
    /// Events that a webhook has answered.
    pub(super) heard: BTreeSet<String>,
    /// Customers whose cards are declined.
    pub(super) declined: BTreeSet<String>,
    /// Lines that wait for a subscription's next invoice.
    pub(super) pending: BTreeMap<String, Vec<Value>>,
    /// What calls with an `Idempotency-Key` were answered: what was asked, and the answer.
    pub(super) answered: BTreeMap<String, (String, Value)>,
    /// Where events are told, and what they are signed with.
    pub(super) hook: Option<(String, String)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            now: BEGINNING_S,
            objects: BTreeMap::from([(PORTAL.to_owned(), super::portal::configuration())]),
            made: Vec::new(),
            named: 0,
            events: Vec::new(),
            heard: BTreeSet::new(),
            declined: BTreeSet::new(),
            pending: BTreeMap::new(),
            answered: BTreeMap::new(),
            hook: None,
        }
    }
}

impl State {
    /// A new name that begins with `prefix`.
    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.named += 1;
        format!("{prefix}_{:06}", self.named)
    }

    /// Keeps a new object; its id.
    pub(super) fn keep(&mut self, mut object: Value) -> String {
        let id = object["id"].as_str().unwrap_or_default().to_owned();
        object["created"] = json!(self.now);
        object["livemode"] = json!(false);
        self.made.push(id.clone());
        self.objects.insert(id.clone(), object);
        id
    }

    /// An object of a kind.
    pub(super) fn find(&self, kind: &str, id: &str) -> Result<&Value, Error> {
        let found = self.objects.get(id).filter(|object| object["object"] == kind);
        found.ok_or_else(|| Error::no_such(kind, id))
    }

    /// An object of a kind that the parameter `param` names; not one that is deleted.
    pub(super) fn named(&self, kind: &str, id: &str, param: &str) -> Result<&Value, Error> {
        let found = self.find(kind, id).ok().filter(|object| object["deleted"] != true);
        found.ok_or_else(|| Error::no_such_param(kind, id, param))
    }

    /// Changes an object, if there is one of this name.
    pub(super) fn edit(&mut self, id: &str, change: impl FnOnce(&mut Value)) {
        if let Some(object) = self.objects.get_mut(id) {
            change(object);
        }
    }

    /// All of a kind, newest first.
    pub(super) fn all(&self, kind: &str) -> Vec<&Value> {
        let objects = self.made.iter().rev().filter_map(|id| self.objects.get(id));
        objects.filter(|object| object["object"] == kind).collect()
    }

    /// A text of an object.
    pub(super) fn text(&self, id: &str, field: &str) -> String {
        let value = self.objects.get(id).map(|object| &object[field]);
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// A whole number of an object; 0 where there is none.
    pub(super) fn number(&self, id: &str, field: &str) -> i64 {
        self.objects.get(id).and_then(|object| object[field].as_i64()).unwrap_or(0)
    }

    /// Notes that `kind` happened to the object `id`, as it is now.
    pub(super) fn tell(&mut self, kind: &str, id: &str) {
        let name = self.name("evt");
        let event = json!({
            "id": name,
            "object": "event",
            "api_version": VERSION,
            "created": self.now,
            "data": { "object": self.objects.get(id) },
            "livemode": false,
            "pending_webhooks": 1,
            "request": { "id": null, "idempotency_key": null },
            "type": kind,
        });
        self.events.push(event);
    }
}
