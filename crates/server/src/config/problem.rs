//! What is wrong with the settings, as messages for the operator.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use thiserror::Error;

use super::Origin;

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The setting as `section.key`, or an environment variable that matches no setting.
    pub key: String,
    /// What is wrong and what is expected; never the value of a secret.
    pub message: String,
    /// Where the value was set, if anywhere.
    pub origin: Option<String>,
}

impl Problem {
    pub(super) fn new(key: impl Into<String>, message: impl Into<String>, origin: &Origin) -> Self {
        Self { key: key.into(), message: message.into(), origin: Some(origin.to_string()) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            // An unknown variable is its own origin.
            Some(origin) if *origin != self.key => {
                write!(f, "{}: {} ({origin})", self.key, self.message)
            }
            _ => write!(f, "{}: {}", self.key, self.message),
        }
    }
}

/// Why the settings cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The operator's file cannot be read.
    #[error("cannot read the settings in {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system, or that the file is too large.
        reason: String,
    },
    /// The operator's file is not valid TOML.
    #[error("{}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The parser's message, with the line.
        message: String,
    },
    /// All settings that are invalid.
    #[error("{}", listed(.0))]
    Problems(Vec<Problem>),
}

impl ConfigError {
    /// All problems, one by one.
    pub fn problems(&self) -> Vec<Problem> {
        let of_file = |path: &PathBuf, message: &String| Problem {
            key: path.display().to_string(),
            message: message.clone(),
            origin: None,
        };
        match self {
            Self::Problems(problems) => problems.clone(),
            Self::Unreadable { path, reason } => vec![of_file(path, reason)],
            Self::Syntax { path, message } => vec![of_file(path, message)],
        }
    }
}

fn listed(problems: &[Problem]) -> String {
    let mut text = match problems.len() {
        1 => "1 setting is invalid:".to_owned(),
        count => format!("{count} settings are invalid:"),
    };
    for problem in problems {
        text.push_str("\n  ");
        text.push_str(&problem.to_string());
    }
    text
}
