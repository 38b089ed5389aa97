//! The settings as shown to the operator.

use serde::Serialize;

use super::layers::Layers;

/// One setting, its value and where it was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownSetting {
    /// The setting, as `section.key`.
    pub key: String,
    /// Its value, whose JSON form is also valid TOML. Secrets are hidden.
    pub value: serde_json::Value,
    /// `default`, `FILE:LINE`, or the name of an environment variable.
    pub origin: String,
}

/// All settings in `layers`, sorted by key.
pub(super) fn show(layers: &Layers) -> Vec<ShownSetting> {
    let entries = layers.keys().filter_map(|key| Some((key, layers.find(key)?)));
    let shown = entries.map(|(key, entry)| ShownSetting {
        key: key.to_owned(),
        value: entry.value.to_json(),
        origin: entry.origin.to_string(),
    });
    shown.collect()
}
