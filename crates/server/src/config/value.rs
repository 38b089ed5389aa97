//! A raw setting: a value of one of four types, and where it was set.

use std::fmt;
use std::path::PathBuf;

use super::Secret;

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
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) => f.write_str(name),
        }
    }
}

/// A value, which has the type of its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    List(Vec<String>),
    Secret(Secret),
}

impl Value {
    /// The name of this value's type, for a message.
    pub(super) fn expected(&self) -> &'static str {
        match self {
            Self::Text(_) | Self::Secret(_) => "a string",
            Self::Number(_) => "a whole number",
            Self::List(_) => "a list of strings",
        }
    }

    /// Parses the value of an environment variable as this value's type.
    pub(super) fn parse_like(&self, text: &str) -> Option<Self> {
        match self {
            Self::Text(_) => Some(Self::Text(text.to_owned())),
            Self::Secret(_) => Some(Self::Secret(Secret::new(text))),
            Self::Number(_) => text.trim().replace('_', "").parse().ok().map(Self::Number),
            Self::List(_) => Some(Self::List(elements(text))),
        }
    }

    /// The value as JSON, with secrets hidden. An empty secret is shown as empty.
    pub(super) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Number(number) => (*number).into(),
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
