//! Settings from environment variables.

use std::ffi::{OsStr, OsString};
use std::io::Read;

use super::layers::{Layers, is_secret, unknown};
use super::problem::Problem;
use super::providers;
use super::value::{Origin, quoted};

/// The prefix of all our variables.
pub(super) const PREFIX: &str = "RETOUCH_";
/// The variable with the API key of commands that use another server. It is not a setting.
pub(crate) const API_KEY: &str = "RETOUCH_API_KEY";
/// The suffix of a variable that names a file with a secret.
const FILE_END: &str = "_FILE";
/// Largest file with a secret, in bytes.
const SECRET_BYTES_MAX: u64 = 64 << 10;

/// The variable for the setting `key`: `RETOUCH_SERVER__LISTEN` for `server.listen`.
pub(super) fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "__").replace('-', "_").to_uppercase())
}

/// Applies our variables to `layers`.
pub(super) fn overlay(
    layers: &mut Layers,
    environment: &[(OsString, OsString)],
    problems: &mut Vec<Problem>,
) {
    let mut ours: Vec<(&str, &OsStr)> = environment
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?, value.as_os_str())))
        .filter(|(name, _)| name.starts_with(PREFIX) && *name != API_KEY)
        .collect();
    // Sorted, so that the messages do not depend on the order of the environment.
    ours.sort_unstable();
    for (name, value) in ours {
        providers::open_for_variable(layers, name);
        if let Err(problem) = set(layers, name, value) {
            problems.push(problem);
        }
    }
}

fn set(layers: &mut Layers, name: &str, value: &OsStr) -> Result<(), Problem> {
    let origin = Origin::Environment(name.to_owned());
    let Some((key, in_file)) = find_key(layers, name) else {
        let variables: Vec<String> = layers.keys().map(variable).collect();
        let message = unknown(name, variables.iter().map(String::as_str));
        return Err(Problem::new(name, message, &origin));
    };
    let problem = |message: String| Problem::new(&key, message, &origin);
    let text = value.to_str().ok_or_else(|| problem("expected UTF-8".to_owned()))?;
    if !in_file {
        return set_text(layers, &key, text, origin.clone()).map_err(problem);
    }
    if let Some(Origin::Environment(other)) = layers.find(&key).map(|entry| &entry.origin) {
        return Err(problem(format!("also set by {other}; remove one of the two")));
    }
    let secret = read_secret(text).map_err(problem)?;
    set_text(layers, &key, &secret, origin.clone()).map_err(problem)
}

/// The setting for the variable `name`, and whether its value is in a file.
fn find_key(layers: &Layers, name: &str) -> Option<(String, bool)> {
    let find = |name: &str| layers.keys().find(|key| variable(key) == name).map(str::to_owned);
    find(name).map(|key| (key, false)).or_else(|| {
        let key = find(name.strip_suffix(FILE_END)?)?;
        is_secret(&key).then_some((key, true))
    })
}

fn set_text(layers: &mut Layers, key: &str, text: &str, origin: Origin) -> Result<(), String> {
    let Some(entry) = layers.find(key) else { return Ok(()) };
    let value = entry.value.parse_like(text);
    let value = value.ok_or_else(|| entry.value.refusal(&quoted(text)))?;
    layers.set(key, value, origin);
    Ok(())
}

/// The secret in a file, without the line ending.
///
/// # Errors
/// Why the file cannot be read. The message does not contain the secret.
pub(crate) fn read_secret(path: &str) -> Result<String, String> {
    let cannot = |reason: String| format!("cannot read the secret in {}: {reason}", quoted(path));
    let file = std::fs::File::open(path).map_err(|error| cannot(error.to_string()))?;
    let mut text = String::new();
    let read = file.take(SECRET_BYTES_MAX + 1).read_to_string(&mut text);
    if read.map_err(|error| cannot(error.to_string()))? as u64 > SECRET_BYTES_MAX {
        return Err(cannot(format!("it is larger than {SECRET_BYTES_MAX} bytes")));
    }
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
