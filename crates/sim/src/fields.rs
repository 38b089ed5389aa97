//! Strict parsing of requests. Errors are reported in general terms ([`FieldError`]), and each
//! protocol expresses them in its provider's words.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::arrived::{Arrived, Content, Part};

/// An error in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldError {
    /// The field, such as `parameters.size`. Empty for the body as a whole.
    pub(crate) path: String,
    /// The kind of error.
    pub(crate) problem: Problem,
}

/// How a field is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The field is required but missing.
    Missing,
    /// The request has a field that does not exist.
    Unknown,
    /// The field must be of this type.
    Type(&'static str),
    /// The field has the right type but a wrong value. The text describes the right ones.
    Value(String),
}

impl FieldError {
    /// `path` must be `right`.
    pub(crate) fn value(path: impl Into<String>, right: impl Into<String>) -> Self {
        Self { path: path.into(), problem: Problem::Value(right.into()) }
    }

    /// `path` is missing.
    pub(crate) fn missing(path: impl Into<String>) -> Self {
        Self { path: path.into(), problem: Problem::Missing }
    }
}

impl Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the body" } else { &self.path };
        match &self.problem {
            Problem::Missing => write!(f, "{path} is required"),
            Problem::Unknown => write!(f, "unknown field {path}"),
            Problem::Type(expected) => write!(f, "{path} must be {expected}"),
            Problem::Value(right) => write!(f, "{path} must be {right}"),
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
    pub(crate) fn body(arrived: Arrived) -> Result<Self, FieldError> {
        match arrived.content {
            Content::Json(value) => Self::of(value, ""),
            _ => Err(FieldError { path: String::new(), problem: Problem::Type("a JSON object") }),
        }
    }

    /// `value`, which is at `path` and must be an object.
    pub(crate) fn of(value: Value, path: impl Into<String>) -> Result<Self, FieldError> {
        let path = path.into();
        match value {
            Value::Object(left) => Ok(Self { path, left }),
            _ => Err(FieldError { path, problem: Problem::Type("an object") }),
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
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, FieldError> {
        self.typed(name, "a string", |value| match value {
            Value::String(text) => Some(text),
            _ => None,
        })
    }

    /// A string that is required and must not be empty.
    pub(crate) fn required_text(&mut self, name: &str) -> Result<String, FieldError> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| FieldError::missing(self.path(name)))
    }

    /// One of `allowed`.
    pub(crate) fn one_of(
        &mut self,
        name: &str,
        allowed: &[&str],
    ) -> Result<Option<String>, FieldError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        if allowed.contains(&text.as_str()) {
            return Ok(Some(text));
        }
        let allowed: Vec<_> = allowed.iter().map(|one| format!("'{one}'")).collect();
        Err(FieldError::value(self.path(name), format!("one of {}", allowed.join(", "))))
    }

    /// An integer within `range`.
    pub(crate) fn whole(
        &mut self,
        name: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, FieldError> {
        let number = self.typed(name, "an integer", |value| value.as_i64())?;
        if number.is_some_and(|number| !range.contains(&number)) {
            let right = format!("between {} and {}", range.start(), range.end());
            return Err(FieldError::value(self.path(name), right));
        }
        Ok(number)
    }

    /// A number within `range`.
    pub(crate) fn number(
        &mut self,
        name: &str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, FieldError> {
        let number = self.typed(name, "a number", |value| value.as_f64())?;
        if number.is_some_and(|number| !range.contains(&number)) {
            let right = format!("between {} and {}", range.start(), range.end());
            return Err(FieldError::value(self.path(name), right));
        }
        Ok(number)
    }

    /// A boolean.
    pub(crate) fn flag(&mut self, name: &str) -> Result<Option<bool>, FieldError> {
        self.typed(name, "a boolean", |value| value.as_bool())
    }

    /// A list.
    pub(crate) fn list(&mut self, name: &str) -> Result<Option<Vec<Value>>, FieldError> {
        self.typed(name, "an array", |value| match value {
            Value::Array(items) => Some(items),
            _ => None,
        })
    }

    /// An object.
    pub(crate) fn object(&mut self, name: &str) -> Result<Option<Self>, FieldError> {
        let path = self.path(name);
        self.take(name).map(|value| Self::of(value, path)).transpose()
    }

    /// Checks that no field is left.
    pub(crate) fn end(self) -> Result<(), FieldError> {
        match self.left.keys().next() {
            Some(name) => Err(FieldError { path: self.path(name), problem: Problem::Unknown }),
            None => Ok(()),
        }
    }

    fn typed<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<Option<T>, FieldError> {
        let path = self.path(name);
        let typed =
            |value| read(value).ok_or(FieldError { path, problem: Problem::Type(expected) });
        self.take(name).map(typed).transpose()
    }
}

/// A form, `multipart/form-data`.
#[derive(Clone, Debug)]
pub(crate) struct Form(Vec<Part>);

impl Form {
    /// The body, which must be a form.
    pub(crate) fn body(arrived: Arrived) -> Result<Self, FieldError> {
        match arrived.content {
            Content::Form(parts) => Ok(Self(parts)),
            _ => Err(FieldError {
                path: String::new(),
                problem: Problem::Type("multipart/form-data"),
            }),
        }
    }

    /// The files in parts with one of `names`, in their order.
    pub(crate) fn files(&mut self, names: &[&str]) -> Result<Vec<Bytes>, FieldError> {
        let wanted = |part: &mut Part| names.contains(&part.name.as_str());
        let parts: Vec<_> = self.0.extract_if(.., wanted).collect();
        let file = |part: Part| match part.file_name {
            Some(_) => Ok(part.bytes),
            None => Err(FieldError { path: part.name, problem: Problem::Type("a file") }),
        };
        parts.into_iter().map(file).collect()
    }

    /// The text fields, converted to numbers and flags where listed. A duplicate text field is an
    /// error.
    pub(crate) fn into_fields(
        self,
        numbers: &[&str],
        flags: &[&str],
    ) -> Result<Fields, FieldError> {
        let mut left = Map::new();
        for part in self.0 {
            let name = part.name;
            if left.contains_key(&name) {
                return Err(FieldError::value(name, "given once"));
            }
            if part.file_name.is_some() {
                return Err(FieldError { path: name, problem: Problem::Unknown });
            }
            let text = String::from_utf8(part.bytes.into());
            let text = text.map_err(|_| FieldError::value(name.as_str(), "valid UTF-8"))?;
            let is_typed = numbers.contains(&&*name) || flags.contains(&&*name);
            let typed =
                || serde_json::from_str(&text).ok().filter(|value: &Value| !value.is_null());
            let value = if is_typed { typed() } else { None };
            left.insert(name, value.unwrap_or(Value::String(text)));
        }
        Ok(Fields { path: String::new(), left })
    }
}
