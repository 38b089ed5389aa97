//! JSON as it was sent: text borrowed from the body, keys in order, none lost to a later twin.
//!
//! `serde_json::Value` would copy every inline picture, keep only the last of two equal keys and
//! turn large numbers into infinity or an error.

use std::borrow::Cow;

use memchr::memchr;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::rejected::{Reason, Rejected};

/// White space as RFC 8259, section 2, has it.
const WHITE_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
/// How deep arrays and objects may lie in one another.
const DEPTH_MAX: usize = 32;

/// A JSON value whose text lies in the body where possible.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json<'a> {
    Null,
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl Json<'_> {
    /// The same with text of its own; numbers that no `f64` holds become null.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(text) => serde_json::from_str(text).unwrap_or_default(),
            Self::Text(text) => Value::String(text.to_string()),
            Self::List(items) => items.iter().map(Self::to_value).collect(),
            Self::Object(members) => {
                members.iter().map(|(key, value)| (key.to_string(), value.to_value())).collect()
            }
        }
    }

    /// What to call the value's type in a message.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads one JSON value, or says why it is none.
pub(super) fn parse(text: &str) -> Result<Json<'_>, Rejected> {
    // An object is read at once; anything else is looked through first, to know where it ends.
    if text.trim_start_matches(WHITE_SPACE).starts_with('{') {
        return object(text, 0);
    }
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(&error))?;
    value(raw, 0)
}

fn value(raw: &RawValue, depth: usize) -> Result<Json<'_>, Rejected> {
    if depth > DEPTH_MAX {
        let message = format!("The body nests arrays and objects more than {DEPTH_MAX} deep.");
        return Err(Rejected::body(Reason::InvalidJson, message));
    }
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'n') => Ok(Json::Null),
        Some(b't') => Ok(Json::Bool(true)),
        Some(b'f') => Ok(Json::Bool(false)),
        Some(b'"') => string(text).map(Json::Text),
        Some(b'[') => {
            let items: Vec<&RawValue> = read(text)?;
            items
                .into_iter()
                .map(|item| value(item, depth + 1))
                .collect::<Result<_, _>>()
                .map(Json::List)
        }
        Some(b'{') => object(text, depth),
        _ => Ok(Json::Number(text)),
    }
}

/// A string that has been looked through: a picture's megabytes are not read letter by letter
/// once more where no escape stands among them.
fn string(text: &str) -> Result<Cow<'_, str>, Rejected> {
    let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside.filter(|inside| memchr(b'\\', inside.as_bytes()).is_none()) {
        Some(plain) => Ok(Cow::Borrowed(plain)),
        None => Ok(read::<Text<'_>>(text)?.0),
    }
}

fn object(text: &str, depth: usize) -> Result<Json<'_>, Rejected> {
    let Members(members) = read(text)?;
    let mut seen = std::collections::HashSet::with_capacity(members.len());
    let mut pairs = Vec::with_capacity(members.len());
    for (Text(key), raw) in members {
        if !seen.insert(key.clone()) {
            let message = format!(
                "The key {:?} stands more than once in the body; send it once.",
                short(&key)
            );
            return Err(Rejected::field(Reason::DuplicateField, short(&key), message));
        }
        pairs.push((key, value(raw, depth + 1)?));
    }
    Ok(Json::Object(pairs))
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Rejected> {
    serde_json::from_str(text).map_err(|error| syntax(&error))
}

fn syntax(error: &serde_json::Error) -> Rejected {
    Rejected::body(Reason::InvalidJson, format!("The body is not JSON: {error}."))
}

/// The first characters of a name that a caller chose, so that it cannot swell an answer.
pub(super) fn short(name: &str) -> &str {
    const NAME_CHARS_SHOWN: usize = 64;
    name.char_indices().nth(NAME_CHARS_SHOWN).map_or(name, |(end, _)| &name[..end])
}

/// A string, borrowed where it holds no escapes (serde borrows `Cow` only on request).
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// The members of an object, twins included.
struct Members<'a>(Vec<(Text<'a>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> serde::de::Visitor<'de> for Visitor<'a> {
            type Value = Members<'a>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor(std::marker::PhantomData))
    }
}
