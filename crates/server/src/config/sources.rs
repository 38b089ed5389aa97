//! Where settings come from beside the defaults.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The operator's file, where none is named: in the folder where the command runs.
pub const DEFAULT_FILE: &str = "retouch.toml";

/// The operator's file and the environment, given so that a test can give others.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The operator's file; it must be there when it is named.
    pub file: Option<PathBuf>,
    /// Variables of the environment; those that do not begin with `RETOUCH_` are passed over.
    pub environment: Vec<(OsString, OsString)>,
}

impl Sources {
    /// What this process was started with: `file` where it is named, else `retouch.toml` where it
    /// stands, and the environment.
    pub fn of_process(file: Option<PathBuf>) -> Self {
        let standing = || Path::new(DEFAULT_FILE).exists().then(|| DEFAULT_FILE.into());
        Self { file: file.or_else(standing), environment: std::env::vars_os().collect() }
    }

    /// The defaults alone.
    pub fn none() -> Self {
        Self { file: None, environment: Vec::new() }
    }

    /// These sources with one more variable of the environment.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }
}
