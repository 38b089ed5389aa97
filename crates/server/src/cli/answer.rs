//! The result of a command, and how it is printed.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::Value;

use super::FAILED;
use crate::config::ConfigError;

/// The result of a command: the same data as text and as JSON.
pub(super) struct Answer {
    text: Vec<u8>,
    json: Option<Value>,
    notes: Vec<String>,
    failed: bool,
}

/// Why a command failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command could not be completed.
    Failed(String),
    /// The arguments are wrong.
    Usage(String),
}

impl Answer {
    /// Data as text for people and as JSON for programs.
    pub(super) fn new(text: impl Into<String>, json: Value) -> Self {
        let text = text.into().into_bytes();
        Self { text, json: Some(json), notes: Vec::new(), failed: false }
    }

    /// No data.
    pub(super) fn nothing() -> Self {
        Self { text: Vec::new(), json: None, notes: Vec::new(), failed: false }
    }

    /// Binary data, printed even if JSON was requested.
    pub(super) fn bytes(bytes: Vec<u8>) -> Self {
        Self { text: bytes, ..Self::nothing() }
    }

    /// Adds a line that is not data and goes to standard error.
    pub(super) fn note(mut self, line: impl Into<String>) -> Self {
        self.notes.push(line.into());
        self
    }

    /// Makes the command fail after printing, because it found a problem.
    pub(super) fn failing_when(mut self, failed: bool) -> Self {
        self.failed = failed;
        self
    }

    /// Prints the answer. A closed pipe, as after `| head`, is not a failure.
    pub(super) fn print(self, as_json: bool) -> ExitCode {
        for note in &self.notes {
            let _ = writeln!(io::stderr(), "{note}");
        }
        let data = match self.json {
            Some(json) if as_json => format!("{json:#}\n").into_bytes(),
            _ => self.text,
        };
        match write_all(&data) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("cannot write to standard output: {error}"), FAILED)
            }
            _ => ExitCode::from(if self.failed { FAILED } else { 0 }),
        }
    }
}

fn write_all(data: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(data)?;
    output.flush()
}

/// Prints an error to standard error and returns `status`.
pub(super) fn complain(message: &str, status: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {message}");
    ExitCode::from(status)
}

impl Failure {
    /// The message, for a caller that reports it itself.
    pub(super) fn into_message(self) -> String {
        match self {
            Self::Failed(message) | Self::Usage(message) => message,
        }
    }

    /// A failure with the message of `error`.
    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::failed(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::failed(error)
    }
}

impl From<retouch_store::Error> for Failure {
    fn from(error: retouch_store::Error) -> Self {
        Self::failed(error)
    }
}
