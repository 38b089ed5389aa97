//! The body of a request, read once.

use sha2::{Digest, Sha256};

use super::json::{self, Json, Text};
use super::rejected::{Reason, Rejected};

/// A JSON object as sent, its fields found by name. It takes no memory beside that of the bytes
/// but for a list of the fields, of which there are a few thousand at most.
#[derive(Debug)]
pub struct Body<'a> {
    fields: Vec<(Text<'a>, Json<'a>)>,
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
            Json::Object(object) => Ok(Self { fields: object.members().collect() }),
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
        digest_members(self.fields.clone(), &mut hasher);
        hasher.finalize().into()
    }

    /// The field `name`, with null and absent alike.
    pub(super) fn get(&self, name: &str) -> Option<Json<'a>> {
        let found = self.fields.iter().find(|(key, _)| key.is(name)).map(|(_, value)| *value);
        found.filter(|value| !value.is_null())
    }

    /// The names of all fields, as sent.
    pub(super) fn names(&self) -> impl Iterator<Item = Text<'a>> {
        self.fields.iter().map(|(key, _)| *key)
    }
}

fn digest(value: Json<'_>, hasher: &mut Sha256) {
    match value {
        Json::Null => hasher.update(b"n"),
        Json::Bool(true) => hasher.update(b"t"),
        Json::Bool(false) => hasher.update(b"f"),
        Json::Number(text) => {
            let number = canonical_number(text);
            digest_head(b'#', number.len(), hasher);
            hasher.update(number);
        }
        Json::Text(text) => digest_text(b'"', text, hasher),
        Json::List(list) => {
            hasher.update(b"[");
            list.items().for_each(|item| digest(item, hasher));
            hasher.update(b"]");
        }
        Json::Object(object) => digest_members(object.members().collect(), hasher),
    }
}

fn digest_members(mut members: Vec<(Text<'_>, Json<'_>)>, hasher: &mut Sha256) {
    members.retain(|(_, value)| !value.is_null());
    members.sort_by(|(one, _), (other, _)| one.order(*other));
    hasher.update(b"{");
    for (key, value) in members {
        digest_text(b':', key, hasher);
        digest(value, hasher);
    }
    hasher.update(b"}");
}

/// Hashes a text behind its length, so that no two lists of texts look alike; one with escapes
/// piece by piece, so that it need not be copied.
fn digest_text(kind: u8, text: Text<'_>, hasher: &mut Sha256) {
    digest_head(kind, text.bytes(), hasher);
    match text.plain() {
        Some(plain) => hasher.update(plain),
        None => text.chars().for_each(|char| hasher.update(char.encode_utf8(&mut [0; 4]))),
    }
}

fn digest_head(kind: u8, length: usize, hasher: &mut Sha256) {
    hasher.update([kind]);
    hasher.update((length as u64).to_le_bytes());
}

/// `2`, `2.0` and `20e-1` alike; what no `f64` holds stays as written.
fn canonical_number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => number.to_string(),
        _ => text.to_owned(),
    }
}
