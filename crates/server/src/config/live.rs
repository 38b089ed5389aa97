//! The settings that administrators can change in the browser, without a restart. The operator's
//! file and the environment win: what they set can't be changed there.

use std::collections::BTreeMap;

use retouch_core::Credits;

use super::layers::Layers;
use super::problem::Problem;
use super::providers;
use super::reader::Reader;
use super::value::{Origin, Value, quoted};
use super::{AuthSettings, ProviderSettings, Settings, SignUpRule, SiteSettings, StoreSettings};

/// The settings that can be changed in the browser, as `section.key`.
pub const LIVE_KEYS: [&str; 12] = [
    "site.name",
    "site.color",
    "site.footer",
    "site.terms_url",
    "site.privacy_url",
    "site.contact",
    "site.announcement",
    "auth.sign_up",
    "auth.sign_up_domains",
    "auth.sign_up_credits",
    "auth.free_credits_per_day_max",
    "store.results_kept",
];

/// Settings from the database: texts as in an environment variable, by `section.key`.
pub type StoredSettings = BTreeMap<String, String>;

/// The values of these settings.
#[derive(Clone, Debug)]
pub struct LiveSettings {
    /// What visitors see of the operator.
    pub site: SiteSettings,
    /// Who may sign up.
    pub sign_up: SignUpRule,
    /// The domains for [`SignUpRule::Domains`], in lower case.
    pub sign_up_domains: Vec<String>,
    /// Free credits of a new account, if not the catalogue's.
    pub sign_up_credits: Option<Credits>,
    /// Free credits per day (UTC) for all new accounts together.
    pub free_credits_per_day_max: Credits,
    /// How many days results of accounts without a plan are kept, if not as in the catalogue.
    pub results_kept_days: Option<Option<u32>>,
}

/// One of these settings as a form shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveField {
    /// The setting, as `section.key`.
    pub key: &'static str,
    /// Its value, as in an environment variable.
    pub value: String,
    /// The file and line, or the environment variable, that sets it. `None`: it can be changed in
    /// the browser.
    pub fixed_by: Option<String>,
}

impl Settings {
    /// The settings with those that are `stored` in the database. Stored settings that the file or
    /// the environment sets are ignored.
    ///
    /// # Errors
    /// Everything that is wrong with the stored settings.
    pub fn live(&self, stored: &StoredSettings) -> Result<LiveSettings, Vec<Problem>> {
        let mut layers = self.layers.clone();
        let problems = overlay(&mut layers, stored);
        let mut reader = Reader::new(&layers, problems);
        let site = SiteSettings::read(&mut reader);
        let auth = AuthSettings::read(&mut reader);
        let results_kept_days = StoreSettings::read(&mut reader).results_kept_days;
        match reader.into_problems() {
            problems if problems.is_empty() => Ok(LiveSettings {
                site,
                sign_up: auth.sign_up,
                sign_up_domains: auth.sign_up_domains,
                sign_up_credits: auth.sign_up_credits,
                free_credits_per_day_max: auth.free_credits_per_day_max,
                results_kept_days,
            }),
            problems => Err(problems),
        }
    }

    /// The settings of the file and the environment alone.
    pub fn live_of_file(&self) -> LiveSettings {
        LiveSettings {
            site: self.site.clone(),
            sign_up: self.auth.sign_up,
            sign_up_domains: self.auth.sign_up_domains.clone(),
            sign_up_credits: self.auth.sign_up_credits,
            free_credits_per_day_max: self.auth.free_credits_per_day_max,
            results_kept_days: self.store.results_kept_days,
        }
    }

    /// These settings as a form shows them.
    pub fn live_fields(&self, stored: &StoredSettings) -> Vec<LiveField> {
        let mut layers = self.layers.clone();
        // What is wrong with them was reported when they were read.
        drop(overlay(&mut layers, stored));
        let fields = LIVE_KEYS.into_iter().filter_map(|key| {
            let entry = layers.find(key)?;
            let fixed_by = match &entry.origin {
                Origin::Default | Origin::Browser => None,
                set @ (Origin::File { .. } | Origin::Environment(_)) => Some(set.to_string()),
            };
            Some(LiveField { key, value: text(&entry.value), fixed_by })
        });
        fields.collect()
    }

    /// The settings of a provider that an administrator added, from texts by setting.
    ///
    /// # Errors
    /// The first thing that is wrong: the setting, and a message.
    pub fn added_provider(
        &self,
        name: &str,
        set: &BTreeMap<String, String>,
    ) -> Result<ProviderSettings, (String, String)> {
        let mut layers = self.layers.clone();
        if !providers::is_name(name) {
            let message = "use at most 40 characters from a-z, 0-9, - and _, with a letter first";
            return Err(("name".to_owned(), message.to_owned()));
        }
        layers.open_provider(name);
        for (setting, value) in set {
            let key = providers::key(name, setting);
            let Some(entry) = layers.find(&key) else { continue };
            let parsed = entry.value.parse_like(value);
            let refused = || (setting.clone(), entry.value.refusal(&quoted(value)));
            let parsed = parsed.ok_or_else(refused)?;
            layers.set(&key, parsed, Origin::Browser);
        }
        let mut reader = Reader::new(&layers, Vec::new());
        let read = providers::read_one(&mut reader, name);
        if let Some(problem) = reader.into_problems().into_iter().next() {
            let setting = problem.key.rsplit('.').next().unwrap_or_default().to_owned();
            return Err((setting, problem.message));
        }
        let nothing = || ("kind".to_owned(), "choose a kind of provider".to_owned());
        read.ok_or_else(nothing)
    }
}

/// Sets what is stored and not set elsewhere. Returns what cannot be.
fn overlay(layers: &mut Layers, stored: &StoredSettings) -> Vec<Problem> {
    let mut problems = Vec::new();
    for key in LIVE_KEYS {
        let (Some(value), Some(entry)) = (stored.get(key), layers.find(key)) else { continue };
        if entry.origin != Origin::Default {
            continue;
        }
        match entry.value.parse_like(value) {
            Some(parsed) => layers.set(key, parsed, Origin::Browser),
            None => {
                let message = entry.value.refusal(&quoted(value));
                problems.push(Problem::new(key, message, &Origin::Browser));
            }
        }
    }
    problems
}

/// The value as a form shows it, which [`Value::parse_like`] reads.
fn text(value: &Value) -> String {
    match value.to_json() {
        serde_json::Value::String(text) => text,
        serde_json::Value::Array(list) => {
            let parts = list.iter().filter_map(|one| one.as_str());
            parts.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
