//! The API key for a server that a command works with over the network.

use std::{env, fs};

use retouch_outbound::client::Key;

use super::answer::Failure;
use super::command::ServerArguments;
use crate::config::API_KEY;

/// The API key, from its file or from the environment.
pub(super) fn key(asked: &ServerArguments) -> Result<Key, Failure> {
    let text = match &asked.key_file {
        Some(file) => fs::read_to_string(file)
            .map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))?,
        None => env::var(API_KEY).unwrap_or_default(),
    };
    if text.trim().is_empty() {
        let message = format!("no API key: set {API_KEY}, or name its file with --key-file");
        return Err(Failure::Usage(message));
    }
    Ok(Key::new(text.trim()))
}
