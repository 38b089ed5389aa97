//! Which providers have a section: those named in the file or the environment.

use retouch_providers::built_in;

use crate::config::environment::variable;
use crate::config::layers::{Layers, unknown as unknown_setting};
use crate::config::value::{Origin, Value};

/// The prefix of every provider setting.
const SECTION: &str = "providers.";
/// The placeholder for a provider's name in `config.default.toml`.
const PLACEHOLDER: &str = "NAME";
/// Maximum length of a provider's name, which appears in records and metrics.
const NAME_CHARS_MAX: usize = 40;

/// The settings that every provider has, with their defaults.
pub(in crate::config) type Template = Vec<(String, Value)>;

/// If `key` is a setting of `[providers.NAME]`, the name of that setting.
pub(in crate::config) fn is_of_template(key: &str) -> Option<&str> {
    let (name, setting) = split(key)?;
    (name == PLACEHOLDER).then_some(setting)
}

/// Adds the provider named in `key`, from the operator's file.
pub(in crate::config) fn open_for_key(layers: &mut Layers, key: &str) {
    if let Some((name, _)) = split(key)
        && is_name(name)
    {
        layers.open_provider(name);
    }
}

/// Adds the provider named in the environment variable `variable_name`.
pub(in crate::config) fn open_for_variable(layers: &mut Layers, variable_name: &str) {
    let Some(rest) = variable_name.strip_prefix(&variable(SECTION)) else { return };
    let Some((name, _)) = rest.split_once("__") else { return };
    let name = name.to_lowercase();
    // Variables have `_` where a section name in the file can have `-`.
    let is_open = opened(layers).iter().any(|one| one.replace('-', "_") == name);
    if !is_open && is_name(&name) {
        layers.open_provider(&name);
    }
}

/// The message for an unknown `key` in the operator's file.
pub(in crate::config) fn unknown(key: &str, layers: &Layers) -> String {
    match split(key) {
        Some((PLACEHOLDER, _)) => "replace NAME with the provider's name".to_owned(),
        Some((name, _)) if !is_name(name) => format!(
            "{name:?} is not a valid provider name: use at most {NAME_CHARS_MAX} characters from \
             a-z, 0-9, - and _, with a letter first, and not {}",
            built_in::NAME
        ),
        _ => unknown_setting(key, layers.keys()),
    }
}

/// The key of `setting` for the provider `name`.
pub(in crate::config) fn key(name: &str, setting: &str) -> String {
    format!("{SECTION}{name}.{setting}")
}

/// The providers that have settings.
pub(super) fn opened(layers: &Layers) -> Vec<String> {
    let name = |key: &str| Some(key.strip_prefix(SECTION)?.strip_suffix(".kind")?.to_owned());
    layers.keys().filter_map(name).collect()
}

/// The first setting of the provider `name` that differs from its default.
pub(super) fn said(layers: &Layers, name: &str) -> Option<String> {
    keys(layers, name).find(|key| is_said(layers, key)).map(str::to_owned)
}

/// The first setting of the provider `name` that is set, even if it is empty.
pub(super) fn mentioned(layers: &Layers, name: &str) -> String {
    let is_set = |key: &&str| layers.find(key).is_some_and(|one| one.origin != Origin::Default);
    keys(layers, name).find(is_set).map_or_else(|| key(name, "kind"), str::to_owned)
}

/// Whether the value of `key` differs from its default.
pub(super) fn is_said(layers: &Layers, key: &str) -> bool {
    let default = split(key).and_then(|(_, setting)| layers.default_of_providers(setting));
    layers.find(key).is_some_and(|entry| Some(&entry.value) != default)
}

fn keys<'a>(layers: &'a Layers, name: &str) -> impl Iterator<Item = &'a str> {
    let section = key(name, "");
    layers.keys().filter(move |key| key.starts_with(&section))
}

/// The provider's and the setting's name in `providers.NAME.SETTING`.
fn split(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix(SECTION)?.split_once('.')
}

/// Whether `name` is a valid provider name. It becomes part of a variable name.
pub(in crate::config) fn is_name(name: &str) -> bool {
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && !name.ends_with(['-', '_'])
        && !name.replace('-', "_").contains("__")
        && name.len() <= NAME_CHARS_MAX
        && name.bytes().all(is_plain)
        && name != built_in::NAME
}
