//! Settings: layers, origins, and every mistake that is reported.

#![expect(clippy::unwrap_used, reason = "a failed setup fails the test")]

#[path = "config/billing.rs"]
mod billing;
#[path = "config/language_reader.rs"]
mod language_reader;
#[path = "config/layers.rs"]
mod layers;
#[path = "config/mail.rs"]
mod mail;
#[path = "config/oidc.rs"]
mod oidc;
#[path = "config/problems.rs"]
mod problems;
#[path = "config/providers.rs"]
mod providers;
#[path = "config/sections.rs"]
mod sections;
#[path = "config/traces.rs"]
mod traces;
#[path = "config/units.rs"]
mod units;

use std::path::PathBuf;

use retouch_server::config::{ConfigError, Settings, Sources};
use tempfile::TempDir;

/// Settings from the defaults and these variables.
fn load(variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
    let sources =
        variables.iter().fold(Sources::none(), |all, (name, value)| all.with(name, value));
    Settings::load(&sources)
}

/// All problems with these variables, one per line.
fn refused(variables: &[(&str, &str)]) -> String {
    lines(load(variables).err())
}

/// All problems with this file, one per line. Its path is shown as `FILE`.
fn file_refused(text: &str) -> String {
    let (folder, path) = file(text);
    let sources = Sources { file: Some(path), ..Sources::none() };
    let said = lines(Settings::load(&sources).err());
    said.replace(&folder.path().join("retouch.toml").display().to_string(), "FILE")
}

fn lines(error: Option<ConfigError>) -> String {
    let problems = error.map(|error| error.problems()).unwrap_or_default();
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// A settings file, in a folder that is removed when the first value is dropped.
fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("retouch.toml");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}
