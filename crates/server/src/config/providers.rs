//! The configured providers. Each has a section like `[providers.NAME]` in `config.default.toml`.

mod dialect;
mod names;

use std::collections::BTreeMap;
use std::path::PathBuf;

use retouch_core::catalogue::MicroDollars;
use retouch_providers::kinds::{self, Key, OwnSetting, ProviderKind};
use url::Url;

use super::Secret;
use super::duration::HOUR_MS;
use super::environment::variable;
use super::layers::nearest;
use super::network::{is_in_the_clear, web_address};
use super::reader::Reader;

pub use dialect::ProviderUnusable;
pub(super) use names::{
    Template, is_name, is_of_template, key, open_for_key, open_for_variable, unknown,
};

/// The upper limit for timeouts, in milliseconds.
const WAIT_MS_MAX: u64 = 100 * HOUR_MS;

/// A configured provider.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// The kind of provider.
    pub kind: &'static ProviderKind,
    /// The base URL of its API.
    pub base_url: Url,
    /// The API key.
    pub api_key: Option<Secret>,
    /// The API version, if not the default.
    pub api_version: Option<String>,
    /// Workflow files (`ComfyUI`).
    pub workflows: Vec<PathBuf>,
    /// Concurrent calls.
    pub concurrent_max: usize,
    /// Calls that may wait.
    pub queue_max: usize,
    /// Spending limit per day (UTC), by the costs in the catalogue; none for no limit.
    pub usd_per_day_max: Option<MicroDollars>,
    /// Time limit for connecting, in milliseconds.
    pub connect_ms_max: u64,
    /// How long the provider may pause in the middle of a response, in milliseconds.
    pub idle_ms_max: u64,
}

impl ProviderSettings {
    /// Whether its key is sent unencrypted to another machine.
    pub fn shows_its_key(&self) -> bool {
        self.api_key.is_some() && is_in_the_clear(&self.base_url)
    }
}

/// The configured providers by name. A provider without settings is not configured.
pub(super) fn read(reader: &mut Reader<'_>) -> BTreeMap<String, ProviderSettings> {
    let all = names::opened(reader.layers());
    let read = all.into_iter().filter_map(|name| {
        let settings = Section::new(reader, &name)?.read();
        settings.map(|settings| (name, settings))
    });
    read.collect()
}

/// The provider `name`, if it has settings.
pub(super) fn read_one(reader: &mut Reader<'_>, name: &str) -> Option<ProviderSettings> {
    Section::new(reader, name)?.read()
}

/// The section of one provider while it is read.
struct Section<'r, 'a> {
    reader: &'r mut Reader<'a>,
    name: &'r str,
    kind: &'static ProviderKind,
    /// A setting that the operator has set.
    said: String,
}

impl<'r, 'a> Section<'r, 'a> {
    /// The section of `name`, if it sets anything.
    fn new(reader: &'r mut Reader<'a>, name: &'r str) -> Option<Self> {
        let said = names::said(reader.layers(), name);
        let setting = key(name, "kind");
        let kind = match reader.text(&setting) {
            "" => kinds::find(name),
            text => kinds::find(text),
        };
        match (kind, said) {
            (Some(kind), Some(said)) => Some(Self { reader, name, kind, said }),
            // An empty variable counts as not set.
            (Some(_), None) => None,
            (None, _) => {
                let wrong = match reader.text(&setting) {
                    "" => (name, names::mentioned(reader.layers(), name)),
                    text => (text, setting),
                };
                reader.refuse(&wrong.1, no_such_kind(wrong.0));
                None
            }
        }
    }

    fn read(mut self) -> Option<ProviderSettings> {
        self.refuse_what_others_have();
        let wait = 1..=WAIT_MS_MAX;
        let settings = ProviderSettings {
            kind: self.kind,
            api_key: self.api_key(),
            api_version: self.reader.optional(&self.key("api_version"), api_version),
            workflows: self.workflows(),
            concurrent_max: self.reader.number(&self.key("concurrent_max"), 1..=10_000),
            usd_per_day_max: self.reader.optional(&self.key("usd_per_day_max"), dollars),
            queue_max: self.reader.number(&self.key("queue_max"), 0..=100_000),
            connect_ms_max: self.reader.duration(&self.key("connect_time_max"), wait.clone()),
            idle_ms_max: self.reader.duration(&self.key("idle_max"), wait),
            base_url: self.base_url()?,
        };
        Some(settings)
    }

    fn base_url(&mut self) -> Option<Url> {
        let key = self.key("base_url");
        if !self.reader.text(&key).is_empty() {
            return self.reader.required(&key, web_address);
        }
        let usual = self.kind.base_url.and_then(|address| Url::parse(address).ok());
        if usual.is_none() {
            self.miss("base_url", "the address of your server");
        }
        usual
    }

    fn api_key(&mut self) -> Option<Secret> {
        let key = self.key("api_key");
        let secret = self.reader.secret(&key);
        match &secret {
            Some(secret) if !secret.fits_a_header() => {
                let expected = "expected an API key on one line, in ASCII and without spaces";
                self.reader.refuse(&key, expected);
            }
            None if self.kind.key == Key::Needed => self.miss("api_key", "an API key"),
            _ => {}
        }
        secret
    }

    fn workflows(&mut self) -> Vec<PathBuf> {
        let file = |text: &str| match text {
            "" => Err("expected a file".to_owned()),
            text => Ok(PathBuf::from(text)),
        };
        let workflows = self.reader.list(&self.key("workflows"), file);
        if workflows.is_empty() && self.kind.has(OwnSetting::Workflows) {
            self.miss("workflows", "a workflow file for each model");
        }
        workflows
    }

    /// Reports that a required setting of a configured provider is missing.
    fn miss(&mut self, setting: &str, what: &str) {
        let key = self.key(setting);
        let (label, variable) = (self.kind.label, variable(&key));
        let message = format!("missing: {label} needs {what}; set it here or in {variable}");
        self.reader.refuse_because(&key, message, &self.said);
    }

    /// Reports settings that this kind of provider does not have.
    fn refuse_what_others_have(&mut self) {
        for setting in OwnSetting::ALL {
            let key = self.key(setting.name());
            if self.kind.has(setting) || !names::is_said(self.reader.layers(), &key) {
                continue;
            }
            let having = kinds::KINDS.iter().filter(|kind| kind.has(setting));
            let having: Vec<&str> = having.map(|kind| kind.name).collect();
            let (kind, having) = (self.kind.name, having.join(" and "));
            self.reader.refuse(&key, format!("not a setting of {kind}, only of {having}"));
        }
    }

    fn key(&self, setting: &str) -> String {
        key(self.name, setting)
    }
}

fn no_such_kind(text: &str) -> String {
    let known = kinds::KINDS.iter().map(|kind| kind.name);
    let meant = nearest(text, known).map(|name| format!("; did you mean {name}?"));
    format!(
        "unknown provider {text:?}{} Known providers: {}. To use a name of your choice, set kind to \
         one of them",
        meant.as_deref().unwrap_or("."),
        kinds::names()
    )
}

/// Reads an amount of dollars such as `25.00`.
fn dollars(text: &str) -> Result<MicroDollars, String> {
    let amount: Option<MicroDollars> = text.parse().ok();
    amount.filter(|amount| amount.0 > 0).ok_or_else(|| "expected US dollars, such as 25.00".into())
}

/// Reads a version such as `v1beta` or `2025-04-01-preview`. It becomes part of a URL.
fn api_version(text: &str) -> Result<String, String> {
    let is_version =
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    if is_version { Ok(text.to_owned()) } else { Err("expected a version such as v1beta".into()) }
}
