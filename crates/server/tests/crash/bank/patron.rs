//! An account of the test: its key, what its callers know, and what it must be charged.

use std::sync::Mutex;

use serde_json::Value;

use crate::books::Books;
use crate::journal::Journal;
use crate::service::Installation;
use crate::{GRANTED, SIGN_UP};

pub(super) struct Patron {
    email: String,
    key: Mutex<Key>,
    pub(super) journal: Journal,
    pub(super) books: Mutex<Books>,
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
        installation.run(&create, "correct horse battery");
        let patron = Self {
            key: Mutex::new(key(installation, &email)),
            email,
            journal: Journal::among_faults(),
            books: Mutex::new(Books::new(SIGN_UP)),
        };
        patron.grant(installation, GRANTED);
        patron
    }

    /// The key that calls use now.
    pub(super) fn key(&self) -> String {
        self.key.lock().unwrap().secret.clone()
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
