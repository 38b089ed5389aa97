//! The values of all settings, layer upon layer.

use std::collections::BTreeMap;

use super::problem::{ConfigError, Problem};
use super::providers::{self, Template};
use super::value::{Origin, Value};
use super::{Secret, Sources, environment, file};

/// The defaults, which are also the list of all settings that there are.
pub(super) const DEFAULTS: &str = include_str!("../../../../config.default.toml");

/// Settings whose values nobody may see.
const SECRET_KEYS: [&str; 9] = [
    "billing.stripe_secret_key",
    "billing.stripe_webhook_secret",
    "mail.smtp_url",
    "metrics.token",
    "oidc.client_secret",
    "store.database_url",
    "store.s3_access_key_id",
    "store.s3_secret_access_key",
    "traces.headers",
];
/// What ends the name of a provider's secret.
const SECRET_KEY_END: &str = ".api_key";
/// A setting that is not there shares at least so much of its name with the one that was meant
/// (the Jaro-Winkler measure, from 0 to 1).
const LIKENESS_MIN: f64 = 0.85;

/// Every setting with its value, and where it was set.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    entries: BTreeMap<String, Entry>,
    /// What each provider has, once anything is said of it.
    of_providers: Template,
}

/// A value and where it was set.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

impl Layers {
    /// Puts the operator's file and the environment upon the defaults. Values that cannot be
    /// placed become problems.
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

    /// Makes room for the settings of the provider `name`, at their defaults.
    pub(super) fn open_provider(&mut self, name: &str) {
        for (setting, value) in &self.of_providers {
            let key = providers::key(name, setting);
            let entry = default_entry(&key, value.clone());
            self.entries.entry(key).or_insert(entry);
        }
    }

    /// The default of `setting` of every provider.
    pub(super) fn default_of_providers(&self, setting: &str) -> Option<&Value> {
        let found = self.of_providers.iter().find(|(name, _)| name == setting);
        found.map(|(_, value)| value)
    }
}

/// Whether the values of `key` must not be seen.
pub(super) fn is_secret(key: &str) -> bool {
    SECRET_KEYS.contains(&key) || key.ends_with(SECRET_KEY_END)
}

/// The default of a setting, a secret if it is one.
pub(super) fn default_entry(key: &str, value: Value) -> Entry {
    let value = match value {
        Value::Text(text) if is_secret(key) => Value::Secret(Secret::new(text)),
        value => value,
    };
    Entry { value, origin: Origin::Default }
}

/// The message for a name that is no setting's, with the nearest one that is.
pub(super) fn unknown<'a>(name: &'a str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(one) => format!("there is no such setting; did you mean {one}?"),
        None => "there is no such setting; `retouch config show` lists them".to_owned(),
    }
}

/// The one of `known` that was probably meant by `name`.
pub(super) fn nearest<'a>(name: &'a str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // What all variables begin with would make any two of them alike.
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
