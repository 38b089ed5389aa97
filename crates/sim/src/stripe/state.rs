//! The state of Stripe: objects, events and the time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::VERSION;
use super::errors::Error;

/// The initial time, in seconds since 1970: 2026-11-20T12:00:00Z.
const BEGINNING_S: i64 = 1_795_176_000;

/// The ID of the portal's default configuration.
pub(super) const PORTAL: &str = "bpc_default";

/// A Stripe account.
#[derive(Debug, Default)]
pub(super) struct Stripe(Mutex<State>);

impl Stripe {
    /// Locks the whole state.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of an account.
#[derive(Debug)]
pub(super) struct State {
    /// The time, in seconds since 1970.
    pub(super) now: i64,
    /// All objects by their ID.
    pub(super) objects: BTreeMap<String, Value>,
    /// The IDs of all objects, in the order in which they were created.
    made: Vec<String>,
    /// How many IDs have been assigned.
    named: u64,
    /// Events, oldest first.
    pub(super) events: Vec<Value>,
    /// Events that a webhook has received.
    pub(super) heard: BTreeSet<String>,
    /// Customers whose cards are declined.
    pub(super) declined: BTreeSet<String>,
    /// Lines for a subscription's next invoice.
    pub(super) pending: BTreeMap<String, Vec<Value>>,
    /// The request and the response of each call with an `Idempotency-Key`.
    pub(super) answered: BTreeMap<String, (String, Value)>,
    /// The address of the webhook, and its signing secret.
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
    /// A new ID that starts with `prefix`.
    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.named += 1;
        format!("{prefix}_{:06}", self.named)
    }

    /// Stores a new object and returns its ID.
    pub(super) fn keep(&mut self, mut object: Value) -> String {
        let id = object["id"].as_str().unwrap_or_default().to_owned();
        object["created"] = json!(self.now);
        object["livemode"] = json!(false);
        self.made.push(id.clone());
        self.objects.insert(id.clone(), object);
        id
    }

    /// The object of this kind with this ID.
    pub(super) fn find(&self, kind: &str, id: &str) -> Result<&Value, Error> {
        let found = self.objects.get(id).filter(|object| object["object"] == kind);
        found.ok_or_else(|| Error::no_such(kind, id))
    }

    /// The object of this kind that the parameter `param` names. Deleted objects are excluded.
    pub(super) fn named(&self, kind: &str, id: &str, param: &str) -> Result<&Value, Error> {
        let found = self.find(kind, id).ok().filter(|object| object["deleted"] != true);
        found.ok_or_else(|| Error::no_such_param(kind, id, param))
    }

    /// Changes an object, if it exists.
    pub(super) fn edit(&mut self, id: &str, change: impl FnOnce(&mut Value)) {
        if let Some(object) = self.objects.get_mut(id) {
            change(object);
        }
    }

    /// All objects of a kind, newest first.
    pub(super) fn all(&self, kind: &str) -> Vec<&Value> {
        let objects = self.made.iter().rev().filter_map(|id| self.objects.get(id));
        objects.filter(|object| object["object"] == kind).collect()
    }

    /// A text field of an object.
    pub(super) fn text(&self, id: &str, field: &str) -> String {
        let value = self.objects.get(id).map(|object| &object[field]);
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// A number field of an object. 0 if the object has no such field.
    pub(super) fn number(&self, id: &str, field: &str) -> i64 {
        self.objects.get(id).and_then(|object| object[field].as_i64()).unwrap_or(0)
    }

    /// Records an event of this `kind` with the current state of the object `id`.
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
