//! JSON that is read in place. A value is the part of the body where it is written, and nothing is
//! copied until a field needs it, so a body takes only a few kilobytes beyond its own bytes.
//!
//! `serde_json::Value` would copy every inline image, keep only the last of two equal keys and
//! turn large numbers into infinity or an error. A tree of any kind takes many times the memory of
//! the body that it is made from.

mod cursor;
mod reader;
mod text;

use serde_json::Value;

use cursor::Cursor;
pub(super) use reader::{Members, read};
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
    /// The members, in the order they were sent.
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

    /// The size of the object in the body, in bytes.
    pub(super) fn bytes(self) -> usize {
        self.0.len()
    }

    /// An owned copy, in which numbers that don't fit in an `f64` become null. It takes many times
    /// the memory of the text, so use it only for objects whose [size](Self::bytes) is small.
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

    pub(super) fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    pub(super) fn is_empty_list(self) -> bool {
        matches!(self, Self::List(list) if list.items().next().is_none())
    }

    /// The name of the value's type, for messages.
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

/// The first characters of a name that a caller chose. Responses that quote a name stay short.
pub(super) fn short(name: &str) -> &str {
    name.char_indices().nth(NAME_CHARS_SHOWN).map_or(name, |(end, _)| &name[..end])
}

/// The maximum number of characters that a response quotes from a name that a caller chose.
const NAME_CHARS_SHOWN: usize = 64;
