//! The body of a request, read once.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::json::{self, Json};
use super::rejected::{Reason, Rejected};

/// A JSON object as sent, its fields found by name.
#[derive(Debug)]
pub struct Body<'a> {
    fields: Vec<(Cow<'a, str>, Json<'a>)>,
}

impl<'a> Body<'a> {
    /// Reads the bytes of a request's body.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Rejected> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let message =
                format!("The body is not UTF-8: byte {} cannot stand there.", error.valid_up_to());
            Rejected::body(Reason::InvalidJson, message)
        })?;
        match json::parse(text)? {
            Json::Object(fields) => Ok(Self { fields }),
            other => {
                let message = format!("The body is {}; send a JSON object.", other.type_name());
                Err(Rejected::body(Reason::InvalidJson, message))
            }
        }
    }

    /// A digest of what the body means: the same for any order of keys, white space, way of
    /// escaping and fields that are null.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        digest_members(&self.fields, &mut hasher);
        hasher.finalize().into()
    }

    /// The field `name`, with null and absent alike.
    pub(super) fn get(&self, name: &str) -> Option<&Json<'a>> {
        let found = self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        found.filter(|value| **value != Json::Null)
    }

    /// The names of all fields, as sent.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(key, _)| key.as_ref())
    }
}

fn digest(value: &Json<'_>, hasher: &mut Sha256) {
    match value {
        Json::Null => hasher.update(b"n"),
        Json::Bool(true) => hasher.update(b"t"),
        Json::Bool(false) => hasher.update(b"f"),
        Json::Number(text) => digest_text(b'#', &canonical_number(text), hasher),
        Json::Text(text) => digest_text(b'"', text, hasher),
        Json::List(items) => {
            hasher.update(b"[");
            items.iter().for_each(|item| digest(item, hasher));
            hasher.update(b"]");
        }
        Json::Object(members) => digest_members(members, hasher),
    }
}

fn digest_members(members: &[(Cow<'_, str>, Json<'_>)], hasher: &mut Sha256) {
    let mut sorted: Vec<_> = members.iter().filter(|(_, value)| *value != Json::Null).collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    hasher.update(b"{");
    for (key, value) in sorted {
        digest_text(b':', key, hasher);
        digest(value, hasher);
    }
    hasher.update(b"}");
}

/// Hashes a text behind its length, so that no two lists of texts look alike.
fn digest_text(kind: u8, text: &str, hasher: &mut Sha256) {
    hasher.update([kind]);
    hasher.update((text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

/// `2`, `2.0` and `20e-1` alike; what no `f64` holds stays as written.
fn canonical_number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => number.to_string(),
        _ => text.to_owned(),
    }
}
