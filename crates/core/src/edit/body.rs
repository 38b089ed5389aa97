//! The body of a request, read once.

use sha2::{Digest, Sha256};

use super::json::{self, Json, Members, Text};
use super::rejected::{Reason, Rejected};
use super::supplement::Supplement;

/// A JSON object as sent, whose fields are found by name. It borrows from the bytes and only
/// allocates a list of the fields, of which there are at most a few thousand.
#[derive(Debug)]
pub struct Body<'a> {
    fields: Members<'a>,
    supplement: Option<&'a Supplement>,
}

impl<'a> Body<'a> {
    /// Parses the body of a request.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Rejected> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let message =
                format!("The body is not valid UTF-8: byte {} is invalid.", error.valid_up_to());
            Rejected::body(Reason::InvalidJson, message)
        })?;
        Ok(Self { fields: json::read(text)?, supplement: None })
    }

    /// The same body, with what its request has besides.
    #[must_use]
    pub fn with(self, supplement: &'a Supplement) -> Self {
        Self { supplement: Some(supplement), ..self }
    }

    /// A digest of the request's meaning. The order of keys, white space, escapes, null fields and
    /// fields with an empty array don't change it.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        let mut fields = self.fields.clone();
        fields.retain(|(_, value)| !value.is_empty_list());
        digest_members(fields, &mut hasher);
        if let Some(supplement) = self.supplement {
            supplement.digest(&mut hasher);
        }
        hasher.finalize().into()
    }

    /// What the request has besides this body.
    pub(super) fn supplement(&self) -> Option<&'a Supplement> {
        self.supplement
    }

    /// The field `name`. A null field counts as absent.
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

fn digest_members(mut members: Members<'_>, hasher: &mut Sha256) {
    members.retain(|(_, value)| !value.is_null());
    members.sort_by(|(one, _), (other, _)| one.order(*other));
    hasher.update(b"{");
    for (key, value) in members {
        digest_text(b':', key, hasher);
        digest(value, hasher);
    }
    hasher.update(b"}");
}

/// Hashes the length of a text and then the text, so that no two lists of texts hash alike. A text
/// with escapes is hashed character by character, which saves a copy.
fn digest_text(kind: u8, text: Text<'_>, hasher: &mut Sha256) {
    digest_head(kind, text.bytes(), hasher);
    match text.plain() {
        Some(plain) => hasher.update(plain),
        None => text.chars().for_each(|char| hasher.update(char.encode_utf8(&mut [0; 4]))),
    }
}

pub(super) fn digest_head(kind: u8, length: usize, hasher: &mut Sha256) {
    hasher.update([kind]);
    hasher.update((length as u64).to_le_bytes());
}

/// The same text for `2`, `2.0` and `20e-1`. A number that doesn't fit in an `f64` stays as
/// written.
fn canonical_number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => number.to_string(),
        _ => text.to_owned(),
    }
}
