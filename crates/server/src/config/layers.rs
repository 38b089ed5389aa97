//! The values of all settings: defaults, then the operator's file, then the environment.

use std::collections::BTreeMap;

use super::problem::{ConfigError, Problem};
use super::providers::{self, Template};
use super::value::{Origin, Value};
use super::{Secret, Sources, environment, file};

/// The defaults, which also define which settings exist.
pub(super) const DEFAULTS: &str = include_str!("../../../../config.default.toml");

/// Settings whose values are never shown.
const SECRET_KEYS: [&str; 11] = [
    "billing.stripe_secret_key",
    "billing.stripe_webhook_secret",
    "mail.smtp_url",
    "metrics.token",
    "oidc.client_secret",
    "reader.api_key",
    "server.secret_key",
    "store.database_url",
    "store.s3_access_key_id",
    "store.s3_secret_access_key",
    "traces.headers",
];
/// The suffix of a provider's secret setting.
const SECRET_KEY_END: &str = ".api_key";
/// The minimum similarity between an unknown name and a suggested one (Jaro-Winkler, 0 to 1).
const LIKENESS_MIN: f64 = 0.85;

/// Every setting with its value, and where it was set.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    entries: BTreeMap<String, Entry>,
    /// The settings that every provider has, with their defaults.
    of_providers: Template,
}

/// A value and where it was set.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

impl Layers {
    /// Applies the operator's file and the environment to the defaults. Values that do not fit a
    /// setting become problems.
    pub(super) fn load(sources: &Sources) -> Result<(Self, Vec<Problem>), ConfigError> {
        let (entries, of_providers) = file::defaults();
        let mut layers = Self { entries, of_providers };
        let mut problems = Vec::new();
        if let Some(path) = &sources.file {
            file::overlay(&mut layers, path, &mut problems)?;
        }
        environment::overlay(&mut layers, &sources.environment, &mut problems);
        Ok((layers, problems))
    }

    pub(super) fn find(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    pub(super) fn set(&mut self, key: &str, value: Value, origin: Origin) {
        self.entries.insert(key.to_owned(), Entry { value, origin });
    }

    /// Adds the settings of the provider `name` with their defaults.
    pub(super) fn open_provider(&mut self, name: &str) {
        for (setting, value) in &self.of_providers {
            let key = providers::key(name, setting);
            let entry = default_entry(&key, value.clone());
            self.entries.entry(key).or_insert(entry);
        }
    }

    /// The default of `setting` for every provider.
    pub(super) fn default_of_providers(&self, setting: &str) -> Option<&Value> {
        let found = self.of_providers.iter().find(|(name, _)| name == setting);
        found.map(|(_, value)| value)
    }
}

/// Whether the value of `key` must not be shown.
pub(super) fn is_secret(key: &str) -> bool {
    SECRET_KEYS.contains(&key) || key.ends_with(SECRET_KEY_END)
}

/// The entry for a setting's default, which decides the type of the setting.
pub(super) fn default_entry(key: &str, value: Value) -> Entry {
    let value = match value {
        Value::Text(text) if is_secret(key) => Value::Secret(Secret::new(text)),
        Value::Text(text) => Value::of_default(text),
        value => value,
    };
    Entry { value, origin: Origin::Default }
}

/// The message for an unknown setting, with the most similar known one.
pub(super) fn unknown<'a>(name: &'a str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(one) => format!("unknown setting; did you mean {one}?"),
        None => "unknown setting; `retouch config show` lists all settings".to_owned(),
    }
}

/// The element of `known` that is most similar to `name`, if it is similar enough.
pub(super) fn nearest<'a>(name: &'a str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // The common prefix would make all variables similar to each other.
    let bare = |name: &'a str| name.strip_prefix(environment::PREFIX).unwrap_or(name);
    let likeness = |one: &'a str| match one.rsplit_once('.') {
        Some((_, last)) if last == name => 1.0,
        _ => strsim::jaro_winkler(bare(name), bare(one)),
    };
    let nearest = known
        .map(|one| (likeness(one), one))
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN);
    nearest.map(|(_, one)| one)
}
