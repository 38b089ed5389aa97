//! A raw setting: a value of one of six types, and where it was set.

use std::fmt;
use std::path::PathBuf;

use super::{Secret, duration, size};

/// How many characters of an invalid value a message repeats.
const QUOTED_CHARS_MAX: usize = 60;

/// Where a setting's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `config.default.toml`.
    Default,
    /// The operator's file.
    File {
        /// The file.
        path: PathBuf,
        /// The line number, starting at 1.
        line: usize,
    },
    /// An environment variable.
    Environment(String),
    /// The admin pages.
    Browser,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) => f.write_str(name),
            Self::Browser => f.write_str("admin pages"),
        }
    }
}

/// A value, which has the type of its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    /// In milliseconds.
    Duration(u64),
    /// In bytes.
    Size(u64),
    List(Vec<String>),
    Secret(Secret),
}

impl Value {
    /// A default from `config.default.toml`, whose text may be a duration or a size.
    pub(super) fn of_default(text: String) -> Self {
        let duration = duration::parse(&text).map(Self::Duration);
        duration.or_else(|| size::parse(&text).map(Self::Size)).unwrap_or(Self::Text(text))
    }

    /// The message if `found` is not a value of this type.
    pub(super) fn refusal(&self, found: &str) -> String {
        match self {
            Self::Text(_) | Self::Secret(_) => format!("expected a string, found {found}"),
            Self::Number(_) => format!("expected a whole number, found {found}"),
            Self::Duration(_) => format!("{found}: expected {}", duration::EXPECTED),
            Self::Size(_) => format!("{found}: expected {}", size::EXPECTED),
            Self::List(_) => format!("expected a list of strings, found {found}"),
        }
    }

    /// Converts `value`, as read from a settings file, to this value's type.
    pub(super) fn convert(&self, value: Self) -> Option<Self> {
        match (self, value) {
            (Self::Secret(_), Self::Text(text)) => Some(Self::Secret(Secret::new(text))),
            (Self::Duration(_), Self::Text(text)) => duration::parse(&text).map(Self::Duration),
            (Self::Duration(_), Self::Number(0)) => Some(Self::Duration(0)),
            (Self::Size(_), Self::Text(text)) => size::parse(&text).map(Self::Size),
            (Self::Size(_), Self::Number(0)) => Some(Self::Size(0)),
            (Self::Text(_), value @ Self::Text(_))
            | (Self::Number(_), value @ Self::Number(_))
            | (Self::List(_), value @ Self::List(_)) => Some(value),
            _ => None,
        }
    }

    /// Parses the value of an environment variable as this value's type.
    pub(super) fn parse_like(&self, text: &str) -> Option<Self> {
        match self {
            Self::Number(_) => text.trim().replace('_', "").parse().ok().map(Self::Number),
            Self::List(_) => Some(Self::List(elements(text))),
            _ => self.convert(Self::Text(text.to_owned())),
        }
    }

    /// The value as JSON, with secrets hidden. An empty secret is shown as empty.
    pub(super) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Number(number) => (*number).into(),
            Self::Duration(ms) => duration::show(*ms).into(),
            Self::Size(bytes) => size::show(*bytes).into(),
            Self::List(list) => list.as_slice().into(),
            Self::Secret(secret) if secret.is_empty() => "".into(),
            Self::Secret(secret) => secret.to_string().into(),
        }
    }
}

/// `text` in quotation marks, shortened for a message.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARS_MAX) {
        Some((end, _)) => format!("{:?} (shortened)", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

fn elements(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}
