//! What a command came to, and how it is printed.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::Value;

use super::FAILED;
use crate::config::ConfigError;

/// What a command came to: the same data as text and as JSON.
pub(super) struct Answer {
    text: Vec<u8>,
    json: Option<Value>,
    notes: Vec<String>,
    failed: bool,
}

/// Why a command was not done.
#[derive(Debug)]
pub(super) enum Failure {
    /// It could not be done.
    Failed(String),
    /// It was asked in a way that cannot be.
    Usage(String),
}

impl Answer {
    /// Data, as people read it and as programs do.
    pub(super) fn new(text: impl Into<String>, json: Value) -> Self {
        let text = text.into().into_bytes();
        Self { text, json: Some(json), notes: Vec::new(), failed: false }
    }

    /// No data.
    pub(super) fn nothing() -> Self {
        Self { text: Vec::new(), json: None, notes: Vec::new(), failed: false }
    }

    /// Data that is no text, and is printed whether JSON is wanted or not.
    pub(super) fn bytes(bytes: Vec<u8>) -> Self {
        Self { text: bytes, ..Self::nothing() }
    }

    /// The same, with a line that is no data.
    pub(super) fn note(mut self, line: impl Into<String>) -> Self {
        self.notes.push(line.into());
        self
    }

    /// The same; but it tells of something that is not as it should be.
    pub(super) fn failing_when(mut self, failed: bool) -> Self {
        self.failed = failed;
        self
    }

    /// Prints it. That nobody reads to the end (a closed pipe, as after `| head`) is no failure.
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
                complain(&format!("cannot write the answer: {error}"), FAILED)
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

/// Says on standard error what went wrong; gives `status`.
pub(super) fn complain(message: &str, status: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {message}");
    ExitCode::from(status)
}

impl Failure {
    /// A failure for the reason that `error` gives.
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
