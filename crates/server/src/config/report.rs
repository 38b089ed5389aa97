//! The settings as the operator may see them.

use serde::Serialize;

use super::layers::Layers;

/// One setting, its value and where it was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownSetting {
    /// The setting, as `section.key`.
    pub key: String,
    /// Its value, whose JSON is also its TOML; a secret is hidden.
    pub value: serde_json::Value,
    /// `default`, `FILE:LINE`, or the variable of the environment.
    pub origin: String,
}

/// All of `layers`, in the order of their keys.
pub(super) fn show(layers: &Layers) -> Vec<ShownSetting> {
    let entries = layers.keys().filter_map(|key| Some((key, layers.find(key)?)));
    let shown = entries.map(|(key, entry)| ShownSetting {
        key: key.to_owned(),
        value: entry.value.to_json(),
        origin: entry.origin.to_string(),
    });
    shown.collect()
}
