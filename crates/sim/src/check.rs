//! Strict parsing of requests. Errors are reported in general terms ([`Wrong`]), and each protocol
//! expresses them in its provider's words.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::arrived::{Arrived, Content, Part};

/// An error in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The field, such as `parameters.size`. Empty for the body as a whole.
    pub(crate) path: String,
    /// The kind of error.
    pub(crate) how: How,
}

/// How a field is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// The field is required but missing.
    Missing,
    /// The request has a field that does not exist.
    Unknown,
    /// The field must be of this type.
    Type(&'static str),
    /// The field has the right type but a wrong value. The text describes the right ones.
    Value(String),
}

impl Wrong {
    /// `path` must be `right`.
    pub(crate) fn value(path: impl Into<String>, right: impl Into<String>) -> Self {
        Self { path: path.into(), how: How::Value(right.into()) }
    }

    /// `path` is missing.
    pub(crate) fn missing(path: impl Into<String>) -> Self {
        Self { path: path.into(), how: How::Missing }
    }
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the body" } else { &self.path };
        match &self.how {
            How::Missing => write!(f, "{path} is required"),
            How::Unknown => write!(f, "unknown field {path}"),
            How::Type(expected) => write!(f, "{path} must be {expected}"),
            How::Value(right) => write!(f, "{path} must be {right}"),
        }
    }
}

/// The fields of an object. Each is taken out once, and [`Fields::end`] rejects any that are left.
/// An explicit null counts as a missing field.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    path: String,
    left: Map<String, Value>,
}

impl Fields {
    /// The body, which must be a JSON object.
    pub(crate) fn body(arrived: Arrived) -> Result<Self, Wrong> {
        match arrived.content {
            Content::Json(value) => Self::of(value, ""),
            _ => Err(Wrong { path: String::new(), how: How::Type("a JSON object") }),
        }
    }

    /// `value`, which is at `path` and must be an object.
    pub(crate) fn of(value: Value, path: impl Into<String>) -> Result<Self, Wrong> {
        let path = path.into();
        match value {
            Value::Object(left) => Ok(Self { path, left }),
            _ => Err(Wrong { path, how: How::Type("an object") }),
        }
    }

    /// The path of a field of this object.
    pub(crate) fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Any value.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.left.remove(name).filter(|value| !value.is_null())
    }

    /// A string.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Wrong> {
        self.typed(name, "a string", |value| match value {
            Value::String(text) => Some(text),
            _ => None,
        })
    }

    /// A string that is required and must not be empty.
    pub(crate) fn required_text(&mut self, name: &str) -> Result<String, Wrong> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| Wrong::missing(self.path(name)))
    }

    /// One of `allowed`.
    pub(crate) fn one_of(&mut self, name: &str, allowed: &[&str]) -> Result<Option<String>, Wrong> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        if allowed.contains(&text.as_str()) {
            return Ok(Some(text));
        }
        let allowed: Vec<_> = allowed.iter().map(|one| format!("'{one}'")).collect();
        Err(Wrong::value(self.path(name), format!("one of {}", allowed.join(", "))))
    }

    /// An integer within `range`.
    pub(crate) fn whole(
        &mut self,
        name: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, Wrong> {
        let number = self.typed(name, "an integer", |value| value.as_i64())?;
        if number.is_some_and(|number| !range.contains(&number)) {
            let right = format!("between {} and {}", range.start(), range.end());
            return Err(Wrong::value(self.path(name), right));
        }
        Ok(number)
    }

    /// A number within `range`.
    pub(crate) fn number(
        &mut self,
        name: &str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, Wrong> {
        let number = self.typed(name, "a number", |value| value.as_f64())?;
        if number.is_some_and(|number| !range.contains(&number)) {
            let right = format!("between {} and {}", range.start(), range.end());
            return Err(Wrong::value(self.path(name), right));
        }
        Ok(number)
    }

    /// A boolean.
    pub(crate) fn flag(&mut self, name: &str) -> Result<Option<bool>, Wrong> {
        self.typed(name, "a boolean", |value| value.as_bool())
    }

    /// A list.
    pub(crate) fn list(&mut self, name: &str) -> Result<Option<Vec<Value>>, Wrong> {
        self.typed(name, "an array", |value| match value {
            Value::Array(items) => Some(items),
            _ => None,
        })
    }

    /// An object.
    pub(crate) fn object(&mut self, name: &str) -> Result<Option<Self>, Wrong> {
        let path = self.path(name);
        self.take(name).map(|value| Self::of(value, path)).transpose()
    }

    /// Checks that no field is left.
    pub(crate) fn end(self) -> Result<(), Wrong> {
        match self.left.keys().next() {
            Some(name) => Err(Wrong { path: self.path(name), how: How::Unknown }),
            None => Ok(()),
        }
    }

    fn typed<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<Option<T>, Wrong> {
        let path = self.path(name);
        let typed = |value| read(value).ok_or(Wrong { path, how: How::Type(expected) });
        self.take(name).map(typed).transpose()
    }
}

/// A form, `multipart/form-data`.
#[derive(Clone, Debug)]
pub(crate) struct Form(Vec<Part>);

impl Form {
    /// The body, which must be a form.
    pub(crate) fn body(arrived: Arrived) -> Result<Self, Wrong> {
        match arrived.content {
            Content::Form(parts) => Ok(Self(parts)),
            _ => Err(Wrong { path: String::new(), how: How::Type("multipart/form-data") }),
        }
    }

    /// The files in parts with one of `names`, in their order.
    pub(crate) fn files(&mut self, names: &[&str]) -> Result<Vec<Bytes>, Wrong> {
        let wanted = |part: &mut Part| names.contains(&part.name.as_str());
        let parts: Vec<_> = self.0.extract_if(.., wanted).collect();
        let file = |part: Part| match part.file_name {
            Some(_) => Ok(part.bytes),
            None => Err(Wrong { path: part.name, how: How::Type("a file") }),
        };
        parts.into_iter().map(file).collect()
    }

    /// The text fields, converted to numbers and flags where listed. A duplicate text field is an
    /// error.
    pub(crate) fn into_fields(self, numbers: &[&str], flags: &[&str]) -> Result<Fields, Wrong> {
        let mut left = Map::new();
        for part in self.0 {
            let name = part.name;
            if left.contains_key(&name) {
                return Err(Wrong::value(name, "given once"));
            }
            if part.file_name.is_some() {
                return Err(Wrong { path: name, how: How::Unknown });
            }
            let text = String::from_utf8(part.bytes.into());
            let text = text.map_err(|_| Wrong::value(name.as_str(), "valid UTF-8"))?;
            let is_typed = numbers.contains(&&*name) || flags.contains(&&*name);
            let typed =
                || serde_json::from_str(&text).ok().filter(|value: &Value| !value.is_null());
            let value = if is_typed { typed() } else { None };
            left.insert(name, value.unwrap_or(Value::String(text)));
        }
        Ok(Fields { path: String::new(), left })
    }
}
