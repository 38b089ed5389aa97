//! The providers that the operator has configured; a section each, for the providers that this
//! build knows.

use std::collections::BTreeMap;

use url::Url;

use super::Secret;
use super::environment::variable;
use super::layers::Layers;
use super::network::web_address;
use super::reader::Reader;

/// What begins the key of every provider's setting.
const SECTION: &str = "providers.";
/// What a provider may be told.
const KEYS: [&str; 2] = ["base_url", "api_key"];

/// What the operator has said about one provider.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// Where it is, if not at its usual address.
    pub base_url: Option<Url>,
    /// What opens it.
    pub api_key: Option<Secret>,
}

/// The keys that the `known` providers have.
pub(super) fn keys(known: &[String]) -> impl Iterator<Item = String> {
    known.iter().flat_map(|name| KEYS.map(|key| format!("{SECTION}{name}.{key}")))
}

/// The providers of which anything is said.
pub(super) fn read(reader: &mut Reader<'_>) -> BTreeMap<String, ProviderSettings> {
    let mut all = BTreeMap::new();
    for name in names(reader.layers()) {
        let base_url = reader.optional(&format!("{SECTION}{name}.base_url"), web_address);
        let api_key = reader.secret(&format!("{SECTION}{name}.api_key"));
        if base_url.is_some() || api_key.is_some() {
            all.insert(name, ProviderSettings { base_url, api_key });
        }
    }
    all
}

/// The message for a `key` that belongs to a provider that there is not.
pub(super) fn unknown(key: &str, layers: &Layers) -> Option<String> {
    let name = key.strip_prefix(SECTION)?.split('.').next()?;
    no_such_provider(name, &names(layers))
}

/// The message for a variable that belongs to a provider that there is not.
pub(super) fn unknown_variable(variable_name: &str, layers: &Layers) -> Option<String> {
    let rest = variable_name.strip_prefix(&variable(SECTION))?;
    let name = rest.split("__").next()?.to_lowercase();
    let spelled: Vec<String> = names(layers).iter().map(|name| name.replace('-', "_")).collect();
    no_such_provider(&name, &spelled)
}

fn no_such_provider(name: &str, known: &[String]) -> Option<String> {
    if known.iter().any(|one| one == name) {
        return None;
    }
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Some(format!("there is no provider {name:?}; this build knows: {known}"))
}

fn names(layers: &Layers) -> Vec<String> {
    let name = |key: &str| Some(key.strip_prefix(SECTION)?.strip_suffix(".base_url")?.to_owned());
    layers.keys().filter_map(name).collect()
}
