//! Where settings come from, other than the defaults.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The default settings file, in the working directory.
pub const DEFAULT_FILE: &str = "retouch.toml";

/// The operator's file and the environment, as a value so that tests can supply their own.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The operator's file, which must exist.
    pub file: Option<PathBuf>,
    /// Environment variables. Those without the prefix `RETOUCH_` are ignored.
    pub environment: Vec<(OsString, OsString)>,
}

impl Sources {
    /// The sources of this process: `file`, or else `retouch.toml` if it exists, and the
    /// environment.
    pub fn of_process(file: Option<PathBuf>) -> Self {
        let standing = || Path::new(DEFAULT_FILE).exists().then(|| DEFAULT_FILE.into());
        Self { file: file.or_else(standing), environment: std::env::vars_os().collect() }
    }

    /// Only the defaults.
    pub fn none() -> Self {
        Self { file: None, environment: Vec::new() }
    }

    /// These sources with one more environment variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }
}
