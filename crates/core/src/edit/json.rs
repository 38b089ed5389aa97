//! JSON as it was sent, read in place: a value is the part of the body where it is written, and
//! nothing of it is copied until a field asks for it. A body of any content costs a few kilobytes.
//!
//! `serde_json::Value` would copy every inline picture, keep only the last of two equal keys and
//! turn large numbers into infinity or an error; a tree of any kind takes many times the memory
//! of the body that it is made from.

mod check;
mod cursor;
mod text;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::rejected::{Reason, Rejected};
use cursor::Cursor;
pub(super) use text::Text;

/// A JSON value, as it is written in the body.
#[derive(Clone, Copy, Debug)]
pub(super) enum Json<'a> {
    Null,
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    Text(Text<'a>),
    List(List<'a>),
    Object(Object<'a>),
}

/// An array, from bracket to bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a>(&'a str);

/// An object, from brace to brace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'a>(&'a str);

impl<'a> List<'a> {
    /// The elements, in order.
    pub(super) fn items(self) -> impl Iterator<Item = Json<'a>> {
        let mut cursor = Cursor::new(self.0);
        cursor.take();
        std::iter::from_fn(move || {
            cursor.has_more().then(|| {
                let item = cursor.value();
                cursor.pass(b',');
                item
            })
        })
    }
}

impl<'a> Object<'a> {
    /// The members, in the order in which they were sent.
    pub(super) fn members(self) -> impl Iterator<Item = (Text<'a>, Json<'a>)> {
        let mut cursor = Cursor::new(self.0);
        cursor.take();
        std::iter::from_fn(move || {
            cursor.has_more().then(|| {
                let key = cursor.text();
                cursor.pass(b':');
                let value = cursor.value();
                cursor.pass(b',');
                (key, value)
            })
        })
    }

    /// Bytes that the object takes in the body.
    pub(super) fn bytes(self) -> usize {
        self.0.len()
    }

    /// The same with text of its own; numbers that no `f64` holds become null. Takes many times the
    /// memory of the text: for objects whose [size](Self::bytes) is known to be small.
    pub(super) fn to_value(self) -> Value {
        Json::Object(self).to_value()
    }
}

impl Json<'_> {
    fn to_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(value),
            Self::Number(text) => serde_json::from_str(text).unwrap_or_default(),
            Self::Text(text) => Value::String(text.read().into_owned()),
            Self::List(list) => list.items().map(Json::to_value).collect(),
            Self::Object(object) => object
                .members()
                .map(|(key, value)| (key.read().into_owned(), value.to_value()))
                .collect(),
        }
    }

    /// Whether this is `null`.
    pub(super) fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// What to call the value's type in a message.
    pub(super) fn type_name(self) -> &'static str {
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
    // First, since what reads JSON next keeps a byte for each open bracket.
    check::depth(text)?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
        Rejected::body(Reason::InvalidJson, format!("The body is not JSON: {error}."))
    })?;
    check::contents(text)?;
    Ok(Cursor::new(text).value())
}

/// The first characters of a name that a caller chose, so that it cannot swell an answer.
pub(super) fn short(name: &str) -> &str {
    name.char_indices().nth(NAME_CHARS_SHOWN).map_or(name, |(end, _)| &name[..end])
}

/// Most characters of a name that a caller chose in an answer.
const NAME_CHARS_SHOWN: usize = 64;
