//! An account of the test: its key, what its callers know, and what it must be charged.

use std::sync::{Mutex, OnceLock};

use serde_json::Value;

use crate::books::{Books, generations};
use crate::journal::Journal;
use crate::service::{Installation, PASSWORD, Service};
use crate::webhook::Webhook;
use crate::{GRANTED, SIGN_UP};

pub(super) struct Patron {
    email: String,
    key: Mutex<Key>,
    pub(super) journal: Journal,
    pub(super) books: Mutex<Books>,
    webhook: OnceLock<Webhook>,
}

#[derive(Clone)]
struct Key {
    id: String,
    secret: String,
}

impl Patron {
    /// A new account with enough credits, and a key.
    pub(super) fn new(installation: &Installation, number: usize) -> Self {
        let email = format!("patron-{number}@example.com");
        let create = ["account", "create", "--email", &email, "--password-stdin"];
        installation.run(&create, PASSWORD);
        let patron = Self {
            key: Mutex::new(key(installation, &email)),
            email,
            journal: Journal::among_faults(),
            books: Mutex::new(Books::new(SIGN_UP)),
            webhook: OnceLock::new(),
        };
        patron.grant(installation, GRANTED);
        patron
    }

    /// The key that calls use now.
    pub(super) fn key(&self) -> String {
        self.key.lock().unwrap().secret.clone()
    }

    /// Creates the webhook, before the first call.
    pub(super) fn listen(&self, service: &Service, seed: u64) {
        assert!(self.webhook.set(Webhook::of(service, &self.email, seed)).is_ok());
    }

    /// Checks the events, after the last call.
    pub(super) fn check_events(&self, service: &Service) {
        let webhook = self.webhook.get().unwrap();
        webhook.finish(service);
        let listed = generations(service, &self.key(), |_| false);
        webhook.check(&listed, &self.books.lock().unwrap().charged, &self.journal);
    }

    /// Grants credits, also while the servers run.
    pub(super) fn grant(&self, installation: &Installation, credits: i64) {
        let (email, amount) = (self.email.as_str(), credits.to_string());
        let grant = ["credits", "grant", "--account", email, "--credits", &amount];
        installation.run(&[&grant[..], &["--reason", "a test"]].concat(), "");
        self.books.lock().unwrap().granted += credits;
    }

    /// Creates another key for the calls and revokes the current one.
    pub(super) fn change_key(&self, installation: &Installation) {
        let new = key(installation, &self.email);
        let old = self.key.lock().unwrap().clone();
        self.journal.lock().revoking.insert(old.secret.clone());
        *self.key.lock().unwrap() = new;
        installation.run(&["key", "revoke", &old.id], "");
        self.journal.lock().revoked.insert(old.secret);
    }
}

fn key(installation: &Installation, email: &str) -> Key {
    let scopes = ["--name", "test", "--scopes", "edit,read,delete", "--json"];
    let create = [&["key", "create", "--account", email], &scopes[..]].concat();
    let made: Value = serde_json::from_str(&installation.run(&create, "")).unwrap();
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    Key { id: text("id"), secret: text("key") }
}
